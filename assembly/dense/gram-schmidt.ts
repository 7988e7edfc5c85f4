// Modified Gram-Schmidt with re-orthogonalisation: a column that lost half of its square in the
// first pass goes through a second one, and twice is enough (Giraud, Langou & Rozloznik, Computers
// & Mathematics with Applications 50, 2005; Parlett, The Symmetric Eigenvalue Problem, 6.9).
//
// In a pass the dots must come one after the other; each is formed while the multiple before it
// is subtracted, so the column is read once for each q, not twice.

import { Status } from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { scaleToOne } from "../math/indices";
import { at, get, getPair, laneSum, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { isSafeSquare, largestMagnitude, scaleColumn } from "./householder";
import { copyColumn } from "./qr-record";
import { dot, subtractMultiple } from "../math/vectors";

/**
 * Orthonormalises the columns of the m x n matrix A. `q` has room for n columns and receives those
 * that are kept; `kept` has n + 1 slots: their number, then their indices in A. A column is dropped
 * if its remainder is not larger than tolerance times its norm; no tolerance is below
 * eps max(m, n): less is rounding. DEFICIENT names the first one dropped. A and Q must not overlap.
 */
export function gramSchmidt(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, q: usize, ldq: i32, kept: usize,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (lda < m || ldq < m) return statusAt(Status.BAD_SIZE, lda < m ? 3 : 6);
  const relative = Math.max(tolerance, f64.EPSILON * <f64>max(m, n));
  let count = 0;
  let dropped = -1;
  for (let j = 0; j < n; j++) {
    const x = at(q, count * ldq);
    copyColumn(m, at(a, j * lda), x);
    const square = safeSquare(m, x);
    if (!isNumber(square)) return statusAt(Status.NON_FINITE, nonFiniteRow(m, n, a, lda));
    const left = orthogonalise(m, count, q, ldq, x, square);
    if (left > square * relative * relative) {
      scaleColumn(0, m, x, 1.0 / Math.sqrt(left));
      count++;
      set(kept, count, j);
    } else if (dropped < 0) {
      dropped = j;
    }
  }
  set(kept, 0, count);
  return dropped < 0 ? (Status.OK as i32) : statusAt(Status.DEFICIENT, dropped);
}

/** |x|^2, after scaling x if that is not safe, as only its direction matters. NaN if not finite. */
function safeSquare(m: i32, x: usize): f64 {
  const square = dot(m, x, x);
  if (isSafeSquare(square)) return square;
  const largest = largestMagnitude(0, m, x);
  if (!isNumber(largest)) return NaN;
  if (largest == 0.0) return 0.0;
  scaleColumn(0, m, x, scaleToOne(largest));
  return dot(m, x, x);
}

/** Removes the directions of the first `count` columns of Q from x. Returns the remaining |x|^2. */
function orthogonalise(
  m: i32, count: i32, q: usize, ldq: i32, x: usize, square: f64,
): f64 {
  if (count == 0) return square;
  subtractAll(m, count, q, ldq, x);
  const left = dot(m, x, x);
  if (left > 0.5 * square) return left;
  subtractAll(m, count, q, ldq, x);
  return dot(m, x, x);
}

/** One pass of modified Gram-Schmidt. */
function subtractAll(m: i32, count: i32, q: usize, ldq: i32, x: usize): void {
  let column = q;
  let product = dot(m, column, x);
  for (let i = 1; i < count; i++) {
    const next = at(column, ldq);
    product = subtractAndDot(m, product, column, x, next);
    column = next;
  }
  subtractMultiple(m, product, column, x);
}

/** x = x - s q; returns the product of the next column with x. */
function subtractAndDot(m: i32, s: f64, q: usize, x: usize, next: usize): f64 {
  const factor = f64x2.splat(s);
  let even = f64x2.splat(0.0), odd = even;
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    const first = f64x2.sub(getPair(x, i), f64x2.mul(factor, getPair(q, i)));
    const second = f64x2.sub(getPair(x, i + 2), f64x2.mul(factor, getPair(q, i + 2)));
    setPair(x, i, first);
    setPair(x, i + 2, second);
    even = f64x2.add(even, f64x2.mul(first, getPair(next, i)));
    odd = f64x2.add(odd, f64x2.mul(second, getPair(next, i + 2)));
  }
  let sum = laneSum(f64x2.add(even, odd));
  for (; i < m; i++) {
    const value = get(x, i) - s * get(q, i);
    set(x, i, value);
    sum += value * get(next, i);
  }
  return sum;
}
