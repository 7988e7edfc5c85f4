// Splitting of a bidiagonal or tridiagonal matrix of norm 1 to 2 at negligible elements.

/** Magnitude that counts as zero in such a matrix. */
export const NEGLIGIBLE: f64 = 2.0 ** -54;

/** Unit roundoff: half the spacing of floating-point values at 1. */
const UNIT_ROUNDOFF: f64 = 2.0 ** -53;

/**
 * Whether an off-diagonal element counts as zero. The part relative to its neighbours is
 * needed: if they are equal, sweeps cannot make it smaller than their rounding error.
 */
// @ts-ignore: decorator
@inline
export function isSplit(before: f64, beside: f64, after: f64): bool {
  return Math.abs(beside) <= NEGLIGIBLE + UNIT_ROUNDOFF * (Math.abs(before) + Math.abs(after));
}
