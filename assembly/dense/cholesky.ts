// Cholesky: A = L L^T for a symmetric positive definite matrix, by 4 x 4 tiles of f64x2.
//
//   tile(i, k) = A(i, k) - sum_{p < k} L(i, p) L(k, p)^T       left-looking: L is written once
//   L(k, k)    = chol(tile(k, k))
//   L(i, k)    = tile(i, k) L(k, k)^-T                         fused: it stays in registers
//
// L is column-major with leading dimension padded to four, so that a tile's column is two
// aligned pairs. Rows and columns past n are those of the identity. Reciprocals of the diagonal
// are kept: the solves then multiply. Only the lower triangle of A is used, and A is never written.
//
// Inside a diagonal tile the elimination runs as L D L^T: each pivot then waits for the division of
// the one before it, but not for its root. Pivots below 2^-1022 count as zero: their reciprocals
// overflow.
//
// Non-finite input needs no search: L(i, j) = NaN makes pivot i NaN, L(i, j) = Infinity
// makes it -Infinity or NaN, and an infinite pivot is refused.

import { padToFour, Status } from "../layout";
import { nonFiniteRow, nonFiniteRowOfTriangle } from "../math/finite";
import {
  at, firstLanes, get, getPair, getSingle, laneSum, pairOf, secondLanes, set, setPair, splat,
} from "../math/slots";
import { failed, statusAt } from "../math/status";

/** Factors the n x n matrix at `a`. NOT_POSITIVE names the row whose pivot failed. */
export function choleskyFactor(n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (lda < n) return statusAt(Status.BAD_SIZE, 2);
  const p = padToFour(n);
  for (let k = 0; k < n; k += 4) {
    const pivot = factorDiagonal(p, k, n - k, at(a, k + k * lda), lda, factor);
    if (pivot >= 0) return refuse(n, a, lda, pivot);
    for (let i = k + 4; i < n; i += 4) solveTile(p, i, k, n - i, at(a, i + k * lda), lda, factor);
  }
  return Status.OK;
}

function refuse(n: i32, a: usize, lda: i32, pivot: i32): i32 {
  const row = nonFiniteRowOfTriangle(n, a, lda);
  return row >= 0 ? statusAt(Status.NON_FINITE, row) : statusAt(Status.NOT_POSITIVE, pivot);
}

/** Rows 0 and 1 of a tile's column; rows past the end of the matrix are zero. */
// @ts-ignore: decorator
@inline
function upperPair(column: usize, rows: i32): v128 {
  return rows > 1 ? getPair(column, 0) : getSingle(column, 0);
}

/** Rows 2 and 3 of a tile's column. */
// @ts-ignore: decorator
@inline
function lowerPair(column: usize, rows: i32): v128 {
  return rows > 3 ? getPair(column, 2) : rows > 2 ? getSingle(column, 2) : f64x2.splat(0.0);
}

