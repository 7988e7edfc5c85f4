// Complete orthogonal decomposition (Golub & Van Loan, section 5.5.2) of C, m constraints on n
// coordinates, for minimum norm least squares solutions of C x = b whatever the rank r.
//
//   C^T P = Q [R11 R12]          pivots are rows of C, so that a dependent constraint has a name
//   [R11 R12] = [S 0] Z          only when r < m: reflections from the right, S upper triangular
//   C^+ = Q1 S^-T Z1 P^T         Q1 the first r columns of Q, Z1 the first r rows of Z
//
// With full row rank S = R11 and there is no Z. The second stage works on R12^T, so that what it
// reflects is contiguous: reflector k, from the last to the first, has its head in row k of
// [S 0]^T and its tail in the rows from r on. It costs 2 r^2 (m - r) operations: nearly nothing
// when few constraints are redundant. S overwrites R11, so the solves are the same in both cases.

import {
  CodTail, codTails, padToFour, QR_PANEL, QrHeader, QrPivot, qrPivots, qrScratch, qrTriangle,
  qrTriangleRows, Status,
} from "../layout";
import { toIndex } from "../math/indices";
import { at, get, set, setPair } from "../math/slots";
import { failed, statusAt } from "../math/status";
import { dot, subtractMultiple } from "../math/vectors";
import { effectiveTolerance, factorMatrix, firstDependent } from "./pivoted-qr";
import {
  applyQ, applyQTransposed, checkResult, copyColumn, firstNonFinite, formColumns, gather,
  restoreScale, scatter, solveTransposed, solveUpper,
} from "./qr-record";

/**
 * Factors the m x n matrix C, row-major: `ct` is the column-major n x m matrix C^T. The record
 * has codSlots(m, n). The rank counts the pivots with |r_jj| > tolerance |r_00|; a tolerance <= 0
 * means eps max(m, n). DEFICIENT, when the rank is less than m, names the first row of C that is
 * not a pivot; NON_FINITE names a row of C too.
 */
export function codFactor(
  m: i32, n: i32, ct: usize, ldct: i32, tolerance: f64, factor: usize,
): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (n < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldct < n) return statusAt(Status.BAD_SIZE, 3);
  const rank = factorMatrix(n, m, ct, ldct, effectiveTolerance(m, n, tolerance), factor);
  if (rank == m) return Status.OK;
  if (rank < 0) return statusAt(Status.NON_FINITE, nonFiniteColumn(n, ct, ldct));
  if (rank > 0) annihilate(m, n, rank, factor);
  return statusAt(Status.DEFICIENT, firstDependent(n, m, rank, factor));
}

/** Returns the first column with a non-finite entry, which must exist. */
function nonFiniteColumn(rows: i32, a: usize, lda: i32): i32 {
  let j = 0;
  while (firstNonFinite(rows, at(a, j * lda)) < 0) j++;
  return j;
}

/** The second stage: [R11 R12] Z^T = [S 0]. */
function annihilate(m: i32, n: i32, rank: i32, factor: usize): void {
  const extent = m - rank, ld = qrTriangleRows(n, m);
  const triangle = at(factor, qrTriangle(n, m)), pivots = at(factor, qrPivots(n, m));
  const heads = at(factor, codTails(m, n)), tails = at(heads, CodTail.LENGTH * rank);
  for (let i = 0; i < extent; i++) {
    const index = toIndex(get(pivots, (rank + i) * QrPivot.LENGTH + QrPivot.COLUMN));
    for (let k = 0; k < rank; k++) set(tails, i + k * extent, get(triangle, k + index * ld));
  }
  for (let k = rank - 1; k >= 0; k--) {
    const pivot = at(pivots, k * QrPivot.LENGTH), head = at(heads, k * CodTail.LENGTH);
    const column = at(triangle, toIndex(get(pivot, QrPivot.COLUMN)) * ld);
    const tail = at(tails, k * extent);
    makeTail(extent, tail, pivot, head);
    for (let j = 0; j < k; j++) {
      reflectTail(extent, tail, head, at(column, j), at(tails, j * extent));
    }
  }
}

