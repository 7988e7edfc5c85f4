// The part of a sparse matrix that is still to be eliminated: rows of columns and values, columns
// of rows, and lists of rows and columns of equal length. Memory and work are proportional to the
// nonzeros (Duff, Erisman and Reid, Direct Methods for Sparse Matrices, 2nd ed., sections 2.6
// and 10.2).
// Rejected: a dense scratch. It was simpler, but its quadratic memory and cubic work kept
// implicit methods from mechanisms of a few hundred bodies.
//
// A line (row or column) is a stretch of its pool. It grows at its end, and moves to the end of the
// pool if there is no room; pools are packed when they are full.

import { SparseLine, SparseLu } from "../layout-stiff";
import { clearIntegers, get, getInteger, set, setInteger } from "../math/slots";

// @ts-ignore: decorator
@inline
function part(table: usize, field: i32): usize {
  return <usize>getInteger(table, field);
}

/** Address of a field of all lines of a kind: `first` is SparseLu.ROW_LINES or COLUMN_LINES. */
// @ts-ignore: decorator
@inline
export function linesOf(table: usize, first: i32, field: i32): usize {
  const length = max(getInteger(table, SparseLu.SIZE), getInteger(table, SparseLu.WIDTH)) + 1;
  return part(table, first) + ((<usize>(field * length)) << 2);
}

/** Removes a line from the list of its length. */
export function unlink(table: usize, first: i32, line: i32): void {
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
export function link(table: usize, first: i32, line: i32): void {
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
export function placeIn(pool: usize, from: i32, count: i32, sought: i32): i32 {
  for (let p = from; p < from + count; p++) if (getInteger(pool, p) == sought) return p;
  return -1;
}

/** Removes one entry from a column. */
export function dropFromColumn(table: usize, column: i32, row: i32): void {
  const counts = linesOf(table, SparseLu.COLUMN_LINES, SparseLine.COUNT);
  const from = getInteger(linesOf(table, SparseLu.COLUMN_LINES, SparseLine.START), column);
  const pool = part(table, SparseLu.COLUMN_POOL), count = getInteger(counts, column);
  const place = placeIn(pool, from, count, row);
  setInteger(pool, place, getInteger(pool, from + count - 1));
  setInteger(counts, column, count - 1);
}

/** Makes room for `more` values at the end of a line. Returns false if the pool is too small. */
export function makeRoom(table: usize, first: i32, line: i32, more: i32): bool {
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
export function layActive(table: usize): bool {
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
