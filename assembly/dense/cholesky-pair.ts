// Half solves with a Cholesky factor for two right-hand sides together. Inside a diagonal tile the
// lanes are the right-hand sides, so that one chain of dependent operations serves both; past it
// they share the loads of L. The operations on each are those of cholesky-solve.ts, in the same
// order.

import { at, firstLanes, getPair, secondLanes, setPair, splat } from "../math/slots";

/** y = L^-1 y and z = L^-1 z; both have p slots. */
export function forwardPair(p: i32, factor: usize, y: usize, z: usize): void {
  for (let k = 0; k < p; k += 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k), t = at(z, k);
    const s0 = getPair(s, 0), t0 = getPair(t, 0), s2 = getPair(s, 2), t2 = getPair(t, 2);
    const x0 = f64x2.mul(firstLanes(s0, t0), splat(r, 0));
    let x1 = f64x2.sub(secondLanes(s0, t0), f64x2.mul(splat(l0, 1), x0));
    x1 = f64x2.mul(x1, splat(r, 1));
    let x2 = f64x2.sub(firstLanes(s2, t2), f64x2.mul(splat(l0, 2), x0));
    x2 = f64x2.mul(f64x2.sub(x2, f64x2.mul(splat(l1, 2), x1)), splat(r, 2));
    let x3 = f64x2.sub(secondLanes(s2, t2), f64x2.mul(splat(l0, 3), x0));
    x3 = f64x2.sub(x3, f64x2.mul(splat(l1, 3), x1));
    x3 = f64x2.mul(f64x2.sub(x3, f64x2.mul(splat(l2, 3), x2)), splat(r, 3));
    setTiles(s, t, x0, x1, x2, x3);
    if (k + 4 < p) {
      const a0 = firstLanes(x0, x0), a1 = firstLanes(x1, x1), a2 = firstLanes(x2, x2);
      const a3 = firstLanes(x3, x3), b0 = secondLanes(x0, x0), b1 = secondLanes(x1, x1);
      const b2 = secondLanes(x2, x2), b3 = secondLanes(x3, x3);
      for (let i = 4; i < p - k; i += 2) {
        const c0 = getPair(l0, i), c1 = getPair(l1, i), c2 = getPair(l2, i), c3 = getPair(l3, i);
        subtractFour(s, i, c0, c1, c2, c3, a0, a1, a2, a3);
        subtractFour(t, i, c0, c1, c2, c3, b0, b1, b2, b3);
      }
    }
  }
}

/** y = L^-T y and z = L^-T z; both have p slots. */
export function backwardPair(p: i32, factor: usize, y: usize, z: usize): void {
  for (let k = p - 4; k >= 0; k -= 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k), t = at(z, k);
    const s0 = getPair(s, 0), t0 = getPair(t, 0), s2 = getPair(s, 2), t2 = getPair(t, 2);
    let x0 = firstLanes(s0, t0), x1 = secondLanes(s0, t0);
    let x2 = firstLanes(s2, t2), x3 = secondLanes(s2, t2);
    if (k + 4 < p) {
      x0 = f64x2.sub(x0, twoDots(p - k, l0, s, t));
      x1 = f64x2.sub(x1, twoDots(p - k, l1, s, t));
      x2 = f64x2.sub(x2, twoDots(p - k, l2, s, t));
      x3 = f64x2.sub(x3, twoDots(p - k, l3, s, t));
    }
    x3 = f64x2.mul(x3, splat(r, 3));
    x2 = f64x2.mul(f64x2.sub(x2, f64x2.mul(splat(l2, 3), x3)), splat(r, 2));
    x1 = f64x2.sub(x1, f64x2.mul(splat(l1, 2), x2));
    x1 = f64x2.mul(f64x2.sub(x1, f64x2.mul(splat(l1, 3), x3)), splat(r, 1));
    x0 = f64x2.sub(x0, f64x2.mul(splat(l0, 1), x1));
    x0 = f64x2.sub(x0, f64x2.mul(splat(l0, 2), x2));
    x0 = f64x2.mul(f64x2.sub(x0, f64x2.mul(splat(l0, 3), x3)), splat(r, 0));
    setTiles(s, t, x0, x1, x2, x3);
  }
}

/** Products of a column of L with two right-hand sides, from slot 4 of the tile to `end`. */
// @ts-ignore: decorator
@inline
function twoDots(end: i32, column: usize, s: usize, t: usize): v128 {
  let first = f64x2.splat(0.0), second = first;
  for (let i = 4; i < end; i += 2) {
    const pair = getPair(column, i);
    first = f64x2.add(first, f64x2.mul(pair, getPair(s, i)));
    second = f64x2.add(second, f64x2.mul(pair, getPair(t, i)));
  }
  return f64x2.add(firstLanes(first, second), secondLanes(first, second));
}

/** Subtracts the multiples of four pairs from the pair in a slot. */
// @ts-ignore: decorator
@inline
function subtractFour(
  s: usize, i: i32, c0: v128, c1: v128, c2: v128, c3: v128, a0: v128, a1: v128, a2: v128, a3: v128,
): void {
  let pair = f64x2.sub(getPair(s, i), f64x2.mul(c0, a0));
  pair = f64x2.sub(pair, f64x2.mul(c1, a1));
  pair = f64x2.sub(pair, f64x2.mul(c2, a2));
  setPair(s, i, f64x2.sub(pair, f64x2.mul(c3, a3)));
}

/** Converts lanes that are right-hand sides back to two tiles. */
// @ts-ignore: decorator
@inline
function setTiles(s: usize, t: usize, x0: v128, x1: v128, x2: v128, x3: v128): void {
  setPair(s, 0, firstLanes(x0, x1));
  setPair(s, 2, firstLanes(x2, x3));
  setPair(t, 0, secondLanes(x0, x1));
  setPair(t, 2, secondLanes(x2, x3));
}
