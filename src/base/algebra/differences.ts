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

// Derivatives of functions of time whose time scale is unknown: a crank that takes seconds for a rotation, or a shaker
// of 500 Hz. Central differences of fourth order, with steps that shrink by a factor of four until two of them agree,
// or the shorter one agrees worse because of rounding.

type OfTime = (t: number) => number;

/** The first step: truncation is h^4 / 30 of the fifth derivative, rounding eps / h. */
const FIRST_STEP_S = 2 ** -10;
/** The first step for second derivatives: truncation is h^4 / 90 of the sixth, rounding eps / h^2. */
const SECOND_FIRST_STEP_S = 2 ** -8;
/** Sufficient agreement, relative to the derivative and to the value. */
const AGREEMENT_TOLERANCE = 1e-11;
const SECOND_AGREEMENT_TOLERANCE = 1e-9;
const MAX_LEVELS = 6;

/** f'(t) = (f(t - 2h) - 8 f(t - h) + 8 f(t + h) - f(t + 2h)) / 12h + O(h^4). */
export function rateOf(f: OfTime, t: number): number {
  let best = rateWith(f, t, FIRST_STEP_S);
  let apart = Number.POSITIVE_INFINITY;
  const size = Math.abs(f(t));
  for (let h = FIRST_STEP_S / 4, level = 1; level < MAX_LEVELS; level++, h /= 4) {
    const next = rateWith(f, t, h);
    const change = Math.abs(next - best);
    if (change <= AGREEMENT_TOLERANCE * (Math.abs(next) + size) || !(change < apart)) return best;
    [best, apart] = [next, change];
  }
  return best;
}

/** f''(t) = (-f(t - 2h) + 16 f(t - h) - 30 f(t) + 16 f(t + h) - f(t + 2h)) / 12 h^2 + O(h^4). */
export function secondRateOf(f: OfTime, t: number): number {
  let best = secondRateWith(f, t, SECOND_FIRST_STEP_S);
  let apart = Number.POSITIVE_INFINITY;
  const size = Math.abs(f(t));
  for (let h = SECOND_FIRST_STEP_S / 4, level = 1; level < MAX_LEVELS; level++, h /= 4) {
    const next = secondRateWith(f, t, h);
    const change = Math.abs(next - best);
    if (change <= SECOND_AGREEMENT_TOLERANCE * (Math.abs(next) + size) || !(change < apart))
      return best;
    [best, apart] = [next, change];
  }
  return best;
}

function rateWith(f: OfTime, t: number, h: number): number {
  const near = f(t + h) - f(t - h);
  const far = f(t + 2 * h) - f(t - 2 * h);
  return (8 * near - far) / (12 * h);
}

function secondRateWith(f: OfTime, t: number, h: number): number {
  const near = f(t + h) + f(t - h);
  const far = f(t + 2 * h) + f(t - 2 * h);
  return (16 * near - far - 30 * f(t)) / (12 * h * h);
}
