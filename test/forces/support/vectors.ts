// Straightforward operations on vectors and Euler parameters.

export type Vector = readonly number[];

export const ZERO: Vector = [0, 0, 0];
export const IDENTITY: Vector = [1, 0, 0, 0];

export const add = (x: Vector, y: Vector): Vector => x.map((value, i) => value + y[i]);
export const scale = (factor: number, x: Vector): Vector => x.map((value) => factor * value);
export const subtract = (x: Vector, y: Vector): Vector => add(x, scale(-1, y));
export const dot = (x: Vector, y: Vector): number => x.reduce((sum, a, i) => sum + a * y[i], 0);
export const length = (x: Vector): number => Math.sqrt(dot(x, x));
export const largest = (x: Vector): number => Math.max(...x.map(Math.abs));

export function cross([x0, x1, x2]: Vector, [y0, y1, y2]: Vector): Vector {
  return [x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0];
}

/** Hamilton's product. */
export function product([p0, ...p]: Vector, [q0, ...q]: Vector): Vector {
  return [p0 * q0 - dot(p, q), ...add(add(scale(p0, q), scale(q0, p)), cross(p, q))];
}

export const conjugate = ([e0, ...e]: Vector): Vector => [e0, ...scale(-1, e)];
export const unit = (x: Vector): Vector => scale(1 / length(x), x);

/** R(e) x, for unit e. */
export const turn = (e: Vector, x: Vector): Vector =>
  product(product(e, [0, ...x]), conjugate(e)).slice(1);

/** R(e)^T x. */
export const turnBack = (e: Vector, x: Vector): Vector => turn(conjugate(e), x);

/** Euler parameters of the rotation by |angles| about that vector. */
export function exponential(angles: Vector): Vector {
  const half = length(angles) / 2;
  const sine = half === 0 ? 0.5 : Math.sin(half) / (2 * half);
  return [Math.cos(half), ...scale(sine, angles)];
}

/** R(e), column-major. */
export const axesOf = (e: Vector): Vector =>
  [0, 1, 2].flatMap((i) =>
    turn(
      e,
      [0, 1, 2].map((j) => (i === j ? 1 : 0)),
    ),
  );

/** The derivative of a scalar function at zero: five points, an error of fourth order. */
export function derivative(of: (x: number) => number, h = 1e-3): number {
  return (8 * (of(h) - of(-h)) - (of(2 * h) - of(-2 * h))) / (12 * h);
}
