// Pivots for a sparse LU: of those not small in their column, the one with the least fill, by
// Markowitz' count (r - 1)(c - 1) of the other entries in its row and column (Duff, Erisman and
// Reid, Direct Methods for Sparse Matrices, 2nd ed., sections 7.2 and 5.2), among the shortest rows
// and columns only (Zlatev, SIAM J. Numer. Anal. 17 (1980) 18-30). Done with the values of a
// state, and rarely: when a matrix is new, or pivots have become small.

import { Status } from "../layout";
import { SparseBest, SparseLine, SparseLu } from "../layout-stiff";
import { clearSlots, get, getInteger, set, setInteger } from "../math/slots";
import { statusAt } from "../math/status";
import {
  dropFromColumn, layActive, link, linesOf, makeRoom, placeIn, unlink,
} from "./sparse-active";
import { layFactor } from "./sparse-lu-lay";
import { part, unusable } from "./sparse-lu";

/** A pivot is at least this fraction of the largest magnitude in its column. */
const THRESHOLD: f64 = 0.05;
/** Rows and columns searched for a pivot once there is one. */
const CANDIDATES = 4;
/** Up to this size all possible best candidates are searched, and ties go to the largest pivot. */
const THOROUGH = 500;

/** Marks the largest magnitude of a column as stale since the column changed. */
const UNKNOWN: f64 = -1.0;

/**
 * Chooses the pivots from `from` up to `to` for the present values of the entries: from 0 on, then
 * from the end of the last call, up to the size; then they count as chosen. In parts, so that run
 * limits can be checked in between. SINGULAR names a row without a pivot, NON_FINITE that of a
 * value that is not finite; BAD_SIZE: the capacity is too small. After a failure no pivots count as
 * chosen.
 */
export function sparseLuChoose(table: usize, from: i32, to: i32): i32 {
  const size = getInteger(table, SparseLu.SIZE);
  if (from == 0) {
    setInteger(table, SparseLu.CHOSEN, 0);
    if (!begin(table)) return statusAt(Status.BAD_SIZE, 0);
  }
  for (let k = from; k < to; k++) {
    if (!search(table, THRESHOLD, 0.0)) return unusable(table, unusedRow(table, size));
    if (!eliminate(table, k, true)) return statusAt(Status.BAD_SIZE, 0);
  }
  if (to < size) return Status.OK;
  layFactor(table);
  setInteger(table, SparseLu.CHOSEN, 1);
  return Status.OK;
}

/**
 * Chooses at most `to` - `from` further pivots of a matrix of SIZE rows and WIDTH columns, each at
 * least `threshold` of the largest magnitude in its column and larger than `tolerance`. Returns the
 * number chosen so far: the rank, once that is below `to`; -1 if the capacity is too small. Rows
 * and columns of pivots come first in both orders; there is no factor.
 */
export function sparseRank(table: usize, from: i32, to: i32, threshold: f64, tolerance: f64): i32 {
  if (from == 0 && !begin(table)) return -1;
  for (let k = from; k < to; k++) {
    if (!search(table, threshold, tolerance)) return k;
    if (!eliminate(table, k, false)) return -1;
  }
  return to;
}

function begin(table: usize): bool {
  const size = getInteger(table, SparseLu.SIZE), width = getInteger(table, SparseLu.WIDTH);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  // Pivot index of each row and column: none yet.
  for (let i = 0; i < size; i++) setInteger(rows, i, -1);
  const largest = part(table, SparseLu.COLUMN_LARGEST);
  for (let j = 0; j < width; j++) {
    setInteger(columns, j, -1);
    set(largest, j, UNKNOWN);
  }
  setInteger(part(table, SparseLu.L_START), 0, 0);
  setInteger(part(table, SparseLu.U_START), 0, 0);
  if (!layActive(table)) return false;
  clearSlots(part(table, SparseLu.WORK), max(size, width));
  return true;
}

/** The first remaining row. */
function unusedRow(table: usize, size: i32): i32 {
  const used = linesOf(table, SparseLu.ROW_LINES, SparseLine.BEFORE);
  for (let row = 0; row < size; row++) if (getInteger(used, row) != -1) return row;
  return 0;
}

