// Sparse block Cholesky S = L L^T, right-looking: when column k is finished it is subtracted from
// all later blocks it couples. The target of each product was found once, in the symbolic phase.
//
// S may be semidefinite (redundant constraints). A pivot d_j <= tolerance S_jj is a row that
// depends on the rows before it: its column of L and its reciprocal become zero, so that the solve
// gives it no multiplier and the others share the load. The ratios d_j / S_jj are returned for
// every row; the first dependent row is the index of the status. A pivot below -tolerance S_jj
// means that S was never semidefinite.

import { padToTwo, SparseBlock, SparseColumn, SparseTable, Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, copySlots, get, getInteger, set } from "../math/slots";
import { failed, statusAt } from "../math/status";
import { solveBlock, subtractBlockTimes, subtractProduct, subtractTransposeTimes } from "./blocks";

/**
 * Factors the blocks at `s` into `l`. `pivots` receives d_j / S_jj for each row as the user numbers
 * them (0 for a dependent row).
 */
export function sparseFactor(
  table: usize, tolerance: f64, s: usize, l: usize, pivots: usize,
): i32 {
  copySlots(s, l, getInteger(table, SparseTable.BLOCK_SLOTS));
  const count = getInteger(table, SparseTable.COLUMN_COUNT);
  let column = table + ((<usize>getInteger(table, SparseTable.COLUMNS)) << 2);
  for (let k = 0; k < count; k++) {
    const size = getInteger(column, SparseColumn.ROWS);
    const block = at(l, getInteger(column, SparseColumn.DIAGONAL));
    const scales = at(pivots, getInteger(column, SparseColumn.FIRST_ROW));
    const step = padToTwo(size) + 1;
    for (let i = 0; i < size; i++) set(scales, i, get(block, i * step));
    column += SparseColumn.LENGTH << 2;
  }
  return sparseFactorInPlace(table, tolerance, l, pivots);
}

/**
 * {@link sparseFactor} in place: `l` holds S and `pivots` its diagonal, the reference of the
 * pivots.
 */
export function sparseFactorInPlace(table: usize, tolerance: f64, l: usize, pivots: usize): i32 {
  const count = getInteger(table, SparseTable.COLUMN_COUNT);
  let column = table + ((<usize>getInteger(table, SparseTable.COLUMNS)) << 2);
  let result: i32 = Status.OK;
  for (let k = 0; k < count; k++) {
    const status = sparseFactorColumn(table, column, tolerance, l, pivots);
    if (failed(status)) return status;
    if (result == Status.OK) result = status;
    column += SparseColumn.LENGTH << 2;
  }
  return result;
}

/** One column, after all before it. */
// @ts-ignore: decorator
@inline
export function sparseFactorColumn(
  table: usize, column: usize, tolerance: f64, l: usize, pivots: usize,
): i32 {
  const blocks = table + ((<usize>getInteger(table, SparseTable.BLOCKS)) << 2);
  const updates = table + ((<usize>getInteger(table, SparseTable.UPDATES)) << 2);
  const size = getInteger(column, SparseColumn.ROWS);
  const block = at(l, getInteger(column, SparseColumn.DIAGONAL));
  const row = getInteger(column, SparseColumn.FIRST_ROW);
  const scales = at(pivots, row);
  let status: i32 = Status.OK;
  if (size == 3) status = factorThree(row, tolerance, block, scales);
  else if (size == 2) status = factorTwo(row, tolerance, block, scales);
  else status = factorDiagonal(size, row, tolerance, block, scales);
  if (failed(status)) return status;
  eliminate(
    size,
    getInteger(column, SparseColumn.BLOCK_COUNT),
    block,
    blocks + ((<usize>(getInteger(column, SparseColumn.FIRST_BLOCK) * SparseBlock.LENGTH)) << 2),
    updates + ((<usize>getInteger(column, SparseColumn.FIRST_UPDATE)) << 2),
    l,
  );
  return status;
}

/**
 * Divides the blocks below a diagonal block by it and subtracts their products from the later
 * blocks.
 */
function eliminate(
  size: i32, count: i32, diagonal: usize, blocks: usize, updates: usize, l: usize,
): void {
  let update = updates;
  for (let b = 0; b < count; b++) {
    const block = blocks + ((<usize>(b * SparseBlock.LENGTH)) << 2);
    const rows = getInteger(block, SparseBlock.ROWS);
    const values = at(l, getInteger(block, SparseBlock.SLOT));
    solveBlock(rows, size, diagonal, values);
    let other = blocks;
    for (let c = 0; c <= b; c++) {
      const to = getInteger(update, 0);
      if (to >= 0) {
        subtractProduct(
          rows,
          getInteger(other, SparseBlock.ROWS),
          size,
          values,
          at(l, getInteger(other, SparseBlock.SLOT)),
          at(l, to),
        );
      }
      other += SparseBlock.LENGTH << 2;
      update += 4;
    }
  }
}

