// Choosing the pivot column. Norms of what remains of the columns are downdated, s_j -= r_kj^2, and
// computed again from the column when cancellation may have eaten half of their digits (Drmac &
// Bujanovic, LAPACK Working Note 176). With squares that test needs neither division nor root.

import { QrPivot } from "../layout";
import { getAddress, setAddress } from "../math/indices";
import { at, get, getPair, set, setPair } from "../math/slots";
import { Candidate, HALF_THE_DIGITS } from "./elimination";
import { dot, subtractMultiple } from "../math/vectors";

/** Returns the one of `count` columns with the largest remainder below row k. */
export function largestCandidate(
  k: i32, p: i32, count: i32, u: usize, columns: usize, pivots: usize,
): i32 {
  let pivot = pivots;
  let best = 0;
  let largest = -1.0;
  for (let j = 0; j < count; j++) {
    let square = get(pivot, Candidate.SQUARE);
    if (square <= get(pivot, Candidate.LIMIT)) square = measure(k, p, u, at(columns, j * p), pivot);
    if (square > largest) {
      largest = square;
      best = j;
    }
    pivot = at(pivot, QrPivot.LENGTH);
  }
  return best;
}

/** Updates and returns the squared norm of rows k to p of a column. */
function measure(k: i32, p: i32, u: usize, column: usize, pivot: usize): f64 {
  const rows = p - k, rest = at(column, k);
  subtractMultiple(rows, get(pivot, Candidate.MULTIPLE), at(u, k), rest);
  const square = dot(rows, rest, rest);
  set(pivot, Candidate.MULTIPLE, 0.0);
  set(pivot, Candidate.SQUARE, square);
  set(pivot, Candidate.LIMIT, square * HALF_THE_DIGITS);
  return square;
}

/**
 * Exchanges the best column with the front one. The norm of the new pivot
 * is no longer needed, nor are the rows that are in R already.
 */
// @ts-ignore: decorator
@inline
export function exchange(k: i32, p: i32, best: i32, column: usize, pivot: usize): void {
  const other = at(column, best * p), otherPivot = at(pivot, best * QrPivot.LENGTH);
  for (let i = k & ~3; i < p; i += 4) {
    const upper = getPair(column, i), lower = getPair(column, i + 2);
    setPair(column, i, getPair(other, i));
    setPair(column, i + 2, getPair(other, i + 2));
    setPair(other, i, upper);
    setPair(other, i + 2, lower);
  }
  const index = get(otherPivot, QrPivot.COLUMN), multiple = get(otherPivot, Candidate.MULTIPLE);
  set(otherPivot, Candidate.SQUARE, get(pivot, Candidate.SQUARE));
  set(otherPivot, Candidate.LIMIT, get(pivot, Candidate.LIMIT));
  set(otherPivot, Candidate.MULTIPLE, get(pivot, Candidate.MULTIPLE));
  setAddress(otherPivot, Candidate.TRIANGLE, getAddress(pivot, Candidate.TRIANGLE));
  set(otherPivot, QrPivot.COLUMN, get(pivot, QrPivot.COLUMN));
  set(pivot, QrPivot.COLUMN, index);
  set(pivot, Candidate.MULTIPLE, multiple);
}
