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
import { solveBlock, subtractProduct } from "./blocks";

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
