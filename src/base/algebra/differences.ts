// Central differences. Their steps depend on the scale on which a function varies, never on the size of its argument:
// a crank that has made ten thousand revolutions is the same crank. Rejected: steps in proportion to the argument,
// rounded to powers of two. They are too long after many revolutions, and derivatives jump where |q| passes a power
// of two.
//
// With the even and odd parts of f separated, both quotients below are series in (kh)^2, so one
// extrapolation to zero serves both:
//
//   f'(0)  = sum w_k (f(kh) - f(-kh)) / 2kh,    f''(0) = sum w_k (f(kh) - 2 f(0) + f(-kh)) / (kh)^2,
//
// w_k = prod_{m != k} m^2 / (m^2 - k^2). Errors of first derivatives are h^4 / 30, h^6 / 140 and h^8 / 630 of the
// derivative of that order + 1, those of second ones h^4 / 90, h^6 / 560 and h^8 / 3150 of the one of that order + 2.

/** Weights w_k by the order of the differences. */
export const ORDER_4 = [4 / 3, -1 / 3] as const;
export const ORDER_6 = [3 / 2, -3 / 5, 1 / 10] as const;
export const ORDER_8 = [8 / 5, -4 / 5, 8 / 35, -1 / 35] as const;

/** Order 6 as multiples of the step and the factors of f(kh) / h. */
export const POINTS = ORDER_6.flatMap((weight, i) => {
  const k = i + 1;
  return [
    [k, weight / (2 * k)],
    [-k, -weight / (2 * k)],
  ] as const;
});

/** A little more than half of the spacing of doubles, relative to the smallest of those with the same exponent. */
const HALF_SPACING = 2 ** -53 * (1 + 2 ** -20);

/**
 * Returns the spacing of floating-point numbers at a positive magnitude: the amount that rounds up to the next number
 * when added.
 */
export function spacingAt(size: number): number {
  return size + size * HALF_SPACING - size;
}

/**
 * First derivative of order 6. `sample` writes f(s) into `value`; steps must be small against the scale of variation
 * of f.
 */
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
    for (let i = 0; i < count; i++) {
      const place = offset + i * stride;
      out[place] = (out[place] as number) + (weight / step) * (value[i] as number);
    }
  }
}