/** Finds the best pivot among the shortest columns and rows. Returns false if there is none. */
function search(table: usize, threshold: f64, tolerance: f64): bool {
  const size = getInteger(table, SparseLu.SIZE), width = getInteger(table, SparseLu.WIDTH);
  const rowHeads = linesOf(table, SparseLu.ROW_LINES, SparseLine.HEAD);
  const columnHeads = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.HEAD);
  const nextRow = linesOf(table, SparseLu.ROW_LINES, SparseLine.NEXT);
  const nextColumn = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.NEXT);
  const longest = max(size, width), best = part(table, SparseLu.BEST);
  set(best, SparseBest.COST, Infinity);
  const thorough = size <= THOROUGH;
  let looked = 0;
  for (let length = 1; length <= longest; length++) {
    const least = <f64>(length - 1) * <f64>(length - 1);
    // Longer ones cannot fill less.
    if (isEnough(best, least, 0, thorough)) return true;
    for (let column = getInteger(columnHeads, length); column >= 0;) {
      const next = getInteger(nextColumn, column);
      // A column without a pivot waits until its numbers change.
      if (!lookAtColumn(table, column, length, threshold, tolerance)) {
        unlink(table, SparseLu.COLUMN_LINES, column);
      } else if (isEnough(best, least, ++looked, thorough)) return true;
      column = next;
    }
    for (let row = getInteger(rowHeads, length); row >= 0; row = getInteger(nextRow, row)) {
      lookAtRow(table, row, length, threshold, tolerance);
      if (isEnough(best, least, ++looked, thorough)) return true;
    }
  }
  return get(best, SparseBest.COST) < Infinity;
}

/** Whether no pivot can fill less than the best, or enough candidates have been searched. */
// @ts-ignore: decorator
@inline
function isEnough(best: usize, least: f64, looked: i32, thorough: bool): bool {
  const cost = get(best, SparseBest.COST);
  if (thorough) return cost < least;
  return cost <= least || (looked >= CANDIDATES && cost < Infinity);
}

/** The largest magnitude of a column, cached until the column changes. */
function largestIn(table: usize, column: i32): f64 {
  const known = part(table, SparseLu.COLUMN_LARGEST);
  if (get(known, column) != UNKNOWN) return get(known, column);
  const from = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  const count = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT), column);
  const rows = part(table, SparseLu.COLUMN_POOL);
  let largest = 0.0;
  for (let p = from; p < from + count; p++) {
    largest = Math.max(largest, Math.abs(valueAt(table, getInteger(rows, p), column)));
  }
  set(known, column, largest);
  return largest;
}

// @ts-ignore: decorator
@inline
function valueAt(table: usize, row: i32, column: i32): f64 {
  const from = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.START), row);
  const count = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT), row);
  const place = placeIn(part(table, SparseLu.ROW_POOL), from, count, column);
  return get(part(table, SparseLu.POOL_VALUES), place);
}

// @ts-ignore: decorator
@inline
function consider(best: usize, row: i32, column: i32, cost: f64, strength: f64): void {
  const known = get(best, SparseBest.COST);
  if (cost > known || (cost == known && strength <= get(best, SparseBest.STRENGTH))) return;
  set(best, SparseBest.COST, cost);
  set(best, SparseBest.STRENGTH, strength);
  set(best, SparseBest.ROW, <f64>row);
  set(best, SparseBest.COLUMN, <f64>column);
}

/** Considers the entries of a column. Returns false if none is large enough. */
function lookAtColumn(
  table: usize, column: i32, length: i32, threshold: f64, tolerance: f64,
): bool {
  const largest = largestIn(table, column);
  if (!(largest > tolerance)) return false;
  const from = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  const rows = part(table, SparseLu.COLUMN_POOL), best = part(table, SparseLu.BEST);
  const counts = linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT);
  for (let p = from; p < from + length; p++) {
    const row = getInteger(rows, p), value = Math.abs(valueAt(table, row, column));
    if (value < threshold * largest) continue;
    const cost = <f64>(getInteger(counts, row) - 1) * <f64>(length - 1);
    consider(best, row, column, cost, value / largest);
  }
  return true;
}

function lookAtRow(table: usize, row: i32, length: i32, threshold: f64, tolerance: f64): void {
  const from = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.START), row);
  const columns = part(table, SparseLu.ROW_POOL), values = part(table, SparseLu.POOL_VALUES);
  const counts = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT);
  const best = part(table, SparseLu.BEST);
  for (let p = from; p < from + length; p++) {
    const column = getInteger(columns, p), value = Math.abs(get(values, p));
    const cost = <f64>(getInteger(counts, column) - 1) * <f64>(length - 1);
    if (cost > get(best, SparseBest.COST) || !(value > tolerance)) continue;
    const largest = largestIn(table, column);
    if (value < threshold * largest) continue;
    consider(best, row, column, cost, value / largest);
  }
}

/**
 * Makes the best candidate pivot k: subtracts multiples of its row from the others in its column,
 * and removes both. `keeps`: stores the entries of L and U.
 */
