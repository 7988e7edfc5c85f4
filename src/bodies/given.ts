// Velocities that the user gave, of bodies or of their turning, against those that follow from joints.

import { BODY_POSITIONS, BODY_VELOCITIES, BodyMass } from "../../assembly/layout-bodies.js";
import type { BodyData, Quaternion, Vector } from "../model/description.js";
import { add, cross, rotationOf, times, transposeTimes, ZERO } from "../model/vectors.js";

/**
 * What was meant, the likeliest first. A body of which only one velocity was given does not have the
 * other one: a cart that moves does not turn. If joints do not allow that, the other one follows: a wheel
 * that moves rolls.
 */
export function readings(bodies: readonly BodyData[]): (readonly BodyData[])[] {
  const isHalf = (body: BodyData) => Boolean(body.velocity) !== Boolean(body.angularVelocity);
  if (!bodies.some(isHalf)) return [bodies];
  const completed = bodies.map((body) =>
    isHalf(body)
      ? {
          ...body,
          velocity: body.velocity ?? ZERO,
          angularVelocity: body.angularVelocity ?? ZERO,
        }
      : body,
  );
  return [completed, bodies];
}

/**
 * Writes the velocities that were given, at the poses q. Those of the origin are told for the centre of
 * mass, which needs the angular velocity: that given, or that in v.
 */
export function keepVelocities(
  bodies: readonly BodyData[],
  q: Float64Array,
  v: Float64Array,
): void {
  for (const [body, { centre, velocity, angularVelocity }] of bodies.entries()) {
    const e = q.subarray(BODY_POSITIONS * body + 3, BODY_POSITIONS * (body + 1));
    const own = v.subarray(BODY_VELOCITIES * body, BODY_VELOCITIES * (body + 1));
    const rotation = rotationOf([...e] as unknown as Quaternion);
    if (angularVelocity) own.set(transposeTimes(rotation, angularVelocity), 3);
    if (velocity) {
      const turning = times(rotation, [...own.subarray(3)] as unknown as Vector);
      own.set(add(velocity, cross(turning, times(rotation, centre))));
    }
  }
}

/** How much more easily follows what was not given. */
const LIGHTER = 1e6;

/**
 * Makes light what was not given, where something was: the mass for velocities, the inertia for angular
 * ones. False if there is nothing to favour.
 */
export function favourGiven(bodies: readonly BodyData[], masses: Float64Array): boolean {
  const given = bodies.flatMap(({ velocity, angularVelocity }) => [velocity, angularVelocity]);
  if (given.every((value) => value === undefined)) return false;
  for (const [body, { velocity, angularVelocity }] of bodies.entries()) {
    const record = masses.subarray(BodyMass.LENGTH * body, BodyMass.LENGTH * (body + 1));
    if (!velocity) lighten(record, BodyMass.INVERSE_MASS, 1);
    if (!angularVelocity) lighten(record, BodyMass.INVERSE_INERTIA, 9);
  }
  return given.includes(undefined);
}

function lighten(record: Float64Array, first: number, count: number): void {
  for (let slot = first; slot < first + count; slot++) {
    record[slot] = LIGHTER * (record[slot] as number);
  }
}
