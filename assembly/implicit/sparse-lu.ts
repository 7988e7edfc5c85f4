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
import {
  at, clearIntegers, clearSlots, copySlots, get, getInteger, getPair, set, setInteger, setPair,
  splat,
} from "../math/slots";
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

// L, U and the entries of a sparse matrix, row by row in pivot order, from the result of the choice
// of pivots: ROW_ORDER and COLUMN_ORDER hold the pivot of each row and column, rows
// of U lie in their place with columns as they are in the matrix, and columns of L, as rows of the
// matrix, where the values of L will be.

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

// Solves with many right-hand sides, stored row-major: one row of even length `stride` for
// each row of the matrix, so that every value of the factor is applied to a full row in SIMD.

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

// Indicators of the distance to a singular matrix from a factor: the signs of determinants, which
// change when a single pivot crosses zero, and the row of the smallest pivot.
//
// If two independent loops pass singular poses at the same time, det A
// changes its sign twice. So signs are those of the irreducible diagonal blocks of A (Duff, Erisman
// and Reid, Direct Methods for Sparse Matrices, 2nd ed., chapter 6), whose product is det A up to
// a sign. Rows and columns have places, block after block. Pivots that are entries of A lie within
// blocks: one in a row of a block and a column of another one would leave rows without columns. Nor
// does elimination in one block change another diagonal block. So each has its own pivots.
// Rejected: the signs of single pivots. Two of them change when a leading minor crosses zero while
// det A does not.

/**
 * Signs of the determinants of `count` blocks, 1 or -1, if `signs` holds those of another factor.
 * `places` has the place of each row, then of each column, `blocks` the block of each place.
 * `signs` has room for twice as many. Returns the first block whose sign has changed, or -1.
 *
 * Pivots that are entries of A lie within blocks. Fill-in pivots need not,
 * if blocks depend on each other. Then only the product of all signs, that of det A, is known: it
 * is compared with the previous one, and a change is attributed to the first block.
 */
export function sparseLuSigns(
  table: usize, places: usize, blocks: usize, count: i32, signs: usize,
): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  const rows = part(table, SparseLu.ROW_ORDER), columns = part(table, SparseLu.COLUMN_ORDER);
  const ofColumns = places + ((<usize>size) << 2), fresh = signs + ((<usize>count) << 2);
  // The permutation of rows by pivots, within each block.
  const to = part(table, SparseLu.MARKS);
  for (let b = 0; b < count; b++) setInteger(fresh, b, 1);
  let areWithin = true;
  for (let k = 0; k < size; k++) {
    const place = getInteger(places, getInteger(rows, k));
    const column = getInteger(ofColumns, getInteger(columns, k));
    if (getInteger(blocks, place) != getInteger(blocks, column)) areWithin = false;
    setInteger(to, place, column);
    if (get(pivots, k) < 0.0) change(fresh, getInteger(blocks, place));
  }
  changeByCycles(size, to, blocks, fresh);
  if (!areWithin) {
    if (product(count, fresh) == product(count, signs)) return -1;
    change(signs, 0);
    return 0;
  }
  let changed = -1;
  for (let b = count - 1; b >= 0; b--) {
    const sign = getInteger(fresh, b);
    if (getInteger(signs, b) != sign) changed = b;
    setInteger(signs, b, sign);
  }
  return changed;
}

function product(count: i32, signs: usize): i32 {
  let all = 1;
  for (let b = 0; b < count; b++) all *= getInteger(signs, b);
  return all;
}

// @ts-ignore: decorator
@inline
function change(signs: usize, block: i32): void {
  setInteger(signs, block, -getInteger(signs, block));
}

/** Each cycle of even length changes the sign of a permutation. */
function changeByCycles(size: i32, to: usize, blocks: usize, signs: usize): void {
  for (let i = 0; i < size; i++) {
    let length = 0;
    for (let k = i; getInteger(to, k) >= 0; length++) {
      const next = getInteger(to, k);
      setInteger(to, k, -1);
      k = next;
    }
    if (length > 0 && length % 2 == 0) change(signs, getInteger(blocks, i));
  }
}

/** The row of the smallest pivot. */
export function sparseLuWeakest(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  let weakest = 0;
  for (let i = 1; i < size; i++) {
    if (Math.abs(get(pivots, i)) > Math.abs(get(pivots, weakest))) weakest = i;
  }
  return size == 0 ? -1 : getInteger(part(table, SparseLu.ROW_ORDER), weakest);
}

// An estimate of |A|_1 |A^-1|_1 from a factor (Hager, SIAM J. Sci. Stat. Comput. 5 (1984) 311-316;
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., algorithm 15.1): |A^-1|_1 is
// climbed to along its steepest columns, by a few solves.

const CLIMBS = 4;

/** x, y: vectors of scratch. */
export function sparseLuCondition(table: usize, x: usize, y: usize): f64 {
  const size = getInteger(table, SparseLu.SIZE);
  if (size == 0) return 1.0;
  const norm = columnNorm(table, size, x);
  for (let i = 0; i < size; i++) set(x, i, 1.0 / <f64>size);
  let estimate = 0.0, last = -1;
  for (let climb = 0; climb < CLIMBS; climb++) {
    sparseLuSolve(table, x, y);
    let sum = 0.0;
    for (let i = 0; i < size; i++) {
      sum += Math.abs(get(y, i));
      set(y, i, get(y, i) < 0.0 ? -1.0 : 1.0);
    }
    if (!(sum > estimate)) break;
    estimate = sum;
    sparseLuSolveTransposed(table, y, x);
    let steepest = 0;
    for (let i = 1; i < size; i++) {
      if (Math.abs(get(x, i)) > Math.abs(get(x, steepest))) steepest = i;
    }
    if (steepest == last) break;
    last = steepest;
    clearSlots(x, size);
    set(x, steepest, 1.0);
  }
  return norm * estimate;
}

/** The largest column sum of magnitudes. Duplicate entries are counted separately. */
function columnNorm(table: usize, size: i32, sums: usize): f64 {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), columns = part(table, SparseLu.COLUMNS);
  const addresses = part(table, SparseLu.ADDRESSES), scales = part(table, SparseLu.SCALES);
  clearSlots(sums, size);
  for (let e = 0; e < count; e++) {
    const value = get(scales, e) * get(<usize>getInteger(addresses, e), 0);
    const column = getInteger(columns, e);
    set(sums, column, get(sums, column) + Math.abs(value));
  }
  let largest = 0.0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, get(sums, i));
  return largest;
}
