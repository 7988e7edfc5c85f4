// Pivots for a sparse LU: of those that are not small in their column, the one that fills least, by
// Markowitz' count (r - 1)(c - 1) of the other numbers in its row and column (Duff, Erisman and
// Reid, Direct Methods for Sparse Matrices, 2nd ed., sections 7.2 and 5.2). Done with the numbers
// of a state, in a dense scratch, and rarely: when a matrix is new, or pivots have become small.

import { Status } from "../layout";
import { SparseLu } from "../layout-stiff";
import {
  clearBytes, clearIntegers, clearSlots, get, getByte, getInteger, set, setByte, setInteger,
} from "../math/slots";
import { statusAt } from "../math/status";
import { part, unusable } from "./sparse-lu";

/** A pivot is at least this part of the largest number in its column. */
const THRESHOLD: f64 = 0.05;

/**
 * Chooses the pivots from `from` up to `to` for the present values of the entries: from 0 on, then
 * from where the last call ended, up to the size; then they count as chosen. In parts, so that run
 * limits can be checked in between. SINGULAR names a row without a pivot, NON_FINITE that of a
 * value that is not finite; after a failure none count as chosen.
 */
export function sparseLuChoose(table: usize, from: i32, to: i32): i32 {
  const size = getInteger(table, SparseLu.SIZE);
  const dense = part(table, SparseLu.DENSE), pattern = part(table, SparseLu.PATTERN);
  const rowCounts = part(table, SparseLu.COUNTS), columnCounts = rowCounts + ((<usize>size) << 2);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  if (from == 0) {
    setInteger(table, SparseLu.CHOSEN, 0);
    fill(table, size, dense, pattern, rowCounts, columnCounts);
    // Rows and columns that are still to be eliminated are the last of both orders.
    for (let i = 0; i < size; i++) {
      setInteger(rows, i, i);
      setInteger(columns, i, i);
    }
  }
  for (let k = from; k < to; k++) {
    const found = search(size, k, dense, pattern, rowCounts, columnCounts, rows, columns);
    if (found < 0) return unusable(table, getInteger(rows, k));
    swap(rows, k, found / size);
    swap(columns, k, found % size);
    eliminate(size, k, dense, pattern, rowCounts, columnCounts, rows, columns);
  }
  if (to < size) return Status.OK;
  const status = lay(table, size, pattern, rows, columns);
  if (status == Status.OK) setInteger(table, SparseLu.CHOSEN, 1);
  return status;
}

function fill(
  table: usize, size: i32, dense: usize, pattern: usize, rowCounts: usize, columnCounts: usize,
): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT);
  const rows = part(table, SparseLu.ROWS), columns = part(table, SparseLu.COLUMNS);
  const addresses = part(table, SparseLu.ADDRESSES), scales = part(table, SparseLu.SCALES);
  clearSlots(dense, size * size);
  clearBytes(pattern, size * size);
  clearIntegers(rowCounts, 2 * size);
  for (let e = 0; e < count; e++) {
    const row = getInteger(rows, e), column = getInteger(columns, e), to = row * size + column;
    const value = get(scales, e) * get(<usize>getInteger(addresses, e), 0);
    set(dense, to, get(dense, to) + value);
    if (getByte(pattern, to) == 0) mark(pattern, to, rowCounts, row, columnCounts, column);
  }
}

// @ts-ignore: decorator
@inline
function mark(
  pattern: usize, to: i32, rowCounts: usize, row: i32, columnCounts: usize, column: i32,
): void {
  setByte(pattern, to, 1);
  setInteger(rowCounts, row, getInteger(rowCounts, row) + 1);
  setInteger(columnCounts, column, getInteger(columnCounts, column) + 1);
}

/** The best pivot: its place in the order of rows times size + that in that of columns; or -1. */
function search(
  size: i32, k: i32, dense: usize, pattern: usize, rowCounts: usize, columnCounts: usize,
  rows: usize, columns: usize,
): i32 {
  let shortest = size;
  for (let i = k; i < size; i++) {
    shortest = min(shortest, getInteger(rowCounts, getInteger(rows, i)));
  }
  let best = i32.MAX_VALUE, found = -1, strongest = 0.0;
  for (let j = k; j < size; j++) {
    const column = getInteger(columns, j), others = getInteger(columnCounts, column) - 1;
    if ((shortest - 1) * others > best) continue;
    let largest = 0.0;
    for (let i = k; i < size; i++) {
      largest = Math.max(largest, Math.abs(get(dense, getInteger(rows, i) * size + column)));
    }
    if (!(largest > 0.0)) continue;
    for (let i = k; i < size; i++) {
      const row = getInteger(rows, i), value = Math.abs(get(dense, row * size + column));
      if (getByte(pattern, row * size + column) == 0 || value < THRESHOLD * largest) continue;
      const cost = (getInteger(rowCounts, row) - 1) * others;
      const strength = value / largest;
      if (cost < best || (cost == best && strength > strongest)) {
        best = cost;
        strongest = strength;
        found = i * size + j;
      }
    }
  }
  return found;
}

