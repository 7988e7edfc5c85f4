// Where a bidiagonal or tridiagonal matrix of norm 1 to 2 falls apart.

/** What is zero in such a matrix. */
export const NEGLIGIBLE: f64 = 2.0 ** -54;

/** Half the spacing of numbers at 1. */
const ROUNDING: f64 = 2.0 ** -53;

/**
 * True when an element beside the diagonal counts as zero. The part relative to its neighbours is
 * needed: where they are equal, sweeps cannot make it smaller than they are rounded to.
 */
// @ts-ignore: decorator
@inline
export function isSplit(before: f64, beside: f64, after: f64): bool {
  return Math.abs(beside) <= NEGLIGIBLE + ROUNDING * (Math.abs(before) + Math.abs(after));
}
