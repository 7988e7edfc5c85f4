// What pivoted, plain and complete orthogonal factorisations share: taking the matrix into the
// record, applying and forming Q, and the triangular solves with R.
//
// R is kept by columns above its diagonal, the diagonal with the pivots.

import {
  padToFour, QR_PANEL, QrHeader, QrPivot, qrPivots, qrTriangle, qrTriangleRows, Status,
} from "../layout";
import { isNumber } from "../math/finite";
import { setAddress, toIndex } from "../math/indices";
import { scaleToOne } from "../math/power-of-two";
import { at, get, getPair, laneSum, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { Candidate } from "./elimination";
import { isSafeSquare, largestMagnitude, reflect, scaleColumn } from "./householder";
import { dot, subtractMultiple } from "../math/vectors";

/** Copies an m x n matrix into its record, with squares of norms. False: it is not finite. */
export function takeMatrix(m: i32, n: i32, a: usize, lda: i32, factor: usize): bool {
  const p = padToFour(m), rows = qrTriangleRows(m, n);
  let from = a, to = at(factor, QrHeader.LENGTH);
  let pivot = at(factor, qrPivots(m, n)), triangle = at(factor, qrTriangle(m, n));
  let total = 0.0;
  for (let j = 0; j < n; j++) {
    const square = takeColumn(m, p, from, to);
    total += square;
    set(pivot, Candidate.SQUARE, square);
    set(pivot, Candidate.REFERENCE, square);
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

// @ts-ignore: decorator
@inline
function takeColumn(m: i32, p: i32, from: usize, to: usize): f64 {
  let squares = f64x2.splat(0.0);
  let i = 0;
  for (; i + 2 <= m; i += 2) {
    const pair = getPair(from, i);
    setPair(to, i, pair);
    squares = f64x2.add(squares, f64x2.mul(pair, pair));
  }
  for (; i < p; i += 2) {
    const pair = i < m ? f64x2.replace_lane(f64x2.splat(0.0), 0, get(from, i)) : f64x2.splat(0.0);
    setPair(to, i, pair);
    squares = f64x2.add(squares, f64x2.mul(pair, pair));
  }
  return laneSum(squares);
}

/** Brings the copy to a size where squares are safe. False: it is not finite. */
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
    set(pivot, Candidate.REFERENCE, square);
  }
  set(factor, QrHeader.SCALE, scale);
  return true;
}

/** Panel = Q panel, with the reflections of the steps below `steps`. */
export function applyQ(
  p: i32, steps: i32, factor: usize, pivots: usize, panel: usize, ld: i32, count: i32,
): void {
  for (let k = steps - 1; k >= 0; k--) {
    const v = at(factor, QrHeader.LENGTH + k * p);
    reflect(k, p, v, get(pivots, k * QrPivot.LENGTH + QrPivot.WEIGHT), panel, ld, count);
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

/** Writes columns `first` to `end` of Q. A reflection leaves unit vectors before its step alone. */
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

/** y = R^-T y with the leading r x r triangle, whose columns are in the order of the matrix. */
export function solveTransposed(r: i32, triangle: usize, ld: i32, pivots: usize, y: usize): void {
  let pivot = pivots;
  for (let k = 0; k < r; k++) {
    const column = at(triangle, toIndex(get(pivot, QrPivot.COLUMN)) * ld);
    set(y, k, (get(y, k) - dot(k, column, y)) * get(pivot, QrPivot.RECIPROCAL));
    pivot = at(pivot, QrPivot.LENGTH);
  }
}

/** y = R^-1 y, by columns. */
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

/** What was solved with a scaled matrix is smaller by its scale. */
// @ts-ignore: decorator
@inline
export function restoreScale(n: i32, factor: usize, y: usize): void {
  const scale = get(factor, QrHeader.SCALE);
  if (scale != 1.0) scaleColumn(0, n, y, scale);
}

/** OK, or NON_FINITE with the element of b that did it, or else of the result that overflowed. */
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
