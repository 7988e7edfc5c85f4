// The choice of pivots for LDL^T: see ldlt.ts.

import { at, get } from "../math/slots";
import { largestIndex, swapColumns, swapSlots, swapStrided } from "./columns";

/** (1 + sqrt(17)) / 8 bounds the growth of two 1 x 1 steps by that of one 2 x 2 step. */
const ALPHA: f64 = 0.6403882032022076;

/**
 * Chooses the pivot block for step k, brings it to the diagonal and returns its size, 1 or 2. Walks
 * like a rook from column to column, each time to the largest entry off the diagonal, until a
 * diagonal entry dominates its column or an entry is the largest of both its row and its column.
 * The walk ends because that entry grows; written so that NaN ends it too.
 */
export function choosePivot(n: i32, k: i32, l: usize, ld: i32, perm: usize): i32 {
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