/** Subtracts multiples of the pivot's row, marks what fills, and takes row and column out. */
function eliminate(
  size: i32, k: i32, dense: usize, pattern: usize, rowCounts: usize, columnCounts: usize,
  rows: usize, columns: usize,
): void {
  const row = getInteger(rows, k), column = getInteger(columns, k);
  const pivot = get(dense, row * size + column);
  for (let j = k + 1; j < size; j++) {
    const other = getInteger(columns, j);
    if (getByte(pattern, row * size + other)) {
      setInteger(columnCounts, other, getInteger(columnCounts, other) - 1);
    }
  }
  for (let i = k + 1; i < size; i++) {
    const below = getInteger(rows, i);
    if (getByte(pattern, below * size + column) == 0) continue;
    setInteger(rowCounts, below, getInteger(rowCounts, below) - 1);
    // Not by its reciprocal: a row that repeats another is to vanish exactly.
    const multiplier = get(dense, below * size + column) / pivot;
    for (let j = k + 1; j < size; j++) {
      const other = getInteger(columns, j), from = row * size + other, to = below * size + other;
      if (getByte(pattern, from) == 0) continue;
      if (getByte(pattern, to) == 0) mark(pattern, to, rowCounts, below, columnCounts, other);
      set(dense, to, get(dense, to) - multiplier * get(dense, from));
    }
  }
}

function swap(order: usize, i: i32, j: i32): void {
  const first = getInteger(order, i);
  setInteger(order, i, getInteger(order, j));
  setInteger(order, j, first);
}

/** Lays L, U and the entries out by rows in the order of pivots. */
function lay(table: usize, size: i32, pattern: usize, rows: usize, columns: usize): i32 {
  const capacity = getInteger(table, SparseLu.CAPACITY);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  let inL = 0, inU = 0;
  for (let i = 0; i < size; i++) {
    const row = getInteger(rows, i) * size;
    setInteger(lStart, i, inL);
    setInteger(uStart, i, inU);
    for (let k = 0; k < size; k++) {
      if (k == i || getByte(pattern, row + getInteger(columns, k)) == 0) continue;
      if ((k < i ? inL : inU) >= capacity) return statusAt(Status.BAD_SIZE, 0);
      if (k < i) setInteger(lColumn, inL++, k);
      else setInteger(uColumn, inU++, k);
    }
  }
  setInteger(lStart, size, inL);
  setInteger(uStart, size, inU);
  layEntries(table, size, rows, columns);
  clearSlots(part(table, SparseLu.WORK), size);
  return Status.OK;
}

function layEntries(table: usize, size: i32, rows: usize, columns: usize): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT);
  const start = part(table, SparseLu.ENTRY_START), list = part(table, SparseLu.ENTRY_LIST);
  const ofEntry = part(table, SparseLu.ENTRY_COLUMN);
  const itsRow = part(table, SparseLu.ROWS), itsColumn = part(table, SparseLu.COLUMNS);
  // Places of rows and columns in the order of pivots.
  const placeOfRow = part(table, SparseLu.COUNTS);
  const placeOfColumn = placeOfRow + ((<usize>size) << 2);
  for (let i = 0; i < size; i++) {
    setInteger(placeOfRow, getInteger(rows, i), i);
    setInteger(placeOfColumn, getInteger(columns, i), i);
    setInteger(start, i + 1, 0);
  }
  setInteger(start, 0, 0);
  for (let e = 0; e < count; e++) {
    const next = getInteger(placeOfRow, getInteger(itsRow, e)) + 1;
    setInteger(start, next, getInteger(start, next) + 1);
  }
  for (let i = 0; i < size; i++) {
    setInteger(start, i + 1, getInteger(start, i + 1) + getInteger(start, i));
  }
  // From the last on, each row's end moves down to its beginning.
  for (let e = count - 1; e >= 0; e--) {
    const row = getInteger(placeOfRow, getInteger(itsRow, e));
    const to = getInteger(start, row + 1) - 1;
    setInteger(start, row + 1, to);
    setInteger(list, to, e);
    setInteger(ofEntry, to, getInteger(placeOfColumn, getInteger(itsColumn, e)));
  }
  for (let i = 0; i < size; i++) setInteger(start, i, getInteger(start, i + 1));
  setInteger(start, size, count);
}
