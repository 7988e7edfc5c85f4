// The register tiles of matrix products. Internal. The tiles' shapes are constants at each call:
// the compiler inlines them and drops the accumulators a smaller shape does not have.

import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";

/**
 * C = A B or C = C - A B for a tile of 2 `pairs` rows and `columns` columns (1, 2 or 4), summed
 * over `depth`. A and C are column-major; B's steps (in slots) along the sum and from column
 * to column are given, so that B may be stored either way. One pair of A serves all columns.
 */
// @ts-ignore: decorator
@inline
export function outerTile(
  pairs: i32, columns: i32, subtract: bool, depth: i32,
  a: usize, lda: i32, b: usize, stepDepth: i32, stepColumn: i32, c: usize, ldc: i32,
): void {
  const zero = f64x2.splat(0.0);
  let c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero, d2 = zero, d3 = zero;
  const stepA = (<usize>lda) << 3, stepB = (<usize>stepDepth) << 3;
  const next = (<usize>stepColumn) << 3;
  for (let p = 0; p < depth; p++) {
    const upper = getPair(a, 0), lower = pairs > 1 ? getPair(a, 2) : zero;
    let s = splat(b, 0);
    c0 = f64x2.add(c0, f64x2.mul(upper, s));
    if (pairs > 1) d0 = f64x2.add(d0, f64x2.mul(lower, s));
    if (columns > 1) {
      s = splat(b + next, 0);
      c1 = f64x2.add(c1, f64x2.mul(upper, s));
      if (pairs > 1) d1 = f64x2.add(d1, f64x2.mul(lower, s));
    }
    if (columns > 2) {
      s = splat(b + 2 * next, 0);
      c2 = f64x2.add(c2, f64x2.mul(upper, s));
      if (pairs > 1) d2 = f64x2.add(d2, f64x2.mul(lower, s));
      s = splat(b + 3 * next, 0);
      c3 = f64x2.add(c3, f64x2.mul(upper, s));
      if (pairs > 1) d3 = f64x2.add(d3, f64x2.mul(lower, s));
    }
    a += stepA;
    b += stepB;
  }
  putColumn(pairs, subtract, c, c0, d0);
  if (columns > 1) putColumn(pairs, subtract, at(c, ldc), c1, d1);
  if (columns > 2) {
    putColumn(pairs, subtract, at(c, 2 * ldc), c2, d2);
    putColumn(pairs, subtract, at(c, 3 * ldc), c3, d3);
  }
}

// @ts-ignore: decorator
@inline
function putColumn(pairs: i32, subtract: bool, c: usize, upper: v128, lower: v128): void {
  setPair(c, 0, subtract ? f64x2.sub(getPair(c, 0), upper) : upper);
  if (pairs > 1) setPair(c, 2, subtract ? f64x2.sub(getPair(c, 2), lower) : lower);
}

/** C = C - A B for a 4 x 4 tile, all column-major. */
export function subtractTile(
  depth: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32,
): void {
  outerTile(2, 4, true, depth, a, lda, b, 1, ldb, c, ldc);
}

/**
 * C = A^T B for a tile of `rows` columns of A and `columns` columns of B (1 or 2 each): dots whose
 * lanes are neighbours along the sum. When `mirror` is given, the transposed tile is written there.
 */
// @ts-ignore: decorator
@inline
export function dotTile(
  rows: i32, columns: i32, depth: i32, a: usize, lda: i32, b: usize, ldb: i32,
  c: usize, ldc: i32, mirror: usize,
): void {
  const a1 = at(a, lda), b1 = at(b, ldb);
  let c00 = f64x2.splat(0.0), c10 = c00, c01 = c00, c11 = c00;
  let p = 0;
  for (; p + 2 <= depth; p += 2) {
    const left = getPair(a, p), right = getPair(b, p);
    c00 = f64x2.add(c00, f64x2.mul(left, right));
    if (rows > 1) c10 = f64x2.add(c10, f64x2.mul(getPair(a1, p), right));
    if (columns > 1) c01 = f64x2.add(c01, f64x2.mul(left, getPair(b1, p)));
    if (rows > 1 && columns > 1) c11 = f64x2.add(c11, f64x2.mul(getPair(a1, p), getPair(b1, p)));
  }
  const odd = p < depth;
  putDot(odd, p, a, b, c00, c, 0, mirror, 0);
  if (rows > 1) putDot(odd, p, a1, b, c10, c, 1, mirror, ldc);
  if (columns > 1) putDot(odd, p, a, b1, c01, c, ldc, mirror, 1);
  if (rows > 1 && columns > 1) putDot(odd, p, a1, b1, c11, c, ldc + 1, mirror, ldc + 1);
}

// @ts-ignore: decorator
@inline
function putDot(
  odd: bool, p: i32, a: usize, b: usize, pair: v128, c: usize, slot: i32, mirror: usize, other: i32,
): void {
  const value = odd ? laneSum(pair) + get(a, p) * get(b, p) : laneSum(pair);
  set(c, slot, value);
  if (mirror != 0) set(mirror, other, value);
}
