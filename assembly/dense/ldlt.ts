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
  clearColumn, copyColumn, identityPermutation, largestIndex, scaleColumn, subtractMultiple,
  subtractTwoMultiples, swapColumns, swapSlots, swapStrided,
} from "./columns";
import { solutionStatus } from "./lu";
import { Diagonal, solveLower, solveLowerTransposed } from "./triangles";

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

// The choice of pivots for LDL^T: see ldlt.ts.

/** (1 + sqrt(17)) / 8 bounds the growth of two 1 x 1 steps by that of one 2 x 2 step. */
const ALPHA: f64 = 0.6403882032022076;

/**
 * Chooses the pivot block for step k, brings it to the diagonal and returns its size, 1 or 2. Walks
 * like a rook from column to column, each time to the largest entry off the diagonal, until a
 * diagonal entry dominates its column or an entry is the largest of both its row and its column.
 * The walk ends because that entry grows; written so that NaN ends it too.
 */
function choosePivot(n: i32, k: i32, l: usize, ld: i32, perm: usize): i32 {
  if (k == n - 1) return 1;
  let from = k;
  let row = largestOffDiagonal(n, k, k, l, ld);
  let most = Math.abs(entry(row, k, l, ld));
  if (Math.abs(entry(k, k, l, ld)) >= ALPHA * most) return 1;
  while (true) {
    const other = largestOffDiagonal(n, k, row, l, ld);
    const more = Math.abs(entry(other, row, l, ld));
    if (Math.abs(entry(row, row, l, ld)) >= ALPHA * more) {
      exchange(n, k, row, l, ld, perm);
      return 1;
    }
    if (!(more > most)) {
      exchange(n, k, from, l, ld, perm);
      exchange(n, k + 1, row, l, ld, perm);
      return 2;
    }
    from = row;
    row = other;
    most = more;
  }
}

/** The entry of a symmetric matrix of which the lower triangle is stored. */
// @ts-ignore: decorator
@inline
function entry(i: i32, j: i32, l: usize, ld: i32): f64 {
  return i >= j ? get(l, i + j * ld) : get(l, j + i * ld);
}

/** Index of the largest off-diagonal entry in row r of the matrix from k on. */
function largestOffDiagonal(n: i32, k: i32, r: i32, l: usize, ld: i32): i32 {
  let best = -1.0, winner = r;
  for (let j = k; j < r; j++) {
    const value = Math.abs(get(l, r + j * ld));
    if (value > best) {
      best = value;
      winner = j;
    }
  }
  if (r + 1 == n) return winner;
  const below = at(l, r + 1 + r * ld);
  const offset = largestIndex(n - r - 1, below);
  return Math.abs(get(below, offset)) > best ? r + 1 + offset : winner;
}

/** Exchanges rows and columns k < r of the lower triangle, and the rows of L before them. */
function exchange(n: i32, k: i32, r: i32, l: usize, ld: i32, perm: usize): void {
  if (k == r) return;
  swapSlots(at(perm, k), at(perm, r));
  swapStrided(k, at(l, k), ld, at(l, r), ld);
  swapSlots(at(l, k + k * ld), at(l, r + r * ld));
  swapStrided(r - k - 1, at(l, k + 1 + k * ld), 1, at(l, r + (k + 1) * ld), ld);
  swapColumns(n - r - 1, at(l, r + 1 + k * ld), at(l, r + 1 + r * ld));
}

// Solves with an LDL^T factor: x = P^T L^-T D^-1 L^-1 P b. Worked in the scratch of the factor, so
// b and x may be the same memory, and on failure x is not written.

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
