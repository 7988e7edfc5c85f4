// Vectors and rotations for tests, independent of the package.

export type V3 = [number, number, number];
/** Row-major. */
export type M3 = [V3, V3, V3];
/** Quaternion, scalar first. */
export type Quaternion = [number, number, number, number];

export const plus = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: V3, b: V3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (k: number, a: V3): V3 => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: V3): number => Math.sqrt(dot(a, a));
export const unit = (a: V3): V3 => scaled(1 / norm(a), a);
export const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const times = (m: M3, a: V3): V3 => [dot(m[0], a), dot(m[1], a), dot(m[2], a)];
export const transposed = (m: M3): M3 => columns(m[0], m[1], m[2]);
export const timesTransposed = (m: M3, a: V3): V3 => times(transposed(m), a);
export const product = (m: M3, n: M3): M3 => {
  const [x, y, z] = transposed(n);
  return columns(times(m, x), times(m, y), times(m, z));
};
export const columns = (x: V3, y: V3, z: V3): M3 => [
  [x[0], y[0], z[0]],
  [x[1], y[1], z[1]],
  [x[2], y[2], z[2]],
];
export const column = (m: M3, j: number): V3 => [m[0][j], m[1][j], m[2][j]];

/** R of Euler parameters of any norm. */
export function rotation([w, x, y, z]: Quaternion): M3 {
  const s = 2 / (w * w + x * x + y * y + z * z);
  return [
    [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
    [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
    [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
  ];
}

export function turnAbout(axis: V3, angle: number): Quaternion {
  const [x, y, z] = scaled(Math.sin(angle / 2), unit(axis));
  return [Math.cos(angle / 2), x, y, z];
}

/** Hamilton's product. */
export function after([a, b, c, d]: Quaternion, [e, f, g, h]: Quaternion): Quaternion {
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
}

/** Axes whose z points along a direction, as columns. */
export function axesAlong(direction: V3): M3 {
  const z = unit(direction);
  const guide: V3 = Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const x = unit(minus(guide, scaled(dot(guide, z), z)));
  return columns(x, cross(z, x), z);
}

/** The inertia tensor after a rotation of the axes: R I R^T. */
export const turnedTensor = (r: M3, tensor: M3): M3 => product(r, product(tensor, transposed(r)));

export const largest = (values: Iterable<number>): number => {
  let most = 0;
  for (const value of values) most = value > most || -value > most ? Math.abs(value) : most;
  return most;
};

/** Largest difference of two lists; NaN if a value is. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = a.length === b.length ? 0 : Number.NaN;
  for (let i = 0; i < a.length; i++) {
    const apart = Math.abs(a[i] - b[i]);
    if (!(apart <= most)) most = apart;
  }
  return most;
}
