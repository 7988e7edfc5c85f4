// Second derivatives of the building blocks of primitives, added to a block matrix.
//
// Let L_i be the derivative along coordinate i of a displacement: a translation along axis i of the
// world, or a turn about axis i of the body, theta_i = R e_i. An entry of J^T lambda is
// L_i (lambda . phi), and the stiffness K_ij = L_j L_i (lambda . phi): row i, column j. Turns do
// not commute, so K is not symmetric. For a vector x fixed in the body, because L_j R = R (e_j x),
//
//   L_i x = theta_i x x,
//   L_j L_i x = theta_j x (theta_i x x) = theta_i (theta_j . x) - x (theta_i . theta_j)
//
// for turns of its body, and 0 otherwise. Two kinds of blocks are then sufficient:
//
//   turns   E(x, y)_ij = (theta_i . theta_j)(x . y) - (theta_i . x)(theta_j . y):
//           (theta_i x y) . (theta_j x x) = E(x, y)_ij,   x . (L_j L_i y) = -E(x, y)_ij
//   arms    C(x)_ij = (theta_j x x)_i:  row i a translation, column j a turn; and its transpose
//
// Matrices are consecutive blocks of 6 x 6, column-major, for pairs of bodies: a joint or a
// force touches few of them, and a dense matrix of a thousand bodies would take a quarter of a
// gigabyte. `blocks` is their pattern (BlockPattern). i, j: first row and column of what is added,
// in the full matrix. Blocks of the ground, whose index is the number of bodies, are not stored and
// are dropped.

import { BlockPattern } from "../layout-stiff";
import { at, get, getInteger, getPair, set, setPair } from "../math/slots";
import { inner } from "../constraints/rows";

/** Slots from the beginning of the matrix to row i, column j; -1 if there is no such block. */
export function blockOf(blocks: usize, i: i32, j: i32): i32 {
  const bodies = getInteger(blocks, BlockPattern.BODIES), row = i / 6, column = j / 6;
  if (row >= bodies || column >= bodies) return -1;
  const starts = blocks + (BlockPattern.STARTS << 2);
  const list = starts + ((<usize>(bodies + 1)) << 2);
  // Binary search: one body may touch all others.
  let from = getInteger(starts, row), end = getInteger(starts, row + 1);
  while (from < end) {
    const middle = (from + end) >> 1, found = getInteger(list, middle);
    if (found == column) return 36 * middle + (i - 6 * row) + 6 * (j - 6 * column);
    if (found < column) from = middle + 1;
    else end = middle;
  }
  return -1;
}

/** value I */
export function addIdentity(out: usize, blocks: usize, i: i32, j: i32, value: f64): void {
  const to = blockOf(blocks, i, j);
  if (to < 0) return;
  for (let k = to; k < to + 21; k += 7) set(out, k, get(out, k) + value);
}

/** factor E(x, y), rows turns of one body, columns of another (or the same). */
export function addTurns(
  out: usize, block: i32, bodyI: usize, bodyJ: usize, factor: f64,
  x0: f64, x1: f64, x2: f64, y0: f64, y1: f64, y2: f64,
): void {
  if (block < 0) return;
  const product = factor * inner(x0, x1, x2, y0, y1, y2);
  const r0 = get(bodyI, 0), r1 = get(bodyI, 1), r2 = get(bodyI, 2);
  const r3 = get(bodyI, 3), r4 = get(bodyI, 4), r5 = get(bodyI, 5);
  const r6 = get(bodyI, 6), r7 = get(bodyI, 7), r8 = get(bodyI, 8);
  const p0 = inner(r0, r1, r2, x0, x1, x2), p1 = inner(r3, r4, r5, x0, x1, x2);
  const p2 = inner(r6, r7, r8, x0, x1, x2);
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column), c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
    const y = factor * inner(c0, c1, c2, y0, y1, y2);
    const to = at(out, block + 6 * column);
    set(to, 0, get(to, 0) + (product * inner(r0, r1, r2, c0, c1, c2) - p0 * y));
    set(to, 1, get(to, 1) + (product * inner(r3, r4, r5, c0, c1, c2) - p1 * y));
    set(to, 2, get(to, 2) + (product * inner(r6, r7, r8, c0, c1, c2) - p2 * y));
  }
}

/** factor (R_I^T x)(R_J^T y)^T */
export function addOuter(
  out: usize, block: i32, bodyI: usize, bodyJ: usize, factor: f64, x: usize, y: usize,
): void {
  if (block < 0) return;
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  const y0 = get(y, 0), y1 = get(y, 1), y2 = get(y, 2);
  for (let column = 0; column < 3; column++) {
    const c = at(bodyJ, 3 * column);
    const scaled = factor * inner(get(c, 0), get(c, 1), get(c, 2), y0, y1, y2);
    for (let row = 0; row < 3; row++) {
      const r = at(bodyI, 3 * row);
      const product = inner(get(r, 0), get(r, 1), get(r, 2), x0, x1, x2) * scaled;
      const to = block + row + 6 * column;
      set(out, to, get(out, to) + product);
    }
  }
}

/** factor C(x) at translations i and turns j of `body`, and its transpose. */
export function addArms(
  out: usize, blocks: usize, i: i32, j: i32, body: usize, factor: f64, x0: f64, x1: f64, x2: f64,
): void {
  const to = blockOf(blocks, i, j), transposed = blockOf(blocks, j, i);
  if (to < 0) return;
  for (let column = 0; column < 3; column++) {
    const c = at(body, 3 * column);
    const c0 = factor * get(c, 0), c1 = factor * get(c, 1), c2 = factor * get(c, 2);
    addTwice(out, to + 6 * column, transposed + column, c1 * x2 - c2 * x1);
    addTwice(out, to + 1 + 6 * column, transposed + 6 + column, c2 * x0 - c0 * x2);
    addTwice(out, to + 2 + 6 * column, transposed + 12 + column, c0 * x1 - c1 * x0);
  }
}

// @ts-ignore: decorator
@inline
function addTwice(out: usize, first: i32, second: i32, value: f64): void {
  set(out, first, get(out, first) + value);
  set(out, second, get(out, second) + value);
}

/** factor x y^T for Jacobian rows x and y of two bodies. */
export function addProduct(
  out: usize, blocks: usize, i: i32, j: i32, factor: f64, x: usize, y: usize,
): void {
  const block = blockOf(blocks, i, j);
  if (block < 0) return;
  const first = getPair(x, 0), second = getPair(x, 2), third = getPair(x, 4);
  let to = at(out, block);
  for (let column = 0; column < 6; column++) {
    const scaled = f64x2.splat(factor * get(y, column));
    setPair(to, 0, f64x2.add(getPair(to, 0), f64x2.mul(first, scaled)));
    setPair(to, 2, f64x2.add(getPair(to, 2), f64x2.mul(second, scaled)));
    setPair(to, 4, f64x2.add(getPair(to, 4), f64x2.mul(third, scaled)));
    to = at(to, 6);
  }
}
