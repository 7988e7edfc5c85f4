// Loops over the columns of a panel, four at a time: building blocks of the reductions to
// bidiagonal and to tridiagonal form. Vectors and columns have an even length and are zero where
// padded; a count of columns is rounded up to four, so a panel ends in three columns of zeros and
// the vectors that go with its columns in three zeros.
//
// Fused passes (Howell, Demmel, Fulton, Hammarling, Marmol: Cache efficient bidiagonalization using
// BLAS 2.5 operators, LAPACK working note 174): a column is updated and used while it is loaded.

import { at, getPair, laneSum, setPair, splat } from "../math/slots";

/** The sums of the lanes of two pairs, as a pair. */
// @ts-ignore: decorator
@inline
export function laneSums(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

/** One lane of a pair in both lanes. */
// @ts-ignore: decorator
@inline
function lower(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 0, 0);
}

// @ts-ignore: decorator
@inline
function upper(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 1, 1);
}

/** Sets an even number of slots to zero: faster than memory.fill while they are few. */
export function clearPairs(length: i32, x: usize): void {
  const zero = f64x2.splat(0.0), end = at(x, length);
  for (; x < end; x += 16) setPair(x, 0, zero);
}

/** x . x */
export function sumOfSquares(length: i32, x: usize): f64 {
  let sum = f64x2.splat(0.0);
  const end = at(x, length);
  for (; x < end; x += 16) {
    const pair = getPair(x, 0);
    sum = f64x2.add(sum, f64x2.mul(pair, pair));
  }
  return laneSum(sum);
}

