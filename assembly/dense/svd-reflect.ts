// Householder reflections H = I - h u u^T with u = x - beta e and h = 1 / (beta (beta - alpha)),
// so that H x = beta e (Golub & Van Loan, Matrix Computations, 5.1). u is x except for its first
// element and is left unchanged: scaling it would cost a pass. beta has the sign opposite to alpha
// = x_0, so nothing cancels. A reflector lies at and below the diagonal of its column; a pair that
// begins above the diagonal begins with a zero.

import { at, get, getPair, set, setPair } from "../math/slots";
import { clearPairs, reflectColumns, sumOfSquares } from "./svd-columns";

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
