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
