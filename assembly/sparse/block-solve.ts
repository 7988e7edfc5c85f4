// Solves with a sparse block factor: L y = b, then L^T x = y, column by column of the elimination
// order. Rows that were found dependent have reciprocal zero and so x = 0.

import { padToTwo, SparseBlock, SparseColumn, SparseTable, Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, get, getInteger, set } from "../math/slots";
import { statusAt } from "../math/status";
import { subtractBlockTimes, subtractTransposeTimes } from "./blocks";

/**
 * x = S^-1 b, rows as the user numbers them. `scratch` holds one padded right-hand side. x may be
 * b. NON_FINITE names the row of b, or of an overflowing x; x is then not written.
 */
export function sparseSolve(table: usize, l: usize, b: usize, scratch: usize, x: usize): i32 {
  const count = getInteger(table, SparseTable.COLUMN_COUNT);
  const columns = table + ((<usize>getInteger(table, SparseTable.COLUMNS)) << 2);
  const blocks = table + ((<usize>getInteger(table, SparseTable.BLOCKS)) << 2);

  let column = columns;
  for (let k = 0; k < count; k++) {
    gather(column, b, scratch);
    column += SparseColumn.LENGTH << 2;
  }
  column = columns;
  for (let k = 0; k < count; k++) {
    forward(column, blocks, l, scratch);
    column += SparseColumn.LENGTH << 2;
  }
  let sum = 0.0;
  for (let k = 0; k < count; k++) {
    column -= SparseColumn.LENGTH << 2;
    sum += backward(column, blocks, l, scratch);
  }
  if (sum != 0.0) return blame(count, columns, b, scratch);
  for (let k = 0; k < count; k++) {
    scatter(column, scratch, x);
    column += SparseColumn.LENGTH << 2;
  }
  return Status.OK;
}

function gather(column: usize, b: usize, y: usize): void {
  const size = getInteger(column, SparseColumn.ROWS);
  const from = at(b, getInteger(column, SparseColumn.FIRST_ROW));
  const to = at(y, getInteger(column, SparseColumn.VECTOR));
  for (let i = 0; i < size; i++) set(to, i, get(from, i));
  if (size & 1) set(to, size, 0.0);
}

function scatter(column: usize, y: usize, x: usize): void {
  const size = getInteger(column, SparseColumn.ROWS);
  const from = at(y, getInteger(column, SparseColumn.VECTOR));
  const to = at(x, getInteger(column, SparseColumn.FIRST_ROW));
  for (let i = 0; i < size; i++) set(to, i, get(from, i));
}

function firstBlock(column: usize, blocks: usize): usize {
  const first = getInteger(column, SparseColumn.FIRST_BLOCK);
  return blocks + ((<usize>(first * SparseBlock.LENGTH)) << 2);
}

function forward(column: usize, blocks: usize, l: usize, vector: usize): void {
  const size = getInteger(column, SparseColumn.ROWS);
  const diagonal = at(l, getInteger(column, SparseColumn.DIAGONAL));
  const y = at(vector, getInteger(column, SparseColumn.VECTOR));
  if (size == 3) forwardThree(diagonal, y);
  else if (size == 2) forwardTwo(diagonal, y);
  else forwardDiagonal(size, diagonal, y);
  let block = firstBlock(column, blocks);
  const count = getInteger(column, SparseColumn.BLOCK_COUNT);
  for (let c = 0; c < count; c++) {
    subtractBlockTimes(
      getInteger(block, SparseBlock.ROWS),
      size,
      at(l, getInteger(block, SparseBlock.SLOT)),
      y,
      at(vector, getInteger(block, SparseBlock.VECTOR)),
    );
    block += SparseBlock.LENGTH << 2;
  }
}

/** Forward substitution column by column, which are contiguous in memory. */
function forwardDiagonal(size: i32, diagonal: usize, y: usize): void {
  const ld = padToTwo(size);
  let column = diagonal;
  for (let k = 0; k < size; k++) {
    const value = get(y, k) * get(column, k);
    set(y, k, value);
    for (let i = k + 1; i < size; i++) set(y, i, get(y, i) - get(column, i) * value);
    column = at(column, ld);
  }
}

