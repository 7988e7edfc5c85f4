// X = V diag(r) U^T by 4 x 4 tiles of X that stay in registers.
//
// Columns of V and U are padded to two: a tile at the edge reads up to three rows too many, which
// are the beginning of the next column (the panels of a decomposition have columns to spare) and
// which are not stored.

import { at, getPair, set, setPair, splat } from "../math/slots";

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
