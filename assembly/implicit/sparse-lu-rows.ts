// Solves with many right-hand sides, stored row-major: one row of even length `stride` for
// each row of the matrix, so that every value of the factor is applied to a full row in SIMD.

import { SparseLu } from "../layout-stiff";
import { at, copySlots, get, getInteger, getPair, setPair, splat } from "../math/slots";
import { part } from "./sparse-lu";

/** y -= factor x */
// @ts-ignore: decorator
@inline
function subtract(stride: i32, factor: f64, x: usize, y: usize): void {
  const both = f64x2.splat(factor);
  for (let i = 0; i < stride; i += 2) {
    setPair(y, i, f64x2.sub(getPair(y, i), f64x2.mul(both, getPair(x, i))));
  }
}

// @ts-ignore: decorator
@inline
function scale(stride: i32, factor: f64, x: usize): void {
  const both = f64x2.splat(factor);
  for (let i = 0; i < stride; i += 2) setPair(x, i, f64x2.mul(both, getPair(x, i)));
}

/**
 * to = from - sum of multiples of rows of `table`: those of a row of L or U, whose entries are from
 * `begin` to `end`. Sums stay in registers, four columns at a time.
 */
// @ts-ignore: decorator
@inline
function subtractAll(
  stride: i32, begin: i32, end: i32, columns: usize, values: usize, table: usize, from: usize,
  to: usize,
): void {
  let c = 0;
  for (; c + 4 <= stride; c += 4) {
    let first = getPair(from, c), second = getPair(from, c + 2);
    for (let p = begin; p < end; p++) {
      const row = at(table, getInteger(columns, p) * stride + c), value = splat(values, p);
      first = f64x2.sub(first, f64x2.mul(value, getPair(row, 0)));
      second = f64x2.sub(second, f64x2.mul(value, getPair(row, 2)));
    }
    setPair(to, c, first);
    setPair(to, c + 2, second);
  }
  for (; c < stride; c += 2) {
    let sum = getPair(from, c);
    for (let p = begin; p < end; p++) {
      const row = at(table, getInteger(columns, p) * stride + c);
      sum = f64x2.sub(sum, f64x2.mul(splat(values, p), getPair(row, 0)));
    }
    setPair(to, c, sum);
  }
}

/** X = A^-1 B. `scratch`: as large as X, and not X; X may be B. */
export function sparseLuSolveRows(
  table: usize, stride: i32, b: usize, x: usize, scratch: usize,
): void {
  const size = getInteger(table, SparseLu.SIZE), diagonal = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  for (let i = 0; i < size; i++) {
    const from = at(b, getInteger(rows, i) * stride), to = at(scratch, i * stride);
    const begin = getInteger(lStart, i), end = getInteger(lStart, i + 1);
    subtractAll(stride, begin, end, lColumn, lValue, scratch, from, to);
  }
  for (let i = size - 1; i >= 0; i--) {
    const to = at(scratch, i * stride);
    const begin = getInteger(uStart, i), end = getInteger(uStart, i + 1);
    subtractAll(stride, begin, end, uColumn, uValue, scratch, to, to);
    scale(stride, get(diagonal, i), to);
    copySlots(to, at(x, getInteger(columns, i) * stride), stride);
  }
}

/** X = A^-T B, with arguments as in {@link sparseLuSolveRows}. */
export function sparseLuSolveRowsTransposed(
  table: usize, stride: i32, b: usize, x: usize, scratch: usize,
): void {
  const size = getInteger(table, SparseLu.SIZE), diagonal = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  for (let i = 0; i < size; i++) {
    copySlots(at(b, getInteger(columns, i) * stride), at(scratch, i * stride), stride);
  }
  for (let i = 0; i < size; i++) {
    const from = at(scratch, i * stride), end = getInteger(uStart, i + 1);
    scale(stride, get(diagonal, i), from);
    for (let p = getInteger(uStart, i); p < end; p++) {
      subtract(stride, get(uValue, p), from, at(scratch, getInteger(uColumn, p) * stride));
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    const from = at(scratch, i * stride), end = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < end; p++) {
      subtract(stride, get(lValue, p), from, at(scratch, getInteger(lColumn, p) * stride));
    }
    copySlots(from, at(x, getInteger(rows, i) * stride), stride);
  }
}
