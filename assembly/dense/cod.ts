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
  CodTail, codTails, QrHeader, QrPivot, qrPivots, qrScratch, qrTriangle, qrTriangleRows, Status,
} from "../layout";
import { toIndex } from "../math/indices";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { effectiveTolerance, factorMatrix, firstDependent } from "./pivoted-qr";
import { firstNonFinite, formColumns } from "./qr-record";
import { dot, subtractMultiple } from "../math/vectors";

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
export function reflectTail(extent: i32, v: usize, head: usize, first: usize, rest: usize): void {
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
