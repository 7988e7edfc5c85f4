// QR with column pivoting, A P = Q R (Golub & Van Loan, section 5.4.2): each step takes the column
// with the largest remainder, so the diagonal of R falls and shows the rank.

import { padToFour, QrHeader, QrPivot, qrPivots, Status } from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { exchange, largestCandidate } from "./candidates";
import { bringUpToDate, Candidate, eliminate } from "./elimination";
import { makeReflector } from "./householder";
import { factorOneTile, factorTwoTiles, takeMatrix, UNKNOWN } from "./qr-record";

/** Returned instead of the next pivot if the rank is found. */
const NOTHING_LEFT: i32 = -2;

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
  const rank = factorMatrix(m, n, a, lda, effectiveTolerance(m, n, tolerance), factor);
  if (rank < 0) return statusAt(Status.NON_FINITE, nonFiniteRow(m, n, a, lda));
  if (rank < n) return statusAt(Status.DEFICIENT, firstDependent(m, n, rank, factor));
  return Status.OK;
}

/** The tolerance in use: the argument, or the default if it is <= 0. */
// @ts-ignore: decorator
@inline
export function effectiveTolerance(m: i32, n: i32, tolerance: f64): f64 {
  return tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n);
}

/** The smallest index among the columns that are not pivots, which is independent of rounding. */
export function firstDependent(m: i32, n: i32, rank: i32, factor: usize): i32 {
  const pivots = at(factor, qrPivots(m, n));
  let first = <f64>n;
  for (let j = rank; j < n; j++) {
    first = Math.min(first, get(pivots, j * QrPivot.LENGTH + QrPivot.COLUMN));
  }
  return <i32>first;
}

/**
 * Builds the record, without pivoting if the tolerance is negative. Returns the rank, or -1 if not
 * finite.
 */
export function factorMatrix(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, factor: usize,
): i32 {
  if (!takeMatrix(m, n, a, lda, factor)) return -1;
  const p = padToFour(m), steps = min(m, n);
  set(factor, QrHeader.RANK, 0.0);
  if (steps == 0) return 0;
  const columns = at(factor, QrHeader.LENGTH), pivots = at(factor, qrPivots(m, n));
  let best = 0, threshold = -1.0;
  if (tolerance >= 0.0) {
    best = largestCandidate(0, p, n, columns, columns, pivots);
    threshold = get(pivots, best * QrPivot.LENGTH + Candidate.SQUARE) * tolerance * tolerance;
  }
  let k = 0;
  if (p > 8) {
    const end = min(steps, p - 8);
    k = factorLong(end, p, n, columns, pivots, threshold, best);
    best = k < end ? NOTHING_LEFT : tolerance >= 0.0 ? UNKNOWN : 0;
  }
  if (p > 4 && best != NOTHING_LEFT) {
    const end = min(steps, p - 4);
    k = factorTwoTiles(k, end, p, n, columns, pivots, threshold, best);
    best = k < end ? NOTHING_LEFT : tolerance >= 0.0 ? UNKNOWN : 0;
  }
  if (best != NOTHING_LEFT) k = factorOneTile(k, steps, p, n, columns, pivots, threshold, best);
  set(factor, QrHeader.RANK, k);
  return k;
}

/**
 * Does the steps up to `end`. Returns the step at which it stopped: `end`, or when only rounding is
 * left.
 */
function factorLong(
  end: i32, p: i32, n: i32, columns: usize, pivots: usize, threshold: f64, best: i32,
): i32 {
  let v = columns, u = columns, pivot = pivots;
  let k = 0;
  for (; k < end; k++) {
    if (threshold >= 0.0) {
      if (k > 0) best = largestCandidate(k, p, n - k, u, v, pivot);
      if (best > 0) exchange(k, p, best, v, pivot);
    }
    const multiple = get(pivot, Candidate.MULTIPLE);
    const alpha = get(v, k) - multiple * get(u, k);
    const square = bringUpToDate(k, p, u, multiple, v) + alpha * alpha;
    if (!(square > threshold)) break;
    const weight = makeReflector(k, p, v, alpha, square, pivot), first = get(pivot, QrPivot.HEAD);
    pivot = at(pivot, QrPivot.LENGTH);
    eliminate(k, p, u, v, first, weight, n - k - 1, pivot);
    u = v;
    v = at(v, p);
  }
  for (let j = 0; j < k; j++) {
    set(columns, j + j * p, get(pivots, j * QrPivot.LENGTH + QrPivot.HEAD));
  }
  return k;
}
