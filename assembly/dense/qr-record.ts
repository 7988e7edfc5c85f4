// Operations shared by pivoted, plain and complete orthogonal factorisations: copying the matrix to
// the record, applying and forming Q, triangular solves with R, and transfer of right-hand sides
// and results.
//
// R is stored column-major above its diagonal, the diagonal with the pivots.

import {
  padToFour, QR_PANEL, QrHeader, QrPivot, qrPivots, qrTriangle, qrTriangleRows, Status,
} from "../layout";
import { isNumber } from "../math/finite";
import { scaleToOne, setAddress, toIndex } from "../math/indices";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";
import { dot, subtractMultiple } from "../math/vectors";
import { exchange, largestCandidate } from "./candidates";
import { Candidate, finish, HALF_THE_DIGITS } from "./elimination";
import {
  isSafeSquare, largestMagnitude, makeReflector, maskFrom, reflect, scaleColumn,
} from "./householder";

/**
 * Copies an m x n matrix into its record, with squares of norms. Returns false if it is not finite.
 */
export function takeMatrix(m: i32, n: i32, a: usize, lda: i32, factor: usize): bool {
  const p = padToFour(m), rows = qrTriangleRows(m, n);
  let from = a, to = at(factor, QrHeader.LENGTH);
  let pivot = at(factor, qrPivots(m, n)), triangle = at(factor, qrTriangle(m, n));
  let total = 0.0;
  for (let j = 0; j < n; j++) {
    const square = takeColumn(m, from, to);
    total += square;
    set(pivot, Candidate.SQUARE, square);
    set(pivot, Candidate.LIMIT, square * HALF_THE_DIGITS);
    set(pivot, Candidate.MULTIPLE, 0.0);
    setAddress(pivot, Candidate.TRIANGLE, triangle);
    set(pivot, QrPivot.COLUMN, j);
    from = at(from, lda);
    to = at(to, p);
    pivot = at(pivot, QrPivot.LENGTH);
    triangle = at(triangle, rows);
  }
  set(factor, QrHeader.SCALE, 1.0);
  return isSafeSquare(total) || scaleMatrix(m, n, factor);
}

/** Copies a column, padded by zeros. Returns the sum of its squares. */
// @ts-ignore: decorator
@inline
function takeColumn(m: i32, from: usize, to: usize): f64 {
  let even = f64x2.splat(0.0), odd = even;
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    const upper = getPair(from, i), lower = getPair(from, i + 2);
    setPair(to, i, upper);
    setPair(to, i + 2, lower);
    even = f64x2.add(even, f64x2.mul(upper, upper));
    odd = f64x2.add(odd, f64x2.mul(lower, lower));
  }
  if (i < m) {
    const left = m - i;
    const upper = left > 1 ? getPair(from, i) : half(from, i);
    const lower = left > 2 ? half(from, i + 2) : f64x2.splat(0.0);
    setPair(to, i, upper);
    setPair(to, i + 2, lower);
    even = f64x2.add(even, f64x2.mul(upper, upper));
    odd = f64x2.add(odd, f64x2.mul(lower, lower));
  }
  return laneSum(f64x2.add(even, odd));
}

/** One slot and a zero. */
// @ts-ignore: decorator
@inline
function half(base: usize, slot: i32): v128 {
  return f64x2.replace_lane(f64x2.splat(0.0), 0, get(base, slot));
}

/** Scales the copy so that squares are safe. Returns false if it is not finite. */
function scaleMatrix(m: i32, n: i32, factor: usize): bool {
  const p = padToFour(m);
  const columns = at(factor, QrHeader.LENGTH), pivots = at(factor, qrPivots(m, n));
  // Padded columns follow each other, so the matrix is one long column. Math.max keeps NaN.
  const largest = largestMagnitude(0, p * n, columns);
  if (!isNumber(largest)) return false;
  if (largest == 0.0) return true;
  const scale = scaleToOne(largest);
  scaleColumn(0, p * n, columns, scale);
  for (let j = 0; j < n; j++) {
    const column = at(columns, j * p), pivot = at(pivots, j * QrPivot.LENGTH);
    const square = dot(p, column, column);
    set(pivot, Candidate.SQUARE, square);
    set(pivot, Candidate.LIMIT, square * HALF_THE_DIGITS);
  }
  set(factor, QrHeader.SCALE, scale);
  return true;
}

