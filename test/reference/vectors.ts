// Vectors of three numbers and unit quaternions (scalar first), for the reference. Slow and obvious.

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];
/** Three rows. */
export type Matrix = readonly [Vector, Vector, Vector];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

export const scale = (k: number, a: Vector): Vector => [k * a[0], k * a[1], k * a[2]];

export const length = (a: Vector): number => Math.sqrt(dot(a, a));

export const unit = (a: Vector): Vector => scale(1 / length(a), a);

export const times = (m: Matrix, a: Vector): Vector => [dot(m[0], a), dot(m[1], a), dot(m[2], a)];

export const transposed = (m: Matrix): Matrix => [
  [m[0][0], m[1][0], m[2][0]],
  [m[0][1], m[1][1], m[2][1]],
  [m[0][2], m[1][2], m[2][2]],
];

export const product = (a: Matrix, b: Matrix): Matrix => {
  const columns = transposed(b);
  return [times(columns, a[0]), times(columns, a[1]), times(columns, a[2])];
};

/** Two directions that make a right-handed frame with a unit vector. */
export function across(z: Vector): readonly [Vector, Vector] {
  const other: Vector = Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const x = unit(cross(other, z));
  return [x, cross(z, x)];
}

/** R of a unit quaternion: R a = a + 2 w (u x a) + 2 u x (u x a), written out. */
export function rotation([w, x, y, z]: Quaternion): Matrix {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** (0, a) q: twice the rate of q when the body turns by a, in the world. */
export function timesQuaternion(a: Vector, [w, ...u]: Quaternion): Quaternion {
  const [x, y, z] = add(scale(w, a), cross(a, u));
  return [-dot(a, u), x, y, z];
}

export function normalised([w, x, y, z]: Quaternion): Quaternion {
  const k = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
  return [k * w, k * x, k * y, k * z];
}

export const three = (x: ArrayLike<number>, at: number): Vector => [x[at], x[at + 1], x[at + 2]];

export const four = (x: ArrayLike<number>, at: number): Quaternion => [
  x[at],
  x[at + 1],
  x[at + 2],
  x[at + 3],
];
