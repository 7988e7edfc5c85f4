// Pi, the matrix of a stage of an implicit method: solves with I - alpha df/dy for y = (p, p') and
// p'' = a(p, p'). With J1 = da/dp and J2 = da/dp',
//
//   [    I          -alpha I    ] [x1]   [b1]
//   [-alpha J1   I - alpha J2   ] [x2] = [b2]
//
//   Pi x2 = M b2 + alpha M J1 b1,   x1 = b1 + alpha x2,   Pi = M - alpha M J2 - alpha^2 M J1
//
// (Negrut, Haug and German 2003, eqs. 42-46): only products with the mass matrix M of the
// independent coordinates are needed, and M is never inverted. It is the matrix of the Newton
// iteration of an SDIRK stage with the accelerations k as unknowns too: q = ... + h^2 gamma^2 k,
// v = ... + h gamma k, alpha = h gamma.
//
// If the products M J1 and M J2 come for free (the coordinate-partitioned form differentiates
// M a), Pi is a sum; otherwise Pi = M (I - alpha J2 - alpha^2 J1) is one product. All matrices are
// n x n, column-major without padding.

import { clearColumn } from "../dense/columns";
import { luFactor, luFactorPadded, luSolve } from "../dense/lu";
import { matrixProduct } from "../dense/products";
import { LuHeader, luSlots, padToFour, Status } from "../layout";
import { SparseLu } from "../layout-stiff";
import { at, clearSlots, get, getInteger, getPair, pairOf, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { complexLuSolve } from "./complex-lu";
import { part } from "./sparse-lu";

/** Pi = M - alpha MJ2 - alpha^2 MJ1. Pi may be any of the three. */
export function newtonMatrix(
  n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, pi: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const one = f64x2.splat(alpha);
  const count = n * n;
  let i = 0;
  for (; i + 2 <= count; i += 2) {
    const sum = f64x2.add(getPair(mj2, i), f64x2.mul(getPair(mj1, i), one));
    setPair(pi, i, f64x2.sub(getPair(m, i), f64x2.mul(sum, one)));
  }
  if (i < count) set(pi, i, get(m, i) - (get(mj2, i) + get(mj1, i) * alpha) * alpha);
  return Status.OK;
}

/** Pi = M (I - alpha J2 - alpha^2 J1). Scratch: n^2 slots that share no memory with the others. */
export function newtonMatrixFromJacobians(
  n: i32, alpha: f64, m: usize, j1: usize, j2: usize, scratch: usize, pi: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let i = 0; i < n * n; i++) set(scratch, i, -(get(j2, i) + get(j1, i) * alpha) * alpha);
  for (let i = 0; i < n; i++) set(scratch, i + i * n, get(scratch, i + i * n) + 1.0);
  return matrixProduct(n, n, n, m, n, scratch, n, pi, n);
}

/**
 * Forms and factors Pi from products. The record (newtonSlots) begins with an LU record: luSolve
 * and luReciprocalCondition take it. SINGULAR and NON_FINITE as luFactor, rows being those of Pi.
 */
export function newtonPrepare(
  n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, factor: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  // Straight into the square of the factor: small systems spend as long on copies as on the factor.
  const p = padToFour(n), lu = at(factor, LuHeader.SLOTS);
  let norm = 0.0;
  for (let j = 0; j < n; j++) {
    const to = at(lu, j * p);
    norm = max<f64>(norm, piColumn(n, alpha, at(m, j * n), at(mj1, j * n), at(mj2, j * n), to));
    clearColumn(p - n, at(to, n));
  }
  // By stores: an engine's memory.fill costs more for so few slots.
  clearColumn((p - n) * p, at(lu, n * p));
  return luFactorPadded(n, factor, norm);
}

/**
 * x = Pi^-1 b, with Pi formed and factored as by {@link newtonPrepare}: a Newton solve in one call.
 * For a small system each call from outside costs as much as its arithmetic. On failure x is
 * not written.
 */
export function newtonSolve(
  n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, factor: usize, b: usize, x: usize,
): i32 {
  const status = newtonPrepare(n, alpha, m, mj1, mj2, factor);
  return status == Status.OK ? luSolve(n, factor, b, x) : status;
}

