// States of bodies, from the values of a simulation.

import type { Body } from "nodrift/bodies";
import type { M3, Quaternion, V3 } from "./vectors.js";
import {
  cross,
  minus,
  plus,
  product,
  rotation,
  times,
  timesTransposed,
  transposed,
} from "./vectors.js";

/** Properties of a simulation, or of a compiled model, that readings need. */
export interface Moving {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

export interface State {
  /** Centre of mass. */
  readonly r: V3;
  readonly e: Quaternion;
  readonly R: M3;
  readonly v: V3;
  /** Angular velocity in the axes of the body, and in the world. */
  readonly w: V3;
  readonly omega: V3;
}

const REST: State = {
  r: [0, 0, 0],
  e: [1, 0, 0, 0],
  R: rotation([1, 0, 0, 0]),
  v: [0, 0, 0],
  w: [0, 0, 0],
  omega: [0, 0, 0],
};

/** Returns the state of a body by its handle or index; the ground is at rest. */
export function stateOf({ q, v }: Moving, body: Body | number): State {
  const index = typeof body === "number" ? body : body.index;
  if (index < 0) return REST;
  const [r, e] = [
    [...q.subarray(7 * index, 7 * index + 3)],
    [...q.subarray(7 * index + 3, 7 * index + 7)],
  ];
  const [u, w] = [
    [...v.subarray(6 * index, 6 * index + 3)],
    [...v.subarray(6 * index + 3, 6 * index + 6)],
  ];
  const R = rotation(e as Quaternion);
  return { r: r as V3, e: e as Quaternion, R, v: u as V3, w: w as V3, omega: times(R, w as V3) };
}

/** A point and axes fixed to a body, given in the world in some state. */
export interface Attached {
  readonly body: Body | number;
  readonly arm: V3;
  readonly axes: M3;
}

export function attach(
  at: Moving,
  body: Body | number,
  point: V3,
  axes: M3 = rotation([1, 0, 0, 0]),
): Attached {
  const { r, R } = stateOf(at, body);
  return { body, arm: timesTransposed(R, minus(point, r)), axes: product(transposed(R), axes) };
}

/** Returns the position, rotation and velocity of an attached frame. */
export function whereIs(at: Moving, { body, arm, axes }: Attached): { p: V3; R: M3; u: V3 } {
  const { r, R, v, omega } = stateOf(at, body);
  const s = times(R, arm);
  return { p: plus(r, s), R: product(R, axes), u: plus(v, cross(omega, s)) };
}

/** Returns the position and axes of B in the axes of A. */
export function relative(at: Moving, a: Attached, b: Attached): { d: V3; R: M3 } {
  const [first, second] = [whereIs(at, a), whereIs(at, b)];
  return {
    d: timesTransposed(first.R, minus(second.p, first.p)),
    R: product(transposed(first.R), second.R),
  };
}

/** Returns a function that unwraps an angle over full turns. */
export function counted(): (angle: number) => number {
  let before = 0;
  return (angle) => {
    before = angle + 2 * Math.PI * Math.round((before - angle) / (2 * Math.PI));
    return before;
  };
}
