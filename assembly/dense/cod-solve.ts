// Solves with a complete orthogonal decomposition C^T P = Q1 [S 0] Z (see cod.ts):
//
//   C^+     = Q1 S^-T Z1 P^T       minimum norm least squares solutions of C x = b
//   (C^T)^+ = P Z1^T S^-1 Q1^T     minimum norm multipliers: least squares of C^T y = b
//
// Right-hand sides are processed in the scratch, several at a time: the output is written only if
// it is finite. A solution with a scaled matrix is smaller by its scale.

import {
  CodTail, codTails, padToFour, QR_PANEL, QrHeader, qrPivots, qrScratch, qrTriangle,
  qrTriangleRows, Status,
} from "../layout";
import { toIndex } from "../math/indices";
import { at, get, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { reflectTail } from "./cod";
import {
  applyQ, applyQTransposed, checkResult, copyColumn, firstNonFinite, gather, restoreScale, scatter,
  solveTransposed, solveUpper,
} from "./qr-record";

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