/** Factors a well-conditioned 2 x 2 block; other blocks use factorDiagonal. */
// @ts-ignore: decorator
@inline
function factorTwo(firstRow: i32, tolerance: f64, block: usize, pivots: usize): i32 {
  const s0 = get(pivots, 0), s1 = get(pivots, 1);
  const d0 = get(block, 0);
  const r0 = 1.0 / Math.sqrt(d0), m10 = get(block, 1) * r0;
  const d1 = get(block, 3) - m10 * m10;
  // Comparisons with NaN are false.
  const held = d0 > tolerance * s0 && d1 > tolerance * s1 && s0 >= 0.0 && s1 >= 0.0;
  if (!(held && d0 < Infinity && d1 < Infinity)) {
    return factorDiagonal(2, firstRow, tolerance, block, pivots);
  }
  set(block, 0, r0);
  set(block, 1, m10);
  set(block, 3, 1.0 / Math.sqrt(d1));
  set(pivots, 0, d0 / s0);
  set(pivots, 1, d1 / s1);
  return Status.OK;
}

/** Factors a well-conditioned 3 x 3 block; other blocks use factorDiagonal. */
function factorThree(firstRow: i32, tolerance: f64, block: usize, pivots: usize): i32 {
  const s0 = get(pivots, 0), s1 = get(pivots, 1), s2 = get(pivots, 2);
  const d0 = get(block, 0);
  const l10 = get(block, 1), l20 = get(block, 2);
  const r0 = 1.0 / Math.sqrt(d0), m10 = l10 * r0, m20 = l20 * r0;
  const d1 = get(block, 5) - m10 * m10;
  const r1 = 1.0 / Math.sqrt(d1), m21 = (get(block, 6) - m20 * m10) * r1;
  const d2 = get(block, 10) - m20 * m20 - m21 * m21;
  // Comparisons with NaN are false.
  if (!(d0 > tolerance * s0 && d1 > tolerance * s1 && d2 > tolerance * s2 && d2 < Infinity)) {
    return factorDiagonal(3, firstRow, tolerance, block, pivots);
  }
  set(block, 0, r0);
  set(block, 1, m10);
  set(block, 2, m20);
  set(block, 5, r1);
  set(block, 6, m21);
  set(block, 10, 1.0 / Math.sqrt(d2));
  set(pivots, 0, d0 / s0);
  set(pivots, 1, d1 / s1);
  set(pivots, 2, d2 / s2);
  return Status.OK;
}

/**
 * Factors one diagonal block in place, leaving the reciprocals on its diagonal. `pivots` holds S_jj
 * and receives d_j / S_jj.
 */
function factorDiagonal(
  size: i32, firstRow: i32, tolerance: f64, block: usize, pivots: usize,
): i32 {
  const ld = padToTwo(size);
  let result: i32 = Status.OK;
  for (let j = 0; j < size; j++) {
    const scale = get(pivots, j);
    let pivot = get(block, j + j * ld);
    for (let k = 0; k < j; k++) pivot -= get(block, j + k * ld) * get(block, j + k * ld);
    if (!isNumber(pivot)) return statusAt(Status.NON_FINITE, firstRow + j);
    if (pivot < -tolerance * scale || scale < 0.0) {
      return statusAt(Status.NOT_POSITIVE, firstRow + j);
    }
    let reciprocal = 0.0;
    if (pivot > tolerance * scale) {
      reciprocal = 1.0 / Math.sqrt(pivot);
      set(pivots, j, pivot / scale);
    } else {
      set(pivots, j, 0.0);
      if (result == Status.OK) result = statusAt(Status.DEFICIENT, firstRow + j);
    }
    set(block, j + j * ld, reciprocal);
    for (let i = j + 1; i < size; i++) {
      let value = get(block, i + j * ld);
      for (let k = 0; k < j; k++) value -= get(block, i + k * ld) * get(block, j + k * ld);
      set(block, i + j * ld, value * reciprocal);
    }
  }
  return result;
}

// Solves with a sparse block factor: L y = b, then L^T x = y, column by column of the elimination
// order. Rows that were found dependent have reciprocal zero and so x = 0.

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

/** The first bad row of b; otherwise that of the overflowing solution. */
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
