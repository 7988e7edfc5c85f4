// QR factorisation A = Q R by Householder reflections (Golub & Van Loan, section 5.2.1), and the
// kernels that work on its record and on the record of the pivoted one.

import {
  padToFour, QR_PANEL, QrHeader, QrPivot, qrPivots, qrScratch, qrTriangle, qrTriangleRows, Status,
} from "../layout";
import { nonFiniteRow } from "../math/finite";
import { toIndex } from "../math/indices";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { factorMatrix } from "./pivoted-qr";
import {
  applyQ, applyQTransposed, checkResult, copyColumn, formColumns, restoreScale, scatter, solveUpper,
} from "./qr-record";

/** Factors the m x n matrix at `a`, of any shape and rank, into a record of qrSlots(m, n). */
export function qrFactor(m: i32, n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (n < 0) return statusAt(Status.BAD_SIZE, 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  if (factorMatrix(m, n, a, lda, -1.0, factor) >= 0) return Status.OK;
  return statusAt(Status.NON_FINITE, nonFiniteRow(m, n, a, lda));
}

/**
 * x minimises |A x - b|, m >= n; b and x may overlap. SINGULAR names the column of A whose pivot is
 * zero, NON_FINITE the element of b.
 */
export function qrSolve(m: i32, n: i32, factor: usize, b: usize, x: usize): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (m < n) return statusAt(Status.BAD_SIZE, 1);
  const pivots = at(factor, qrPivots(m, n)), y = at(factor, qrScratch(m, n)), p = padToFour(m);
  const rank = toIndex(get(factor, QrHeader.RANK));
  for (let k = 0; k < n; k++) {
    const pivot = at(pivots, k * QrPivot.LENGTH);
    if (k >= rank || get(pivot, QrPivot.DIAGONAL) == 0.0) {
      return statusAt(Status.SINGULAR, toIndex(get(pivot, QrPivot.COLUMN)));
    }
  }
  takePanel(m, 1, b, m, y);
  applyQTransposed(p, n, factor, pivots, y, p, 1);
  solveUpper(n, at(factor, qrTriangle(m, n)), qrTriangleRows(m, n), pivots, y);
  restoreScale(n, factor, y);
  const status = checkResult(n, y, m, b);
  if (status == Status.OK) scatter(n, pivots, y, x);
  return status;
}

/** X = Q B, or Q^T B when `transposed` is not zero; B and X are m x count and may be the same. */
export function qrApply(
  m: i32, n: i32, factor: usize, transposed: i32, count: i32,
  b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (count < 0) return statusAt(Status.BAD_SIZE, 4);
  if (ldb < m || ldx < m) return statusAt(Status.BAD_SIZE, ldb < m ? 6 : 8);
  const pivots = at(factor, qrPivots(m, n)), panel = at(factor, qrScratch(m, n));
  const p = padToFour(m), rank = toIndex(get(factor, QrHeader.RANK));
  for (let done = 0; done < count; done += QR_PANEL) {
    const wide = min(QR_PANEL, count - done);
    const from = at(b, done * ldb);
    takePanel(m, wide, from, ldb, panel);
    if (transposed) applyQTransposed(p, rank, factor, pivots, panel, p, wide);
    else applyQ(p, rank, factor, pivots, panel, p, wide);
    for (let c = 0; c < wide; c++) {
      const y = at(panel, c * p);
      const status = checkResult(m, y, m, at(from, c * ldb));
      if (status != Status.OK) return status;
      copyColumn(m, y, at(x, (done + c) * ldx));
    }
  }
  return Status.OK;
}

/** The first `columns` columns of Q, at most m, explicitly. */
export function qrForm(m: i32, n: i32, columns: i32, factor: usize, q: usize, ldq: i32): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (columns < 0 || columns > m) return statusAt(Status.BAD_SIZE, 2);
  if (ldq < m) return statusAt(Status.BAD_SIZE, 5);
  formColumns(m, n, 0, columns, factor, at(factor, qrScratch(m, n)), q, ldq);
  return Status.OK;
}

/** Copies right-hand sides to the scratch and pads them. */
function takePanel(m: i32, count: i32, b: usize, ldb: i32, panel: usize): void {
  const p = padToFour(m);
  for (let c = 0; c < count; c++) {
    copyColumn(m, at(b, c * ldb), at(panel, c * p));
    for (let i = m; i < p; i++) set(panel, i + c * p, 0.0);
  }
}
