// Steps on columns with one or two remaining tiles of four rows: small matrices, and the end of
// others. Reflectors stay in registers and no loop runs over rows: here the overhead decides.

import { QrPivot } from "../layout";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";
import { exchange, largestCandidate } from "./candidates";
import { Candidate, finish } from "./elimination";
import { isSafeSquare, makeReflector, maskFrom } from "./householder";

/** Returned instead of the next pivot if it has to be searched. */
export const UNKNOWN: i32 = -1;

/**
 * Does steps k to `end` with one tile left, `best` the first pivot. Returns the step at which it
 * stopped.
 */
export function factorOneTile(
  k: i32, end: i32, p: i32, n: i32, columns: usize, pivots: usize, threshold: f64, best: i32,
): i32 {
  return factorTiles(false, k, end, p, n, columns, pivots, threshold, best);
}

/** Does steps k to `end` with two tiles left. Returns the step at which it stopped. */
export function factorTwoTiles(
  k: i32, end: i32, p: i32, n: i32, columns: usize, pivots: usize, threshold: f64, best: i32,
): i32 {
  return factorTiles(true, k, end, p, n, columns, pivots, threshold, best);
}

/** The same steps as factorLong. `two` is a constant at each inlined call. */
// @ts-ignore: decorator
@inline
function factorTiles(
  two: bool, k: i32, end: i32, p: i32, n: i32, columns: usize, pivots: usize, threshold: f64,
  best: i32,
): i32 {
  const start = k & ~3;
  let v = at(columns, k * p), pivot = at(pivots, k * QrPivot.LENGTH);
  let u = k > 0 ? at(columns, (k - 1) * p) : v;
  let u0 = getPair(u, start), u1 = getPair(u, start + 2);
  let u2 = two ? getPair(u, start + 4) : u0, u3 = two ? getPair(u, start + 6) : u0;
  for (; k < end; k++) {
    if (best == UNKNOWN) best = largestCandidate(k, p, n - k, u, v, pivot);
    // Read before the exchange, which would delay it.
    const multiple = get(pivot, best * QrPivot.LENGTH + Candidate.MULTIPLE);
    if (best > 0) exchange(k, p, best, v, pivot);
    const s = f64x2.splat(multiple), mask = maskFrom(k & 3), x = at(v, start);
    let v0 = v128.and(f64x2.sub(getPair(x, 0), f64x2.mul(s, u0)), getPair(mask, 0));
    let v1 = v128.and(f64x2.sub(getPair(x, 2), f64x2.mul(s, u1)), getPair(mask, 2));
    let v2 = two ? f64x2.sub(getPair(x, 4), f64x2.mul(s, u2)) : v0;
    let v3 = two ? f64x2.sub(getPair(x, 6), f64x2.mul(s, u3)) : v1;
    const alpha = get(v, k) - multiple * get(u, k);
    const square = sumOfProducts(two, v0, v1, v2, v3, v0, v1, v2, v3);
    if (!(square > threshold)) return k;
    const tail = maskFrom((k & 3) + 1);
    v0 = v128.and(v0, getPair(tail, 0));
    v1 = v128.and(v1, getPair(tail, 2));
    setPair(x, 0, v0);
    setPair(x, 2, v1);
    if (two) setPair(x, 4, v2);
    if (two) setPair(x, 6, v3);
    const weight = makeReflector(k, p, v, alpha, square, pivot), first = get(pivot, QrPivot.HEAD);
    if (!isSafeSquare(square)) {
      v0 = getPair(x, 0);
      v1 = getPair(x, 2);
      if (two) v2 = getPair(x, 4);
      if (two) v3 = getPair(x, 6);
    }
    set(v, k, first);
    pivot = at(pivot, QrPivot.LENGTH);
    u = v;
    v = at(v, p);
    best = 0;
    let column = v, candidate = pivot, largest = -1.0;
    for (let j = 0; j < n - k - 1; j++) {
      const y = at(column, start), factor = splat(candidate, Candidate.MULTIPLE);
      const dot = eliminate(two, factor, y, u0, u1, u2, u3, v0, v1, v2, v3);
      const left = finish(k, dot, first, weight, column, candidate);
      if (left <= get(candidate, Candidate.LIMIT)) largest = Infinity;
      if (left > largest) {
        largest = left;
        best = j;
      }
      column = at(column, p);
      candidate = at(candidate, QrPivot.LENGTH);
    }
    if (!(largest < Infinity)) best = UNKNOWN;
    if (threshold < 0.0) best = 0;
    u0 = v0;
    u1 = v1;
    u2 = v2;
    u3 = v3;
  }
  return k;
}