/**
 * As makeReflector, with the head stored separately. Squares are safe: R was scaled, and no pivot
 * is tiny.
 */
function makeTail(extent: i32, tail: usize, pivot: usize, head: usize): void {
  const alpha = get(pivot, QrPivot.DIAGONAL);
  const beta = -copysign<f64>(Math.sqrt(dot(extent, tail, tail) + alpha * alpha), alpha);
  const first = alpha - beta;
  const weight = -1.0 / (beta * first);
  set(head, CodTail.HEAD, first);
  set(head, CodTail.WEIGHT, weight);
  set(pivot, QrPivot.DIAGONAL, beta);
  set(pivot, QrPivot.RECIPROCAL, -weight * first);
}

/** Applies a reflection of the second stage to the vector with this head and this tail. */
function reflectTail(extent: i32, v: usize, head: usize, first: usize, rest: usize): void {
  const h = get(head, CodTail.HEAD);
  const product = get(head, CodTail.WEIGHT) * (h * get(first, 0) + dot(extent, v, rest));
  set(first, 0, get(first, 0) - product * h);
  subtractMultiple(extent, product, v, rest);
}

/** Z = an orthonormal basis of the null space of C: n x (n - rank), the last columns of Q. */
export function codNullSpace(m: i32, n: i32, factor: usize, z: usize, ldz: i32): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (n < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldz < n) return statusAt(Status.BAD_SIZE, 4);
  const rank = toIndex(get(factor, QrHeader.RANK));
  formColumns(n, m, rank, n, factor, at(factor, qrScratch(n, m)), z, ldz);
  return Status.OK;
}

// Solves with a complete orthogonal decomposition C^T P = Q1 [S 0] Z (see cod.ts):
//
//   C^+     = Q1 S^-T Z1 P^T       minimum norm least squares solutions of C x = b
//   (C^T)^+ = P Z1^T S^-1 Q1^T     minimum norm multipliers: least squares of C^T y = b
//
// Right-hand sides are processed in the scratch, several at a time: the output is written only if
// it is finite. A solution with a scaled matrix is smaller by its scale.

/** X = C^+ B with B m x count, X n x count. They must not overlap. NON_FINITE names a row of B. */
export function codSolve(
  m: i32, n: i32, factor: usize, count: i32, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (count < 0) return statusAt(Status.BAD_SIZE, 3);
  if (ldb < m || ldx < n) return statusAt(Status.BAD_SIZE, ldb < m ? 5 : 7);
  if (get(factor, QrHeader.RANK) == 0.0) return solveZero(m, n, count, b, ldb, x, ldx);
  const ld = padToFour(max(m, n)), panel = at(factor, qrScratch(n, m));
  for (let done = 0; done < count; done += QR_PANEL) {
    const wide = min(QR_PANEL, count - done);
    codSolvePanel(m, n, factor, wide, at(b, done * ldb), ldb);
    for (let c = 0; c < wide; c++) {
      const y = at(panel, c * ld);
      const status = checkResult(n, y, m, at(b, (done + c) * ldb));
      if (status != Status.OK) return status;
      copyColumn(n, y, at(x, (done + c) * ldx));
    }
  }
  return Status.OK;
}

/**
 * C^+ B for at most QR_PANEL right-hand sides, finite or not. It is left in the scratch, in columns
 * of the larger size padded to four; rows from n to padded n are zero.
 */
