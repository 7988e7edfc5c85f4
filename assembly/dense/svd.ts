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
  padToTwo, panelColumns, Status, SvdHeader, svdLongSlot, svdReflectorSlot, svdScratchSlot,
  svdShortSlot, svdValuesSlot, svdVectorSlots,
} from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, copySlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { bidiagonalise } from "./svd-bidiagonal";
import { clearPairs, reflectColumns } from "./svd-columns";
import { diagonalise } from "./svd-iterate";
import { makeReflector } from "./svd-reflect";
import { negateColumn, swapColumns } from "./svd-rotate";
import { inRange, largestElement, unitScale } from "./svd-scale";

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
