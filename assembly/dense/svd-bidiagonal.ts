// Reduction of a square matrix to upper bidiagonal form, A = P B Q^T (Golub & Kahan 1965; Golub &
// Van Loan, Matrix Computations, 5.4.8), two passes over the rest of A in each step:
//
//   u from column k, y = h A^T u                    fused with the end of the step before
//   row k of H A; v from it
//   A = A - u y^T, w = g A v                        one pass
//   A = A - w v^T                                   begins the next step

import { padToTwo } from "../layout";
import { at, get, getPair, set, setPair } from "../math/slots";
import {
  clearPairs, columnDots, subtractColumn, updateAndCombine, updateAndDot,
} from "./svd-columns";
import { makeReflector, multiplyReflectors } from "./svd-reflect";

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
