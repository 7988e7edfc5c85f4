// Derivatives by central differences of fourth order,
//
//   f'(0) = (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12h + O(h^4),
//
// with steps that are powers of two, so that q + h - h = q. At h = 2^-10 the truncation, h^4 / 30 of the
// fifth derivative, and the rounding, eps / h, are both near 1e-13.

/** Steps in units of h, and their weights (times 12 h). */
export const POINTS = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;

/** Step for positions and velocities of size about one; larger ones get larger steps. */
const STEP = 2 ** -10;

/** Step for time: smaller, since drives may be fast. */
export const TIME_STEP = 2 ** -13;

/** A step in proportion to a size, as a power of two. */
export function stepFor(size: number): number {
  return STEP * 2 ** Math.ceil(Math.log2(Math.max(1, Math.abs(size))));
}

/** Adds weight / 12h of f at each point to `out`. `sample` writes f(s) into `value`. */
export function differentiate(
  step: number,
  sample: (s: number) => void,
  value: ArrayLike<number>,
  out: Float64Array,
  offset = 0,
  stride = 1,
  count = value.length,
): void {
  for (let i = 0; i < count; i++) out[offset + i * stride] = 0;
  for (const [multiple, weight] of POINTS) {
    sample(multiple * step);
    const factor = weight / (12 * step);
    for (let i = 0; i < count; i++) {
      out[offset + i * stride] =
        (out[offset + i * stride] as number) + factor * (value[i] as number);
    }
  }
}

/**
 * Second derivative along a line by differences of fourth order:
 * (-f(-2h) + 16 f(-h) - 30 f(0) + 16 f(h) - f(2h)) / 12 h^2. Rounding is eps / h^2, so h is larger.
 */
export function differentiateTwice(
  step: number,
  sample: (s: number) => void,
  value: ArrayLike<number>,
  out: Float64Array,
  count = value.length,
): void {
  const h = 4 * step;
  for (let i = 0; i < count; i++) out[i] = 0;
  for (const [multiple, weight] of [
    [-2, -1],
    [-1, 16],
    [0, -30],
    [1, 16],
    [2, -1],
  ] as const) {
    sample(multiple * h);
    const factor = weight / (12 * h * h);
    for (let i = 0; i < count; i++) out[i] = (out[i] as number) + factor * (value[i] as number);
  }
}

/** A step along q + s v: s v is then of the size of a step in q. */
export function lineStep(v: ArrayLike<number>): number {
  let speed = 1;
  for (let i = 0; i < v.length; i++) speed = Math.max(speed, Math.abs(v[i] as number));
  return STEP / 2 ** Math.ceil(Math.log2(speed));
}
