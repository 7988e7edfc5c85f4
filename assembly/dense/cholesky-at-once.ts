// Factor and solve in one crossing: for a handful of unknowns a call costs a tenth of the work.

import { failed } from "../math/status";
import { choleskyFactor } from "./cholesky";
import { choleskySolve } from "./cholesky-solve";

/**
 * x = A^-1 b, and the factor for further right-hand sides. Statuses are those of the two kernels.
 */
export function choleskyFactorSolve(
  n: i32, a: usize, lda: i32, b: usize, factor: usize, x: usize,
): i32 {
  const status = choleskyFactor(n, a, lda, factor);
  return failed(status) ? status : choleskySolve(n, factor, b, x);
}
