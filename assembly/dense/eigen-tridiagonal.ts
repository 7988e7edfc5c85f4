// Reduction of a symmetric matrix to tridiagonal form, A = Z T Z^T (Golub & Van Loan, Matrix
// Computations, 8.3.1), one pass over what is left of A in each step:
//
//   u from column k, y = h A u                      fused with the end of the step before
//   w = y - (h / 2) (y . u) u
//   A = A - u w^T - w u^T                           begins the next step
//
// Both triangles are stored: then all columns are complete and A u is a dot product with each.

import { padToTwo } from "../layout";
import { at, get, getPair, set, setPair, splat } from "../math/slots";
import { clearPairs, columnDots, laneSums, subtractColumn } from "./svd-columns";
import { makeReflector, multiplyReflectors } from "./svd-reflect";

/**
 * Reduces the n x n matrix at `a`, which is overwritten; z becomes Z, d the diagonal of T and e its
 * subdiagonal. `vectors` is scratch for four vectors of length `stride`.
 */
export function tridiagonalise(
  n: i32, a: usize, z: usize, ld: i32, d: usize, e: usize, vectors: usize, stride: i32,
): void {
  const rows = padToTwo(n);
  const y = vectors, u = at(y, stride), w = at(u, stride), factors = at(w, stride);
  clearPairs(2 * stride, u);
  clearPairs(rows, z);
  set(factors, 0, 0.0);
  for (let k = 0; k < n; k++) {
    const here = k & ~1, column = at(a, k * ld);
    if (k > 0) {
      subtractColumn(rows - here, get(w, k), at(u, here), at(column, here));
      subtractColumn(rows - here, get(u, k), at(w, here), at(column, here));
    }
    set(d, k, get(column, k));
    if (k == n - 1) break;
    const start = (k + 1) & ~1, length = rows - start, rest = n - 1 - k;
    const reflector = at(z, start + (k + 1) * ld), next = at(column, ld + start);
    for (let i = 0; i < length; i += 2) setPair(reflector, i, getPair(column, start + i));
    const h = makeReflector(length, k + 1, reflector, at(e, k));
    set(factors, k + 1, h);
    if (k == 0) columnDots(length, rest, h, reflector, next, ld, at(y, k + 1));
    else updateAndDot(length, rest, k + 1, start, u, w, h, reflector, next, ld, at(y, k + 1));
    for (let i = k + 1; i < n; i++) set(u, i, get(reflector, i - start));
    correct(k + 1, n, h, u, y, w);
  }
  multiplyReflectors(n, rows, z, ld, factors);
}

/** w = y - (h / 2) (y . u) u, from element `first` on; the element before it becomes zero. */
function correct(first: i32, n: i32, h: f64, u: usize, y: usize, w: usize): void {
  let dot = 0.0;
  for (let i = first; i < n; i++) dot += get(y, i) * get(u, i);
  const half = 0.5 * h * dot;
  for (let i = first; i < n; i++) set(w, i, get(y, i) - half * get(u, i));
  set(w, first - 1, 0.0);
  set(u, first - 1, 0.0);
}

/** a_j = a_j - w_j u - u_j w, then y_j = h (v . a_j): columns from `first`, rows from `start`. */
function updateAndDot(
  length: i32, count: i32, first: i32, start: i32, u: usize, w: usize, h: f64, v: usize,
  a: usize, lda: i32, y: usize,
): void {
  const end = at(v, length), scale = f64x2.splat(h);
  for (let j = 0; j < count; j += 2) {
    let a0 = at(a, j * lda), a1 = at(a0, lda);
    const u0 = splat(u, first + j), u1 = splat(u, first + j + 1);
    const w0 = splat(w, first + j), w1 = splat(w, first + j + 1);
    let y0 = f64x2.splat(0.0), y1 = y0;
    let left = at(u, start), right = at(w, start);
    for (let row = v; row < end; row += 16) {
      const pair = getPair(row, 0), uPair = getPair(left, 0), wPair = getPair(right, 0);
      const change0 = f64x2.add(f64x2.mul(w0, uPair), f64x2.mul(u0, wPair));
      const change1 = f64x2.add(f64x2.mul(w1, uPair), f64x2.mul(u1, wPair));
      const p0 = f64x2.sub(getPair(a0, 0), change0), p1 = f64x2.sub(getPair(a1, 0), change1);
      y0 = f64x2.add(y0, f64x2.mul(pair, p0));
      y1 = f64x2.add(y1, f64x2.mul(pair, p1));
      setPair(a0, 0, p0);
      setPair(a1, 0, p1);
      left += 16;
      right += 16;
      a0 += 16;
      a1 += 16;
    }
    setPair(y, j, f64x2.mul(laneSums(y0, y1), scale));
  }
}
