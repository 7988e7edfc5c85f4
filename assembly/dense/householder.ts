// Householder reflections (Golub & Van Loan, section 5.1), shared by all orthogonal factorisations.
//
//   H = I - w v v^T,  v = x - beta e,  beta = -sign(x_0) |x|,  w = 2 / v.v = -1 / (beta v_0)
//
// v is not normalised: that would cost a pass, and one division gives both w and 1 / beta. It stays
// where x was, first element included, so the loops below have no special first row; beta is kept
// apart. Squares are formed without care as long as their sum is far from overflow and underflow;
// otherwise the vector is scaled by a power of two, and H does not change by that.
//
// A column has an even length p, zeros in its padding. A reflector of step k occupies rows k to p.
// Pairs begin at even rows: an odd first row is done apart.

import { QrPivot } from "../layout";
import { scaleToOne } from "../math/power-of-two";
import { at, get, getPair, laneSum, set, setPair } from "../math/slots";

/** 2^-300 and 2^300: sums of squares in between are safe, also when multiplied by each other. */
const SMALL_SQUARE: f64 = 4.909093465297727e-91;
const LARGE_SQUARE: f64 = 2.037035976334486e90;

/** From this length on pairs are faster than single numbers. */
const SHORT: i32 = 8;

/** False for sums of squares that may have lost something, zero and NaN among them. */
// @ts-ignore: decorator
@inline
export function isSafeSquare(square: f64): bool {
  return square >= SMALL_SQUARE && square <= LARGE_SQUARE;
}

/** Sum of squares of rows k to p of a column. */
export function sumOfSquares(k: i32, p: i32, column: usize): f64 {
  if (p - k < SHORT) {
    let sum = 0.0;
    for (let i = k; i < p; i++) sum += get(column, i) * get(column, i);
    return sum;
  }
  let even = f64x2.splat(0.0), odd = even;
  const head = k & 1 ? get(column, k) : 0.0;
  let i = (k + 1) & ~1;
  for (; i + 4 <= p; i += 4) {
    const first = getPair(column, i), second = getPair(column, i + 2);
    even = f64x2.add(even, f64x2.mul(first, first));
    odd = f64x2.add(odd, f64x2.mul(second, second));
  }
  if (i < p) even = f64x2.add(even, f64x2.mul(getPair(column, i), getPair(column, i)));
  return laneSum(f64x2.add(even, odd)) + head * head;
}

/** Largest magnitude in rows k to p of a column. */
export function largestMagnitude(k: i32, p: i32, column: usize): f64 {
  let largest = 0.0;
  for (let i = k; i < p; i++) largest = Math.max(largest, Math.abs(get(column, i)));
  return largest;
}

/** Multiplies rows k to p of a column. */
export function scaleColumn(k: i32, p: i32, column: usize, scale: f64): void {
  for (let i = k; i < p; i++) set(column, i, get(column, i) * scale);
}

/** Makes the reflector that clears a column below row k; `square` is the sum of its squares. */
// @ts-ignore: decorator
@inline
export function makeReflector(k: i32, p: i32, column: usize, square: f64, pivot: usize): void {
  if (isSafeSquare(square)) makeSafeReflector(column, k, square, pivot);
  else makeScaledReflector(k, p, column, pivot);
}

// @ts-ignore: decorator
@inline
function makeSafeReflector(column: usize, k: i32, square: f64, pivot: usize): void {
  const alpha = get(column, k);
  const beta = -copysign<f64>(Math.sqrt(square), alpha);
  const first = alpha - beta;
  const weight = -1.0 / (beta * first);
  set(column, k, first);
  set(pivot, QrPivot.DIAGONAL, beta);
  set(pivot, QrPivot.RECIPROCAL, -weight * first);
  set(pivot, QrPivot.WEIGHT, weight);
}

/** A zero column has the identity as its reflection: weight, diagonal and reciprocal are zero. */
function makeScaledReflector(k: i32, p: i32, column: usize, pivot: usize): void {
  const largest = largestMagnitude(k, p, column);
  if (largest == 0.0) {
    set(pivot, QrPivot.DIAGONAL, 0.0);
    set(pivot, QrPivot.RECIPROCAL, 0.0);
    set(pivot, QrPivot.WEIGHT, 0.0);
    return;
  }
  const scale = scaleToOne(largest);
  scaleColumn(k, p, column, scale);
  makeSafeReflector(column, k, sumOfSquares(k, p, column), pivot);
  set(pivot, QrPivot.DIAGONAL, get(pivot, QrPivot.DIAGONAL) / scale);
  set(pivot, QrPivot.RECIPROCAL, get(pivot, QrPivot.RECIPROCAL) * scale);
}

