// Vectors and rotations for the description of models: plain arrays, not to be changed. Nothing here runs in a step.
//
// Results are not frozen: freezing an array of numbers boxes each of them, which makes a product ten times slower.
// Descriptions freeze what they keep (src/model/store.ts).

import { hypotenuse } from "./portable-trigonometry.js";

/** Three numbers. */
export type Vector = readonly [number, number, number];
/** Euler parameters, scalar first. */
export type Quaternion = readonly [number, number, number, number];
/** A 3 x 3 matrix, column-major. */
export type Matrix = readonly number[];

/** Axes of a frame that is not rotated. */
export const IDENTITY: Matrix = Object.freeze([1, 0, 0, 0, 1, 0, 0, 0, 1]);
export const ZERO: Vector = Object.freeze([0, 0, 0] as const);

/** Creates a vector; a negative zero, which only confuses readers, becomes zero. */
export function vectorOf(x: number, y: number, z: number): Vector {
  return [x + 0, y + 0, z + 0];
}

/** Reads three values of an array, from an index on. */
export function threeAt(values: ArrayLike<number>, place: number): Vector {
  return vectorOf(values[place]!, values[place + 1]!, values[place + 2]!);
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
  return hypotenuse(a[0], a[1], a[2]);
}

/** Unit vector along a; divided by the largest component first, so that no square overflows. */
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
  return [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]];
}

/** Entry i of m times the column of n that begins at j. */
function entry(m: Matrix, i: number, n: Matrix | Vector, j: number): number {
  return m[i]! * n[j]! + m[i + 3]! * n[j + 1]! + m[i + 6]! * n[j + 2]! + 0;
}

/** Entry of m^T n, for the column of m that begins at i and the column of n that begins at j. */
function transposedEntry(m: Matrix, i: number, n: Matrix | Vector, j: number): number {
  return m[i]! * n[j]! + m[i + 1]! * n[j + 1]! + m[i + 2]! * n[j + 2]! + 0;
}

/** m a. */
export function times(m: Matrix, a: Vector): Vector {
  return [entry(m, 0, a, 0), entry(m, 1, a, 0), entry(m, 2, a, 0)];
}

/** m^T a. */
export function transposeTimes(m: Matrix, a: Vector): Vector {
  return [transposedEntry(m, 0, a, 0), transposedEntry(m, 3, a, 0), transposedEntry(m, 6, a, 0)];
}

/** m n. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    entry(m, 0, n, 0),
    entry(m, 1, n, 0),
    entry(m, 2, n, 0),
    entry(m, 0, n, 3),
    entry(m, 1, n, 3),
    entry(m, 2, n, 3),
    entry(m, 0, n, 6),
    entry(m, 1, n, 6),
    entry(m, 2, n, 6),
  ];
}

/** m^T n. */
export function transposeMultiply(m: Matrix, n: Matrix): Matrix {
  return [
    transposedEntry(m, 0, n, 0),
    transposedEntry(m, 3, n, 0),
    transposedEntry(m, 6, n, 0),
    transposedEntry(m, 0, n, 3),
    transposedEntry(m, 3, n, 3),
    transposedEntry(m, 6, n, 3),
    transposedEntry(m, 0, n, 6),
    transposedEntry(m, 3, n, 6),
    transposedEntry(m, 6, n, 6),
  ];
}

export function transpose(m: Matrix): Matrix {
  const row = (i: number) => vectorOf(m[i]!, m[i + 3]!, m[i + 6]!);
  return columns(row(0), row(1), row(2));
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
export function normalised(e: ArrayLike<number>): Quaternion {
  const length = hypotenuse(e[0]!, e[1]!, e[2]!, e[3]!);
  return [e[0]! / length + 0, e[1]! / length + 0, e[2]! / length + 0, e[3]! / length + 0];
}

/** Euler parameters of a rotation, scalar not negative. */
export function quaternionOf(m: Matrix): Quaternion {
  const e = new Float64Array(4);
  writeQuaternion(m, e);
  return normalised(e);
}

/**
 * Writes the Euler parameters of a rotation. The largest of 4 w^2 = 1 + trace and 4 u_i^2 = 1 + 2 R_ii - trace is
 * taken, so that the division by it is safe; the others follow from sums and differences across the diagonal
 * (Shepperd, J. Guidance and Control 1, 1978).
 */
export function writeQuaternion(r: ArrayLike<number>, out: Float64Array): void {
  const x = r[0]!;
  const y = r[4]!;
  const z = r[8]!;
  const trace = x + y + z;
  const a = r[5]! - r[7]!;
  const b = r[6]! - r[2]!;
  const c = r[1]! - r[3]!;
  const xy = r[1]! + r[3]!;
  const xz = r[2]! + r[6]!;
  const yz = r[5]! + r[7]!;
  if (trace >= x && trace >= y && trace >= z) setScaled(out, 1 + trace, a, b, c);
  else if (x >= y && x >= z) setScaled(out, a, 1 + x - y - z, xy, xz);
  else if (y >= z) setScaled(out, b, xy, 1 + y - x - z, yz);
  else setScaled(out, c, xz, yz, 1 + z - x - y);
}

/** Normalises Euler parameters times a factor, with a scalar that is not negative. */
function setScaled(out: Float64Array, w: number, x: number, y: number, z: number): void {
  const scale = (w < 0 ? -1 : 1) / Math.sqrt(w * w + x * x + y * y + z * z);
  out[0] = scale * w;
  out[1] = scale * x;
  out[2] = scale * y;
  out[3] = scale * z;
}

/**
 * Axes with z along a direction. x is the component of `guide` perpendicular to it; without a guide, of the coordinate
 * axis farthest from z (the first, if two are as far), so z = (0, 0, 1) results in the identity.
 */
export function axesAlong(z: Vector, guide?: Vector): Matrix {
  const c = unit(z);
  const sizes = c.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const g = guide === undefined ? column(IDENTITY, least) : unit(guide);
  const x = unit(subtract(g, scale(dot(g, c), c)));
  return columns(x, cross(c, x), c);
}
