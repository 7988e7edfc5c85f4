// One step of a QR factorisation, fused with the step before it.
//
//   a_j = a_j - s_j u              pending update by the reflector u of the step before
//   d_j = v . a_j                  in the same pass: half of the loads, and nothing waits for the
//                                  root and the division that make w
//   s_j = w (d_j + v_0 a_kj)       the multiple of v to subtract in the next step
//   r_kj = a_kj - s_j v_0          is final: it goes to R, and its square off the norm of a_j
//
// So rows of a column that are in R already are never read again. v_0 is stored separately until
// all steps are done: nothing but s_j waits for it, and pairs are not read while one of their
// halves is written.

import { QrPivot } from "../layout";
import { getAddress } from "../math/indices";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";
import { maskFrom } from "./householder";

/**
 * Data of a column until it is a pivot: the squared norm of the remainder, the limit
 * below which that is recomputed, the multiple to subtract, the address of its column of R.
 */
export enum Candidate {
  SQUARE = 0,
  LIMIT = 1,
  MULTIPLE = 2,
  TRIANGLE = 5,
}

/**
 * Square root of the unit roundoff 2^-53. When a square falls by this factor, the square root of it
 * may have lost half of its digits.
 */
export const HALF_THE_DIGITS: f64 = 1.0536712127723509e-8;

/** Brings the pivot column up to date and clears it up to row k. Returns its sum of squares. */
// @ts-ignore: decorator
@inline
export function bringUpToDate(k: i32, p: i32, u: usize, multiple: f64, column: usize): f64 {
  const mask = maskFrom((k & 3) + 1), end = at(column, p);
  const s = f64x2.splat(multiple);
  let x = at(u, k & ~3), y = at(column, k & ~3);
  let upper = v128.and(f64x2.sub(getPair(y, 0), f64x2.mul(s, getPair(x, 0))), getPair(mask, 0));
  let lower = v128.and(f64x2.sub(getPair(y, 2), f64x2.mul(s, getPair(x, 2))), getPair(mask, 2));
  setPair(y, 0, upper);
  setPair(y, 2, lower);
  upper = f64x2.mul(upper, upper);
  lower = f64x2.mul(lower, lower);
  for (x = at(x, 4), y = at(y, 4); y < end; x = at(x, 4), y = at(y, 4)) {
    const first = f64x2.sub(getPair(y, 0), f64x2.mul(s, getPair(x, 0)));
    const second = f64x2.sub(getPair(y, 2), f64x2.mul(s, getPair(x, 2)));
    setPair(y, 0, first);
    setPair(y, 2, second);
    upper = f64x2.add(upper, f64x2.mul(first, first));
    lower = f64x2.add(lower, f64x2.mul(second, second));
  }
  return laneSum(f64x2.add(upper, lower));
}

/** Applies step k to the `count` columns after v, the column of step k. */
// @ts-ignore: decorator
@inline
export function eliminate(
  k: i32, p: i32, u: usize, v: usize, first: f64, weight: f64, count: i32, pivots: usize,
): void {
  let column = at(v, p), pivot = pivots;
  let left = count;
  for (; left >= 4; left -= 4) {
    eliminateFour(k, p, u, v, first, weight, column, pivot);
    column = at(column, 4 * p);
    pivot = at(pivot, 4 * QrPivot.LENGTH);
  }
  for (; left > 0; left--) {
    eliminateOne(k, p, u, v, first, weight, column, pivot);
    column = at(column, p);
    pivot = at(pivot, QrPivot.LENGTH);
  }
}

/** The end of a step for one column, given d_j. Returns the square of what remains of it. */
// @ts-ignore: decorator
@inline
export function finish(
  k: i32, dot: f64, first: f64, weight: f64, column: usize, pivot: usize,
): f64 {
  const above = get(column, k);
  const multiple = weight * (dot + first * above);
  const r = above - multiple * first;
  const square = get(pivot, Candidate.SQUARE) - r * r;
  set(pivot, Candidate.MULTIPLE, multiple);
  set(pivot, Candidate.SQUARE, square);
  set(getAddress(pivot, Candidate.TRIANGLE), k, r);
  return square;
}

// @ts-ignore: decorator
@inline
function eliminateOne(
  k: i32, p: i32, u: usize, v: usize, first: f64, weight: f64, column: usize, pivot: usize,
): void {
  const start = k & ~3, end = at(v, p);
  const s = splat(pivot, Candidate.MULTIPLE);
  let w = at(u, start), x = at(v, start), y = at(column, start);
  let even = f64x2.splat(0.0), odd = even;
  for (; x < end; w = at(w, 4), x = at(x, 4), y = at(y, 4)) {
    const upper = f64x2.sub(getPair(y, 0), f64x2.mul(s, getPair(w, 0)));
    const lower = f64x2.sub(getPair(y, 2), f64x2.mul(s, getPair(w, 2)));
    setPair(y, 0, upper);
    setPair(y, 2, lower);
    even = f64x2.add(even, f64x2.mul(upper, getPair(x, 0)));
    odd = f64x2.add(odd, f64x2.mul(lower, getPair(x, 2)));
  }
  finish(k, laneSum(f64x2.add(even, odd)), first, weight, column, pivot);
}

function eliminateFour(
  k: i32, p: i32, u: usize, v: usize, first: f64, weight: f64, column: usize, pivot: usize,
): void {
  const start = k & ~3, end = at(v, p), step = (<usize>p) << 3;
  const q1 = at(pivot, QrPivot.LENGTH), q2 = at(q1, QrPivot.LENGTH), q3 = at(q2, QrPivot.LENGTH);
  const s0 = splat(pivot, Candidate.MULTIPLE), s1 = splat(q1, Candidate.MULTIPLE);
  const s2 = splat(q2, Candidate.MULTIPLE), s3 = splat(q3, Candidate.MULTIPLE);
  let d0 = f64x2.splat(0.0), d1 = d0, d2 = d0, d3 = d0;
  let w = at(u, start), x = at(v, start), y0 = at(column, start);
  let y1 = y0 + step, y2 = y1 + step, y3 = y2 + step;
  for (; x < end; x = at(x, 2)) {
    const before = getPair(w, 0), now = getPair(x, 0);
    let pair = f64x2.sub(getPair(y0, 0), f64x2.mul(s0, before));
    setPair(y0, 0, pair);
    d0 = f64x2.add(d0, f64x2.mul(pair, now));
    pair = f64x2.sub(getPair(y1, 0), f64x2.mul(s1, before));
    setPair(y1, 0, pair);
    d1 = f64x2.add(d1, f64x2.mul(pair, now));
    pair = f64x2.sub(getPair(y2, 0), f64x2.mul(s2, before));
    setPair(y2, 0, pair);
    d2 = f64x2.add(d2, f64x2.mul(pair, now));
    pair = f64x2.sub(getPair(y3, 0), f64x2.mul(s3, before));
    setPair(y3, 0, pair);
    d3 = f64x2.add(d3, f64x2.mul(pair, now));
    w = at(w, 2);
    y0 = at(y0, 2);
    y1 = at(y1, 2);
    y2 = at(y2, 2);
    y3 = at(y3, 2);
  }
  const c1 = column + step, c2 = c1 + step;
  finish(k, laneSum(d0), first, weight, column, pivot);
  finish(k, laneSum(d1), first, weight, c1, q1);
  finish(k, laneSum(d2), first, weight, c2, q2);
  finish(k, laneSum(d3), first, weight, c2 + step, q3);
}