export function codSolvePanel(
  m: i32, n: i32, factor: usize, count: i32, b: usize, ldb: i32,
): void {
  const rank = toIndex(get(factor, QrHeader.RANK)), p = padToFour(n), ld = padToFour(max(m, n));
  const triangle = at(factor, qrTriangle(n, m)), rows = qrTriangleRows(n, m);
  const pivots = at(factor, qrPivots(n, m)), panel = at(factor, qrScratch(n, m));
  for (let c = 0; c < count; c++) {
    const y = at(panel, c * ld);
    gather(m, pivots, at(b, c * ldb), y);
    if (rank < m) applyZ(m, n, rank, factor, y);
    solveTransposed(rank, triangle, rows, pivots, y);
    for (let i = padToFour(rank); i < p; i += 2) setPair(y, i, f64x2.splat(0.0));
  }
  applyQ(p, rank, factor, pivots, panel, ld, count);
  for (let c = 0; c < count; c++) restoreScale(n, factor, at(panel, c * ld));
}

/** Y = (C^T)^+ B with B n x count, Y m x count. They must not overlap. */
export function codSolveTransposed(
  m: i32, n: i32, factor: usize, count: i32, b: usize, ldb: i32, y: usize, ldy: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (count < 0) return statusAt(Status.BAD_SIZE, 3);
  if (ldb < n || ldy < m) return statusAt(Status.BAD_SIZE, ldb < n ? 5 : 7);
  const rank = toIndex(get(factor, QrHeader.RANK));
  if (rank == 0) return solveZero(n, m, count, b, ldb, y, ldy);
  const p = padToFour(n), ld = padToFour(max(m, n));
  const triangle = at(factor, qrTriangle(n, m)), rows = qrTriangleRows(n, m);
  const pivots = at(factor, qrPivots(n, m)), panel = at(factor, qrScratch(n, m));
  for (let done = 0; done < count; done += QR_PANEL) {
    const wide = min(QR_PANEL, count - done);
    for (let c = 0; c < wide; c++) {
      const z = at(panel, c * ld);
      copyColumn(n, at(b, (done + c) * ldb), z);
      for (let i = n; i < p; i++) set(z, i, 0.0);
    }
    applyQTransposed(p, rank, factor, pivots, panel, ld, wide);
    for (let c = 0; c < wide; c++) {
      const z = at(panel, c * ld);
      solveUpper(rank, triangle, rows, pivots, z);
      for (let i = rank; i < m; i++) set(z, i, 0.0);
      if (rank < m) applyZTransposed(m, n, rank, factor, z);
      restoreScale(m, factor, z);
      const status = checkResult(m, z, n, at(b, (done + c) * ldb));
      if (status != Status.OK) return status;
      scatter(m, pivots, z, at(y, (done + c) * ldy));
    }
  }
  return Status.OK;
}

/** The pseudoinverse of zero is zero. B does not reach X, so B itself is searched for NaN. */
function solveZero(
  rows: i32, columns: i32, count: i32, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  for (let c = 0; c < count; c++) {
    const bad = firstNonFinite(rows, at(b, c * ldb));
    if (bad >= 0) return statusAt(Status.NON_FINITE, bad);
    for (let i = 0; i < columns; i++) set(x, i + c * ldx, 0.0);
  }
  return Status.OK;
}

function applyZ(m: i32, n: i32, rank: i32, factor: usize, y: usize): void {
  const heads = at(factor, codTails(m, n)), tails = at(heads, CodTail.LENGTH * rank);
  for (let k = rank - 1; k >= 0; k--) {
    const tail = at(tails, k * (m - rank));
    reflectTail(m - rank, tail, at(heads, k * CodTail.LENGTH), at(y, k), at(y, rank));
  }
}

function applyZTransposed(m: i32, n: i32, rank: i32, factor: usize, y: usize): void {
  const heads = at(factor, codTails(m, n)), tails = at(heads, CodTail.LENGTH * rank);
  for (let k = 0; k < rank; k++) {
    const tail = at(tails, k * (m - rank));
    reflectTail(m - rank, tail, at(heads, k * CodTail.LENGTH), at(y, k), at(y, rank));
  }
}

// Decompose and solve in one crossing: for a handful of unknowns a call costs a tenth of the work.

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
