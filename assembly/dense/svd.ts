// Singular value decomposition A = U S V^T of any m x n matrix.
//
// A matrix with fewer rows than columns is transposed while it is copied, so there is a long and a
// short side. A long matrix is first reduced to its triangle, T = H_0 H_1 ... R (Chan, An improved
// algorithm for computing the singular value decomposition, 1982): everything after works on a
// square of the short side, and the rotations never touch long columns. The square is reduced to
// bidiagonal form, that to diagonal form; then the reflectors are applied to the singular vectors.
//
// The reflectors are kept: the columns of H_0 H_1 ... beyond the short side complete the null
// space.

import {
  padToTwo, panelColumns, Status, SvdHeader, svdLeftSlot, svdLongSlot, svdReflectorSlot,
  svdRightSlot, svdScratchSlot, svdShortSlot, svdValuesSlot, svdVectorSlots,
} from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, copySlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import {
  bidiagonalise, clearPairs, columnDots, combineColumns, makeReflector, multiplyScaled,
  reflectColumns,
} from "./svd-columns";
import {
  diagonalise, inRange, largestElement, negateColumn, swapColumns, unitScale,
} from "./svd-iterate";

/**
 * Decomposes the m x n matrix at `a`. NO_CONVERGENCE names the singular value; no matrix is known
 * that causes it.
 */
export function svdFactor(m: i32, n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (n < 0) return statusAt(Status.BAD_SIZE, 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  const long = max(m, n), short = min(m, n);
  const ld = padToTwo(long);
  const vectors = at(factor, svdLongSlot(m, n));
  const copy = m == n ? vectors : at(factor, svdReflectorSlot(m, n));
  set(factor, SvdHeader.SCALE, 1.0);
  set(factor, SvdHeader.SWEEPS, 0.0);
  if (short == 0) return Status.OK;

  let square = copyMatrix(m, n, a, lda, 1.0, copy, ld);
  if (!inRange(square)) {
    const row = nonFiniteRow(m, n, a, lda);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
    const scale = unitScale(largestElement(long, short, copy, ld));
    set(factor, SvdHeader.SCALE, scale);
    square = copyMatrix(m, n, a, lda, scale, copy, ld);
  }
  if (m != n) reduceToTriangle(m, n, factor);
  return decomposeSquare(m, n, Math.sqrt(square), factor);
}

/** Copies the matrix with its longer side down, and adds the squares of its elements. */
function copyMatrix(
  m: i32, n: i32, a: usize, lda: i32, scale: f64, copy: usize, ld: i32,
): f64 {
  const long = max(m, n), short = min(m, n);
  const down = m < n ? lda : 1, across = m < n ? 1 : lda;
  const step = (<usize>down) << 3;
  let square = 0.0;
  for (let j = 0; j < short; j++) {
    const to = at(copy, j * ld);
    let from = at(a, j * across);
    let sum = 0.0;
    for (let i = 0; i < long; i++) {
      const value = scale * get(from, 0);
      sum += value * value;
      set(to, i, value);
      from += step;
    }
    if (ld > long) set(to, long, 0.0);
    square += sum;
  }
  clearPairs((panelColumns(short) - short) * ld, at(copy, short * ld));
  return square;
}

/** QR of the long matrix: the reflectors stay where it was, the triangle is moved. */
function reduceToTriangle(m: i32, n: i32, factor: usize): void {
  const long = max(m, n), short = min(m, n), ld = padToTwo(long);
  const triangle = at(factor, svdLongSlot(m, n));
  const panel = at(factor, svdReflectorSlot(m, n));
  const factors = at(factor, svdScratchSlot(m, n));
  clearPairs(ld * panelColumns(short), triangle);
  for (let k = 0; k < short; k++) {
    const start = k & ~1, length = ld - start;
    const u = at(panel, start + k * ld);
    copySlots(at(panel, k * ld), at(triangle, k * ld), k);
    const h = makeReflector(length, k, u, at(triangle, k + k * ld));
    set(factors, k, h);
    reflectColumns(length, short - 1 - k, h, u, at(u, ld), ld);
  }
}

function decomposeSquare(m: i32, n: i32, norm: f64, factor: usize): i32 {
  const long = max(m, n), short = min(m, n);
  const stride = svdVectorSlots(m, n), ldp = padToTwo(long), ldq = padToTwo(short);
  const p = at(factor, svdLongSlot(m, n)), q = at(factor, svdShortSlot(m, n));
  const d = at(factor, svdValuesSlot());
  const h = at(factor, svdScratchSlot(m, n)), e = at(h, stride);
  clearPairs((panelColumns(short) - short) * ldq, at(q, short * ldq));
  bidiagonalise(short, p, ldp, q, ldq, d, e, at(e, stride), stride);

  const unit = unitScale(norm);
  for (let i = 0; i < short; i++) {
    set(d, i, get(d, i) * unit);
    set(e, i, get(e, i) * unit);
  }
  const sweeps = diagonalise(short, d, e, p, ldp, q, ldq);
  if (sweeps < 0) return statusAt(Status.NO_CONVERGENCE, -1 - sweeps);
  set(factor, SvdHeader.SWEEPS, sweeps);
  sortValues(short, 1.0 / unit, d, p, ldp, q, ldq);

  const panel = at(factor, svdReflectorSlot(m, n));
  for (let k = short - 1; k >= 0 && m != n; k--) {
    const start = k & ~1;
    reflectColumns(ldp - start, short, get(h, k), at(panel, start + k * ldp), at(p, start), ldp);
  }
  return Status.OK;
}

/** Makes the values positive, sorts them in descending order, and undoes the scaling. */
function sortValues(
  n: i32, scale: f64, d: usize, p: usize, ldp: i32, q: usize, ldq: i32,
): void {
  const rows = padToTwo(n);
  for (let i = 0; i < n; i++) {
    const value = get(d, i) * scale;
    set(d, i, Math.abs(value));
    if (value < 0.0) negateColumn(rows, at(q, i * ldq));
  }
  for (let i = 0; i < n - 1; i++) {
    let largest = i;
    for (let j = i + 1; j < n; j++) if (get(d, j) > get(d, largest)) largest = j;
    if (largest == i) continue;
    const value = get(d, i);
    set(d, i, get(d, largest));
    set(d, largest, value);
    swapColumns(rows, at(p, i * ldp), at(p, largest * ldp));
    swapColumns(rows, at(q, i * ldq), at(q, largest * ldq));
  }
}

// Results of a singular value decomposition: rank, singular values, pseudoinverse, least squares
// solutions of minimum norm, and the null space (Golub & Van Loan, Matrix Computations, 5.5).
//
// Singular values at or below tolerance * the largest count as zero; a tolerance <= 0 means
// eps * max(m, n). Kernels that need the rank return DEFICIENT with the rank when it is below
// min(m, n).

/** Number of singular values that do not count as zero. */
export function svdRank(m: i32, n: i32, factor: usize, tolerance: f64): i32 {
  const values = at(factor, svdValuesSlot()), short = min(m, n);
  const relative = tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n);
  const limit = short > 0 ? relative * get(values, 0) : 0.0;
  let rank = 0;
  while (rank < short && get(values, rank) > limit) rank++;
  return rank;
}

