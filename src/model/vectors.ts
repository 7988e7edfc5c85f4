// Vectors and rotations of a model being described: plain arrays, made anew each time. Nothing here
// runs in a step.

import type { Matrix, Quaternion, Vector } from "./description.js";

/** The axes of a frame that is not turned. */
export const IDENTITY: Matrix = Object.freeze([1, 0, 0, 0, 1, 0, 0, 0, 1]);
export const ZERO: Vector = Object.freeze([0, 0, 0] as const);

/** Three numbers as a vector; a negative zero, which only confuses readers, becomes zero. */
export function vectorOf(x: number, y: number, z: number): Vector {
  return Object.freeze([x + 0, y + 0, z + 0] as const);
}

export function add(a: Vector, b: Vector): Vector {
  return vectorOf(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

export function subtract(a: Vector, b: Vector): Vector {
  return vectorOf(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function scale(factor: number, a: Vector): Vector {
  return vectorOf(factor * a[0], factor * a[1], factor * a[2]);
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return vectorOf(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

export function norm(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** A direction; divided by the largest component first, so that no square overflows. */
export function unit(a: Vector): Vector {
  const largest = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  const scaled = vectorOf(a[0] / largest, a[1] / largest, a[2] / largest);
  return scale(1 / norm(scaled), scaled);
}

/** Column j of a 3 x 3 matrix. */
export function column(m: Matrix, j: number): Vector {
  return vectorOf(m[3 * j]!, m[3 * j + 1]!, m[3 * j + 2]!);
}

export function columns(x: Vector, y: Vector, z: Vector): Matrix {
  return Object.freeze([...x, ...y, ...z]);
}

/** m a. */
export function times(m: Matrix, a: Vector): Vector {
  const part = (i: number) => m[i]! * a[0] + m[i + 3]! * a[1] + m[i + 6]! * a[2];
  return vectorOf(part(0), part(1), part(2));
}

/** m^T a. */
export function transposeTimes(m: Matrix, a: Vector): Vector {
  return vectorOf(dot(column(m, 0), a), dot(column(m, 1), a), dot(column(m, 2), a));
}

/** m n. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return columns(times(m, column(n, 0)), times(m, column(n, 1)), times(m, column(n, 2)));
}

/** m^T n. */
export function transposeMultiply(m: Matrix, n: Matrix): Matrix {
  return columns(
    transposeTimes(m, column(n, 0)),
    transposeTimes(m, column(n, 1)),
    transposeTimes(m, column(n, 2)),
  );
}

export function transpose(m: Matrix): Matrix {
  return transposeMultiply(m, IDENTITY);
}

/** R of unit Euler parameters: R = (2 w^2 - 1) I + 2 (u u^T + w [u]x) for e = (w, u). */
export function rotationOf(e: Quaternion): Matrix {
  const [w, x, y, z] = e;
  return columns(
    vectorOf(2 * (w * w + x * x) - 1, 2 * (x * y + w * z), 2 * (x * z - w * y)),
    vectorOf(2 * (x * y - w * z), 2 * (w * w + y * y) - 1, 2 * (y * z + w * x)),
    vectorOf(2 * (x * z + w * y), 2 * (y * z - w * x), 2 * (w * w + z * z) - 1),
  );
}

/** Euler parameters divided by their length. */
export function normalised(e: readonly number[]): Quaternion {
  const length = Math.hypot(...e);
  return Object.freeze([
    e[0]! / length + 0,
    e[1]! / length + 0,
    e[2]! / length + 0,
    e[3]! / length + 0,
  ] as const);
}

/**
 * Euler parameters of a rotation. Of 4 w^2 = 1 + trace and 4 u_i^2 = 1 + 2 R_ii - trace the largest is
 * taken, so that the division by it is safe; the others follow from sums and differences across the
 * diagonal (Shepperd, J. Guidance and Control 1, 1978).
 */
export function quaternionOf(m: Matrix): Quaternion {
  const at = (i: number, j: number) => m[i + 3 * j]!;
  const trace = at(0, 0) + at(1, 1) + at(2, 2);
  const squares = [trace, at(0, 0), at(1, 1), at(2, 2)];
  const largest = squares.indexOf(Math.max(...squares));
  const e = [0, 0, 0, 0];
  if (largest === 0) {
    e[0] = 1 + trace;
    e[1] = at(2, 1) - at(1, 2);
    e[2] = at(0, 2) - at(2, 0);
    e[3] = at(1, 0) - at(0, 1);
  } else {
    const i = largest - 1;
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    e[0] = at(k, j) - at(j, k);
    e[i + 1] = 1 + 2 * at(i, i) - trace;
    e[j + 1] = at(j, i) + at(i, j);
    e[k + 1] = at(k, i) + at(i, k);
  }
  return normalised(e);
}

/**
 * Axes with z along a direction. x is the part of `guide` perpendicular to it; without a guide, of the
 * coordinate axis farthest from z (the first, if two are as far), so z = (0, 0, 1) gives the identity.
 */
export function axesAlong(z: Vector, guide?: Vector): Matrix {
  const c = unit(z);
  const sizes = c.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const g = guide === undefined ? column(IDENTITY, least) : unit(guide);
  const x = unit(subtract(g, scale(dot(g, c), c)));
  return columns(x, cross(c, x), c);
}
