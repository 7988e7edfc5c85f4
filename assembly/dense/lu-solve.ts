// Solves with an LU factor: A x = b by L y = P b, U x = y; A^T x = b by U^T z = b, L^T y = z,
// x = P^T y. Worked in the scratch of the factor, so b and x may be the same memory, and on failure
// x is not written.

import { LuHeader, padToFour, Status } from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import {
  Diagonal, solveLower, solveLowerTransposed, solveUpper, solveUpperTransposed,
} from "./triangles";

/** x = A^-1 b. NON_FINITE names the element of b, or of an overflowing x. */
export function luSolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  return luSolveMany(n, 1, factor, b, n, x, n);
}

/** X = A^-1 B for several right-hand sides. */
export function luSolveMany(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (count < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldb < n || ldx < n) return statusAt(Status.BAD_SIZE, ldb < n ? 4 : 6);
  const p = padToFour(n);
  const lu = at(factor, LuHeader.SLOTS), perm = at(lu, p * p), y = at(perm, p);
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    for (let i = 0; i < n; i++) set(y, i, get(from, <i32>get(perm, i)));
    solveLower(n, lu, p, Diagonal.UNIT, y);
    solveUpper(n, lu, p, Diagonal.RECIPROCAL, y);
    const status = solutionStatus(n, from, y);
    if (status != Status.OK) return status;
    for (let i = 0; i < n; i++) set(to, i, get(y, i));
  }
  return Status.OK;
}

/** x = A^-T b. */
export function luSolveTransposed(n: i32, factor: usize, b: usize, x: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const p = padToFour(n);
  const lu = at(factor, LuHeader.SLOTS), perm = at(lu, p * p), y = at(perm, p);
  for (let i = 0; i < n; i++) set(y, i, get(b, i));
  solveUpperTransposed(n, lu, p, Diagonal.RECIPROCAL, y);
  solveLowerTransposed(n, lu, p, Diagonal.UNIT, y);
  const status = solutionStatus(n, b, y);
  if (status != Status.OK) return status;
  for (let i = 0; i < n; i++) set(x, <i32>get(perm, i), get(y, i));
  return Status.OK;
}

/**
 * OK, or NON_FINITE with the bad element of the right-hand side; if it has none, of the solution.
 */
export function solutionStatus(n: i32, b: usize, solution: usize): i32 {
  const bad = nonFiniteRow(n, 1, solution, n);
  if (bad < 0) return Status.OK;
  const cause = nonFiniteRow(n, 1, b, n);
  return statusAt(Status.NON_FINITE, cause >= 0 ? cause : bad);
}