/** Panel = Q panel, with the reflections of the steps below `steps`. */
export function applyQ(
  p: i32, steps: i32, factor: usize, pivots: usize, panel: usize, ld: i32, count: i32,
): void {
  let k = steps - 1;
  let v = at(factor, QrHeader.LENGTH + k * p), pivot = at(pivots, k * QrPivot.LENGTH);
  if (count == 1 || p <= 8) {
    // Nothing is left to do if columns have at most two tiles; their chains overlap.
    const last = k;
    for (let c = 0; c < count; c++) k = reflectEnd(p, last + 1, v, pivot, at(panel, c * ld));
  }
  v = at(factor, QrHeader.LENGTH + k * p);
  pivot = at(pivots, k * QrPivot.LENGTH);
  for (; k >= 0; k--) {
    reflect(k, p, v, get(pivot, QrPivot.WEIGHT), panel, ld, count);
    v -= (<usize>p) << 3;
    pivot -= (<usize>QrPivot.LENGTH) << 3;
  }
}

/** Panel = Q^T panel. */
export function applyQTransposed(
  p: i32, steps: i32, factor: usize, pivots: usize, panel: usize, ld: i32, count: i32,
): void {
  for (let k = 0; k < steps; k++) {
    const v = at(factor, QrHeader.LENGTH + k * p);
    reflect(k, p, v, get(pivots, k * QrPivot.LENGTH + QrPivot.WEIGHT), panel, ld, count);
  }
}

/**
 * Writes columns `first` to `end` of Q. A reflection does not change unit vectors before its step.
 */
export function formColumns(
  m: i32, n: i32, first: i32, end: i32, factor: usize, scratch: usize, q: usize, ldq: i32,
): void {
  const p = padToFour(m);
  const steps = toIndex(get(factor, QrHeader.RANK));
  for (let j = first; j < end; j += QR_PANEL) {
    const count = min(QR_PANEL, end - j);
    for (let i = 0; i < p * count; i++) set(scratch, i, 0.0);
    for (let c = 0; c < count; c++) set(scratch, j + c + c * p, 1.0);
    applyQ(p, min(steps, j + count), factor, at(factor, qrPivots(m, n)), scratch, p, count);
    for (let c = 0; c < count; c++) copyColumn(m, at(scratch, c * p), at(q, (j - first + c) * ldq));
  }
}

/** Copies m slots: columns here are too short for memory.copy. */
export function copyColumn(m: i32, from: usize, to: usize): void {
  for (let i = 0; i < m; i++) set(to, i, get(from, i));
}

/**
 * y = R^-T y with the leading r x r triangle, four columns at a time; y is cleared from r to the
 * next multiple of four. Columns of R are in the order of the matrix.
 */
