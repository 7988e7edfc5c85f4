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
import { nonFiniteRowOfTriangle } from "../math/finite";
import { at, getPair, getSingle, pairOf, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";

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