// @ts-ignore: decorator
@inline
function forwardTwo(diagonal: usize, y: usize): void {
  const y0 = get(y, 0) * get(diagonal, 0);
  set(y, 0, y0);
  set(y, 1, (get(y, 1) - get(diagonal, 1) * y0) * get(diagonal, 3));
}

// @ts-ignore: decorator
@inline
function forwardThree(diagonal: usize, y: usize): void {
  const y0 = get(y, 0) * get(diagonal, 0);
  const y1 = (get(y, 1) - get(diagonal, 1) * y0) * get(diagonal, 5);
  set(y, 0, y0);
  set(y, 1, y1);
  set(y, 2, (get(y, 2) - get(diagonal, 2) * y0 - get(diagonal, 6) * y1) * get(diagonal, 10));
}

/** Returns zero, or NaN when an element of the solution is not finite. */
function backward(column: usize, blocks: usize, l: usize, vector: usize): f64 {
  const size = getInteger(column, SparseColumn.ROWS);
  const diagonal = at(l, getInteger(column, SparseColumn.DIAGONAL));
  const y = at(vector, getInteger(column, SparseColumn.VECTOR));
  let block = firstBlock(column, blocks);
  const count = getInteger(column, SparseColumn.BLOCK_COUNT);
  for (let c = 0; c < count; c++) {
    subtractTransposeTimes(
      getInteger(block, SparseBlock.ROWS),
      size,
      at(l, getInteger(block, SparseBlock.SLOT)),
      at(vector, getInteger(block, SparseBlock.VECTOR)),
      y,
    );
    block += SparseBlock.LENGTH << 2;
  }
  if (size == 3) return backwardThree(diagonal, y);
  if (size == 2) return backwardTwo(diagonal, y);
  const ld = padToTwo(size);
  let sum = 0.0;
  for (let i = size - 1; i >= 0; i--) {
    let value = get(y, i);
    for (let k = i + 1; k < size; k++) value -= get(diagonal, k + i * ld) * get(y, k);
    value *= get(diagonal, i + i * ld);
    set(y, i, value);
    sum += value - value;
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function backwardTwo(diagonal: usize, y: usize): f64 {
  const y1 = get(y, 1) * get(diagonal, 3);
  const y0 = (get(y, 0) - get(diagonal, 1) * y1) * get(diagonal, 0);
  set(y, 0, y0);
  set(y, 1, y1);
  return (y1 - y1) + (y0 - y0);
}

// @ts-ignore: decorator
@inline
function backwardThree(diagonal: usize, y: usize): f64 {
  const y2 = get(y, 2) * get(diagonal, 10);
  const y1 = (get(y, 1) - get(diagonal, 6) * y2) * get(diagonal, 5);
  const y0 = (get(y, 0) - get(diagonal, 1) * y1 - get(diagonal, 2) * y2) * get(diagonal, 0);
  set(y, 0, y0);
  set(y, 1, y1);
  set(y, 2, y2);
  return (y0 - y0) + (y1 - y1) + (y2 - y2);
}

/** The first bad row of b; if there is none, that of the overflowing solution. */
function blame(count: i32, columns: usize, b: usize, y: usize): i32 {
  let cause = i32.MAX_VALUE, effect = i32.MAX_VALUE;
  let column = columns;
  for (let k = 0; k < count; k++) {
    const size = getInteger(column, SparseColumn.ROWS);
    const row = getInteger(column, SparseColumn.FIRST_ROW);
    const slot = getInteger(column, SparseColumn.VECTOR);
    for (let i = 0; i < size; i++) {
      if (!isNumber(get(b, row + i))) cause = min(cause, row + i);
      if (!isNumber(get(y, slot + i))) effect = min(effect, row + i);
    }
    column += SparseColumn.LENGTH << 2;
  }
  return statusAt(Status.NON_FINITE, cause < i32.MAX_VALUE ? cause : effect);
}
