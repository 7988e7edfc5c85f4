// QR with column pivoting, A P = Q R (Golub & Van Loan, section 5.4.2): each step takes the column
// with the largest remainder, so the diagonal of R falls and shows the rank.
//
// Norms of the remainders are downdated, s_j -= r_kj^2, and computed anew from the column when
// cancellation may have eaten half of their digits (Drmac & Bujanovic, LAPACK Working Note 176).
// With squares that test needs neither division nor root: s_j <= sqrt(eps) s_j at the last computation.

import { padToFour, QrHeader, QrPivot, qrPivots, Status } from "../layout";
import { nonFiniteRow } from "../math/finite";
import { getAddress, setAddress } from "../math/indices";
import { at, get, getPair, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { bringUpToDate, Candidate, eliminate } from "./elimination";
import { makeReflector } from "./householder";
import { takeMatrix } from "./qr-record";
import { dot, subtractMultiple } from "../math/vectors";

/** Square root of the unit roundoff 2^-53. */
const HALF_THE_DIGITS: f64 = 1.0536712127723509e-8;

/**
 * Factors the m x n matrix at `a` into a record of qrSlots(m, n). The rank counts the pivots with
 * |r_jj| > tolerance |r_00|; a tolerance <= 0 means eps max(m, n). Rows of R from the rank on are
 * not computed. DEFICIENT, when the rank is less than n, names the first column of A (in its own
 * order) that is not a pivot.
 */
export function pivotedQrFactor(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, factor: usize,
): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (n < 0) return statusAt(Status.BAD_SIZE, 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  const rank = factorPivoted(m, n, a, lda, tolerance, factor);
  if (rank < 0) return statusAt(Status.NON_FINITE, nonFiniteRow(m, n, a, lda));
  if (rank < n) return statusAt(Status.DEFICIENT, firstDependent(m, n, rank, factor));
  return Status.OK;
}

/** The smallest index among the columns that are no pivots: the same whatever rounding did. */
export function firstDependent(m: i32, n: i32, rank: i32, factor: usize): i32 {
  const pivots = at(factor, qrPivots(m, n));
  let first = <f64>n;
  for (let j = rank; j < n; j++) {
    first = Math.min(first, get(pivots, j * QrPivot.LENGTH + QrPivot.COLUMN));
  }
  return <i32>first;
}

/** Makes the record of a pivoted factorisation. Returns the rank, or -1: not finite. */
export function factorPivoted(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, factor: usize,
): i32 {
  if (!takeMatrix(m, n, a, lda, factor)) return -1;
  return factorColumns(m, n, tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n), factor);
}

/** Factors the matrix in a record, down to a relative tolerance; without pivoting when negative. */
export function factorColumns(m: i32, n: i32, tolerance: f64, factor: usize): i32 {
  const p = padToFour(m), steps = min(m, n), pivoting = tolerance >= 0.0;
  let v = at(factor, QrHeader.LENGTH), pivot = at(factor, qrPivots(m, n));
  let u = v;
  let threshold = -1.0, before = 0.0;
  let k = 0;
  for (; k < steps; k++) {
    if (pivoting) {
      const best = largestCandidate(k, p, n - k, u, v, pivot);
      if (best > 0) exchange(k, p, best, v, pivot);
    }
    const multiple = get(pivot, Candidate.MULTIPLE);
    const alpha = get(v, k) - multiple * get(u, k);
    const square = bringUpToDate(k, p, u, multiple, v);
    if (k == 0 && pivoting) threshold = square * tolerance * tolerance;
    if (!(square > threshold)) break;
    const first = makeReflector(k, p, v, alpha, square, pivot);
    const next = at(pivot, QrPivot.LENGTH);
    eliminate(k, p, u, v, first, get(pivot, QrPivot.WEIGHT), n - k - 1, next);
    // Only now: pairs that are read soon after one of their halves was written are slow.
    if (k > 0) set(u, k - 1, before);
    before = first;
    u = v;
    v = at(v, p);
    pivot = next;
  }
  if (k > 0) set(u, k - 1, before);
  set(factor, QrHeader.RANK, k);
  return k;
}

/** The column of which most remains. Norms that may have lost their digits are computed anew. */
// @ts-ignore: decorator
@inline
function largestCandidate(
  k: i32, p: i32, count: i32, u: usize, columns: usize, pivots: usize,
): i32 {
  let pivot = pivots;
  let best = 0;
  let largest = -1.0;
  for (let j = 0; j < count; j++) {
    let square = get(pivot, Candidate.SQUARE);
    if (square <= get(pivot, Candidate.REFERENCE) * HALF_THE_DIGITS) {
      square = measure(k, p, u, at(columns, j * p), pivot);
    }
    if (square > largest) {
      largest = square;
      best = j;
    }
    pivot = at(pivot, QrPivot.LENGTH);
  }
  return best;
}

/** The square of the norm of rows k to p of a column, which it brings up to date. */
function measure(k: i32, p: i32, u: usize, column: usize, pivot: usize): f64 {
  const rows = p - k, rest = at(column, k);
  subtractMultiple(rows, get(pivot, Candidate.MULTIPLE), at(u, k), rest);
  const square = dot(rows, rest, rest);
  set(pivot, Candidate.MULTIPLE, 0.0);
  set(pivot, Candidate.SQUARE, square);
  set(pivot, Candidate.REFERENCE, square);
  return square;
}

/**
 * Brings the best column to the front, and the front one where that was. The norm of the new pivot
 * is not needed any more, nor are the rows that are in R already.
 */
// @ts-ignore: decorator
@inline
function exchange(k: i32, p: i32, best: i32, column: usize, pivot: usize): void {
  const other = at(column, best * p), otherPivot = at(pivot, best * QrPivot.LENGTH);
  for (let i = k & ~1; i < p; i += 2) {
    const pair = getPair(column, i);
    setPair(column, i, getPair(other, i));
    setPair(other, i, pair);
  }
  const index = get(otherPivot, QrPivot.COLUMN), multiple = get(otherPivot, Candidate.MULTIPLE);
  set(otherPivot, Candidate.SQUARE, get(pivot, Candidate.SQUARE));
  set(otherPivot, Candidate.REFERENCE, get(pivot, Candidate.REFERENCE));
  set(otherPivot, Candidate.MULTIPLE, get(pivot, Candidate.MULTIPLE));
  setAddress(otherPivot, Candidate.TRIANGLE, getAddress(pivot, Candidate.TRIANGLE));
  set(otherPivot, QrPivot.COLUMN, get(pivot, QrPivot.COLUMN));
  set(pivot, QrPivot.COLUMN, index);
  set(pivot, Candidate.MULTIPLE, multiple);
}