/** Copies the singular values. */
export function svdValues(m: i32, n: i32, factor: usize, s: usize): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  const values = at(factor, svdValuesSlot());
  const scale = 1.0 / get(factor, SvdHeader.SCALE);
  for (let i = 0; i < min(m, n); i++) set(s, i, get(values, i) * scale);
  return Status.OK;
}

/** Reciprocals of the first singular values. Returns whether a sum of them is finite. */
function invertValues(rank: i32, factor: usize, reciprocals: usize): bool {
  const values = at(factor, svdValuesSlot());
  const scale = get(factor, SvdHeader.SCALE);
  let sum = 0.0;
  for (let i = 0; i < rank; i++) {
    const reciprocal = scale / get(values, i);
    sum += reciprocal;
    set(reciprocals, i, reciprocal);
  }
  return isNumber(sum);
}

// @ts-ignore: decorator
@inline
function rankStatus(m: i32, n: i32, rank: i32): i32 {
  return rank < min(m, n) ? statusAt(Status.DEFICIENT, rank) : (Status.OK as i32);
}

/**
 * The n x m pseudoinverse V S^+ U^T. NON_FINITE, with the index of the last value used, when its
 * reciprocal overflows; x is not written then.
 */
export function svdPseudoinverse(
  m: i32, n: i32, factor: usize, tolerance: f64, x: usize, ldx: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (ldx < n) return statusAt(Status.BAD_SIZE, 5);
  const rank = svdRank(m, n, factor, tolerance);
  const reciprocals = at(factor, svdScratchSlot(m, n) + 2 * svdVectorSlots(m, n));
  if (!invertValues(rank, factor, reciprocals)) return statusAt(Status.NON_FINITE, rank - 1);
  const u = at(factor, svdLeftSlot(m, n)), v = at(factor, svdRightSlot(m, n));
  multiplyScaled(n, m, rank, reciprocals, v, padToTwo(n), u, padToTwo(m), x, ldx);
  return rankStatus(m, n, rank);
}

