// L, U and the entries of a sparse matrix, row by row in pivot order, from the result of the choice
// of pivots: ROW_ORDER and COLUMN_ORDER hold the pivot of each row and column, rows
// of U lie in their place with columns as they are in the matrix, and columns of L, as rows of the
// matrix, where the values of L will be.

import { SparseLu } from "../layout-stiff";
import { clearIntegers, clearSlots, getInteger, setInteger } from "../math/slots";
import { part } from "./sparse-lu";

export function layFactor(table: usize): void {
  const size = getInteger(table, SparseLu.SIZE);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const inU = getInteger(uStart, size);
  for (let p = 0; p < inU; p++) {
    setInteger(uColumn, p, getInteger(columns, getInteger(uColumn, p)));
  }
  layLower(table, size, rows);
  layEntries(table, size, rows, columns);
  // From here on the orders hold the row and column of each pivot.
  invert(size, rows, part(table, SparseLu.MARKS));
  invert(size, columns, part(table, SparseLu.MARKS));
  clearSlots(part(table, SparseLu.WORK), size);
}

/** Lays out L row by row; the pivots of a row are then in rising order. */
function layLower(table: usize, size: i32, pivotOf: usize): void {
  const start = part(table, SparseLu.L_START), byColumns = part(table, SparseLu.L_VALUE);
  const columns = part(table, SparseLu.L_COLUMN), ends = part(table, SparseLu.MARKS);
  const count = getInteger(start, size);
  clearIntegers(ends, size + 1);
  for (let p = 0; p < count; p++) {
    const row = getInteger(pivotOf, getInteger(byColumns, p));
    setInteger(ends, row, getInteger(ends, row) + 1);
  }
  let sum = 0;
  for (let i = 0; i < size; i++) {
    const length = getInteger(ends, i);
    setInteger(ends, i, sum);
    sum += length;
  }
  for (let k = 0; k < size; k++) {
    const end = getInteger(start, k + 1);
    for (let p = getInteger(start, k); p < end; p++) {
      const row = getInteger(pivotOf, getInteger(byColumns, p)), to = getInteger(ends, row);
      setInteger(columns, to, k);
      setInteger(ends, row, to + 1);
    }
  }
  // Each row's end is the beginning of the next.
  for (let i = 0; i < size; i++) setInteger(start, i + 1, getInteger(ends, i));
}

function layEntries(table: usize, size: i32, pivotOfRow: usize, pivotOfColumn: usize): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT);
  const start = part(table, SparseLu.ENTRY_START), list = part(table, SparseLu.ENTRY_LIST);
  const ofEntry = part(table, SparseLu.ENTRY_COLUMN);
  const itsRow = part(table, SparseLu.ROWS), itsColumn = part(table, SparseLu.COLUMNS);
  clearIntegers(start, size + 1);
  for (let e = 0; e < count; e++) {
    const next = getInteger(pivotOfRow, getInteger(itsRow, e)) + 1;
    setInteger(start, next, getInteger(start, next) + 1);
  }
  for (let i = 0; i < size; i++) {
    setInteger(start, i + 1, getInteger(start, i + 1) + getInteger(start, i));
  }
  // From the last on, each row's end moves down to its beginning.
  for (let e = count - 1; e >= 0; e--) {
    const row = getInteger(pivotOfRow, getInteger(itsRow, e));
    const to = getInteger(start, row + 1) - 1;
    setInteger(start, row + 1, to);
    setInteger(list, to, e);
    setInteger(ofEntry, to, getInteger(pivotOfColumn, getInteger(itsColumn, e)));
  }
  for (let i = 0; i < size; i++) setInteger(start, i, getInteger(start, i + 1));
  setInteger(start, size, count);
}

function invert(size: i32, order: usize, scratch: usize): void {
  for (let i = 0; i < size; i++) setInteger(scratch, getInteger(order, i), i);
  for (let i = 0; i < size; i++) setInteger(order, i, getInteger(scratch, i));
}
