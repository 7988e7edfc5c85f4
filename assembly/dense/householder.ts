// Householder reflections (Golub & Van Loan, section 5.1), shared by all orthogonal factorisations.
//
//   H = I - w v v^T,  v = x - beta e,  beta = -sign(x_0) |x|,  w = 2 / v.v = -1 / (beta v_0)
//
// v is not normalised: that would cost a pass, and one division gives both w and 1 / beta. It takes
// the place of x. Columns are padded to four and done by tiles of four rows; a reflector of step k
// begins with the tile of row k, where the rows before k are zero. So no loop has a head or a tail.
//
// Squares are formed without care as long as their sum is far from overflow and underflow;
// otherwise x is scaled by a power of two, and H does not change by that.

import { QrPivot } from "../layout";
import { scaleToOne } from "../math/indices";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";

/** 2^-300 and 2^300: sums of squares in between are safe, also when multiplied by each other. */
const SMALL_SQUARE: f64 = 4.909093465297727e-91;
const LARGE_SQUARE: f64 = 2.037035976334486e90;

/** Four zeros, then four words of all ones: read from slot 4 - i on, it clears the first i rows. */
const MASKS = memory.data<u64>([0, 0, 0, 0, -1, -1, -1, -1]);

/** Masks that clear the first i rows of a tile, 0 <= i <= 4. */
// @ts-ignore: decorator
@inline
export function maskFrom(i: i32): usize {
  return at(MASKS, 4 - i);
}

/** False for sums of squares that may have lost something, zero and NaN among them. */
// @ts-ignore: decorator
@inline
export function isSafeSquare(square: f64): bool {
  return square >= SMALL_SQUARE && square <= LARGE_SQUARE;
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

/**
 * Makes the reflector of a vector x: alpha is its first element, of row k, and the others are in
 * the column already; `square` is the sum of squares. Returns the weight. A zero vector has the
 * identity as its reflection: weight, diagonal and reciprocal are zero.
 */
// @ts-ignore: decorator
@inline
export function makeReflector(
  k: i32, p: i32, column: usize, alpha: f64, square: f64, pivot: usize,
): f64 {
  if (isSafeSquare(square)) return makeSafeReflector(alpha, square, pivot);
  return makeScaledReflector(k, p, column, alpha, pivot);
}

// @ts-ignore: decorator
@inline
function makeSafeReflector(alpha: f64, square: f64, pivot: usize): f64 {
  // Not copysign, which moves the value through integer registers.
  let beta = Math.sqrt(square);
  if (alpha > 0.0) beta = -beta;
  const first = alpha - beta;
  const weight = -1.0 / (beta * first);
  set(pivot, QrPivot.DIAGONAL, beta);
  set(pivot, QrPivot.RECIPROCAL, -weight * first);
  set(pivot, QrPivot.WEIGHT, weight);
  set(pivot, QrPivot.HEAD, first);
  return weight;
}

function makeScaledReflector(k: i32, p: i32, column: usize, alpha: f64, pivot: usize): f64 {
  const largest = Math.max(Math.abs(alpha), largestMagnitude(k + 1, p, column));
  if (largest == 0.0) {
    set(pivot, QrPivot.DIAGONAL, 0.0);
    set(pivot, QrPivot.RECIPROCAL, 0.0);
    set(pivot, QrPivot.WEIGHT, 0.0);
    set(pivot, QrPivot.HEAD, 0.0);
    return 0.0;
  }
  const scale = scaleToOne(largest), head = alpha * scale;
  let square = head * head;
  scaleColumn(k + 1, p, column, scale);
  for (let i = k + 1; i < p; i++) square += get(column, i) * get(column, i);
  const weight = makeSafeReflector(head, square, pivot);
  set(pivot, QrPivot.DIAGONAL, get(pivot, QrPivot.DIAGONAL) / scale);
  set(pivot, QrPivot.RECIPROCAL, get(pivot, QrPivot.RECIPROCAL) * scale);
  return weight;
}

/** Applies the reflection of step k to `count` columns with leading dimension ld. */
// @ts-ignore: decorator
@inline
export function reflect(
  k: i32, p: i32, v: usize, weight: f64, columns: usize, ld: i32, count: i32,
): void {
  let left = count;
  if (left & 1) reflectOne(k, p, v, weight, at(columns, (left - 1) * ld));
  let column = columns;
  for (; left > 1; left -= 2) {
    reflectTwo(k, p, v, weight, column, at(column, ld));
    column = at(column, 2 * ld);
  }
}

// @ts-ignore: decorator
@inline
function reflectOne(k: i32, p: i32, v: usize, weight: f64, column: usize): void {
  const start = k & ~3, end = at(v, p);
  let x = at(v, start), y = at(column, start);
  let upper = f64x2.mul(getPair(x, 0), getPair(y, 0));
  let lower = f64x2.mul(getPair(x, 2), getPair(y, 2));
  for (x = at(x, 4), y = at(y, 4); x < end; x = at(x, 4), y = at(y, 4)) {
    upper = f64x2.add(upper, f64x2.mul(getPair(x, 0), getPair(y, 0)));
    lower = f64x2.add(lower, f64x2.mul(getPair(x, 2), getPair(y, 2)));
  }
  const s = f64x2.splat(weight * laneSum(f64x2.add(upper, lower)));
  for (x = at(v, start), y = at(column, start); x < end; x = at(x, 4), y = at(y, 4)) {
    setPair(y, 0, f64x2.sub(getPair(y, 0), f64x2.mul(s, getPair(x, 0))));
    setPair(y, 2, f64x2.sub(getPair(y, 2), f64x2.mul(s, getPair(x, 2))));
  }
}

function reflectTwo(k: i32, p: i32, v: usize, weight: f64, left: usize, right: usize): void {
  const start = k & ~3, end = at(v, p);
  let x = at(v, start), y = at(left, start), z = at(right, start);
  let s = f64x2.splat(0.0), t = s;
  for (; x < end; x = at(x, 4), y = at(y, 4), z = at(z, 4)) {
    const upper = getPair(x, 0), lower = getPair(x, 2);
    s = f64x2.add(s, f64x2.mul(upper, getPair(y, 0)));
    t = f64x2.add(t, f64x2.mul(upper, getPair(z, 0)));
    s = f64x2.add(s, f64x2.mul(lower, getPair(y, 2)));
    t = f64x2.add(t, f64x2.mul(lower, getPair(z, 2)));
  }
  s = f64x2.splat(weight * laneSum(s));
  t = f64x2.splat(weight * laneSum(t));
  for (x = at(v, start), y = at(left, start), z = at(right, start); x < end; x = at(x, 4)) {
    const upper = getPair(x, 0), lower = getPair(x, 2);
    setPair(y, 0, f64x2.sub(getPair(y, 0), f64x2.mul(s, upper)));
    setPair(z, 0, f64x2.sub(getPair(z, 0), f64x2.mul(t, upper)));
    setPair(y, 2, f64x2.sub(getPair(y, 2), f64x2.mul(s, lower)));
    setPair(z, 2, f64x2.sub(getPair(z, 2), f64x2.mul(t, lower)));
    y = at(y, 4);
    z = at(z, 4);
  }
}
