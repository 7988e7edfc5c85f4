// Derivatives of functions of time whose speed is not known: a crank that takes seconds for a turn, or a
// shaker of 500 Hz. Central differences of fourth order, with steps that become shorter, four times each,
// until two of them agree or the shorter one agrees worse: then it is rounding.

type OfTime = (t: number) => number;

/** The first step: truncation is h^4 / 30 of the fifth derivative, rounding eps / h. */
const STEP = 2 ** -10;
/** The same for second derivatives: h^4 / 90 of the sixth, eps / h^2. */
const SECOND_STEP = 2 ** -8;
/** Sufficient agreement, relative to the derivative and to the value. */
const AGREED = 1e-11;
const SECOND_AGREED = 1e-9;
const LEVELS = 6;

/** f'(t) = (f(t - 2h) - 8 f(t - h) + 8 f(t + h) - f(t + 2h)) / 12h + O(h^4). */
export function rateOf(f: OfTime, t: number): number {
  let best = rateWith(f, t, STEP);
  let apart = Number.POSITIVE_INFINITY;
  const size = Math.abs(f(t));
  for (let h = STEP / 4, level = 1; level < LEVELS; level++, h /= 4) {
    const next = rateWith(f, t, h);
    const change = Math.abs(next - best);
    if (change <= AGREED * (Math.abs(next) + size) || !(change < apart)) return best;
    [best, apart] = [next, change];
  }
  return best;
}

/** f''(t) = (-f(t - 2h) + 16 f(t - h) - 30 f(t) + 16 f(t + h) - f(t + 2h)) / 12 h^2 + O(h^4). */
export function secondRateOf(f: OfTime, t: number): number {
  let best = secondRateWith(f, t, SECOND_STEP);
  let apart = Number.POSITIVE_INFINITY;
  const size = Math.abs(f(t));
  for (let h = SECOND_STEP / 4, level = 1; level < LEVELS; level++, h /= 4) {
    const next = secondRateWith(f, t, h);
    const change = Math.abs(next - best);
    if (change <= SECOND_AGREED * (Math.abs(next) + size) || !(change < apart)) return best;
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