/** Factors the diagonal tile at k; `rows` are left. Returns the row of a bad pivot, or -1. */
function factorDiagonal(p: i32, k: i32, rows: i32, source: usize, ld: i32, factor: usize): i32 {
  let c0 = upperPair(source, rows), d0 = lowerPair(source, rows);
  let c1 = f64x2.splat(0.0), d1 = c1, d2 = c1, d3 = c1;
  if (rows > 1) {
    c1 = getPair(source, ld);
    d1 = lowerPair(at(source, ld), rows);
    if (rows > 2) d2 = lowerPair(at(source, 2 * ld), rows);
    if (rows > 3) d3 = getPair(source, 3 * ld + 2);
  }

  let row = at(factor, k);
  const step = (<usize>p) << 3;
  for (let j = 0; j < k; j++) {
    const upper = getPair(row, 0), lower = getPair(row, 2);
    const s0 = splat(row, 0), s1 = splat(row, 1);
    c0 = f64x2.sub(c0, f64x2.mul(upper, s0));
    d0 = f64x2.sub(d0, f64x2.mul(lower, s0));
    c1 = f64x2.sub(c1, f64x2.mul(upper, s1));
    d1 = f64x2.sub(d1, f64x2.mul(lower, s1));
    d2 = f64x2.sub(d2, f64x2.mul(lower, splat(row, 2)));
    d3 = f64x2.sub(d3, f64x2.mul(lower, splat(row, 3)));
    row += step;
  }

  const a00 = f64x2.extract_lane(c0, 0);
  const i0 = 1.0 / a00;
  if (!(a00 > 0.0 && i0 > 0.0 && i0 < Infinity)) return k;
  const e10 = f64x2.extract_lane(c0, 1);
  const e20 = f64x2.extract_lane(d0, 0), e30 = f64x2.extract_lane(d0, 1);
  const m10 = e10 * i0, m20 = e20 * i0, m30 = e30 * i0;
  const r0 = Math.sqrt(i0);
  let b11 = 1.0, b21 = 0.0, b31 = 0.0, c22 = 1.0, c32 = 0.0, d33 = 1.0;
  let r1 = 1.0, r2 = 1.0, r3 = 1.0;
  if (rows > 1) {
    b11 = f64x2.extract_lane(c1, 1) - e10 * m10;
    b21 = f64x2.extract_lane(d1, 0) - e20 * m10;
    b31 = f64x2.extract_lane(d1, 1) - e30 * m10;
    const i1 = 1.0 / b11;
    if (!(b11 > 0.0 && i1 > 0.0 && i1 < Infinity)) return k + 1;
    r1 = Math.sqrt(i1);
    if (rows > 2) {
      const m21 = b21 * i1, m31 = b31 * i1;
      c22 = f64x2.extract_lane(d2, 0) - e20 * m20 - b21 * m21;
      c32 = f64x2.extract_lane(d2, 1) - e30 * m20 - b31 * m21;
      const i2 = 1.0 / c22;
      if (!(c22 > 0.0 && i2 > 0.0 && i2 < Infinity)) return k + 2;
      r2 = Math.sqrt(i2);
      if (rows > 3) {
        d33 = f64x2.extract_lane(d3, 1) - e30 * m30 - b31 * m31 - c32 * (c32 * i2);
        const i3 = 1.0 / d33;
        if (!(d33 > 0.0 && i3 > 0.0 && i3 < Infinity)) return k + 3;
        r3 = Math.sqrt(i3);
      }
    }
  }
  const l00 = a00 * r0, l10 = e10 * r0, l20 = e20 * r0, l30 = e30 * r0;
  const l11 = b11 * r1, l21 = b21 * r1, l31 = b31 * r1;
  const l22 = c22 * r2, l32 = c32 * r2, l33 = d33 * r3;

  const out = at(factor, k + k * p);
  setPair(out, 0, pairOf(l00, l10));
  setPair(out, 2, pairOf(l20, l30));
  setPair(out, p, pairOf(0.0, l11));
  setPair(out, p + 2, pairOf(l21, l31));
  setPair(out, 2 * p, f64x2.splat(0.0));
  setPair(out, 2 * p + 2, pairOf(l22, l32));
  setPair(out, 3 * p, f64x2.splat(0.0));
  setPair(out, 3 * p + 2, pairOf(0.0, l33));
  setPair(factor, p * p + k, pairOf(r0, r1));
  setPair(factor, p * p + k + 2, pairOf(r2, r3));
  return -1;
}

