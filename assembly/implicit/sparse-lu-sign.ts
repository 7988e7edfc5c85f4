// Indicators of the distance to a singular matrix from a factor: the signs of determinants, which
// change when a single pivot crosses zero, and the row of the smallest pivot.
//
// If two independent loops pass singular poses at the same time, det A
// changes its sign twice. So signs are those of the irreducible diagonal blocks of A (Duff, Erisman
// and Reid, Direct Methods for Sparse Matrices, 2nd ed., chapter 6), whose product is det A up to
// a sign. Rows and columns have places, block after block. Pivots that are entries of A lie within
// blocks: one in a row of a block and a column of another one would leave rows without columns. Nor
// does elimination in one block change another diagonal block. So each has its own pivots.
// Rejected: the signs of single pivots. Two of them change when a leading minor crosses zero while
// det A does not.

import { SparseLu } from "../layout-stiff";
import { get, getInteger, setInteger } from "../math/slots";
import { part } from "./sparse-lu";

/**
 * Signs of the determinants of `count` blocks, 1 or -1, if `signs` holds those of another factor.
 * `places` has the place of each row, then of each column, `blocks` the block of each place.
 * `signs` has room for twice as many. Returns the first block whose sign has changed, or -1.
 *
 * Pivots that are entries of A lie within blocks. Fill-in pivots need not,
 * if blocks depend on each other. Then only the product of all signs, that of det A, is known: it
 * is compared with the previous one, and a change is attributed to the first block.
 */
export function sparseLuSigns(
  table: usize, places: usize, blocks: usize, count: i32, signs: usize,
): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const ofColumns = places + ((<usize>size) << 2), fresh = signs + ((<usize>count) << 2);
  // The permutation of rows by pivots, within each block.
  const to = part(table, SparseLu.MARKS);
  for (let b = 0; b < count; b++) setInteger(fresh, b, 1);
  let areWithin = true;
  for (let k = 0; k < size; k++) {
    const place = getInteger(places, getInteger(rows, k));
    const column = getInteger(ofColumns, getInteger(columns, k));
    if (getInteger(blocks, place) != getInteger(blocks, column)) areWithin = false;
    setInteger(to, place, column);
    if (get(pivots, k) < 0.0) change(fresh, getInteger(blocks, place));
  }
  changeByCycles(size, to, blocks, fresh);
  if (!areWithin) {
    if (product(count, fresh) == product(count, signs)) return -1;
    change(signs, 0);
    return 0;
  }
  let changed = -1;
  for (let b = count - 1; b >= 0; b--) {
    const sign = getInteger(fresh, b);
    if (getInteger(signs, b) != sign) changed = b;
    setInteger(signs, b, sign);
  }
  return changed;
}

function product(count: i32, signs: usize): i32 {
  let all = 1;
  for (let b = 0; b < count; b++) all *= getInteger(signs, b);
  return all;
}

// @ts-ignore: decorator
@inline
function change(signs: usize, block: i32): void {
  setInteger(signs, block, -getInteger(signs, block));
}

/** Each cycle of even length changes the sign of a permutation. */
function changeByCycles(size: i32, to: usize, blocks: usize, signs: usize): void {
  for (let i = 0; i < size; i++) {
    let length = 0;
    for (let k = i; getInteger(to, k) >= 0; length++) {
      const next = getInteger(to, k);
      setInteger(to, k, -1);
      k = next;
    }
    if (length > 0 && length % 2 == 0) change(signs, getInteger(blocks, i));
  }
}

/** The row of the smallest pivot. */
export function sparseLuWeakest(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  let weakest = 0;
  for (let i = 1; i < size; i++) {
    if (Math.abs(get(pivots, i)) > Math.abs(get(pivots, weakest))) weakest = i;
  }
  return size == 0 ? -1 : getInteger(part(table, SparseLu.ROW_ORDER), weakest);
}
