// QR with column pivoting, A P = Q R (Golub & Van Loan, section 5.4.2): each step takes the column
// with the largest remainder, so the diagonal of R falls and shows the rank.
//
// Norms of the remainders are downdated, s_j -= r_kj^2, and computed anew from the column when
// cancellation may have eaten half of their digits (Drmac & Bujanovic, LAPACK Working Note 176).
// With squares that test needs neither division nor root: s_j <= sqrt(eps) s_j at the last computation.

import { padToTwo, QrHeader, QrPivot, qrPivots, Status } from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, get, getPair, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { makeReflector, reflect, sumOfSquares } from "./householder";
import { Candidate, takeMatrix } from "./qr-record";

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

/** Makes the record. Returns the rank, or -1 when the matrix is not finite. */
export function factorPivoted(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, factor: usize,
): i32 {
  if (!takeMatrix(m, n, a, lda, factor)) return -1;
  const p = padToTwo(m), steps = min(m, n);
  const relative = tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n);
  let column = at(factor, QrHeader.LENGTH), pivot = at(factor, qrPivots(m, n));
  let threshold = 0.0;
  let rank = 0;
  let best = largestCandidate(n, pivot);
  for (; rank < steps; rank++) {
    if (best > 0) exchange(p, column, at(column, best * p), pivot, at(pivot, best * QrPivot.LENGTH));
    const square = sumOfSquares(rank, p, column);
    if (rank == 0) threshold = square * relative * relative;
    if (!(square > threshold)) break;
    makeReflector(rank, p, column, square, pivot);
    const left = n - rank - 1, next = at(column, p);
    reflect(rank, p, column, get(pivot, QrPivot.WEIGHT), next, p, left);
    column = next;
    pivot = at(pivot, QrPivot.LENGTH);
    best = downdate(rank, p, left, column, pivot);
  }
  set(factor, QrHeader.RANK, rank);
  return rank;
}

function largestCandidate(count: i32, pivots: usize): i32 {
  let best = 0;
  let largest = -1.0;
  for (let j = 0; j < count; j++) {
    const square = get(pivots, j * QrPivot.LENGTH + Candidate.SQUARE);
    if (square > largest) {
      largest = square;
      best = j;
    }
  }
  return best;
}

/** Brings the pivot column to its place, and the other one where it was. */
// @ts-ignore: decorator
@inline
function exchange(p: i32, column: usize, other: usize, pivot: usize, otherPivot: usize): void {
  for (let i = 0; i < p; i += 2) {
    const pair = getPair(column, i);
    setPair(column, i, getPair(other, i));
    setPair(other, i, pair);
  }
  // What was known of the norm of the new pivot is not needed any more.
  set(otherPivot, Candidate.SQUARE, get(pivot, Candidate.SQUARE));
  set(otherPivot, Candidate.REFERENCE, get(pivot, Candidate.REFERENCE));
  const index = get(otherPivot, QrPivot.COLUMN);
  set(otherPivot, QrPivot.COLUMN, get(pivot, QrPivot.COLUMN));
  set(pivot, QrPivot.COLUMN, index);
}

/** Takes row k of R off the norms of the columns after it. Returns the one that is largest now. */
// @ts-ignore: decorator
@inline
function downdate(k: i32, p: i32, count: i32, columns: usize, pivots: usize): i32 {
  let column = columns, pivot = pivots;
  let best = 0;
  let largest = -1.0;
  for (let j = 0; j < count; j++) {
    const r = get(column, k);
    let square = get(pivot, Candidate.SQUARE) - r * r;
    if (square <= get(pivot, Candidate.REFERENCE) * HALF_THE_DIGITS) {
      square = sumOfSquares(k + 1, p, column);
      set(pivot, Candidate.REFERENCE, square);
    }
    set(pivot, Candidate.SQUARE, square);
    if (square > largest) {
      largest = square;
      best = j;
    }
    column = at(column, p);
    pivot = at(pivot, QrPivot.LENGTH);
  }
  return best;
}