/** One tile below the diagonal: update by the columns before it, then solve with L(k, k)^T. */
function solveTile(
  p: i32, i: i32, k: i32, rows: i32, source: usize, ld: i32, factor: usize,
): void {
  const source1 = at(source, ld), source2 = at(source1, ld), source3 = at(source2, ld);
  let c0 = upperPair(source, rows), d0 = lowerPair(source, rows);
  let c1 = upperPair(source1, rows), d1 = lowerPair(source1, rows);
  let c2 = upperPair(source2, rows), d2 = lowerPair(source2, rows);
  let c3 = upperPair(source3, rows), d3 = lowerPair(source3, rows);

  let left = at(factor, i), top = at(factor, k);
  const step = (<usize>p) << 3;
  for (let j = 0; j < k; j++) {
    const upper = getPair(left, 0), lower = getPair(left, 2);
    let s = splat(top, 0);
    c0 = f64x2.sub(c0, f64x2.mul(upper, s));
    d0 = f64x2.sub(d0, f64x2.mul(lower, s));
    s = splat(top, 1);
    c1 = f64x2.sub(c1, f64x2.mul(upper, s));
    d1 = f64x2.sub(d1, f64x2.mul(lower, s));
    s = splat(top, 2);
    c2 = f64x2.sub(c2, f64x2.mul(upper, s));
    d2 = f64x2.sub(d2, f64x2.mul(lower, s));
    s = splat(top, 3);
    c3 = f64x2.sub(c3, f64x2.mul(upper, s));
    d3 = f64x2.sub(d3, f64x2.mul(lower, s));
    left += step;
    top += step;
  }

  const diagonal = at(factor, k + k * p);
  const reciprocals = at(factor, p * p + k);
  let s = splat(reciprocals, 0);
  c0 = f64x2.mul(c0, s);
  d0 = f64x2.mul(d0, s);
  s = splat(diagonal, 1);
  c1 = f64x2.sub(c1, f64x2.mul(c0, s));
  d1 = f64x2.sub(d1, f64x2.mul(d0, s));
  s = splat(reciprocals, 1);
  c1 = f64x2.mul(c1, s);
  d1 = f64x2.mul(d1, s);
  s = splat(diagonal, 2);
  c2 = f64x2.sub(c2, f64x2.mul(c0, s));
  d2 = f64x2.sub(d2, f64x2.mul(d0, s));
  s = splat(diagonal, p + 2);
  c2 = f64x2.sub(c2, f64x2.mul(c1, s));
  d2 = f64x2.sub(d2, f64x2.mul(d1, s));
  s = splat(reciprocals, 2);
  c2 = f64x2.mul(c2, s);
  d2 = f64x2.mul(d2, s);
  s = splat(diagonal, 3);
  c3 = f64x2.sub(c3, f64x2.mul(c0, s));
  d3 = f64x2.sub(d3, f64x2.mul(d0, s));
  s = splat(diagonal, p + 3);
  c3 = f64x2.sub(c3, f64x2.mul(c1, s));
  d3 = f64x2.sub(d3, f64x2.mul(d1, s));
  s = splat(diagonal, 2 * p + 3);
  c3 = f64x2.sub(c3, f64x2.mul(c2, s));
  d3 = f64x2.sub(d3, f64x2.mul(d2, s));
  s = splat(reciprocals, 3);

  const out = at(factor, i + k * p);
  setPair(out, 0, c0);
  setPair(out, 2, d0);
  setPair(out, p, c1);
  setPair(out, p + 2, d1);
  setPair(out, 2 * p, c2);
  setPair(out, 2 * p + 2, d2);
  setPair(out, 3 * p, f64x2.mul(c3, s));
  setPair(out, 3 * p + 2, f64x2.mul(d3, s));
}

// Factor and solve in one crossing: for a handful of unknowns a call costs a tenth of the work.

/**
 * x = A^-1 b, and the factor for further right-hand sides. Statuses are those of the two kernels.
 */
export function choleskyFactorSolve(
  n: i32, a: usize, lda: i32, b: usize, factor: usize, x: usize,
): i32 {
  const status = choleskyFactor(n, a, lda, factor);
  return failed(status) ? status : choleskySolve(n, factor, b, x);
}