/** Applies the reflection of step k to `count` columns with leading dimension ld. */
export function reflect(
  k: i32, p: i32, v: usize, weight: f64, columns: usize, ld: i32, count: i32,
): void {
  let column = columns;
  let left = count;
  if (p - k < SHORT) {
    for (; left > 0; left--) {
      reflectShort(k, p, v, weight, column);
      column = at(column, ld);
    }
    return;
  }
  for (; left >= 4; left -= 4) {
    reflectFour(k, p, v, weight, column, ld);
    column = at(column, 4 * ld);
  }
  if (left & 2) {
    reflectTwo(k, p, v, weight, column, at(column, ld));
    column = at(column, 2 * ld);
  }
  if (left & 1) reflectOne(k, p, v, weight, column);
}

// @ts-ignore: decorator
@inline
function reflectShort(k: i32, p: i32, v: usize, weight: f64, column: usize): void {
  let dot = 0.0;
  for (let i = k; i < p; i++) dot += get(v, i) * get(column, i);
  dot *= weight;
  for (let i = k; i < p; i++) set(column, i, get(column, i) - dot * get(v, i));
}

function reflectOne(k: i32, p: i32, v: usize, weight: f64, column: usize): void {
  const start = (k + 1) & ~1;
  const head = k & 1 ? get(v, k) : 0.0;
  let even = f64x2.splat(0.0), odd = even;
  let i = start;
  for (; i + 4 <= p; i += 4) {
    even = f64x2.add(even, f64x2.mul(getPair(v, i), getPair(column, i)));
    odd = f64x2.add(odd, f64x2.mul(getPair(v, i + 2), getPair(column, i + 2)));
  }
  if (i < p) even = f64x2.add(even, f64x2.mul(getPair(v, i), getPair(column, i)));
  const dot = weight * (laneSum(f64x2.add(even, odd)) + head * get(column, k));
  const dots = f64x2.splat(dot);
  if (k & 1) set(column, k, get(column, k) - dot * head);
  for (i = start; i < p; i += 2) {
    setPair(column, i, f64x2.sub(getPair(column, i), f64x2.mul(dots, getPair(v, i))));
  }
}

function reflectTwo(k: i32, p: i32, v: usize, weight: f64, left: usize, right: usize): void {
  const start = (k + 1) & ~1;
  const head = k & 1 ? get(v, k) : 0.0;
  let sum = f64x2.splat(0.0), other = sum;
  for (let i = start; i < p; i += 2) {
    const pair = getPair(v, i);
    sum = f64x2.add(sum, f64x2.mul(pair, getPair(left, i)));
    other = f64x2.add(other, f64x2.mul(pair, getPair(right, i)));
  }
  const dot = weight * (laneSum(sum) + head * get(left, k));
  const second = weight * (laneSum(other) + head * get(right, k));
  if (k & 1) {
    set(left, k, get(left, k) - dot * head);
    set(right, k, get(right, k) - second * head);
  }
  sum = f64x2.splat(dot);
  other = f64x2.splat(second);
  for (let i = start; i < p; i += 2) {
    const pair = getPair(v, i);
    setPair(left, i, f64x2.sub(getPair(left, i), f64x2.mul(sum, pair)));
    setPair(right, i, f64x2.sub(getPair(right, i), f64x2.mul(other, pair)));
  }
}

function reflectFour(k: i32, p: i32, v: usize, weight: f64, c0: usize, ld: i32): void {
  const c1 = at(c0, ld), c2 = at(c1, ld), c3 = at(c2, ld);
  const start = (k + 1) & ~1;
  const head = k & 1 ? get(v, k) : 0.0;
  let s0 = f64x2.splat(0.0), s1 = s0, s2 = s0, s3 = s0;
  for (let i = start; i < p; i += 2) {
    const pair = getPair(v, i);
    s0 = f64x2.add(s0, f64x2.mul(pair, getPair(c0, i)));
    s1 = f64x2.add(s1, f64x2.mul(pair, getPair(c1, i)));
    s2 = f64x2.add(s2, f64x2.mul(pair, getPair(c2, i)));
    s3 = f64x2.add(s3, f64x2.mul(pair, getPair(c3, i)));
  }
  const d0 = weight * (laneSum(s0) + head * get(c0, k));
  const d1 = weight * (laneSum(s1) + head * get(c1, k));
  const d2 = weight * (laneSum(s2) + head * get(c2, k));
  const d3 = weight * (laneSum(s3) + head * get(c3, k));
  if (k & 1) {
    set(c0, k, get(c0, k) - d0 * head);
    set(c1, k, get(c1, k) - d1 * head);
    set(c2, k, get(c2, k) - d2 * head);
    set(c3, k, get(c3, k) - d3 * head);
  }
  s0 = f64x2.splat(d0);
  s1 = f64x2.splat(d1);
  s2 = f64x2.splat(d2);
  s3 = f64x2.splat(d3);
  for (let i = start; i < p; i += 2) {
    const pair = getPair(v, i);
    setPair(c0, i, f64x2.sub(getPair(c0, i), f64x2.mul(s0, pair)));
    setPair(c1, i, f64x2.sub(getPair(c1, i), f64x2.mul(s1, pair)));
    setPair(c2, i, f64x2.sub(getPair(c2, i), f64x2.mul(s2, pair)));
    setPair(c3, i, f64x2.sub(getPair(c3, i), f64x2.mul(s3, pair)));
  }
}