export function solveTransposed(r: i32, triangle: usize, ld: i32, pivots: usize, y: usize): void {
  for (let k = 0; k < r; k += 4) {
    const q0 = at(pivots, k * QrPivot.LENGTH), left = r - k;
    const q1 = left > 1 ? at(q0, QrPivot.LENGTH) : q0;
    const q2 = left > 2 ? at(q1, QrPivot.LENGTH) : q0;
    const q3 = left > 3 ? at(q2, QrPivot.LENGTH) : q0;
    const c0 = columnOf(triangle, ld, q0), c1 = columnOf(triangle, ld, q1);
    const c2 = columnOf(triangle, ld, q2), c3 = columnOf(triangle, ld, q3);
    let d0 = f64x2.splat(0.0), d1 = d0, d2 = d0, d3 = d0;
    for (let i = 0; i < k; i += 2) {
      const pair = getPair(y, i);
      d0 = f64x2.add(d0, f64x2.mul(pair, getPair(c0, i)));
      d1 = f64x2.add(d1, f64x2.mul(pair, getPair(c1, i)));
      d2 = f64x2.add(d2, f64x2.mul(pair, getPair(c2, i)));
      d3 = f64x2.add(d3, f64x2.mul(pair, getPair(c3, i)));
    }
    const s = at(y, k), e1 = at(c1, k), e2 = at(c2, k), e3 = at(c3, k);
    const x0 = (get(s, 0) - laneSum(d0)) * get(q0, QrPivot.RECIPROCAL);
    let x1 = 0.0, x2 = 0.0, x3 = 0.0;
    if (left > 1) x1 = (get(s, 1) - laneSum(d1) - get(e1, 0) * x0) * get(q1, QrPivot.RECIPROCAL);
    if (left > 2) {
      x2 = get(s, 2) - laneSum(d2) - get(e2, 0) * x0 - get(e2, 1) * x1;
      x2 *= get(q2, QrPivot.RECIPROCAL);
    }
    if (left > 3) {
      x3 = get(s, 3) - laneSum(d3) - get(e3, 0) * x0 - get(e3, 1) * x1 - get(e3, 2) * x2;
      x3 *= get(q3, QrPivot.RECIPROCAL);
    }
    setPair(s, 0, f64x2.replace_lane(f64x2.splat(x0), 1, x1));
    setPair(s, 2, f64x2.replace_lane(f64x2.splat(x2), 1, x3));
  }
}

// @ts-ignore: decorator
@inline
function columnOf(triangle: usize, ld: i32, pivot: usize): usize {
  return at(triangle, toIndex(get(pivot, QrPivot.COLUMN)) * ld);
}

/** y = R^-1 y, column by column. */
export function solveUpper(r: i32, triangle: usize, ld: i32, pivots: usize, y: usize): void {
  for (let k = r - 1; k >= 0; k--) {
    const pivot = at(pivots, k * QrPivot.LENGTH);
    const x = get(y, k) * get(pivot, QrPivot.RECIPROCAL);
    set(y, k, x);
    subtractMultiple(k, x, at(triangle, toIndex(get(pivot, QrPivot.COLUMN)) * ld), y);
  }
}

/** y = P^T b: the elements of b in the order of the pivots. */
export function gather(n: i32, pivots: usize, b: usize, y: usize): void {
  let pivot = pivots;
  for (let k = 0; k < n; k++) {
    set(y, k, get(b, toIndex(get(pivot, QrPivot.COLUMN))));
    pivot = at(pivot, QrPivot.LENGTH);
  }
}

/** x = P y: back in the order of the matrix. */
export function scatter(n: i32, pivots: usize, y: usize, x: usize): void {
  let pivot = pivots;
  for (let k = 0; k < n; k++) {
    set(x, toIndex(get(pivot, QrPivot.COLUMN)), get(y, k));
    pivot = at(pivot, QrPivot.LENGTH);
  }
}

/** Rescales a solution: one found with a scaled matrix is smaller by its scale. */
// @ts-ignore: decorator
@inline
export function restoreScale(n: i32, factor: usize, y: usize): void {
  const scale = get(factor, QrHeader.SCALE);
  if (scale != 1.0) scaleColumn(0, n, y, scale);
}

/** OK, or NON_FINITE with the non-finite element of b, or else of the overflowing result. */
export function checkResult(n: i32, result: usize, given: i32, b: usize): i32 {
  const bad = firstNonFinite(n, result);
  if (bad < 0) return Status.OK;
  const cause = firstNonFinite(given, b);
  return statusAt(Status.NON_FINITE, cause >= 0 ? cause : bad);
}

/** First non-finite element of a vector, or -1. */
export function firstNonFinite(n: i32, x: usize): i32 {
  for (let i = 0; i < n; i++) if (!isNumber(get(x, i))) return i;
  return -1;
}

// Steps on columns with one or two remaining tiles of four rows: small matrices, and the end of
// others. Reflectors stay in registers and no loop runs over rows: here the overhead decides.

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
function reflectEnd(p: i32, steps: i32, last: usize, lastPivot: usize, y: usize): i32 {
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