// Half solves with a Cholesky factor for two right-hand sides together. Inside a diagonal tile the
// lanes are the right-hand sides, so that one chain of dependent operations serves both; past it
// they share the loads of L. The operations on each are those of single solves, in the same
// order.

/** y = L^-1 y and z = L^-1 z; both have p slots. */
export function forwardPair(p: i32, factor: usize, y: usize, z: usize): void {
  for (let k = 0; k < p; k += 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k), t = at(z, k);
    const s0 = getPair(s, 0), t0 = getPair(t, 0), s2 = getPair(s, 2), t2 = getPair(t, 2);
    const x0 = f64x2.mul(firstLanes(s0, t0), splat(r, 0));
    let x1 = f64x2.sub(secondLanes(s0, t0), f64x2.mul(splat(l0, 1), x0));
    x1 = f64x2.mul(x1, splat(r, 1));
    let x2 = f64x2.sub(firstLanes(s2, t2), f64x2.mul(splat(l0, 2), x0));
    x2 = f64x2.mul(f64x2.sub(x2, f64x2.mul(splat(l1, 2), x1)), splat(r, 2));
    let x3 = f64x2.sub(secondLanes(s2, t2), f64x2.mul(splat(l0, 3), x0));
    x3 = f64x2.sub(x3, f64x2.mul(splat(l1, 3), x1));
    x3 = f64x2.mul(f64x2.sub(x3, f64x2.mul(splat(l2, 3), x2)), splat(r, 3));
    setTiles(s, t, x0, x1, x2, x3);
    if (k + 4 < p) {
      const a0 = firstLanes(x0, x0), a1 = firstLanes(x1, x1), a2 = firstLanes(x2, x2);
      const a3 = firstLanes(x3, x3), b0 = secondLanes(x0, x0), b1 = secondLanes(x1, x1);
      const b2 = secondLanes(x2, x2), b3 = secondLanes(x3, x3);
      for (let i = 4; i < p - k; i += 2) {
        const c0 = getPair(l0, i), c1 = getPair(l1, i), c2 = getPair(l2, i), c3 = getPair(l3, i);
        subtractFour(s, i, c0, c1, c2, c3, a0, a1, a2, a3);
        subtractFour(t, i, c0, c1, c2, c3, b0, b1, b2, b3);
      }
    }
  }
}

/** y = L^-T y and z = L^-T z; both have p slots. */
export function backwardPair(p: i32, factor: usize, y: usize, z: usize): void {
  for (let k = p - 4; k >= 0; k -= 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k), t = at(z, k);
    const s0 = getPair(s, 0), t0 = getPair(t, 0), s2 = getPair(s, 2), t2 = getPair(t, 2);
    let x0 = firstLanes(s0, t0), x1 = secondLanes(s0, t0);
    let x2 = firstLanes(s2, t2), x3 = secondLanes(s2, t2);
    if (k + 4 < p) {
      x0 = f64x2.sub(x0, twoDots(p - k, l0, s, t));
      x1 = f64x2.sub(x1, twoDots(p - k, l1, s, t));
      x2 = f64x2.sub(x2, twoDots(p - k, l2, s, t));
      x3 = f64x2.sub(x3, twoDots(p - k, l3, s, t));
    }
    x3 = f64x2.mul(x3, splat(r, 3));
    x2 = f64x2.mul(f64x2.sub(x2, f64x2.mul(splat(l2, 3), x3)), splat(r, 2));
    x1 = f64x2.sub(x1, f64x2.mul(splat(l1, 2), x2));
    x1 = f64x2.mul(f64x2.sub(x1, f64x2.mul(splat(l1, 3), x3)), splat(r, 1));
    x0 = f64x2.sub(x0, f64x2.mul(splat(l0, 1), x1));
    x0 = f64x2.sub(x0, f64x2.mul(splat(l0, 2), x2));
    x0 = f64x2.mul(f64x2.sub(x0, f64x2.mul(splat(l0, 3), x3)), splat(r, 0));
    setTiles(s, t, x0, x1, x2, x3);
  }
}

