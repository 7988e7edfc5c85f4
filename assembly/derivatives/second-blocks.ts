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
// size: rows of the matrix; i, j: first row and column of a block; block: where it lies. Blocks of
// the ground, from `size` on, lie nowhere (0) and are dropped.

import { at, get, getPair, set, setPair } from "../math/slots";
import { inner } from "../constraints/rows";

// @ts-ignore: decorator
@inline
function add(out: usize, size: i32, row: i32, column: i32, value: f64): void {
  const to = row + column * size;
  set(out, to, get(out, to) + value);
}

/** Where a block of the matrix lies. */
// @ts-ignore: decorator
@inline
export function blockOf(out: usize, size: i32, i: i32, j: i32): usize {
  return i >= size || j >= size ? 0 : at(out, i + j * size);
}

/** value I */
export function addIdentity(out: usize, size: i32, i: i32, j: i32, value: f64): void {
  if (i >= size || j >= size) return;
  for (let k = 0; k < 3; k++) add(out, size, i + k, j + k, value);
}

/** factor E(x, y), rows turns of one body, columns of another (or the same). */
export function addTurns(
  block: usize, size: i32, bodyI: usize, bodyJ: usize, factor: f64,
  x0: f64, x1: f64, x2: f64, y0: f64, y1: f64, y2: f64,
): void {
  if (block == 0) return;
  const product = factor * inner(x0, x1, x2, y0, y1, y2);
  const r0 = get(bodyI, 0), r1 = get(bodyI, 1), r2 = get(bodyI, 2);
  const r3 = get(bodyI, 3), r4 = get(bodyI, 4), r5 = get(bodyI, 5);
  const r6 = get(bodyI, 6), r7 = get(bodyI, 7), r8 = get(bodyI, 8);
  const p0 = inner(r0, r1, r2, x0, x1, x2), p1 = inner(r3, r4, r5, x0, x1, x2);
  const p2 = inner(r6, r7, r8, x0, x1, x2);
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column), c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
    const y = factor * inner(c0, c1, c2, y0, y1, y2);
    const to = at(block, column * size);
    set(to, 0, get(to, 0) + (product * inner(r0, r1, r2, c0, c1, c2) - p0 * y));
    set(to, 1, get(to, 1) + (product * inner(r3, r4, r5, c0, c1, c2) - p1 * y));
    set(to, 2, get(to, 2) + (product * inner(r6, r7, r8, c0, c1, c2) - p2 * y));
  }
}

/** factor (R_I^T x)(R_J^T y)^T */
export function addOuter(
  block: usize, size: i32, bodyI: usize, bodyJ: usize, factor: f64, x: usize, y: usize,
): void {
  if (block == 0) return;
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  const y0 = get(y, 0), y1 = get(y, 1), y2 = get(y, 2);
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column);
    const scaled = factor * inner(get(c, 0), get(c, 1), get(c, 2), y0, y1, y2);
    for (let row = 0; row < 3; row++) {
      const r = at(bodyI, 3 * row);
      const product = inner(get(r, 0), get(r, 1), get(r, 2), x0, x1, x2) * scaled;
      add(block, size, row, column, product);
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
  const first = getPair(x, 0), second = getPair(x, 2), third = getPair(x, 4);
  let to = at(out, i + j * size);
  for (let column = 0; column < 6; column++) {
    const scaled = f64x2.splat(factor * get(y, column));
    setPair(to, 0, f64x2.add(getPair(to, 0), f64x2.mul(first, scaled)));
    setPair(to, 2, f64x2.add(getPair(to, 2), f64x2.mul(second, scaled)));
    setPair(to, 4, f64x2.add(getPair(to, 4), f64x2.mul(third, scaled)));
    to = at(to, size);
  }
}