/** y_j = h (u . a_j) */
export function columnDots(
  length: i32, count: i32, h: f64, u: usize, a: usize, lda: i32, y: usize,
): void {
  const end = at(u, length), scale = f64x2.splat(h);
  for (let j = 0; j < count; j += 4) {
    let a0 = at(a, j * lda), a1 = at(a0, lda), a2 = at(a1, lda), a3 = at(a2, lda);
    let y0 = f64x2.splat(0.0), y1 = y0, y2 = y0, y3 = y0;
    for (let row = u; row < end; row += 16) {
      const pair = getPair(row, 0);
      y0 = f64x2.add(y0, f64x2.mul(pair, getPair(a0, 0)));
      y1 = f64x2.add(y1, f64x2.mul(pair, getPair(a1, 0)));
      y2 = f64x2.add(y2, f64x2.mul(pair, getPair(a2, 0)));
      y3 = f64x2.add(y3, f64x2.mul(pair, getPair(a3, 0)));
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
    setPair(y, j, f64x2.mul(laneSums(y0, y1), scale));
    setPair(y, j + 2, f64x2.mul(laneSums(y2, y3), scale));
  }
}

/** a_j = a_j - h (u . a_j) u */
export function reflectColumns(
  length: i32, count: i32, h: f64, u: usize, a: usize, lda: i32,
): void {
  const end = at(u, length), scale = f64x2.splat(h);
  for (let j = 0; j < count; j += 4) {
    let a0 = at(a, j * lda), a1 = at(a0, lda), a2 = at(a1, lda), a3 = at(a2, lda);
    let y0 = f64x2.splat(0.0), y1 = y0, y2 = y0, y3 = y0;
    for (let row = u; row < end; row += 16) {
      const pair = getPair(row, 0);
      y0 = f64x2.add(y0, f64x2.mul(pair, getPair(a0, 0)));
      y1 = f64x2.add(y1, f64x2.mul(pair, getPair(a1, 0)));
      y2 = f64x2.add(y2, f64x2.mul(pair, getPair(a2, 0)));
      y3 = f64x2.add(y3, f64x2.mul(pair, getPair(a3, 0)));
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
    const left = f64x2.mul(laneSums(y0, y1), scale), right = f64x2.mul(laneSums(y2, y3), scale);
    y0 = lower(left);
    y1 = upper(left);
    y2 = lower(right);
    y3 = upper(right);
    a0 = at(a, j * lda);
    a1 = at(a0, lda);
    a2 = at(a1, lda);
    a3 = at(a2, lda);
    for (let row = u; row < end; row += 16) {
      const pair = getPair(row, 0);
      setPair(a0, 0, f64x2.sub(getPair(a0, 0), f64x2.mul(pair, y0)));
      setPair(a1, 0, f64x2.sub(getPair(a1, 0), f64x2.mul(pair, y1)));
      setPair(a2, 0, f64x2.sub(getPair(a2, 0), f64x2.mul(pair, y2)));
      setPair(a3, 0, f64x2.sub(getPair(a3, 0), f64x2.mul(pair, y3)));
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
  }
}

/** a_j = a_j - y_j u, then w = w + sum_j v_j a_j */
export function updateAndCombine(
  length: i32, count: i32, u: usize, y: usize, v: usize, a: usize, lda: i32, w: usize,
): void {
  const end = at(u, length);
  for (let j = 0; j < count; j += 4) {
    let a0 = at(a, j * lda), a1 = at(a0, lda), a2 = at(a1, lda), a3 = at(a2, lda);
    const y0 = splat(y, j), y1 = splat(y, j + 1), y2 = splat(y, j + 2), y3 = splat(y, j + 3);
    const v0 = splat(v, j), v1 = splat(v, j + 1), v2 = splat(v, j + 2), v3 = splat(v, j + 3);
    let sums = w;
    for (let row = u; row < end; row += 16) {
      const pair = getPair(row, 0);
      const p0 = f64x2.sub(getPair(a0, 0), f64x2.mul(pair, y0));
      const p1 = f64x2.sub(getPair(a1, 0), f64x2.mul(pair, y1));
      const p2 = f64x2.sub(getPair(a2, 0), f64x2.mul(pair, y2));
      const p3 = f64x2.sub(getPair(a3, 0), f64x2.mul(pair, y3));
      const left = f64x2.add(f64x2.mul(p0, v0), f64x2.mul(p1, v1));
      const right = f64x2.add(f64x2.mul(p2, v2), f64x2.mul(p3, v3));
      setPair(sums, 0, f64x2.add(getPair(sums, 0), f64x2.add(left, right)));
      setPair(a0, 0, p0);
      setPair(a1, 0, p1);
      setPair(a2, 0, p2);
      setPair(a3, 0, p3);
      sums += 16;
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
  }
}

/** a_j = a_j - v_j w, then y_j = h (u . a_j) */
export function updateAndDot(
  length: i32, count: i32, w: usize, v: usize, h: f64, u: usize, a: usize, lda: i32, y: usize,
): void {
  const end = at(u, length), scale = f64x2.splat(h);
  for (let j = 0; j < count; j += 4) {
    let a0 = at(a, j * lda), a1 = at(a0, lda), a2 = at(a1, lda), a3 = at(a2, lda);
    const v0 = splat(v, j), v1 = splat(v, j + 1), v2 = splat(v, j + 2), v3 = splat(v, j + 3);
    let y0 = f64x2.splat(0.0), y1 = y0, y2 = y0, y3 = y0;
    let from = w;
    for (let row = u; row < end; row += 16) {
      const pair = getPair(row, 0), step = getPair(from, 0);
      const p0 = f64x2.sub(getPair(a0, 0), f64x2.mul(step, v0));
      const p1 = f64x2.sub(getPair(a1, 0), f64x2.mul(step, v1));
      const p2 = f64x2.sub(getPair(a2, 0), f64x2.mul(step, v2));
      const p3 = f64x2.sub(getPair(a3, 0), f64x2.mul(step, v3));
      y0 = f64x2.add(y0, f64x2.mul(pair, p0));
      y1 = f64x2.add(y1, f64x2.mul(pair, p1));
      y2 = f64x2.add(y2, f64x2.mul(pair, p2));
      y3 = f64x2.add(y3, f64x2.mul(pair, p3));
      setPair(a0, 0, p0);
      setPair(a1, 0, p1);
      setPair(a2, 0, p2);
      setPair(a3, 0, p3);
      from += 16;
      a0 += 16;
      a1 += 16;
      a2 += 16;
      a3 += 16;
    }
    setPair(y, j, f64x2.mul(laneSums(y0, y1), scale));
    setPair(y, j + 2, f64x2.mul(laneSums(y2, y3), scale));
  }
}

/** w = w - h a, a column */
export function subtractColumn(length: i32, h: f64, a: usize, w: usize): void {
  const end = at(a, length), scale = f64x2.splat(h);
  for (; a < end; a += 16) {
    setPair(w, 0, f64x2.sub(getPair(w, 0), f64x2.mul(scale, getPair(a, 0))));
    w += 16;
  }
}

/** w = w + sum_j v_j a_j */
export function combineColumns(
  length: i32, count: i32, v: usize, a: usize, lda: i32, w: usize,
): void {
  for (let j = 0; j < count; j += 4) {
    let a0 = at(a, j * lda), a1 = at(a0, lda), a2 = at(a1, lda), a3 = at(a2, lda);
    const v0 = splat(v, j), v1 = splat(v, j + 1), v2 = splat(v, j + 2), v3 = splat(v, j + 3);
    for (let i = 0; i < length; i += 2) {
      const left = f64x2.add(f64x2.mul(getPair(a0, i), v0), f64x2.mul(getPair(a1, i), v1));
      const right = f64x2.add(f64x2.mul(getPair(a2, i), v2), f64x2.mul(getPair(a3, i), v3));
      setPair(w, i, f64x2.add(getPair(w, i), f64x2.add(left, right)));
    }
  }
}