/** Products of a column of L with two right-hand sides, from slot 4 of the tile to `end`. */
// @ts-ignore: decorator
@inline
function twoDots(end: i32, column: usize, s: usize, t: usize): v128 {
  let first = f64x2.splat(0.0), second = first;
  for (let i = 4; i < end; i += 2) {
    const pair = getPair(column, i);
    first = f64x2.add(first, f64x2.mul(pair, getPair(s, i)));
    second = f64x2.add(second, f64x2.mul(pair, getPair(t, i)));
  }
  return f64x2.add(firstLanes(first, second), secondLanes(first, second));
}

/** Subtracts the multiples of four pairs from the pair in a slot. */
// @ts-ignore: decorator
@inline
function subtractFour(
  s: usize, i: i32, c0: v128, c1: v128, c2: v128, c3: v128, a0: v128, a1: v128, a2: v128, a3: v128,
): void {
  let pair = f64x2.sub(getPair(s, i), f64x2.mul(c0, a0));
  pair = f64x2.sub(pair, f64x2.mul(c1, a1));
  pair = f64x2.sub(pair, f64x2.mul(c2, a2));
  setPair(s, i, f64x2.sub(pair, f64x2.mul(c3, a3)));
}

/** Converts lanes that are right-hand sides back to two tiles. */
// @ts-ignore: decorator
@inline
function setTiles(s: usize, t: usize, x0: v128, x1: v128, x2: v128, x3: v128): void {
  setPair(s, 0, firstLanes(x0, x1));
  setPair(s, 2, firstLanes(x2, x3));
  setPair(t, 0, secondLanes(x0, x1));
  setPair(t, 2, secondLanes(x2, x3));
}

// Solves with a Cholesky factor: A x = b by L y = b, then L^T x = y.
//
// The right-hand side is copied to the scratch at the end of the factor, where it is padded to
// four. So b and x may be the same memory, and on failure x is not written.

/** Which triangles a solve applies. */
enum Half {
  BOTH = 0,
  FORWARD = 1,
  BACKWARD = 2,
}

/** x = A^-1 b. NON_FINITE names the element of b, or of an overflowing x. */
export function choleskySolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const p = padToFour(n), y = at(factor, p * p + p);
  copyPadded(n, p, b, y);
  forwardTiles(p, factor, y);
  backwardTiles(p, factor, y);
  if (!allFinite(p, y)) return statusAt(Status.NON_FINITE, culprit(n, b, y));
  copyOut(n, y, x);
  return Status.OK;
}

/** X = A^-1 B for several right-hand sides. */
export function choleskySolveMany(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.BOTH, factor, b, ldb, x, ldx);
}

/** X = L^-1 B: the half of the inverse that turns J M^-1 J^T into C C^T with C^T = L^-1 J^T. */
export function choleskyForward(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.FORWARD, factor, b, ldb, x, ldx);
}

/** X = L^-T B: the other half. */
export function choleskyBackward(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.BACKWARD, factor, b, ldb, x, ldx);
}

function solveColumns(
  n: i32, count: i32, half: Half, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (count < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldb < n || ldx < n) return statusAt(Status.BAD_SIZE, ldb < n ? 4 : 6);
  const p = padToFour(n);
  const y = at(factor, p * p + p);
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    copyPadded(n, p, from, y);
    if (half != Half.BACKWARD) forwardTiles(p, factor, y);
    if (half != Half.FORWARD) backwardTiles(p, factor, y);
    if (!allFinite(p, y)) return statusAt(Status.NON_FINITE, culprit(n, from, y));
    copyOut(n, y, to);
  }
  return Status.OK;
}

/**
 * Copies n values, padded by zeros to p. In pairs, as the tiles will read them: a pair cannot
 * be forwarded from two single stores.
 */
