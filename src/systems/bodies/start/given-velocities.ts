// Velocities and angular velocities that the user gave, as opposed to those that follow from joints.

import { BODY_POSITIONS, BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import type {
  BodyData,
  ModelData,
  Quaternion,
  Vector,
} from "../../../describe/model/model-data.js";
import {
  add,
  cross,
  rotationOf,
  times,
  transposeTimes,
  ZERO,
} from "../../../ground/algebra/vectors.js";

/** Positions of all bodies as the user gave them, at rest. */
export function givenState({ bodies }: Pick<ModelData, "bodies">): { q: number[]; v: number[] } {
  const q = bodies.flatMap(({ position, orientation, centre }) => [
    ...add(position, times(rotationOf(orientation), centre)),
    ...orientation,
  ]);
  return { q, v: new Array<number>(BODY_VELOCITIES * bodies.length).fill(0) };
}

/**
 * Possible interpretations of partially given velocities, most likely first. Where only one velocity of a body was
 * given, the missing one is zero if the joints allow it (a cart translates), else it follows from the joints (a wheel
 * rolls).
 */
export function velocityInterpretations(bodies: readonly BodyData[]): (readonly BodyData[])[] {
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
 * Writes the velocities that were given, at the poses q. Those of the origin are converted to the centre of mass, which
 * needs the angular velocity: the given one, or that in v.
 */
export function keepVelocities(
  bodies: readonly BodyData[],
  q: Float64Array,
  v: Float64Array,
  isKept: (body: BodyData) => boolean = () => true,
): void {
  for (const [index, body] of bodies.entries()) {
    if (!isKept(body)) continue;
    const { centre, velocity, angularVelocity } = body;
    const e = q.subarray(BODY_POSITIONS * index + 3, BODY_POSITIONS * (index + 1));
    const own = v.subarray(BODY_VELOCITIES * index, BODY_VELOCITIES * (index + 1));
    const rotation = rotationOf([...e] as unknown as Quaternion);
    if (angularVelocity) own.set(transposeTimes(rotation, angularVelocity), 3);
    if (velocity) {
      const turning = times(rotation, [...own.subarray(3)] as unknown as Vector);
      own.set(add(velocity, cross(turning, times(rotation, centre))));
    }
  }
}

/** Which of its coordinates a body keeps. */
export interface Held {
  readonly linear: boolean;
  readonly angular: boolean;
}

/**
 * Inverse masses of a system with some of them zero: x = M^-1 J^T lambda then leaves what is held alone,
 * to the last bit. Rejected: making the others lighter by some factor, which changes what was given by the
 * ratio of the inertias over that factor.
 */
export function zeroHeldInverseMasses(
  masses: Float64Array,
  free: Float64Array,
  held: (body: number) => Held,
): void {
  masses.set(free);
  for (let body = 0; body < masses.length / BodyMass.LENGTH; body++) {
    const record = masses.subarray(BodyMass.LENGTH * body, BodyMass.LENGTH * (body + 1));
    const { linear, angular } = held(body);
    if (linear) record[BodyMass.INVERSE_MASS] = 0;
    if (angular) record.fill(0, BodyMass.INVERSE_INERTIA, BodyMass.INVERSE_INERTIA + 9);
  }
}
