// The singular values of a bidiagonal matrix by QR sweeps with Wilkinson's shift, the rotations
// accumulated in P and Q (Golub & Reinsch 1970; Golub & Van Loan, Matrix Computations, 8.6.3).
//
// The matrix is scaled to norm 1, so an element below 2^-54, or lost in rounding its neighbours,
// is negligible: setting it to zero is an error of the size that the reduction to bidiagonal form
// has made already. With a zero on the diagonal the shift is zero: one sweep of Demmel & Kahan
// (Accurate singular values of bidiagonal matrices, 1990) moves it to the end, exactly.
//
// A step of a sweep is a right rotation by (f, g) and a left one by (F, G). Both square roots are
// taken together: F and G stay multiplied by r = |(f, g)|, of which only quotients are used. That
// leaves one square root in the chain from one step to the next instead of two and two divisions.

import { padToTwo } from "../layout";
import { at, get, getPair, set, setPair } from "../math/slots";

/**
 * If |(F, G)|^2 is below this, the sweep ends and g is dropped. All elements that are still to
 * come are above 2^-54, so G = g d_(i+1) was small because |g| < 2^-400.
 */
const TINY: f64 = 2.0 ** -1000;

/** Sweeps allowed for each value; two are usual. */
const SWEEPS_EACH: i32 = 40;

/**
 * Makes d the singular values, in no order and of any sign. Returns the number of sweeps, or
 * -1 - index when the value at the index did not converge.
 */
export function diagonalise(
  n: i32, d: usize, e: usize, p: usize, ldp: i32, q: usize, ldq: i32,
): i32 {
  let sweeps = 0, last = SWEEPS_EACH;
  let high = n - 1;
  while (high > 0) {
    let low = high;
    let singular = isNegligible(d, high);
    while (low > 0 && !isSplit(get(d, low - 1), get(e, low - 1), get(d, low))) {
      low--;
      if (isNegligible(d, low)) singular = true;
    }
    if (low == high) {
      high--;
      last = sweeps + SWEEPS_EACH;
      continue;
    }
    if (sweeps++ == last) return -1 - high;
    if (singular) sweepUnshifted(n, low, high, d, e, p, ldp, q, ldq);
    else sweepShifted(n, low, high, d, e, p, ldp, q, ldq);
  }
  return sweeps;
}

// @ts-ignore: decorator
@inline
function isNegligible(x: usize, index: i32): bool {
  return Math.abs(get(x, index)) <= NEGLIGIBLE;
}

/** The eigenvalue of the last 2 x 2 block of B^T B that is nearer to its last element. */
function shiftOf(low: i32, high: i32, d: usize, e: usize): f64 {
  const before = high - 1 > low ? get(e, high - 2) : 0.0;
  const d0 = get(d, high - 1), d1 = get(d, high), e0 = get(e, high - 1);
  const corner = d1 * d1 + e0 * e0, side = d0 * e0;
  const half = 0.5 * (d0 * d0 + before * before - corner);
  const root = Math.sqrt(half * half + side * side);
  return corner - (side * side) / (half < 0.0 ? half - root : half + root);
}

function sweepShifted(
  n: i32, low: i32, high: i32, d: usize, e: usize, p: usize, ldp: i32, q: usize, ldq: i32,
): void {
  const rows = padToTwo(n);
  let di = get(d, low), ei = get(e, low);
  let f = di * di - shiftOf(low, high, d, e), g = di * ei;
  for (let i = low; i < high; i++) {
    const following = get(d, i + 1);
    const product = f * di + g * ei, bulge = g * following;
    const square = f * f + g * g, productSquare = product * product + bulge * bulge;
    if (productSquare < TINY) {
      set(e, i, ei);
      high = i;
      break;
    }
    const r = Math.sqrt(square), productNorm = Math.sqrt(productSquare);
    const reciprocal = r * (1.0 / square), productReciprocal = productNorm * (1.0 / productSquare);
    const cosine = product * productReciprocal, sine = bulge * productReciprocal;
    const above = (f * ei - g * di) * reciprocal, below = f * following * reciprocal;
    const c = f * reciprocal, s = g * reciprocal;
    if (i > low) set(e, i - 1, r);
    set(d, i, productNorm * reciprocal);
    f = cosine * above + sine * below;
    di = cosine * below - sine * above;
    if (i + 1 < high) {
      ei = get(e, i + 1);
      g = sine * ei;
      ei = cosine * ei;
    }
    rotateColumns(rows, c, s, at(q, i * ldq), at(q, (i + 1) * ldq));
    rotateColumns(rows, cosine, sine, at(p, i * ldp), at(p, (i + 1) * ldp));
  }
  set(d, high, di);
  set(e, high - 1, f);
}

