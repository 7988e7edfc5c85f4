// Second derivatives of what primitives are made of, added to a dense matrix.
//
// Let L_i be the derivative along coordinate i of a displacement: a translation along axis i of the
// world, or a turn about axis i of the body, theta_i = R e_i. An entry of J^T lambda is
// L_i (lambda . phi), and the stiffness K_ij = L_j L_i (lambda . phi): row i, column j. Turns do
// not commute, so K is not symmetric. For a vector x fixed in the body, because L_j R = R (e_j x),
//
//   L_i x = theta_i x x,
//   L_j L_i x = theta_j x (theta_i x x) = theta_i (theta_j . x) - x (theta_i . theta_j)
//
// for turns of its body, and 0 for all else. Two kinds of blocks then say everything:
//
//   turns   E(x, y)_ij = (theta_i . theta_j)(x . y) - (theta_i . x)(theta_j . y):
//           (theta_i x y) . (theta_j x x) = E(x, y)_ij,   x . (L_j L_i y) = -E(x, y)_ij
//   arms    C(x)_ij = (theta_j x x)_i:  row i a translation, column j a turn; and its transpose
//
// size: rows of the matrix; i, j: first row and column. Blocks of the ground, from `size` on, are
// dropped.

import { at, get, set } from "../math/slots";
import { inner } from "../constraints/rows";

// @ts-ignore: decorator
@inline
function add(out: usize, size: i32, row: i32, column: i32, value: f64): void {
  const to = row + column * size;
  set(out, to, get(out, to) + value);
}

/** value I */
export function addIdentity(out: usize, size: i32, i: i32, j: i32, value: f64): void {
  if (i >= size || j >= size) return;
  for (let k = 0; k < 3; k++) add(out, size, i + k, j + k, value);
}

/** factor E(x, y), rows turns of one body, columns of another (or the same). */
export function addTurns(
  out: usize, size: i32, i: i32, j: i32, bodyI: usize, bodyJ: usize, factor: f64,
  x0: f64, x1: f64, x2: f64, y0: f64, y1: f64, y2: f64,
): void {
  if (i >= size || j >= size) return;
  const product = factor * inner(x0, x1, x2, y0, y1, y2);
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column), c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
    const y = factor * inner(c0, c1, c2, y0, y1, y2);
    for (let row = 0; row < 3; row++) {
      const r = at(bodyI, 3 * row), r0 = get(r, 0), r1 = get(r, 1), r2 = get(r, 2);
      const value = product * inner(r0, r1, r2, c0, c1, c2) - inner(r0, r1, r2, x0, x1, x2) * y;
      add(out, size, i + row, j + column, value);
    }
  }
}

/** factor (R_I^T x)(R_J^T y)^T */
export function addOuter(
  out: usize, size: i32, i: i32, j: i32, bodyI: usize, bodyJ: usize, factor: f64,
  x0: f64, x1: f64, x2: f64, y0: f64, y1: f64, y2: f64,
): void {
  if (i >= size || j >= size) return;
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column);
    const y = factor * inner(get(c, 0), get(c, 1), get(c, 2), y0, y1, y2);
    for (let row = 0; row < 3; row++) {
      const r = at(bodyI, 3 * row);
      add(out, size, i + row, j + column, inner(get(r, 0), get(r, 1), get(r, 2), x0, x1, x2) * y);
    }
  }
}

/** factor C(x) at translations i and turns j of `body`, and its transpose. */
export function addArms(
  out: usize, size: i32, i: i32, j: i32, body: usize, factor: f64, x0: f64, x1: f64, x2: f64,
): void {
  if (i >= size || j >= size) return;
  for (let column = 0; column < 3; column++) {
    const c = at(body, 3 * column);
    const c0 = factor * get(c, 0), c1 = factor * get(c, 1), c2 = factor * get(c, 2);
    addTwice(out, size, i, j + column, c1 * x2 - c2 * x1);
    addTwice(out, size, i + 1, j + column, c2 * x0 - c0 * x2);
    addTwice(out, size, i + 2, j + column, c0 * x1 - c1 * x0);
  }
}

// @ts-ignore: decorator
@inline
function addTwice(out: usize, size: i32, row: i32, column: i32, value: f64): void {
  add(out, size, row, column, value);
  add(out, size, column, row, value);
}

/** factor x y^T for Jacobian rows x and y of two bodies. */
export function addProduct(
  out: usize, size: i32, i: i32, j: i32, factor: f64, x: usize, y: usize,
): void {
  if (i >= size || j >= size) return;
  for (let column = 0; column < 6; column++) {
    const scaled = factor * get(y, column);
    for (let row = 0; row < 6; row++) add(out, size, i + row, j + column, get(x, row) * scaled);
  }
}