/** A column of Pi; returns the sum of its magnitudes. */
// @ts-ignore: decorator
@inline
function piColumn(n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, to: usize): f64 {
  const one = f64x2.splat(alpha);
  let sums = f64x2.splat(0.0), i = 0;
  for (; i + 2 <= n; i += 2) {
    const both = f64x2.add(getPair(mj2, i), f64x2.mul(getPair(mj1, i), one));
    const value = f64x2.sub(getPair(m, i), f64x2.mul(both, one));
    sums = f64x2.add(sums, f64x2.abs(value));
    setPair(to, i, value);
  }
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  if (i < n) {
    const value = get(m, i) - (get(mj2, i) + get(mj1, i) * alpha) * alpha;
    sum += Math.abs(value);
    set(to, i, value);
  }
  return sum;
}

/** Forms and factors Pi from M and the Jacobians, as {@link newtonPrepare}. */
export function newtonPrepareFromJacobians(
  n: i32, alpha: f64, m: usize, j1: usize, j2: usize, factor: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const pi = at(factor, luSlots(n));
  // The square of the factor is not in use yet: scratch for the second factor of the product.
  newtonMatrixFromJacobians(n, alpha, m, j1, j2, at(factor, LuHeader.SLOTS), pi);
  return luFactor(n, pi, n, factor);
}

/** out = M b2 + alpha MJ1 b1; matrices n x n, column-major. */
export function piRight(
  n: i32, alpha: f64, m: usize, mj1: usize, b1: usize, b2: usize, out: usize,
): void {
  for (let i = 0; i < n; i++) set(out, i, 0.0);
  for (let j = 0; j < n; j++) {
    const first = alpha * get(b1, j), second = get(b2, j);
    const column = at(m, j * n), other = at(mj1, j * n);
    for (let i = 0; i < n; i++) {
      set(out, i, get(out, i) + get(column, i) * second + get(other, i) * first);
    }
  }
}

/** Pi for a complex alpha. */
export function complexPi(
  n: i32, real: f64, imaginary: f64, m: usize, mj1: usize, mj2: usize, out: usize,
): void {
  const square = real * real - imaginary * imaginary, twice = 2.0 * real * imaginary;
  for (let i = 0; i < n * n; i++) {
    const one = get(mj1, i), two = get(mj2, i);
    const value = pairOf(get(m, i) - real * two - square * one, -imaginary * two - twice * one);
    setPair(out, 2 * i, value);
  }
}

/**
 * x = (I - alpha df/dy)^-1 b with Pi factored by complexLuFactor. b and x: 2 n real parts, then 2 n
 * imaginary ones; x may be b. Scratch: 4 n slots.
 */
export function complexPiSolve(
  n: i32, real: f64, imaginary: f64, m: usize, mj1: usize, factor: usize, pivots: usize,
  b: usize, x: usize, scratch: usize,
): void {
  const b2 = at(b, n), c1 = at(b, 2 * n), c2 = at(b, 3 * n);
  const right = at(scratch, 2 * n);
  for (let i = 0; i < n; i++) {
    let re = 0.0, im = 0.0;
    for (let j = 0; j < n; j++) {
      const mass = get(m, i + j * n), one = get(mj1, i + j * n);
      re += mass * get(b2, j) + one * (real * get(b, j) - imaginary * get(c1, j));
      im += mass * get(c2, j) + one * (real * get(c1, j) + imaginary * get(b, j));
    }
    set(right, i, re);
    set(right, n + i, im);
  }
  complexLuSolve(n, factor, pivots, right, right, scratch);
  for (let i = 0; i < n; i++) {
    const re = get(right, i), im = get(right, n + i);
    const first = get(b, i) + real * re - imaginary * im;
    const second = get(c1, i) + real * im + imaginary * re;
    set(x, i, first);
    set(at(x, n), i, re);
    set(at(x, 2 * n), i, second);
    set(at(x, 3 * n), i, im);
  }
}

// Scaling and vectors of the sparse matrix of a stage (src/methods/state-space/sparse-jacobian.ts):
// entries are factor alpha^power value. Rows are divided by their largest magnitude: some are
// lengths, others forces, and pivots are chosen by comparing rows.

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
