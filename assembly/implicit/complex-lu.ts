// LU with partial pivoting of a complex matrix, P A = L U, column by column from the right (Golub
// and Van Loan, Matrix Computations, 4th ed., algorithm 3.4.1). A complex value is a pair of slots,
// real part first, so that one SIMD register holds it; pivots are compared by |re| + |im|, as
// LAPACK does. The diagonal holds reciprocals of U's pivots.

import { Status } from "../layout";
import { at, get, getPair, pairOf, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";

/** x y for complex numbers in registers. */
// @ts-ignore: decorator
@inline
export function times(x: v128, y: v128): v128 {
  const swapped = v128.shuffle<f64>(y, y, 1, 0);
  const real = f64x2.splat(f64x2.extract_lane(x, 0));
  const imaginary = f64x2.extract_lane(x, 1);
  return f64x2.add(f64x2.mul(real, y), f64x2.mul(pairOf(-imaginary, imaginary), swapped));
}

// @ts-ignore: decorator
@inline
export function sizeOf(x: v128): f64 {
  return Math.abs(f64x2.extract_lane(x, 0)) + Math.abs(f64x2.extract_lane(x, 1));
}

/** 1 / x, scaled so that no square overflows. */
export function reciprocal(x: v128): v128 {
  const scale = 1.0 / sizeOf(x);
  const real = f64x2.extract_lane(x, 0) * scale, imaginary = f64x2.extract_lane(x, 1) * scale;
  const inverse = scale / (real * real + imaginary * imaginary);
  return pairOf(real * inverse, -imaginary * inverse);
}

/**
 * Factors the n x n matrix `a`, column-major, in place; `pivots` receives n row indices. SINGULAR
 * and NON_FINITE name the column.
 */
export function complexLuFactor(n: i32, a: usize, pivots: usize): i32 {
  for (let k = 0; k < n; k++) {
    const column = at(a, 2 * n * k);
    let pivot = k, largest = sizeOf(getPair(column, 2 * k));
    for (let i = k + 1; i < n; i++) {
      const size = sizeOf(getPair(column, 2 * i));
      // NaN counts as the largest.
      if (!(size <= largest)) {
        pivot = i;
        largest = size;
      }
    }
    if (!(largest < Infinity)) return statusAt(Status.NON_FINITE, k);
    if (!(1.0 / largest < Infinity)) return statusAt(Status.SINGULAR, k);
    set(pivots, k, <f64>pivot);
    if (pivot != k) exchange(n, a, k, pivot);
    const inverse = reciprocal(getPair(column, 2 * k));
    setPair(column, 2 * k, inverse);
    for (let i = k + 1; i < n; i++) setPair(column, 2 * i, times(inverse, getPair(column, 2 * i)));
    for (let j = k + 1; j < n; j++) {
      const other = at(a, 2 * (n * j + k));
      subtractMultiple(n - k - 1, getPair(other, 0), at(column, 2 * k + 2), at(other, 2));
    }
  }
  return Status.OK;
}

/** y -= factor x */
// @ts-ignore: decorator
@inline
function subtractMultiple(count: i32, factor: v128, x: usize, y: usize): void {
  const real = f64x2.splat(f64x2.extract_lane(factor, 0));
  const part = f64x2.extract_lane(factor, 1), turned = pairOf(-part, part);
  for (let i = 0; i < 2 * count; i += 2) {
    const value = getPair(x, i), swapped = v128.shuffle<f64>(value, value, 1, 0);
    const product = f64x2.add(f64x2.mul(real, value), f64x2.mul(turned, swapped));
    setPair(y, i, f64x2.sub(getPair(y, i), product));
  }
}

function exchange(n: i32, a: usize, i: i32, j: i32): void {
  for (let k = 0; k < n; k++) {
    const column = at(a, 2 * n * k), first = getPair(column, 2 * i);
    setPair(column, 2 * i, getPair(column, 2 * j));
    setPair(column, 2 * j, first);
  }
}

/** x = A^-1 b in place: n pairs at `x`. */
function solvePairs(n: i32, a: usize, pivots: usize, x: usize): void {
  // All exchanges come first: those after column k have permuted the rows of L in it.
  for (let k = 0; k < n; k++) {
    const other = <i32>get(pivots, k), value = getPair(x, 2 * other);
    setPair(x, 2 * other, getPair(x, 2 * k));
    setPair(x, 2 * k, value);
  }
  for (let k = 0; k < n; k++) {
    const column = at(a, 2 * (n * k + k + 1));
    subtractMultiple(n - k - 1, getPair(x, 2 * k), column, at(x, 2 * k + 2));
  }
  for (let k = n - 1; k >= 0; k--) {
    const value = times(getPair(a, 2 * (n * k + k)), getPair(x, 2 * k));
    setPair(x, 2 * k, value);
    subtractMultiple(k, value, at(a, 2 * n * k), x);
  }
}

/**
 * x = A^-1 b for a factored matrix. b and x: all real parts, then all imaginary ones; x
 * may be b. Scratch: 2 n slots.
 */
export function complexLuSolve(
  n: i32, a: usize, pivots: usize, b: usize, x: usize, scratch: usize,
): void {
  for (let i = 0; i < n; i++) setPair(scratch, 2 * i, pairOf(get(b, i), get(b, n + i)));
  solvePairs(n, a, pivots, scratch);
  for (let i = 0; i < n; i++) {
    set(x, i, get(scratch, 2 * i));
    set(x, n + i, get(scratch, 2 * i + 1));
  }
}

/** out = I - alpha J for a real J: complex, column-major. */
export function complexShifted(n: i32, real: f64, imaginary: f64, j: usize, out: usize): void {
  const factor = pairOf(-real, -imaginary);
  for (let i = 0; i < n * n; i++) setPair(out, 2 * i, f64x2.mul(factor, f64x2.splat(get(j, i))));
  for (let i = 0; i < n; i++) {
    const diagonal = 2 * (i + i * n);
    set(out, diagonal, get(out, diagonal) + 1.0);
  }
}

/** out = I - alpha J, real. */
export function realShifted(n: i32, alpha: f64, j: usize, out: usize): void {
  for (let i = 0; i < n * n; i++) set(out, i, -alpha * get(j, i));
  for (let i = 0; i < n; i++) set(out, i + i * n, get(out, i + i * n) + 1.0);
}
