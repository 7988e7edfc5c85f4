// 3-vectors in the world, written to memory.

import { at, get, set } from "../math/slots";

/** out = R^T x: from the world to the body. R is column-major. out must not be x. */
// @ts-ignore: decorator
@inline
export function rotateBack(r: usize, x0: f64, x1: f64, x2: f64, out: usize): void {
  set(out, 0, get(r, 0) * x0 + get(r, 1) * x1 + get(r, 2) * x2);
  set(out, 1, get(r, 3) * x0 + get(r, 4) * x1 + get(r, 5) * x2);
  set(out, 2, get(r, 6) * x0 + get(r, 7) * x1 + get(r, 8) * x2);
}

/** out = R x: from the body to the world. out must not be x. */
// @ts-ignore: decorator
@inline
export function rotate(r: usize, x: usize, out: usize): void {
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  for (let i = 0; i < 3; i++) {
    set(out, i, get(r, i) * x0 + get(r, 3 + i) * x1 + get(r, 6 + i) * x2);
  }
}

/** {@link rotate} for three vectors, with R in registers. */
// @ts-ignore: decorator
@inline
export function rotateThree(r: usize, x: usize, out: usize): void {
  const r0 = get(r, 0), r1 = get(r, 1), r2 = get(r, 2);
  const r3 = get(r, 3), r4 = get(r, 4), r5 = get(r, 5);
  const r6 = get(r, 6), r7 = get(r, 7), r8 = get(r, 8);
  let from = x, to = out;
  for (let i = 0; i < 3; i++) {
    const x0 = get(from, 0), x1 = get(from, 1), x2 = get(from, 2);
    set(to, 0, r0 * x0 + r3 * x1 + r6 * x2);
    set(to, 1, r1 * x0 + r4 * x1 + r7 * x2);
    set(to, 2, r2 * x0 + r5 * x1 + r8 * x2);
    from = at(from, 3);
    to = at(to, 3);
  }
}

/** Writes three values. */
// @ts-ignore: decorator
@inline
export function setThree(out: usize, x0: f64, x1: f64, x2: f64): void {
  set(out, 0, x0);
  set(out, 1, x1);
  set(out, 2, x2);
}

/** x . y */
// @ts-ignore: decorator
@inline
export function dot3(x: usize, y: usize): f64 {
  return get(x, 0) * get(y, 0) + get(x, 1) * get(y, 1) + get(x, 2) * get(y, 2);
}

/** out = x x y. out must not be x or y. */
// @ts-ignore: decorator
@inline
export function cross(x: usize, y: usize, out: usize): void {
  set(out, 0, get(x, 1) * get(y, 2) - get(x, 2) * get(y, 1));
  set(out, 1, get(x, 2) * get(y, 0) - get(x, 0) * get(y, 2));
  set(out, 2, get(x, 0) * get(y, 1) - get(x, 1) * get(y, 0));
}
