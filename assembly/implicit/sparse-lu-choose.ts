// Pivots for a sparse LU: of those not small in their column, the one with the least fill, by
// Markowitz' count (r - 1)(c - 1) of the other entries in its row and column (Duff, Erisman and
// Reid, Direct Methods for Sparse Matrices, 2nd ed., sections 7.2 and 5.2), among the shortest rows
// and columns only (Zlatev, SIAM J. Numer. Anal. 17 (1980) 18-30). Done with the values of a
// state, and rarely: when a matrix is new, or pivots have become small.

import { Status } from "../layout";
import { SparseBest, SparseLine, SparseLu } from "../layout-stiff";
import { clearIntegers, clearSlots, get, getInteger, set, setInteger } from "../math/slots";
import { statusAt } from "../math/status";
import { layFactor, part, unusable } from "./sparse-lu";

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

// The part of a sparse matrix that is still to be eliminated: rows of columns and values, columns
// of rows, and lists of rows and columns of equal length. Memory and work are proportional to the
// nonzeros (Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 2nd ed., sections 2.6
// and 10.2).
// Rejected: a dense scratch. It was simpler, but its quadratic memory and cubic work kept
// implicit methods from mechanisms of a few hundred bodies.
//
// A line (row or column) is a stretch of its pool. It grows at its end, and moves to the end of the
// pool if there is no room; pools are packed when they are full.

// @ts-ignore: decorator
@inline
function part(table: usize, field: i32): usize {
  return <usize>getInteger(table, field);
}

/** Address of a field of all lines of a kind: `first` is SparseLu.ROW_LINES or COLUMN_LINES. */
// @ts-ignore: decorator
@inline
function linesOf(table: usize, first: i32, field: i32): usize {
  const length = max(getInteger(table, SparseLu.SIZE), getInteger(table, SparseLu.WIDTH)) + 1;
  return part(table, first) + ((<usize>(field * length)) << 2);
}

/** Removes a line from the list of its length. */
function unlink(table: usize, first: i32, line: i32): void {
  const next = linesOf(table, first, SparseLine.NEXT);
  const before = linesOf(table, first, SparseLine.BEFORE);
  const ahead = getInteger(before, line), behind = getInteger(next, line);
  // Heads are stored as -2 - length.
  if (ahead >= 0) setInteger(next, ahead, behind);
  else if (ahead <= -2) setInteger(linesOf(table, first, SparseLine.HEAD), -2 - ahead, behind);
  else return;
  if (behind >= 0) setInteger(before, behind, ahead);
  setInteger(before, line, -1);
}

/** Inserts a line into the list of its length. */
function link(table: usize, first: i32, line: i32): void {
  const length = getInteger(linesOf(table, first, SparseLine.COUNT), line);
  const next = linesOf(table, first, SparseLine.NEXT);
  const head = linesOf(table, first, SparseLine.HEAD);
  const before = linesOf(table, first, SparseLine.BEFORE), behind = getInteger(head, length);
  setInteger(next, line, behind);
  setInteger(before, line, -2 - length);
  setInteger(head, length, line);
  if (behind >= 0) setInteger(before, behind, line);
}

/** Position of an integer in a line of an integer pool, or -1. */
// @ts-ignore: decorator
@inline
function placeIn(pool: usize, from: i32, count: i32, sought: i32): i32 {
  for (let p = from; p < from + count; p++) if (getInteger(pool, p) == sought) return p;
  return -1;
}

/** Removes one entry from a column. */
function dropFromColumn(table: usize, column: i32, row: i32): void {
  const counts = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT);
  const from = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  const pool = part(table, SparseLu.COLUMN_POOL), count = getInteger(counts, column);
  const place = placeIn(pool, from, count, row);
  setInteger(pool, place, getInteger(pool, from + count - 1));
  setInteger(counts, column, count - 1);
}

/** Makes room for `more` values at the end of a line. Returns false if the pool is too small. */
function makeRoom(table: usize, first: i32, line: i32, more: i32): bool {
  const starts = linesOf(table, first, SparseLine.START);
  const rooms = linesOf(table, first, SparseLine.ROOM);
  const count = getInteger(linesOf(table, first, SparseLine.COUNT), line);
  if (count + more <= getInteger(rooms, line)) return true;
  // Twice what is needed: it will grow again.
  const room = 2 * (count + more), capacity = getInteger(table, SparseLu.POOL_CAPACITY);
  const end = first == SparseLu.ROW_LINES ? SparseLu.ROW_POOL_END : SparseLu.COLUMN_POOL_END;
  if (getInteger(table, end) + room > capacity) pack(table, first, end);
  const to = getInteger(table, end);
  if (to + count + more > capacity) return false;
  move(table, first, getInteger(starts, line), to, count);
  setInteger(starts, line, to);
  setInteger(rooms, line, min(room, capacity - to));
  setInteger(table, end, to + getInteger(rooms, line));
  return true;
}

function move(table: usize, first: i32, from: i32, to: i32, count: i32): void {
  const isRow = first == SparseLu.ROW_LINES;
  const pool = part(table, isRow ? SparseLu.ROW_POOL : SparseLu.COLUMN_POOL);
  const values = part(table, SparseLu.POOL_VALUES);
  for (let i = 0; i < count; i++) {
    setInteger(pool, to + i, getInteger(pool, from + i));
    if (isRow) set(values, to + i, get(values, from + i));
  }
}

