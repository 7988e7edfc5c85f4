// A sparse LU with complex values, as sparse-lu.ts: same table, orders and rows of L and U, but
// scales, values, pivots and the work vector are pairs of a real and an imaginary part. Values of
// entries are real. Pivots are those chosen for a real matrix of the same pattern, with
// values of similar size: Radau's real and complex matrices differ in alpha alone.

import { Status } from "../layout";
import { SparseLu } from "../layout-stiff";
import { clearSlots, get, getInteger, getPair, pairOf, set, setPair } from "../math/slots";
import { reciprocal, sizeOf, times } from "./complex-lu";
import { part, unusable } from "./sparse-lu";

/** Factors with the chosen pivots. SINGULAR and NON_FINITE name the original row. */
export function complexSparseLuFactor(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE);
  const work = part(table, SparseLu.WORK), diagonal = part(table, SparseLu.DIAGONAL);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE), zero = f64x2.splat(0.0);
  clearSlots(work, 2 * size);
  for (let i = 0; i < size; i++) {
    takeRow(table, i, work);
    const lEnd = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < lEnd; p++) {
      const k = getInteger(lColumn, p);
      const multiplier = times(getPair(work, 2 * k), getPair(diagonal, 2 * k));
      setPair(work, 2 * k, zero);
      setPair(lValue, 2 * p, multiplier);
      const begin = getInteger(uStart, k), end = getInteger(uStart, k + 1);
      subtractRow(begin, end, uColumn, uValue, multiplier, work);
    }
    const pivot = getPair(work, 2 * i), largest = sizeOf(pivot);
    setPair(work, 2 * i, zero);
    const uEnd = getInteger(uStart, i + 1);
    for (let p = getInteger(uStart, i); p < uEnd; p++) {
      const column = 2 * getInteger(uColumn, p);
      setPair(uValue, 2 * p, getPair(work, column));
      setPair(work, column, zero);
    }
    if (!(largest < Infinity) || !(1.0 / largest < Infinity)) {
      return unusable(table, getInteger(part(table, SparseLu.ROW_ORDER), i));
    }
    setPair(diagonal, 2 * i, reciprocal(pivot));
  }
  return Status.OK;
}

/** work -= factor times a row of U. */
// @ts-ignore: decorator
@inline
function subtractRow(
  begin: i32, end: i32, columns: usize, values: usize, factor: v128, work: usize,
): void {
  const real = f64x2.splat(f64x2.extract_lane(factor, 0));
  const imaginary = f64x2.extract_lane(factor, 1), turned = pairOf(-imaginary, imaginary);
  for (let s = begin; s < end; s++) {
    const column = 2 * getInteger(columns, s), value = getPair(values, 2 * s);
    const swapped = v128.shuffle<f64>(value, value, 1, 0);
    const product = f64x2.add(f64x2.mul(real, value), f64x2.mul(turned, swapped));
    setPair(work, column, f64x2.sub(getPair(work, column), product));
  }
}

/** Adds the entries of a row, in the order of pivots, to a work vector of zeros. */
// @ts-ignore: decorator
@inline
function takeRow(table: usize, i: i32, work: usize): void {
  const start = part(table, SparseLu.ENTRY_START), list = part(table, SparseLu.ENTRY_LIST);
  const columns = part(table, SparseLu.ENTRY_COLUMN);
  const addresses = part(table, SparseLu.ADDRESSES), scales = part(table, SparseLu.SCALES);
  const end = getInteger(start, i + 1);
  for (let p = getInteger(start, i); p < end; p++) {
    const entry = getInteger(list, p), column = 2 * getInteger(columns, p);
    const value = f64x2.splat(get(<usize>getInteger(addresses, entry), 0));
    const scaled = f64x2.mul(value, getPair(scales, 2 * entry));
    setPair(work, column, f64x2.add(getPair(work, column), scaled));
  }
}

/** x = A^-1 b; both all real parts, then all imaginary ones. x may be b. */
export function complexSparseLuSolve(table: usize, b: usize, x: usize): void {
  const size = getInteger(table, SparseLu.SIZE);
  const work = part(table, SparseLu.WORK), diagonal = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  for (let i = 0; i < size; i++) {
    const row = getInteger(rows, i);
    let sum = pairOf(get(b, row), get(b, size + row));
    const end = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < end; p++) {
      const known = getPair(work, 2 * getInteger(lColumn, p));
      sum = f64x2.sub(sum, times(getPair(lValue, 2 * p), known));
    }
    setPair(work, 2 * i, sum);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = getPair(work, 2 * i);
    const end = getInteger(uStart, i + 1);
    for (let p = getInteger(uStart, i); p < end; p++) {
      const known = getPair(work, 2 * getInteger(uColumn, p));
      sum = f64x2.sub(sum, times(getPair(uValue, 2 * p), known));
    }
    setPair(work, 2 * i, times(getPair(diagonal, 2 * i), sum));
  }
  for (let i = 0; i < size; i++) {
    const column = getInteger(columns, i), value = getPair(work, 2 * i);
    set(x, column, f64x2.extract_lane(value, 0));
    set(x, size + column, f64x2.extract_lane(value, 1));
  }
  clearSlots(work, 2 * size);
}
