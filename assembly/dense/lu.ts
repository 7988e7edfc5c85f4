// LU with partial pivoting, P A = L U, left-looking by panels of four columns.
//
//   tile(i, k) = (P A)(i, k) - sum_{p < min(i, k)} L(i, p) U(p, k)    4 x 4 tiles in registers
//   U(i, k)    = L(i, i)^-1 tile(i, k)                                above the panel
//   P, L, U    = the panel below, column by column with row exchanges
//
// Golub & Van Loan, Matrix Computations (4th ed.), sections 3.2.11 and 3.4. The diagonal holds the
// reciprocals of U's pivots, so that solves multiply. A pivot whose reciprocal overflows counts as
// zero. Non-finite input is seen in the norm, which is summed while A is copied.

import { LuHeader, padToFour, Status } from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, get, getPair, set, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";
import {
  clearColumn, copyColumn, identityPermutation, largestIndex, scaleColumn, subtractMultiple,
  swapSlots, swapStrided,
} from "./columns";
import { subtractTile } from "./tiles";
import {
  Diagonal, solveLower, solveLowerTransposed, solveUpper, solveUpperTransposed,
} from "./triangles";

/** Factors the n x n matrix at `a`. SINGULAR names the column without a pivot. */
export function luFactor(n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (lda < n) return statusAt(Status.BAD_SIZE, 2);
  const p = padToFour(n);
  const lu = at(factor, LuHeader.SLOTS);
  return luFactorPadded(n, factor, copyPadded(n, a, lda, p, lu));
}

/** Factors the matrix in the padded square of the record; `norm` is |A|_1. */
export function luFactorPadded(n: i32, factor: usize, norm: f64): i32 {
  const p = padToFour(n);
  const lu = at(factor, LuHeader.SLOTS), perm = at(lu, p * p);
  if (!isNumber(norm)) {
    const row = nonFiniteRow(n, n, lu, p);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
  }
  set(factor, LuHeader.NORM, norm);
  identityPermutation(n, perm);

  for (let k = 0; k < n; k += 4) {
    const panel = at(lu, k * p);
    for (let i = 0; i < k; i += 4) {
      const tile = at(panel, i);
      if (i > 0) subtractTile(i, at(lu, i), p, panel, p, tile, p);
      solveUnitTile(at(lu, i + i * p), tile, p);
    }
    if (k > 0) {
      for (let i = k; i < p; i += 4) subtractTile(k, at(lu, i), p, panel, p, at(panel, i), p);
    }
    const status = factorPanel(n, p, k, lu, perm);
    if (status != Status.OK) return status;
  }
  return Status.OK;
}

/** Copies A into the padded square and returns |A|_1. */
function copyPadded(n: i32, a: usize, lda: i32, p: i32, lu: usize): f64 {
  let norm = 0.0;
  for (let j = 0; j < n; j++) {
    const to = at(lu, j * p);
    norm = max<f64>(norm, copyColumn(n, at(a, j * lda), to));
    clearColumn(p - n, at(to, n));
  }
  clearColumn((p - n) * p, at(lu, n * p));
  return norm;
}

/** tile = L^-1 tile for four columns and the unit lower triangle of a diagonal tile. */
function solveUnitTile(l: usize, tile: usize, p: i32): void {
  const l10 = get(l, 1), l32 = get(l, 2 * p + 3);
  const below0 = getPair(l, 2), below1 = getPair(l, p + 2);
  for (let j = 0; j < 4; j++) {
    const x1 = get(tile, 1) - l10 * get(tile, 0);
    set(tile, 1, x1);
    let pair = f64x2.sub(getPair(tile, 2), f64x2.mul(below0, splat(tile, 0)));
    pair = f64x2.sub(pair, f64x2.mul(below1, f64x2.splat(x1)));
    const x2 = f64x2.extract_lane(pair, 0);
    setPair(tile, 2, f64x2.replace_lane(pair, 1, f64x2.extract_lane(pair, 1) - l32 * x2));
    tile = at(tile, p);
  }
}

/** Factors the columns of a panel from row k down; rows are exchanged in the whole matrix. */
function factorPanel(n: i32, p: i32, k: i32, lu: usize, perm: usize): i32 {
  const end = min(k + 4, n);
  for (let j = k; j < end; j++) {
    const diagonal = at(lu, j + j * p);
    const offset = largestIndex(n - j, diagonal);
    const pivot = get(diagonal, offset), reciprocal = 1.0 / pivot;
    if (!isNumber(reciprocal) || !isNumber(pivot)) {
      return statusAt(isNumber(pivot) ? Status.SINGULAR : Status.NON_FINITE, j);
    }
    if (offset > 0) {
      const row = at(lu, j);
      swapStrided(n, row, p, at(row, offset), p);
      swapSlots(at(perm, j), at(perm, j + offset));
    }
    set(diagonal, 0, reciprocal);
    const below = at(diagonal, 1), rows = n - j - 1;
    scaleColumn(rows, reciprocal, below);
    for (let c = 1; c < end - j; c++) {
      const other = at(diagonal, c * p);
      subtractMultiple(rows, get(other, 0), below, at(other, 1));
    }
  }
  return Status.OK;
}

// Solves with an LU factor: A x = b by L y = P b, U x = y; A^T x = b by U^T z = b, L^T y = z,
// x = P^T y. Worked in the scratch of the factor, so b and x may be the same memory, and on failure
// x is not written.

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
