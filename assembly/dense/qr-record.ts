// Operations shared by pivoted, plain and complete orthogonal factorisations: copying the matrix to
// the record, applying and forming Q, triangular solves with R, and transfer of right-hand sides
// and results.
//
// R is stored column-major above its diagonal, the diagonal with the pivots.

import {
  padToFour, QR_PANEL, QrHeader, QrPivot, qrPivots, qrTriangle, qrTriangleRows, Status,
} from "../layout";
import { isNumber } from "../math/finite";
import { setAddress, toIndex } from "../math/indices";
import { scaleToOne } from "../math/power-of-two";
import { at, get, getPair, laneSum, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { Candidate, HALF_THE_DIGITS } from "./elimination";
import { isSafeSquare, largestMagnitude, reflect, scaleColumn } from "./householder";
import { reflectEnd } from "./qr-tiles";
import { dot, subtractMultiple } from "../math/vectors";

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
