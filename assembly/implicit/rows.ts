// Products of matrices with tables of rows: n rows of even length `stride`, one column
// for each independent coordinate.

import { BlockPattern } from "../layout-stiff";
import {
  at, clearSlots, get, getInteger, getPair, set, setInteger, setPair, splat,
} from "../math/slots";

/** y += factor x */
// @ts-ignore: decorator
@inline
export function addRow(stride: i32, factor: f64, x: usize, y: usize): void {
  const both = f64x2.splat(factor);
  for (let i = 0; i < stride; i += 2) {
    setPair(y, i, f64x2.add(getPair(y, i), f64x2.mul(both, getPair(x, i))));
  }
}

/** Clears `count` rows. */
export function clearRows(count: i32, stride: i32, out: usize): void {
  clearSlots(out, count * stride);
}

/** out = zero, except that row first + k has a one in column k. */
export function unitRows(count: i32, stride: i32, first: i32, units: i32, out: usize): void {
  clearSlots(out, count * stride);
  for (let k = 0; k < units; k++) set(out, (first + k) * stride + k, 1.0);
}

/**
 * out += factor A X for a list of entries: lists of rows, columns and addresses as integers; values
 * are stored `shift` bytes after the addresses.
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

/**
 * out += A X for the blocks of a pattern, 6 x 6, column-major. Two columns of X at a time, so that
 * sums stay in registers.
 */
export function blocksTimesRows(
  blocks: usize, matrix: usize, stride: i32, x: usize, out: usize,
): void {
  const bodies = getInteger(blocks, BlockPattern.BODIES);
  const starts = blocks + (BlockPattern.STARTS << 2);
  const list = starts + ((<usize>(bodies + 1)) << 2);
  for (let body = 0; body < bodies; body++) {
    const end = getInteger(starts, body + 1);
    for (let b = getInteger(starts, body); b < end; b++) {
      const from = at(x, 6 * getInteger(list, b) * stride);
      blockTimesRows(at(matrix, 36 * b), stride, from, at(out, 6 * body * stride));
    }
  }
}

function blockTimesRows(values: usize, stride: i32, from: usize, out: usize): void {
  for (let i = 0; i < 6; i++) {
    const a0 = get(values, i), a1 = get(values, i + 6), a2 = get(values, i + 12);
    const a3 = get(values, i + 18), a4 = get(values, i + 24), a5 = get(values, i + 30);
    if (a0 == 0.0 && a1 == 0.0 && a2 == 0.0 && a3 == 0.0 && a4 == 0.0 && a5 == 0.0) continue;
    const to = at(out, i * stride);
    for (let c = 0; c < stride; c += 2) {
      let sum = f64x2.add(getPair(to, c), f64x2.mul(f64x2.splat(a0), getPair(from, c)));
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat(a1), getPair(from, c + stride)));
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat(a2), getPair(from, c + 2 * stride)));
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat(a3), getPair(from, c + 3 * stride)));
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat(a4), getPair(from, c + 4 * stride)));
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat(a5), getPair(from, c + 5 * stride)));
      setPair(to, c, sum);
    }
  }
}

/**
 * out += factor X^T Y, `width` x `width`, row-major with leading dimension `stride`. Columns of X
 * are sparse: a wheel's coordinate does not move the whole vehicle. Scratch: `count` integers.
 */
export function rowsProduct(
  count: i32, width: i32, stride: i32, factor: f64, x: usize, y: usize, out: usize, scratch: usize,
): void {
  for (let i = 0; i < width; i++) {
    let length = 0;
    for (let k = 0; k < count; k++) {
      if (get(x, k * stride + i) != 0.0) setInteger(scratch, length++, k * stride);
    }
    const to = at(out, i * stride);
    let c = 0;
    for (; c + 4 <= stride; c += 4) {
      let first = f64x2.splat(0.0), second = first;
      for (let p = 0; p < length; p++) {
        const k = getInteger(scratch, p), value = splat(x, k + i);
        first = f64x2.add(first, f64x2.mul(value, getPair(y, k + c)));
        second = f64x2.add(second, f64x2.mul(value, getPair(y, k + c + 2)));
      }
      addPair(to, c, factor, first);
      addPair(to, c + 2, factor, second);
    }
    for (; c < stride; c += 2) {
      let sum = f64x2.splat(0.0);
      for (let p = 0; p < length; p++) {
        const k = getInteger(scratch, p);
        sum = f64x2.add(sum, f64x2.mul(splat(x, k + i), getPair(y, k + c)));
      }
      addPair(to, c, factor, sum);
    }
  }
}

// @ts-ignore: decorator
@inline
function addPair(to: usize, slot: i32, factor: f64, pair: v128): void {
  setPair(to, slot, f64x2.add(getPair(to, slot), f64x2.mul(f64x2.splat(factor), pair)));
}

/**
 * Copies a row-major square with leading dimension `stride` to a column-major one without padding.
 */
export function squareByColumns(width: i32, stride: i32, x: usize, out: usize): void {
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < width; j++) set(out, i + j * width, get(x, i * stride + j));
  }
}
