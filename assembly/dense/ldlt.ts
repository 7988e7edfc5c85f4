// P A P^T = L D L^T of a symmetric indefinite matrix (KKT systems), D of 1 x 1 and 2 x 2 blocks.
//
// Rook pivoting (bounded Bunch-Kaufman): entries of L stay below 2.8 whatever the scaling, which
// partial Bunch-Kaufman does not promise. Ashcraft, Grimes & Lewis, SIAM J. Matrix Anal. 20 (1998);
// Higham, Accuracy and Stability of Numerical Algorithms (2nd ed.), section 11.1.3. By Sylvester's
// law the signs of D are those of the eigenvalues; a 2 x 2 block chosen this way has one of each.
//
// Only the lower triangle of A is read. Non-finite input is seen in the sum of the copy.

import { LdltHeader, padToTwo, Status } from "../layout";
import { isNumber, nonFiniteRowOfTriangle } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import {
  clearColumn, copyColumn, identityPermutation, scaleColumn, subtractMultiple,
  subtractTwoMultiples,
} from "./columns";
import { choosePivot } from "./ldlt-pivot";

/**
 * Factors the n x n matrix at `a`. SINGULAR names the row of the first zero pivot; the inertia in
 * the header is complete even then.
 */
export function ldltFactor(n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (lda < n) return statusAt(Status.BAD_SIZE, 2);
  const ld = padToTwo(n), l = at(factor, LdltHeader.SLOTS);
  const diagonal = at(l, ld * n), coupling = at(diagonal, n), perm = at(coupling, n);
  const scratch = at(perm, n);
  let sum = 0.0;
  for (let j = 0; j < n; j++) sum += copyColumn(n - j, at(a, j + j * lda), at(l, j + j * ld));
  if (!isNumber(sum)) {
    const row = nonFiniteRowOfTriangle(n, a, lda);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
  }
  clearColumn(n, coupling);
  identityPermutation(n, perm);

  let negative = 0, zero = 0, singular = -1;
  for (let k = 0; k < n;) {
    const size = choosePivot(n, k, l, ld, perm);
    const column = at(l, k + k * ld);
    set(diagonal, k, get(column, 0));
    if (size == 2) {
      set(coupling, k, get(column, 1));
      set(diagonal, k + 1, get(column, ld + 1));
    }
    if (!isNumber(get(column, size - 1))) return statusAt(Status.NON_FINITE, <i32>get(perm, k));
    const regular = size == 1
      ? eliminateOne(n - k - 1, column, ld)
      : eliminateTwo(n - k - 2, column, ld, scratch);
    if (!regular) {
      if (singular < 0) singular = <i32>get(perm, k);
      zero += size;
      dropPivot(size, k, diagonal, coupling);
    } else if (size == 2 || get(diagonal, k) < 0.0) {
      negative++;
    }
    k += size;
  }
  set(factor, LdltHeader.NEGATIVE, negative);
  set(factor, LdltHeader.ZERO, zero);
  set(factor, LdltHeader.POSITIVE, n - negative - zero);
  return singular < 0 ? (Status.OK as i32) : statusAt(Status.SINGULAR, singular);
}

/** A pivot block that counts as zero. */
function dropPivot(size: i32, k: i32, diagonal: usize, coupling: usize): void {
  clearColumn(size, at(diagonal, k));
  set(coupling, k, 0.0);
}

/**
 * Eliminates with the 1 x 1 pivot at `column`, `count` rows below it. False when the pivot is zero
 * (or its reciprocal overflows): then the column below it is as small, and is dropped.
 */
function eliminateOne(count: i32, column: usize, ld: i32): bool {
  const reciprocal = 1.0 / get(column, 0);
  const below = at(column, 1);
  if (!isNumber(reciprocal)) {
    clearColumn(count, below);
    return false;
  }
  for (let j = 0; j < count; j++) {
    const entry = at(below, j);
    subtractMultiple(count - j, get(entry, 0) * reciprocal, entry, at(entry, (j + 1) * ld));
  }
  scaleColumn(count, reciprocal, below);
  return true;
}

/**
 * Eliminates with the 2 x 2 pivot at `column`, `count` rows below it. Its inverse is written with
 * entries relative to the coupling, the largest of the three, so that nothing overflows.
 */
function eliminateTwo(count: i32, column: usize, ld: i32, scratch: usize): bool {
  const coupling = get(column, 1);
  const first = get(column, 0) / coupling, second = get(column, ld + 1) / coupling;
  const scale = 1.0 / (first * second - 1.0) / coupling;
  const below0 = at(column, 2), below1 = at(column, ld + 2);
  set(column, 1, 0.0);
  if (!isNumber(scale)) {
    clearColumn(count, below0);
    clearColumn(count, below1);
    return false;
  }
  const l0 = scratch, l1 = at(scratch, count);
  for (let i = 0; i < count; i++) {
    const a0 = get(below0, i), a1 = get(below1, i);
    set(l0, i, scale * (second * a0 - a1));
    set(l1, i, scale * (first * a1 - a0));
  }
  for (let j = 0; j < count; j++) {
    subtractTwoMultiples(
      count - j, get(l0, j), at(below0, j), get(l1, j), at(below1, j), at(below0, j + (j + 2) * ld),
    );
  }
  copyColumn(count, l0, below0);
  copyColumn(count, l1, below1);
  return true;
}