/** Compacts all lines to the beginning of their pool, in storage order, without spare room. */
function pack(table: usize, first: i32, end: i32): void {
  const size = getInteger(table, first == SparseLu.ROW_LINES ? SparseLu.SIZE : SparseLu.WIDTH);
  const starts = linesOf(table, first, SparseLine.START);
  const counts = linesOf(table, first, SparseLine.COUNT);
  const rooms = linesOf(table, first, SparseLine.ROOM);
  const order = part(table, SparseLu.POOL_ORDER);
  const capacity = getInteger(table, SparseLu.POOL_CAPACITY);
  // Lines by start: each marks its first position.
  clearIntegers(order, capacity);
  for (let line = 0; line < size; line++) {
    if (getInteger(counts, line) > 0) setInteger(order, getInteger(starts, line), line + 1);
    else setInteger(rooms, line, 0);
  }
  let to = 0;
  for (let from = 0; from < capacity; from++) {
    const line = getInteger(order, from) - 1;
    if (line < 0) continue;
    const count = getInteger(counts, line);
    move(table, first, from, to, count);
    setInteger(starts, line, to);
    setInteger(rooms, line, count);
    to += count;
  }
  setInteger(table, end, to);
}

/**
 * Lays the entries out as rows and columns; duplicates add up. Returns false if the pools
 * are too small.
 */
function layActive(table: usize): bool {
  const size = getInteger(table, SparseLu.SIZE), width = getInteger(table, SparseLu.WIDTH);
  const count = getInteger(table, SparseLu.ENTRY_COUNT);
  const itsRow = part(table, SparseLu.ROWS), itsColumn = part(table, SparseLu.COLUMNS);
  const scales = part(table, SparseLu.SCALES), addresses = part(table, SparseLu.ADDRESSES);
  const columns = part(table, SparseLu.ROW_POOL), values = part(table, SparseLu.POOL_VALUES);
  if (count > getInteger(table, SparseLu.POOL_CAPACITY)) return false;
  startLines(table, SparseLu.ROW_LINES, size, itsRow, count);
  const starts = linesOf(table, SparseLu.ROW_LINES, SparseLine.START);
  const counts = linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT);
  for (let e = 0; e < count; e++) {
    const row = getInteger(itsRow, e), length = getInteger(counts, row);
    const to = getInteger(starts, row) + length;
    setInteger(columns, to, getInteger(itsColumn, e));
    set(values, to, get(scales, e) * get(<usize>getInteger(addresses, e), 0));
    setInteger(counts, row, length + 1);
  }
  const marks = part(table, SparseLu.MARKS);
  clearIntegers(marks, width);
  for (let row = 0; row < size; row++) addUp(table, row, marks);
  layColumns(table, size, width, count);
  return true;
}

/** Adds up the duplicate entries of a row. Marks are zero before and after. */
function addUp(table: usize, row: i32, marks: usize): void {
  const counts = linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT);
  const from = getInteger(linesOf(table, SparseLu.ROW_LINES, SparseLine.START), row);
  const columns = part(table, SparseLu.ROW_POOL), values = part(table, SparseLu.POOL_VALUES);
  const end = from + getInteger(counts, row);
  let to = from;
  for (let p = from; p < end; p++) {
    const column = getInteger(columns, p), known = getInteger(marks, column) - 1;
    if (known >= 0) {
      set(values, known, get(values, known) + get(values, p));
      continue;
    }
    setInteger(columns, to, column);
    set(values, to, get(values, p));
    setInteger(marks, column, ++to);
  }
  for (let p = from; p < to; p++) setInteger(marks, getInteger(columns, p), 0);
  setInteger(counts, row, to - from);
}

function layColumns(table: usize, size: i32, width: i32, count: i32): void {
  const starts = linesOf(table, SparseLu.ROW_LINES, SparseLine.START);
  const counts = linesOf(table, SparseLu.ROW_LINES, SparseLine.COUNT);
  const columns = part(table, SparseLu.ROW_POOL), rows = part(table, SparseLu.COLUMN_POOL);
  startLines(table, SparseLu.COLUMN_LINES, width, part(table, SparseLu.COLUMNS), count);
  const begin = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START);
  const lengths = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT);
  for (let row = 0; row < size; row++) {
    const from = getInteger(starts, row), end = from + getInteger(counts, row);
    for (let p = from; p < end; p++) {
      const column = getInteger(columns, p), length = getInteger(lengths, column);
      setInteger(rows, getInteger(begin, column) + length, row);
      setInteger(lengths, column, length + 1);
    }
  }
  // In reverse: lists then begin with the first line, which wins ties.
  for (let row = size - 1; row >= 0; row--) link(table, SparseLu.ROW_LINES, row);
  for (let column = width - 1; column >= 0; column--) link(table, SparseLu.COLUMN_LINES, column);
}

/** Creates empty lines with room for the entries counted in a list of indices. */
function startLines(table: usize, first: i32, size: i32, list: usize, count: i32): void {
  const starts = linesOf(table, first, SparseLine.START);
  const counts = linesOf(table, first, SparseLine.COUNT);
  const rooms = linesOf(table, first, SparseLine.ROOM);
  const head = linesOf(table, first, SparseLine.HEAD), isRow = first == SparseLu.ROW_LINES;
  const lists = max(getInteger(table, SparseLu.SIZE), getInteger(table, SparseLu.WIDTH)) + 1;
  for (let length = 0; length < lists; length++) setInteger(head, length, -1);
  clearIntegers(rooms, size);
  for (let e = 0; e < count; e++) {
    const line = getInteger(list, e);
    setInteger(rooms, line, getInteger(rooms, line) + 1);
  }
  let to = 0;
  for (let line = 0; line < size; line++) {
    setInteger(starts, line, to);
    setInteger(counts, line, 0);
    to += getInteger(rooms, line);
  }
  setInteger(table, isRow ? SparseLu.ROW_POOL_END : SparseLu.COLUMN_POOL_END, to);
}
