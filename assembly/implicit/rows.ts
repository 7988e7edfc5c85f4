// Products of matrices with tables of rows: n rows of `stride` numbers (an even count), one column
// for each independent coordinate.

import { at, clearSlots, get, getInteger, getPair, set, setPair } from "../math/slots";

/** y += factor x */
// @ts-ignore: decorator
@inline
export function addRow(stride: i32, factor: f64, x: usize, y: usize): void {
  const both = f64x2.splat(factor);
  for (let i = 0; i < stride; i += 2) {
    setPair(y, i, f64x2.add(getPair(y, i), f64x2.mul(both, getPair(x, i))));
  }
}

/** Zeros in `count` rows. */
export function clearRows(count: i32, stride: i32, out: usize): void {
  clearSlots(out, count * stride);
}

/** out = zero, but for ones: row first + k has it in column k. */
export function unitRows(count: i32, stride: i32, first: i32, units: i32, out: usize): void {
  clearSlots(out, count * stride);
  for (let k = 0; k < units; k++) set(out, (first + k) * stride + k, 1.0);
}

/**
 * out += factor A X for a list of entries: lists of rows, columns and addresses as integers; values
 * lie `shift` bytes behind the addresses.
 */
export function entriesTimesRows(
  count: i32, rows: usize, columns: usize, addresses: usize, shift: i32, stride: i32, factor: f64,
  x: usize, out: usize,
): void {
  for (let e = 0; e < count; e++) {
    const value = factor * get(<usize>(getInteger(addresses, e) + shift), 0);
    if (value == 0.0) continue;
    const from = at(x, getInteger(columns, e) * stride);
    addRow(stride, value, from, at(out, getInteger(rows, e) * stride));
  }
}

/** out += A X for blocks of 6 x 6 of a matrix by columns: pairs of their first row and column. */
export function blocksTimesRows(
  count: i32, blocks: usize, size: i32, matrix: usize, stride: i32, x: usize, out: usize,
): void {
  for (let b = 0; b < count; b++) {
    const row = getInteger(blocks, 2 * b), column = getInteger(blocks, 2 * b + 1);
    for (let j = 0; j < 6; j++) {
      const values = at(matrix, row + (column + j) * size), from = at(x, (column + j) * stride);
      for (let i = 0; i < 6; i++) {
        const value = get(values, i);
        if (value != 0.0) addRow(stride, value, from, at(out, (row + i) * stride));
      }
    }
  }
}

/** Zeros in these blocks. */
export function clearBlocks(count: i32, blocks: usize, size: i32, matrix: usize): void {
  for (let b = 0; b < count; b++) {
    const row = getInteger(blocks, 2 * b), column = getInteger(blocks, 2 * b + 1);
    for (let j = 0; j < 6; j++) clearSlots(at(matrix, row + (column + j) * size), 6);
  }
}

/** out += X^T Y, `width` x `width`, by rows of `stride`. */
export function rowsProduct(
  count: i32, width: i32, stride: i32, factor: f64, x: usize, y: usize, out: usize,
): void {
  for (let k = 0; k < count; k++) {
    const from = at(y, k * stride), row = at(x, k * stride);
    for (let i = 0; i < width; i++) {
      const value = get(row, i);
      if (value != 0.0) addRow(stride, factor * value, from, at(out, i * stride));
    }
  }
}

/** A square by rows of `stride` as one by columns without gaps. */
export function squareByColumns(width: i32, stride: i32, x: usize, out: usize): void {
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < width; j++) set(out, i + j * width, get(x, i * stride + j));
  }
}
