// Decompose and solve in one crossing: for a handful of unknowns a call costs a tenth of the work.

import { failed } from "../math/status";
import { codFactor } from "./cod";
import { codSolve } from "./cod-solve";

/**
 * The solution of C x = b of minimum norm and least squares, and the record for more. C is
 * given by rows, as for codFactor. DEFICIENT when a row depends on others; x is then valid as well.
 */
export function codFactorSolve(
  m: i32, n: i32, ct: usize, ldct: i32, tolerance: f64, b: usize, factor: usize, x: usize,
): i32 {
  const status = codFactor(m, n, ct, ldct, tolerance, factor);
  if (failed(status)) return status;
  const solved = codSolve(m, n, factor, 1, b, m, x, n);
  return failed(solved) ? solved : status;
}
