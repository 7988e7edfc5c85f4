// The start of a model as it is given.

import { BodyMass } from "../../assembly/layout-bodies.js";
import type { BodyData, ModelData } from "../model/description.js";
import { add, cross, rotationOf, times, transposeTimes, ZERO } from "../model/vectors.js";

/** Positions and velocities of all bodies as the user gave them. */
export function givenState({ bodies }: ModelData): { q: number[]; v: number[] } {
  const q: number[] = [];
  const v: number[] = [];
  for (const body of bodies) {
    const rotation = rotationOf(body.orientation);
    const arm = times(rotation, body.centre);
    const omega = body.angularVelocity ?? ZERO;
    q.push(...add(body.position, arm), ...body.orientation);
    v.push(...add(body.velocity ?? ZERO, cross(omega, arm)), ...transposeTimes(rotation, omega));
  }
  return { q, v };
}

/** A length that is typical of the model: half the largest distance between its points, or 1. */
export function sizeOf({ bodies, markers }: ModelData): number {
  const points = [
    ...bodies.map(({ position }) => position),
    ...markers.map(({ body, point }) => {
      const of = bodies[body];
      return of ? add(of.position, times(rotationOf(of.orientation), point)) : point;
    }),
  ];
  let size = 0;
  for (let i = 0; i < 3; i++) {
    const values = points.map((point) => point[i] as number);
    const range = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    size = Math.max(
      size,
      range - values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    );
  }
  return size > 0 ? size / 2 : 1;
}

/** How much more easily follows what was not given. */
const LIGHTER = 1e8;

/**
 * Makes light what was not given, of velocity and of angular velocity, where something was. True for each
 * velocity coordinate that was given.
 */
export function favourGiven(bodies: readonly BodyData[], masses: Float64Array): boolean[] {
  const isGiven = bodies.flatMap(({ velocity, angularVelocity }) => [
    ...[0, 1, 2].map(() => velocity !== undefined),
    ...[0, 1, 2].map(() => angularVelocity !== undefined),
  ]);
  if (!isGiven.includes(true)) return isGiven;
  bodies.forEach(({ velocity, angularVelocity }, body) => {
    const lighten = (field: BodyMass, count: number) => {
      const first = BodyMass.LENGTH * body + field;
      for (let slot = first; slot < first + count; slot++) {
        masses[slot] = (masses[slot] as number) * LIGHTER;
      }
    };
    if (!velocity) lighten(BodyMass.INVERSE_MASS, 1);
    if (!angularVelocity) lighten(BodyMass.INVERSE_INERTIA, 9);
  });
  return isGiven;
}
