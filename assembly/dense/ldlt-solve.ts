// Solves with an LDL^T factor: x = P^T L^-T D^-1 L^-1 P b. Worked in the scratch of the factor, so
// b and x may be the same memory, and on failure x is not written.

import { LdltHeader, padToTwo, Status } from "../layout";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { solutionStatus } from "./lu-solve";
import { Diagonal, solveLower, solveLowerTransposed } from "./triangles";

/** x = A^-1 b. SINGULAR names the row of a zero pivot, NON_FINITE the element of b or x. */
export function ldltSolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  return ldltSolveMany(n, 1, factor, b, n, x, n);
}

/** X = A^-1 B for several right-hand sides. */
export function ldltSolveMany(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (count < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldb < n || ldx < n) return statusAt(Status.BAD_SIZE, ldb < n ? 4 : 6);
  const ld = padToTwo(n), l = at(factor, LdltHeader.SLOTS);
  const diagonal = at(l, ld * n), perm = at(diagonal, 2 * n), y = at(perm, n);
  if (n > 0 && get(factor, LdltHeader.ZERO) > 0.0) {
    for (let k = 0; k < n; k++) {
      const zero = get(diagonal, k) == 0.0 && !coupled(n, k, diagonal);
      if (zero) return statusAt(Status.SINGULAR, <i32>get(perm, k));
    }
  }
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    for (let i = 0; i < n; i++) set(y, i, get(from, <i32>get(perm, i)));
    solveLower(n, l, ld, Diagonal.UNIT, y);
    solveBlocks(n, diagonal, y);
    solveLowerTransposed(n, l, ld, Diagonal.UNIT, y);
    const status = solutionStatus(n, from, y);
    if (status != Status.OK) return status;
    for (let i = 0; i < n; i++) set(to, <i32>get(perm, i), get(y, i));
  }
  return Status.OK;
}

/** True when row k belongs to a 2 x 2 block. */
function coupled(n: i32, k: i32, diagonal: usize): bool {
  return get(diagonal, n + k) != 0.0 || (k > 0 && get(diagonal, n + k - 1) != 0.0);
}

/** y = D^-1 y. A 2 x 2 block is inverted relative to its coupling, the largest entry. */
function solveBlocks(n: i32, diagonal: usize, y: usize): void {
  for (let k = 0; k < n; k++) {
    const coupling = get(diagonal, n + k);
    if (coupling == 0.0) {
      set(y, k, get(y, k) / get(diagonal, k));
      continue;
    }
    const first = get(diagonal, k) / coupling, second = get(diagonal, k + 1) / coupling;
    const determinant = first * second - 1.0;
    const y0 = get(y, k) / coupling, y1 = get(y, k + 1) / coupling;
    set(y, k, (second * y0 - y1) / determinant);
    set(y, k + 1, (first * y1 - y0) / determinant);
    k++;
  }
}