function eliminate(table: usize, k: i32, keeps: bool): bool {
  const best = part(table, SparseLu.BEST);
  const row = <i32>get(best, SparseBest.ROW), column = <i32>get(best, SparseBest.COLUMN);
  const from = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.START), row);
  const count = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT), row);
  const columns = part(table, SparseLu.ROW_POOL), values = part(table, SparseLu.POOL_VALUES);
  const marks = part(table, SparseLu.MARKS), work = part(table, SparseLu.WORK);
  const largest = part(table, SparseLu.COLUMN_LARGEST);
  if (keeps && !keep(table, k, row, column, from, count)) return false;
  setInteger(part(table, SparseLu.ROW_ORDER), row, k);
  setInteger(part(table, SparseLu.COLUMN_ORDER), column, k);
  unlink(table, SparseLu.ROW_LINES, row);
  let pivot = 0.0;
  // The pivot's row, scattered: its packed location may move.
  const list = part(table, SparseLu.ROW_LIST);
  let length = 0;
  for (let p = from; p < from + count; p++) {
    const other = getInteger(columns, p);
    if (other == column) {
      pivot = get(values, p);
      continue;
    }
    unlink(table, SparseLu.COLUMN_LINES, other);
    dropFromColumn(table, other, row);
    setInteger(marks, other, 1);
    set(work, other, get(values, p));
    set(largest, other, UNKNOWN);
    setInteger(list, length++, other);
  }
  setInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT), row, 0);
  unlink(table, SparseLu.COLUMN_LINES, column);
  dropFromColumn(table, column, row);
  const fits = subtractRow(table, column, pivot, list, length);
  setInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT), column, 0);
  for (let i = 0; i < length; i++) {
    const other = getInteger(list, i);
    setInteger(marks, other, 0);
    link(table, SparseLu.COLUMN_LINES, other);
  }
  return fits;
}

/** Stores a row of U, and a column of L in the space of the values, which are not written yet. */
function keep(table: usize, k: i32, row: i32, column: i32, from: i32, count: i32): bool {
  const capacity = getInteger(table, SparseLu.CAPACITY);
  const lStart = part(table, SparseLu.L_START), lRow = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const below = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  const rest = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT), column);
  const rows = part(table, SparseLu.COLUMN_POOL), columns = part(table, SparseLu.ROW_POOL);
  let inL = getInteger(lStart, k), inU = getInteger(uStart, k);
  if (inL + rest - 1 > capacity || inU + count - 1 > capacity) return false;
  for (let p = below; p < below + rest; p++) {
    const other = getInteger(rows, p);
    if (other != row) setInteger(lRow, inL++, other);
  }
  for (let p = from; p < from + count; p++) {
    const other = getInteger(columns, p);
    if (other != column) setInteger(uColumn, inU++, other);
  }
  setInteger(lStart, k + 1, inL);
  setInteger(uStart, k + 1, inU);
  return true;
}

/** Subtracts multiples of the scattered row from all others in the pivot's column. */
function subtractRow(table: usize, column: i32, pivot: f64, list: usize, length: i32): bool {
  const starts = linesOf(table, SparseLu.ROW_LINES, SparseLine.START);
  const counts = linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT);
  const columns = part(table, SparseLu.ROW_POOL), values = part(table, SparseLu.POOL_VALUES);
  const marks = part(table, SparseLu.MARKS), work = part(table, SparseLu.WORK);
  const rest = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT), column);
  for (let i = 0; i < rest; i++) {
    // Not kept in a variable: columns that grow may move this one.
    const first = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
    const row = getInteger(part(table, SparseLu.COLUMN_POOL), first + i);
    unlink(table, SparseLu.ROW_LINES, row);
    if (!makeRoom(table, SparseLu.ROW_LINES, row, length)) return false;
    const from = getInteger(starts, row), last = from + getInteger(counts, row) - 1;
    const place = placeIn(columns, from, last - from + 1, column);
    // Not by the pivot's reciprocal: a row that repeats another is to vanish exactly.
    const multiplier = get(values, place) / pivot;
    setInteger(columns, place, getInteger(columns, last));
    set(values, place, get(values, last));
    for (let p = from; p < last; p++) {
      const other = getInteger(columns, p);
      if (getInteger(marks, other) == 0) continue;
      set(values, p, get(values, p) - multiplier * get(work, other));
      setInteger(marks, other, 2);
    }
    let end = last;
    for (let j = 0; j < length; j++) {
      const other = getInteger(list, j);
      if (getInteger(marks, other) == 2) {
        setInteger(marks, other, 1);
        continue;
      }
      setInteger(columns, end, other);
      set(values, end++, -multiplier * get(work, other));
      if (!addToColumn(table, other, row)) return false;
    }
    setInteger(counts, row, end - from);
    link(table, SparseLu.ROW_LINES, row);
  }
  return true;
}

function addToColumn(table: usize, column: i32, row: i32): bool {
  if (!makeRoom(table, SparseLu.COLUMN_LINES, column, 1)) return false;
  const counts = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT);
  const count = getInteger(counts, column);
  const from = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  setInteger(part(table, SparseLu.COLUMN_POOL), from + count, row);
  setInteger(counts, column, count + 1);
  return true;
}
