// Scaling and vectors of the sparse matrix of a stage (src/methods/state-space/sparse-jacobian.ts):
// entries are factor alpha^power value. Rows are divided by their largest magnitude: some are
// lengths, others forces, and pivots are chosen by comparing rows.

import { SparseLu } from "../layout-stiff";
import { clearSlots, get, getInteger, pairOf, set, setPair } from "../math/slots";
import { part } from "./sparse-lu";

/** out = values at a list of addresses. */
export function gatherValues(count: i32, addresses: usize, out: usize): void {
  for (let i = 0; i < count; i++) set(out, i, get(<usize>getInteger(addresses, i), 0));
}

/** rowScales = 1 / the largest magnitude of each row; `first`, `second`: |alpha| and its square. */
function scaleRows(
  table: usize, powers: usize, factors: usize, first: f64, second: f64, rowScales: usize,
): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), size = getInteger(table, SparseLu.SIZE);
  const rows = part(table, SparseLu.ROWS), addresses = part(table, SparseLu.ADDRESSES);
  clearSlots(rowScales, size);
  for (let e = 0; e < count; e++) {
    const power = getInteger(powers, e), row = getInteger(rows, e);
    const alpha = power == 0 ? 1.0 : power == 1 ? first : second;
    const value = Math.abs(alpha * get(factors, e) * get(<usize>getInteger(addresses, e), 0));
    if (value > get(rowScales, row)) set(rowScales, row, value);
  }
  for (let i = 0; i < size; i++) {
    const largest = get(rowScales, i);
    set(rowScales, i, largest > 0.0 ? 1.0 / largest : 1.0);
  }
}

/** Scales of the entries for a real alpha. */
export function sparseShift(
  table: usize, alpha: f64, powers: usize, factors: usize, rowScales: usize,
): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), scales = part(table, SparseLu.SCALES);
  const rows = part(table, SparseLu.ROWS), square = alpha * alpha;
  scaleRows(table, powers, factors, Math.abs(alpha), square, rowScales);
  for (let e = 0; e < count; e++) {
    const power = getInteger(powers, e), row = getInteger(rows, e);
    const shift = power == 0 ? 1.0 : power == 1 ? alpha : square;
    set(scales, e, shift * get(factors, e) * get(rowScales, row));
  }
}

/** Scales of the entries for a complex alpha: pairs. */
export function complexSparseShift(
  table: usize, real: f64, imaginary: f64, powers: usize, factors: usize, rowScales: usize,
): void {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), scales = part(table, SparseLu.SCALES);
  const rows = part(table, SparseLu.ROWS);
  const squareReal = real * real - imaginary * imaginary, squareImaginary = 2.0 * real * imaginary;
  const size = Math.sqrt(real * real + imaginary * imaginary);
  scaleRows(table, powers, factors, size, size * size, rowScales);
  for (let e = 0; e < count; e++) {
    const power = getInteger(powers, e);
    const scale = get(factors, e) * get(rowScales, getInteger(rows, e));
    const x = power == 0 ? 1.0 : power == 1 ? real : squareReal;
    const y = power == 0 ? 0.0 : power == 1 ? imaginary : squareImaginary;
    setPair(scales, 2 * e, pairOf(scale * x, scale * y));
  }
}

/**
 * right = (b1, -alpha b2) in the rows from `first` and from `second` on, scaled, and zero
 * elsewhere; b = (b1, b2), each of length `count`.
 */
export function sparsePiRight(
  count: i32, alpha: f64, b: usize, first: i32, second: i32, size: i32, rowScales: usize,
  right: usize,
): void {
  clearSlots(right, size);
  for (let i = 0; i < count; i++) {
    set(right, first + i, get(b, i) * get(rowScales, first + i));
    set(right, second + i, -alpha * get(b, count + i) * get(rowScales, second + i));
  }
}

/** {@link sparsePiRight} for complex values: all real parts, then all imaginary ones. */
export function complexSparsePiRight(
  count: i32, real: f64, imaginary: f64, b: usize, first: i32, second: i32, size: i32,
  rowScales: usize, right: usize,
): void {
  clearSlots(right, 2 * size);
  for (let i = 0; i < count; i++) {
    const scale = get(rowScales, first + i), other = get(rowScales, second + i);
    const x = get(b, count + i), y = get(b, 3 * count + i);
    set(right, first + i, get(b, i) * scale);
    set(right, size + first + i, get(b, 2 * count + i) * scale);
    set(right, second + i, -(real * x - imaginary * y) * other);
    set(right, size + second + i, -(real * y + imaginary * x) * other);
  }
}

/** x = (b1 + alpha x2, x2). x may be b. */
export function sparsePiTake(count: i32, alpha: f64, b: usize, x2: usize, x: usize): void {
  for (let i = 0; i < count; i++) {
    const value = get(x2, i);
    set(x, i, get(b, i) + alpha * value);
    set(x, count + i, value);
  }
}

/** {@link sparsePiTake} for complex values; imaginary parts of x2 follow after `size` slots. */
export function complexSparsePiTake(
  count: i32, real: f64, imaginary: f64, b: usize, size: i32, x2: usize, x: usize,
): void {
  for (let i = 0; i < count; i++) {
    const re = get(x2, i), im = get(x2, size + i);
    set(x, i, get(b, i) + real * re - imaginary * im);
    set(x, 2 * count + i, get(b, 2 * count + i) + real * im + imaginary * re);
    set(x, count + i, re);
    set(x, 3 * count + i, im);
  }
}
