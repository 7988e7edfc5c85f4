// Loops over the columns of a panel, four at a time: building blocks of the reductions to
// bidiagonal and to tridiagonal form. Vectors and columns have an even length and are zero where
// padded; a count of columns is rounded up to four, so a panel ends in three columns of zeros and
// the vectors that go with its columns in three zeros.
//
// Fused passes (Howell, Demmel, Fulton, Hammarling, Marmol: Cache efficient bidiagonalization using
// BLAS 2.5 operators, LAPACK working note 174): a column is updated and used while it is loaded.

import { padToTwo } from "../layout";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";

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
function sumOfSquares(length: i32, x: usize): f64 {
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
function updateAndCombine(
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
function updateAndDot(
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

// X = V diag(r) U^T by 4 x 4 tiles of X that stay in registers.
//
// Columns of V and U are padded to two: a tile at the edge reads up to three rows too many, which
// are the beginning of the next column (the panels of a decomposition have columns to spare) and
// which are not stored.

/** X is rows x columns, V rows x count, U columns x count. */
export function multiplyScaled(
  rows: i32, columns: i32, count: i32, r: usize, v: usize, ldv: i32, u: usize, ldu: i32,
  x: usize, ldx: i32,
): void {
  for (let j = 0; j < columns; j += 4) {
    const width = min(4, columns - j);
    for (let i = 0; i < rows; i += 4) {
      const height = min(4, rows - i);
      multiplyTile(count, r, at(v, i), ldv, at(u, j), ldu, height, width, at(x, i + j * ldx), ldx);
    }
  }
}

function multiplyTile(
  count: i32, r: usize, v: usize, ldv: i32, u: usize, ldu: i32, height: i32, width: i32,
  x: usize, ldx: i32,
): void {
  let a0 = f64x2.splat(0.0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const stepV = (<usize>ldv) << 3, stepU = (<usize>ldu) << 3;
  for (let l = 0; l < count; l++) {
    const factor = splat(r, l);
    const upper = f64x2.mul(getPair(v, 0), factor), lower = f64x2.mul(getPair(v, 2), factor);
    let s = splat(u, 0);
    a0 = f64x2.add(a0, f64x2.mul(upper, s));
    b0 = f64x2.add(b0, f64x2.mul(lower, s));
    s = splat(u, 1);
    a1 = f64x2.add(a1, f64x2.mul(upper, s));
    b1 = f64x2.add(b1, f64x2.mul(lower, s));
    s = splat(u, 2);
    a2 = f64x2.add(a2, f64x2.mul(upper, s));
    b2 = f64x2.add(b2, f64x2.mul(lower, s));
    s = splat(u, 3);
    a3 = f64x2.add(a3, f64x2.mul(upper, s));
    b3 = f64x2.add(b3, f64x2.mul(lower, s));
    v += stepV;
    u += stepU;
  }
  storeColumn(height, a0, b0, x);
  if (width > 1) storeColumn(height, a1, b1, at(x, ldx));
  if (width > 2) storeColumn(height, a2, b2, at(x, 2 * ldx));
  if (width > 3) storeColumn(height, a3, b3, at(x, 3 * ldx));
}

/** The first `height` of four elements. */
// @ts-ignore: decorator
@inline
function storeColumn(height: i32, upper: v128, lower: v128, x: usize): void {
  if (height == 1) {
    set(x, 0, f64x2.extract_lane(upper, 0));
    return;
  }
  setPair(x, 0, upper);
  if (height == 4) setPair(x, 2, lower);
  else if (height == 3) set(x, 2, f64x2.extract_lane(lower, 0));
}

// Householder reflections H = I - h u u^T with u = x - beta e and h = 1 / (beta (beta - alpha)),
// so that H x = beta e (Golub & Van Loan, Matrix Computations, 5.1). u is x except for its first
// element and is left unchanged: scaling it would cost a pass. beta has the sign opposite to alpha
// = x_0, so nothing cancels. A reflector lies at and below the diagonal of its column; a pair that
// begins above the diagonal begins with a zero.

/**
 * A vector whose square is below this is 2^-480 of a matrix that is at least 2^-400: negligible.
 */
const NEGLIGIBLE_SQUARE: f64 = 2.0 ** -960;

/**
 * Makes the reflector of a column whose diagonal element is row k: `x` is the column from row k &
 * ~1 on, of even length. beta is written; h is returned: 0 when there was nothing to reflect.
 */
export function makeReflector(length: i32, k: i32, x: usize, beta: usize): f64 {
  const odd = k & 1;
  if (odd) set(x, 0, 0.0);
  const alpha = get(x, odd);
  const square = sumOfSquares(length, x);
  if (square < NEGLIGIBLE_SQUARE) {
    set(beta, 0, alpha);
    clearPairs(length, x);
    return 0.0;
  }
  const norm = Math.sqrt(square);
  const image = alpha > 0.0 ? -norm : norm;
  const head = alpha - image;
  set(beta, 0, image);
  set(x, odd, head);
  return -1.0 / (image * head);
}

/**
 * Replaces n reflectors by their product H_0 H_1 ... H_(n-1), backwards and in place: while H_k is
 * applied, the columns after it are zero above row k + 1 (Golub & Van Loan, 5.1.6).
 */
export function multiplyReflectors(n: i32, rows: i32, a: usize, lda: i32, h: usize): void {
  for (let k = n - 1; k >= 0; k--) {
    const start = k & ~1;
    const u = at(a, start + k * lda), factor = get(h, k);
    if (factor != 0.0) reflectColumns(rows - start, n - 1 - k, factor, u, at(u, lda), lda);
    const scale = f64x2.splat(-factor * get(u, k & 1));
    for (let i = 0; i < rows - start; i += 2) setPair(u, i, f64x2.mul(scale, getPair(u, i)));
    set(u, k & 1, 1.0 + get(u, k & 1));
    clearPairs(start, at(a, k * lda));
  }
}

// Reduction of a square matrix to upper bidiagonal form, A = P B Q^T (Golub & Kahan 1965; Golub &
// Van Loan, Matrix Computations, 5.4.8), two passes over the rest of A in each step:
//
//   u from column k, y = h A^T u                    fused with the end of the step before
//   row k of H A; v from it
//   A = A - u y^T, w = g A v                        one pass
//   A = A - w v^T                                   begins the next step

/**
 * Reduces the n x n matrix at p, which becomes P; q becomes Q. d is the diagonal of B and e its
 * superdiagonal. `vectors` is scratch for five vectors of length `stride`.
 */
export function bidiagonalise(
  n: i32, p: usize, ldp: i32, q: usize, ldq: i32, d: usize, e: usize, vectors: usize, stride: i32,
): void {
  const rows = padToTwo(n);
  const y = vectors, w = at(y, stride), v = at(w, stride), left = at(v, stride);
  const right = at(left, stride);
  clearPairs(stride, v);
  set(right, 0, 0.0);
  for (let k = 0; k < n; k++) {
    const start = k & ~1, rest = n - 1 - k;
    const u = at(p, start + k * ldp), next = at(u, ldp), length = rows - start;
    const across = at(w, start);
    if (k > 0) subtractColumn(length, get(v, k), across, u);
    const h = makeReflector(length, k, u, at(d, k));
    set(left, k, h);
    if (rest == 0) break;
    if (k == 0) columnDots(length, rest, h, u, next, ldp, at(y, k + 1));
    else updateAndDot(length, rest, across, at(v, k + 1), h, u, next, ldp, at(y, k + 1));
    const g = reflectRow(n, k, get(u, k & 1), y, p, ldp, q, ldq, e, v);
    set(right, k + 1, g);
    clearPairs(length, across);
    updateAndCombine(length, rest, u, at(y, k + 1), at(v, k + 1), next, ldp, across);
    scaleVector(length, g, across);
  }
  multiplyReflectors(n, rows, p, ldp, left);
  clearPairs(rows, q);
  multiplyReflectors(n, rows, q, ldq, right);
}

/** Row k of H_k A beyond the diagonal becomes a reflector: column k + 1 of q, and the vector v. */
function reflectRow(
  n: i32, k: i32, head: f64, y: usize, p: usize, ldp: i32, q: usize, ldq: i32, e: usize, v: usize,
): f64 {
  const column = at(q, (k + 1) * ldq);
  let row = at(p, k + (k + 1) * ldp);
  const step = (<usize>ldp) << 3;
  for (let j = k + 1; j < n; j++) {
    set(column, j, get(row, 0) - head * get(y, j));
    row += step;
  }
  const start = (k + 1) & ~1, rows = padToTwo(n);
  if (rows > n) set(column, n, 0.0);
  const g = makeReflector(rows - start, k + 1, at(column, start), at(e, k));
  for (let j = k + 1; j < n; j++) set(v, j, get(column, j));
  return g;
}

function scaleVector(length: i32, scale: f64, x: usize): void {
  const factor = f64x2.splat(scale);
  for (let i = 0; i < length; i += 2) setPair(x, i, f64x2.mul(factor, getPair(x, i)));
}
