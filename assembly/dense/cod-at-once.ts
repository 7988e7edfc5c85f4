// Decompose and solve in one crossing: for a handful of unknowns a call costs a tenth of the work.

import { failed } from "../math/status";
import { codFactor } from "./cod";
import { codSolve } from "./cod-solve";

/**
 * The minimum-norm least squares solution of C x = b, and the record for further right-hand sides.
 * C is row-major, as for codFactor. DEFICIENT if a row depends on others; x is valid in that case
 * too.
 */
export function codFactorSolve(
  m: i32, n: i32, ct: usize, ldct: i32, tolerance: f64, b: usize, factor: usize, x: usize,
): i32 {
  const status = codFactor(m, n, ct, ldct, tolerance, factor);
  if (failed(status)) return status;
  const solved = codSolve(m, n, factor, 1, b, m, x, n);
  return failed(solved) ? solved : status;
}
