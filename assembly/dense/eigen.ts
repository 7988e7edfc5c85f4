// Eigenvalues and orthonormal eigenvectors of a symmetric matrix: A = Z diag(values) Z^T.

import {
  eigenScratchSlot, EigenHeader, eigenValuesSlot, eigenVectorSlots, eigenVectorsSlot, eigenWorkSlot,
  padToTwo, panelColumns, Status,
} from "../layout";
import { nonFiniteRowOfTriangle } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { diagonaliseSymmetric } from "./eigen-iterate";
import { tridiagonalise } from "./eigen-tridiagonal";
import { clearPairs } from "./svd-columns";
import { swapColumns } from "./svd-rotate";
import { inRange, largestElement, unitScale } from "./svd-scale";

/**
 * Decomposes the symmetric n x n matrix whose lower triangle is at `a`. NO_CONVERGENCE names the
 * eigenvalue; no matrix is known that causes it.
 */
export function eigenFactor(n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (lda < n) return statusAt(Status.BAD_SIZE, 2);
  set(factor, EigenHeader.SCALE, 1.0);
  set(factor, EigenHeader.SWEEPS, 0.0);
  if (n == 0) return Status.OK;
  const ld = padToTwo(n), copy = at(factor, eigenWorkSlot(n));
  let square = copyTriangle(n, a, lda, 1.0, copy, ld);
  if (!inRange(square)) {
    const row = nonFiniteRowOfTriangle(n, a, lda);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
    const scale = unitScale(largestElement(n, n, copy, ld));
    set(factor, EigenHeader.SCALE, scale);
    square = copyTriangle(n, a, lda, scale, copy, ld);
  }
  return decompose(n, Math.sqrt(square), factor);
}

/** Copies the lower triangle to both, and adds the squares of all elements. */
function copyTriangle(n: i32, a: usize, lda: i32, scale: f64, copy: usize, ld: i32): f64 {
  let square = 0.0;
  clearPairs(panelColumns(n) * ld, copy);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const value = scale * get(a, i + j * lda);
      square += 2.0 * value * value;
      set(copy, i + j * ld, value);
      set(copy, j + i * ld, value);
    }
  }
  return square;
}

function decompose(n: i32, norm: f64, factor: usize): i32 {
  const stride = eigenVectorSlots(n), ld = padToTwo(n);
  const work = at(factor, eigenWorkSlot(n)), z = at(factor, eigenVectorsSlot(n));
  const d = at(factor, eigenValuesSlot()), e = at(factor, eigenScratchSlot(n));
  clearPairs((panelColumns(n) - n) * ld, at(z, n * ld));
  tridiagonalise(n, work, z, ld, d, e, at(e, stride), stride);

  const unit = unitScale(norm);
  for (let i = 0; i < n; i++) {
    set(d, i, get(d, i) * unit);
    set(e, i, get(e, i) * unit);
  }
  const sweeps = diagonaliseSymmetric(n, d, e, z, ld);
  if (sweeps < 0) return statusAt(Status.NO_CONVERGENCE, -1 - sweeps);
  set(factor, EigenHeader.SWEEPS, sweeps);
  for (let i = 0; i < n; i++) set(d, i, get(d, i) * (1.0 / unit));
  sortAscending(n, d, z, ld);
  return Status.OK;
}

function sortAscending(n: i32, d: usize, z: usize, ld: i32): void {
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (get(d, j) < get(d, least)) least = j;
    if (least == i) continue;
    const value = get(d, i);
    set(d, i, get(d, least));
    set(d, least, value);
    swapColumns(ld, at(z, i * ld), at(z, least * ld));
  }
}