/** The sum of the products of eight pairs of values, or of four. */
// @ts-ignore: decorator
@inline
function sumOfProducts(
  two: bool, x0: v128, x1: v128, x2: v128, x3: v128, y0: v128, y1: v128, y2: v128, y3: v128,
): f64 {
  const sum = f64x2.add(f64x2.mul(x0, y0), f64x2.mul(x1, y1));
  if (!two) return laneSum(sum);
  return laneSum(f64x2.add(sum, f64x2.add(f64x2.mul(x2, y2), f64x2.mul(x3, y3))));
}

/** As elimination.ts, for the rows of one column: y -= s u. Returns y . v. */
// @ts-ignore: decorator
@inline
function eliminate(
  two: bool, s: v128, y: usize, u0: v128, u1: v128, u2: v128, u3: v128,
  v0: v128, v1: v128, v2: v128, v3: v128,
): f64 {
  const y0 = f64x2.sub(getPair(y, 0), f64x2.mul(s, u0));
  const y1 = f64x2.sub(getPair(y, 2), f64x2.mul(s, u1));
  const y2 = two ? f64x2.sub(getPair(y, 4), f64x2.mul(s, u2)) : y0;
  const y3 = two ? f64x2.sub(getPair(y, 6), f64x2.mul(s, u3)) : y1;
  setPair(y, 0, y0);
  setPair(y, 2, y1);
  if (two) setPair(y, 4, y2);
  if (two) setPair(y, 6, y3);
  return sumOfProducts(two, y0, y1, y2, y3, v0, v1, v2, v3);
}

/**
 * Applies to one vector, from the last to the first, the reflections of the steps whose reflectors
 * end within its last two tiles: these stay in registers. Takes the addresses of the last reflector
 * and its pivot; returns the step before those that are done.
 */
export function reflectEnd(p: i32, steps: i32, last: usize, lastPivot: usize, y: usize): i32 {
  const step = (<usize>p) << 3;
  const end = at(y, p - 4);
  let v = at(last, p - 4), pivot = lastPivot;
  let y2 = getPair(end, 0), y3 = getPair(end, 2);
  let k = steps - 1;
  for (; k >= p - 4; k--) {
    const w = splat(pivot, QrPivot.WEIGHT), v2 = getPair(v, 0), v3 = getPair(v, 2);
    const sum = f64x2.add(f64x2.mul(y2, f64x2.mul(v2, w)), f64x2.mul(y3, f64x2.mul(v3, w)));
    const s = f64x2.splat(laneSum(sum));
    y2 = f64x2.sub(y2, f64x2.mul(s, v2));
    y3 = f64x2.sub(y3, f64x2.mul(s, v3));
    v -= step;
    pivot -= (<usize>QrPivot.LENGTH) << 3;
  }
  if (p > 4) {
    let y0 = getPair(end, -4), y1 = getPair(end, -2);
    for (; k >= p - 8; k--) {
      const w = splat(pivot, QrPivot.WEIGHT);
      const v0 = getPair(v, -4), v1 = getPair(v, -2), v2 = getPair(v, 0), v3 = getPair(v, 2);
      let sum = f64x2.add(f64x2.mul(y0, v0), f64x2.mul(y1, v1));
      sum = f64x2.add(sum, f64x2.add(f64x2.mul(y2, v2), f64x2.mul(y3, v3)));
      const s = f64x2.mul(f64x2.splat(laneSum(sum)), w);
      y0 = f64x2.sub(y0, f64x2.mul(s, v0));
      y1 = f64x2.sub(y1, f64x2.mul(s, v1));
      y2 = f64x2.sub(y2, f64x2.mul(s, v2));
      y3 = f64x2.sub(y3, f64x2.mul(s, v3));
      v -= step;
      pivot -= (<usize>QrPivot.LENGTH) << 3;
    }
    setPair(end, -4, y0);
    setPair(end, -2, y1);
  }
  setPair(end, 0, y2);
  setPair(end, 2, y3);
  return k;
}
