// LU of a sparse matrix whose pivots are chosen once, P A Q = L U: a mechanism keeps its pattern,
// and nearby poses take the same pivots. Row by row (Duff, Erisman and Reid, Direct Methods for
// Sparse Matrices, 2nd ed., section 5.3): with u_k the rows of U,
//
//   row i of A  =  sum_{k < i} l_ik u_k + u_i
//
// is taken into a work vector, multiples of earlier rows are subtracted in the order of pivots, and
// the remainder is u_i. The cost is that of the nonzeros: thousands of operations
// for a vehicle whose dense factor would take a hundred times as many.

import { Status } from "../layout";
import { SparseLu } from "../layout-stiff";
import { isNumber } from "../math/finite";
import { clearSlots, get, getInteger, set } from "../math/slots";
import { statusAt } from "../math/status";

/** Multipliers above this indicate that other pivots would be better. */
const LARGE_MULTIPLIER: f64 = 1e4;

/** The address in a field of a table. */
// @ts-ignore: decorator
@inline
export function part(table: usize, field: i32): usize {
  return <usize>getInteger(table, field);
}

/**
 * Factors with the chosen pivots. DEFICIENT: usable, but pivots should be chosen again.
 * SINGULAR and NON_FINITE name the original row.
 */
export function sparseLuFactor(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE);
  const work = part(table, SparseLu.WORK), diagonal = part(table, SparseLu.DIAGONAL);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  let largest = 0.0;
  for (let i = 0; i < size; i++) {
    takeRow(table, i, work);
    const lEnd = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < lEnd; p++) {
      const k = getInteger(lColumn, p);
      const multiplier = get(work, k) * get(diagonal, k);
      set(work, k, 0.0);
      set(lValue, p, multiplier);
      largest = Math.max(largest, Math.abs(multiplier));
      const end = getInteger(uStart, k + 1);
      for (let s = getInteger(uStart, k); s < end; s++) {
        const column = getInteger(uColumn, s);
        set(work, column, get(work, column) - multiplier * get(uValue, s));
      }
    }
    const pivot = get(work, i);
    set(work, i, 0.0);
    const uEnd = getInteger(uStart, i + 1);
    for (let p = getInteger(uStart, i); p < uEnd; p++) {
      const column = getInteger(uColumn, p);
      set(uValue, p, get(work, column));
      set(work, column, 0.0);
    }
    const inverse = 1.0 / pivot;
    if (!(Math.abs(inverse) < Infinity) || inverse == 0.0) {
      return unusable(table, getInteger(part(table, SparseLu.ROW_ORDER), i));
    }
    set(diagonal, i, inverse);
  }
  return largest <= LARGE_MULTIPLIER ? Status.OK : Status.DEFICIENT;
}

/** NON_FINITE with the row of a value that is not finite, which may spoil others; else SINGULAR. */
export function unusable(table: usize, row: i32): i32 {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), rows = part(table, SparseLu.ROWS);
  const addresses = part(table, SparseLu.ADDRESSES);
  for (let e = 0; e < count; e++) {
    if (isNumber(get(<usize>getInteger(addresses, e), 0))) continue;
    return statusAt(Status.NON_FINITE, getInteger(rows, e));
  }
  return statusAt(Status.SINGULAR, row);
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
    const entry = getInteger(list, p), column = getInteger(columns, p);
    const value = get(scales, entry) * get(<usize>getInteger(addresses, entry), 0);
    set(work, column, get(work, column) + value);
  }
}

/** x = A^-1 b. x may be b. */
export function sparseLuSolve(table: usize, b: usize, x: usize): void {
  const size = getInteger(table, SparseLu.SIZE);
  const work = part(table, SparseLu.WORK), diagonal = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  for (let i = 0; i < size; i++) {
    let sum = get(b, getInteger(rows, i));
    const end = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < end; p++) {
      sum -= get(lValue, p) * get(work, getInteger(lColumn, p));
    }
    set(work, i, sum);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = get(work, i);
    const end = getInteger(uStart, i + 1);
    for (let p = getInteger(uStart, i); p < end; p++) {
      sum -= get(uValue, p) * get(work, getInteger(uColumn, p));
    }
    set(work, i, sum * get(diagonal, i));
  }
  for (let i = 0; i < size; i++) set(x, getInteger(columns, i), get(work, i));
  clearSlots(work, size);
}

/** x = A^-T b. x may be b. */
export function sparseLuSolveTransposed(table: usize, b: usize, x: usize): void {
  const size = getInteger(table, SparseLu.SIZE);
  const work = part(table, SparseLu.WORK), diagonal = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const lStart = part(table, SparseLu.L_START), lColumn = part(table, SparseLu.L_COLUMN);
  const lValue = part(table, SparseLu.L_VALUE);
  const uStart = part(table, SparseLu.U_START), uColumn = part(table, SparseLu.U_COLUMN);
  const uValue = part(table, SparseLu.U_VALUE);
  for (let i = 0; i < size; i++) set(work, i, get(b, getInteger(columns, i)));
  for (let i = 0; i < size; i++) {
    const value = get(work, i) * get(diagonal, i);
    set(work, i, value);
    const end = getInteger(uStart, i + 1);
    for (let p = getInteger(uStart, i); p < end; p++) {
      const column = getInteger(uColumn, p);
      set(work, column, get(work, column) - get(uValue, p) * value);
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    const value = get(work, i);
    const end = getInteger(lStart, i + 1);
    for (let p = getInteger(lStart, i); p < end; p++) {
      const column = getInteger(lColumn, p);
      set(work, column, get(work, column) - get(lValue, p) * value);
    }
  }
  for (let i = 0; i < size; i++) set(x, getInteger(rows, i), get(work, i));
  clearSlots(work, size);
}
