// The eigenvalues of a symmetric tridiagonal matrix by QR sweeps with Wilkinson's shift, the
// rotations accumulated in Z (Golub & Van Loan, Matrix Computations, 8.3.5; Parlett, The Symmetric
// Eigenvalue Problem, 8.9-8.13).
//
// The matrix is scaled to norm 1, so an element below 2^-54, or lost in rounding its neighbours,
// is negligible: setting it to zero is an error of the size that the reduction to tridiagonal form
// has made already.

import { padToTwo } from "../layout";
import { at, get, set } from "../math/slots";
import { rotateColumns } from "./svd-rotate";
import { isSplit } from "./svd-split";

/** If |(x, bulge)|^2 is below this, a sweep ends and the bulge is dropped. */
const TINY: f64 = 2.0 ** -960;

/** Sweeps allowed for each value; two are usual. */
const SWEEPS_EACH: i32 = 40;

/**
 * Makes d the eigenvalues, in no order. Returns the number of sweeps, or -1 - index when the value
 * at the index did not converge.
 */
export function diagonaliseSymmetric(n: i32, d: usize, e: usize, z: usize, ldz: i32): i32 {
  let sweeps = 0, last = SWEEPS_EACH;
  let high = n - 1;
  while (high > 0) {
    let low = high;
    while (low > 0 && !isSplit(get(d, low - 1), get(e, low - 1), get(d, low))) low--;
    if (low == high) {
      high--;
      last = sweeps + SWEEPS_EACH;
      continue;
    }
    if (sweeps++ == last) return -1 - high;
    sweep(n, low, high, d, e, z, ldz);
  }
  return sweeps;
}

/** The eigenvalue of the last 2 x 2 block that is nearer to its last element. */
function shiftOf(high: i32, d: usize, e: usize): f64 {
  const corner = get(d, high), side = get(e, high - 1);
  const half = 0.5 * (get(d, high - 1) - corner);
  const root = Math.sqrt(half * half + side * side);
  return corner - (side * side) / (half < 0.0 ? half - root : half + root);
}

function sweep(n: i32, low: i32, high: i32, d: usize, e: usize, z: usize, ldz: i32): void {
  const rows = padToTwo(n);
  let di = get(d, low), ei = get(e, low);
  let x = di - shiftOf(high, d, e), bulge = ei;
  for (let i = low; i < high; i++) {
    const square = x * x + bulge * bulge;
    if (square < TINY) {
      set(e, i, ei);
      high = i;
      break;
    }
    const r = Math.sqrt(square), reciprocal = r * (1.0 / square);
    const c = x * reciprocal, s = bulge * reciprocal;
    const following = get(d, i + 1);
    const twist = s * (di - following) - 2.0 * c * ei;
    if (i > low) set(e, i - 1, r);
    set(d, i, di - s * twist);
    di = following + s * twist;
    x = -c * twist - ei;
    if (i + 1 < high) {
      ei = get(e, i + 1);
      bulge = s * ei;
      ei = c * ei;
    }
    rotateColumns(rows, c, s, at(z, i * ldz), at(z, (i + 1) * ldz));
  }
  set(d, high, di);
  set(e, high - 1, x);
}