export function copyPadded(n: i32, p: i32, from: usize, y: usize): void {
  const even = n & ~1;
  for (let i = 0; i < even; i += 2) setPair(y, i, getPair(from, i));
  if (even < n) setPair(y, even, getSingle(from, even));
  if (((n + 1) & ~1) < p) setPair(y, p - 2, f64x2.splat(0.0));
}

/** Copies n of the padded values. */
export function copyOut(n: i32, y: usize, to: usize): void {
  const even = n & ~1;
  for (let i = 0; i < even; i += 2) setPair(to, i, getPair(y, i));
  if (even < n) set(to, even, get(y, even));
}

/** Whether all p values are finite. */
export function allFinite(p: i32, y: usize): bool {
  let sum = f64x2.splat(0.0);
  for (let i = 0; i < p; i += 2) {
    const pair = getPair(y, i);
    sum = f64x2.add(sum, f64x2.sub(pair, pair));
  }
  return laneSum(sum) == 0.0;
}

/** The bad element of the right-hand side; if there is none, that of the overflowing solution. */
function culprit(n: i32, b: usize, y: usize): i32 {
  const cause = nonFiniteRow(n, 1, b, n);
  return cause >= 0 ? cause : nonFiniteRow(n, 1, y, n);
}

/** y = L^-1 y, four columns of L at a time; y has p slots. */
export function forwardTiles(p: i32, factor: usize, y: usize): void {
  for (let k = 0; k < p; k += 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k);
    const y0 = get(s, 0) * get(r, 0);
    const y1 = (get(s, 1) - get(l0, 1) * y0) * get(r, 1);
    const y2 = (get(s, 2) - get(l0, 2) * y0 - get(l1, 2) * y1) * get(r, 2);
    const y3 = (get(s, 3) - get(l0, 3) * y0 - get(l1, 3) * y1 - get(l2, 3) * y2) * get(r, 3);
    setPair(s, 0, pairOf(y0, y1));
    setPair(s, 2, pairOf(y2, y3));
    const v0 = f64x2.splat(y0), v1 = f64x2.splat(y1), v2 = f64x2.splat(y2), v3 = f64x2.splat(y3);
    for (let i = 4; i < p - k; i += 2) {
      let pair = f64x2.sub(getPair(s, i), f64x2.mul(getPair(l0, i), v0));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l1, i), v1));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l2, i), v2));
      setPair(s, i, f64x2.sub(pair, f64x2.mul(getPair(l3, i), v3)));
    }
  }
}

/** y = L^-T y, four columns of L at a time; y has p slots. */
export function backwardTiles(p: i32, factor: usize, y: usize): void {
  for (let k = p - 4; k >= 0; k -= 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k);
    let v0 = f64x2.splat(0.0), v1 = v0, v2 = v0, v3 = v0;
    for (let i = 4; i < p - k; i += 2) {
      const pair = getPair(s, i);
      v0 = f64x2.add(v0, f64x2.mul(getPair(l0, i), pair));
      v1 = f64x2.add(v1, f64x2.mul(getPair(l1, i), pair));
      v2 = f64x2.add(v2, f64x2.mul(getPair(l2, i), pair));
      v3 = f64x2.add(v3, f64x2.mul(getPair(l3, i), pair));
    }
    const x3 = (get(s, 3) - laneSum(v3)) * get(r, 3);
    const x2 = (get(s, 2) - laneSum(v2) - get(l2, 3) * x3) * get(r, 2);
    const x1 = (get(s, 1) - laneSum(v1) - get(l1, 2) * x2 - get(l1, 3) * x3) * get(r, 1);
    const x0 =
      (get(s, 0) - laneSum(v0) - get(l0, 1) * x1 - get(l0, 2) * x2 - get(l0, 3) * x3) * get(r, 0);
    setPair(s, 0, pairOf(x0, x1));
    setPair(s, 2, pairOf(x2, x3));
  }
}