/** A sweep without shift, for a block with negligible elements on its diagonal. */
function sweepUnshifted(
  n: i32, low: i32, high: i32, d: usize, e: usize, p: usize, ldp: i32, q: usize, ldq: i32,
): void {
  const rows = padToTwo(n);
  for (let i = low; i <= high; i++) if (isNegligible(d, i)) set(d, i, 0.0);
  let c = 1.0, cosine = 1.0, sine = 0.0;
  for (let i = low; i < high; i++) {
    const f = c * get(d, i), g = get(e, i);
    const r = Math.sqrt(f * f + g * g);
    c = f / r;
    const s = g / r;
    if (i > low) set(e, i - 1, sine * r);
    const first = cosine * r, second = s * get(d, i + 1);
    const norm = Math.sqrt(first * first + second * second);
    const fine = norm > NEGLIGIBLE * NEGLIGIBLE;
    cosine = fine ? first / norm : 1.0;
    sine = fine ? second / norm : 0.0;
    set(d, i, norm);
    rotateColumns(rows, c, s, at(q, i * ldq), at(q, (i + 1) * ldq));
    rotateColumns(rows, cosine, sine, at(p, i * ldp), at(p, (i + 1) * ldp));
  }
  const end = c * get(d, high);
  set(d, high, cosine * end);
  set(e, high - 1, sine * end);
}

// Plane rotations of columns: [x y] = [x y] [c -s; s c].

/** Rotates the columns x and y of even length. */
export function rotateColumns(length: i32, c: f64, s: f64, x: usize, y: usize): void {
  const cosine = f64x2.splat(c), sine = f64x2.splat(s);
  const end = at(x, length);
  for (; x < end; x += 16) {
    const first = getPair(x, 0), second = getPair(y, 0);
    setPair(x, 0, f64x2.add(f64x2.mul(cosine, first), f64x2.mul(sine, second)));
    setPair(y, 0, f64x2.sub(f64x2.mul(cosine, second), f64x2.mul(sine, first)));
    y += 16;
  }
}

/** Exchanges two columns of even length. */
export function swapColumns(length: i32, x: usize, y: usize): void {
  const end = at(x, length);
  for (; x < end; x += 16) {
    const pair = getPair(x, 0);
    setPair(x, 0, getPair(y, 0));
    setPair(y, 0, pair);
    y += 16;
  }
}

/** x = -x */
export function negateColumn(length: i32, x: usize): void {
  const end = at(x, length);
  for (; x < end; x += 16) setPair(x, 0, f64x2.neg(getPair(x, 0)));
}

// Powers of two that bring a matrix into the range where squares neither overflow nor underflow.
// They are exact, so scaling costs no accuracy.

/** A sum of squares outside these may be inaccurate: the largest element is then measured. */
const LEAST_SQUARE: f64 = 2.0 ** -800;
const LARGEST_SQUARE: f64 = 2.0 ** 800;

/** Exponents of powers of two whose reciprocals are normal numbers too. */
const EXPONENT_LIMIT: i32 = 1000;

/** True when a matrix with this sum of squares is finite and can be used without scaling. */
// @ts-ignore: decorator
@inline
export function inRange(square: f64): bool {
  return square >= LEAST_SQUARE && square <= LARGEST_SQUARE;
}

/** The power of two that brings x > 0 to [1, 2), or as near as its exponent may go; 1 for zero. */
export function unitScale(x: f64): f64 {
  if (x == 0.0) return 1.0;
  const exponent = <i32>((reinterpret<u64>(x) >> 52) & 0x7ff) - 1023;
  const limited = min(max(exponent, -EXPONENT_LIMIT), EXPONENT_LIMIT);
  return reinterpret<f64>((<u64>(1023 - limited)) << 52);
}

/** The largest absolute value in a finite matrix. */
export function largestElement(rows: i32, columns: i32, a: usize, lda: i32): f64 {
  let largest = 0.0;
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) largest = Math.max(largest, Math.abs(get(a, i + j * lda)));
  }
  return largest;
}

// Splitting of a bidiagonal or tridiagonal matrix of norm 1 to 2 at negligible elements.

/** Magnitude that counts as zero in such a matrix. */
const NEGLIGIBLE: f64 = 2.0 ** -54;

/** Unit roundoff: half the spacing of floating-point values at 1. */
const UNIT_ROUNDOFF: f64 = 2.0 ** -53;

/**
 * Whether an off-diagonal element counts as zero. The part relative to its neighbours is
 * needed: if they are equal, sweeps cannot make it smaller than their rounding error.
 */
// @ts-ignore: decorator
@inline
export function isSplit(before: f64, beside: f64, after: f64): bool {
  return Math.abs(beside) <= NEGLIGIBLE + UNIT_ROUNDOFF * (Math.abs(before) + Math.abs(after));
}
