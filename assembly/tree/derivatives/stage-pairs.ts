// Spatial vectors and matrices of complex numbers, as pairs of slots (implicit/complex-lu.ts): six
// pairs per vector, matrices column-major. Arms and axes are real.

import { times } from "../../implicit/complex-lu";
import { at, get, getPair, setPair } from "../../math/slots";

/** out += A x for a matrix of `count` columns. */
export function addTimes(count: i32, matrix: usize, x: usize, out: usize): void {
  let o0 = getPair(out, 0), o1 = getPair(out, 2), o2 = getPair(out, 4);
  let o3 = getPair(out, 6), o4 = getPair(out, 8), o5 = getPair(out, 10);
  for (let j = 0; j < count; j++) {
    const factor = getPair(x, 2 * j), column = at(matrix, 12 * j);
    o0 = f64x2.add(o0, times(factor, getPair(column, 0)));
    o1 = f64x2.add(o1, times(factor, getPair(column, 2)));
    o2 = f64x2.add(o2, times(factor, getPair(column, 4)));
    o3 = f64x2.add(o3, times(factor, getPair(column, 6)));
    o4 = f64x2.add(o4, times(factor, getPair(column, 8)));
    o5 = f64x2.add(o5, times(factor, getPair(column, 10)));
  }
  setPair(out, 0, o0);
  setPair(out, 2, o1);
  setPair(out, 4, o2);
  setPair(out, 6, o3);
  setPair(out, 8, o4);
  setPair(out, 10, o5);
}

/** S . f for a real S and a complex f. */
// @ts-ignore: decorator
@inline
export function forceAlong(axis: usize, force: usize): v128 {
  let sum = f64x2.splat(0.0);
  for (let k = 0; k < 6; k++) {
    sum = f64x2.add(sum, f64x2.mul(f64x2.splat(get(axis, k)), getPair(force, 2 * k)));
  }
  return sum;
}

/** x . y, without conjugation. */
// @ts-ignore: decorator
@inline
export function dotPairs(count: i32, x: usize, y: usize): v128 {
  let sum = f64x2.splat(0.0);
  for (let k = 0; k < 2 * count; k += 2) sum = f64x2.add(sum, times(getPair(x, k), getPair(y, k)));
  return sum;
}

/** Component i of r x y for a real r. */
// @ts-ignore: decorator
@inline
function crossed(r: usize, i: i32, y: usize): v128 {
  const j = (i + 1) % 3, k = (i + 2) % 3;
  return f64x2.sub(
    f64x2.mul(f64x2.splat(get(r, j)), getPair(y, 2 * k)),
    f64x2.mul(f64x2.splat(get(r, k)), getPair(y, 2 * j)),
  );
}

/** Carries a force inwards from a point at the arm r. */
export function carryPairs(r: usize, force: usize): void {
  for (let i = 0; i < 3; i++) {
    setPair(force, 2 * i, f64x2.add(getPair(force, 2 * i), crossed(r, i, at(force, 6))));
  }
}

/** Carries a motion of the parent to a point at the arm r: v + w x r. */
export function carryMotion(r: usize, from: usize, to: usize): void {
  for (let i = 0; i < 3; i++) {
    setPair(to, 2 * i, getPair(from, 2 * i));
    setPair(to, 6 + 2 * i, f64x2.sub(getPair(from, 6 + 2 * i), crossed(r, i, from)));
  }
}

/**
 * Columns of six motions at a point at the arm r, for motions of the parent: see carryColumns of
 * spatial.ts.
 */
export function addColumns(r: usize, matrix: usize): void {
  const r0 = f64x2.splat(get(r, 0)), r1 = f64x2.splat(get(r, 1)), r2 = f64x2.splat(get(r, 2));
  for (let i = 0; i < 12; i += 2) {
    const x = getPair(matrix, 36 + i), y = getPair(matrix, 48 + i), z = getPair(matrix, 60 + i);
    addPair(matrix, i, f64x2.sub(f64x2.mul(z, r1), f64x2.mul(y, r2)));
    addPair(matrix, 12 + i, f64x2.sub(f64x2.mul(x, r2), f64x2.mul(z, r0)));
    addPair(matrix, 24 + i, f64x2.sub(f64x2.mul(y, r0), f64x2.mul(x, r1)));
  }
}

// @ts-ignore: decorator
@inline
function addPair(to: usize, slot: i32, value: v128): void {
  setPair(to, slot, f64x2.add(getPair(to, slot), value));
}