/**
 * X = A^+ B for several right-hand sides: of all X with the least |A X - B| the smallest. x may be
 * b when ldx is ldb. NON_FINITE names the element of b, or of an overflowing x.
 */
export function svdSolve(
  m: i32, n: i32, factor: usize, tolerance: f64, count: i32, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (count < 0) return statusAt(Status.BAD_SIZE, 4);
  if (ldb < m || ldx < n) return statusAt(Status.BAD_SIZE, ldb < m ? 6 : 8);
  const stride = svdVectorSlots(m, n), rank = svdRank(m, n, factor, tolerance);
  const reciprocals = at(factor, svdScratchSlot(m, n) + 2 * stride);
  const right = at(reciprocals, stride), y = at(right, stride), solution = at(y, stride);
  if (!invertValues(rank, factor, reciprocals)) return statusAt(Status.NON_FINITE, rank - 1);
  const u = at(factor, svdLeftSlot(m, n)), v = at(factor, svdRightSlot(m, n));
  const ldu = padToTwo(m), ldv = padToTwo(n);
  set(right, m, 0.0);
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    for (let i = 0; i < m; i++) set(right, i, get(from, i));
    columnDots(ldu, rank, 1.0, right, u, ldu, y);
    for (let i = 0; i < rank; i++) set(y, i, get(y, i) * get(reciprocals, i));
    for (let i = rank; i < rank + 3; i++) set(y, i, 0.0);
    clearPairs(ldv, solution);
    combineColumns(ldv, rank, y, v, ldv, solution);
    const bad = nonFiniteRow(n, 1, solution, n);
    if (bad >= 0) {
      const cause = nonFiniteRow(m, 1, from, m);
      return statusAt(Status.NON_FINITE, cause >= 0 ? cause : bad);
    }
    for (let i = 0; i < n; i++) set(to, i, get(solution, i));
  }
  return rankStatus(m, n, rank);
}

/**
 * An orthonormal basis of the null space: n x (n - rank). First the singular vectors whose values
 * count as zero, then, when m < n, the complement of all singular vectors.
 */
export function svdNullSpace(
  m: i32, n: i32, factor: usize, tolerance: f64, z: usize, ldz: i32,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (ldz < n) return statusAt(Status.BAD_SIZE, 5);
  const short = min(m, n), rank = svdRank(m, n, factor, tolerance), ld = padToTwo(n);
  const v = at(factor, svdRightSlot(m, n));
  for (let j = rank; j < short; j++) copySlots(at(v, j * ld), at(z, (j - rank) * ldz), n);
  for (let j = short; j < n; j += 4) {
    completeColumns(m, n, j, min(4, n - j), factor, at(z, (j - rank) * ldz), ldz);
  }
  return rankStatus(m, n, rank);
}

/** Up to four columns of H_0 H_1 ... H_(m-1), from column `first` on. */
function completeColumns(
  m: i32, n: i32, first: i32, count: i32, factor: usize, z: usize, ldz: i32,
): void {
  const ld = padToTwo(n), stride = svdVectorSlots(m, n);
  const h = at(factor, svdScratchSlot(m, n)), columns = at(h, 2 * stride);
  const panel = at(factor, svdReflectorSlot(m, n));
  clearPairs(4 * ld, columns);
  for (let j = 0; j < count; j++) set(columns, first + j + j * ld, 1.0);
  for (let k = m - 1; k >= 0; k--) {
    const start = k & ~1;
    const u = at(panel, start + k * ld);
    reflectColumns(ld - start, 4, get(h, k), u, at(columns, start), ld);
  }
  for (let j = 0; j < count; j++) copySlots(at(columns, j * ld), at(z, j * ldz), n);
}
