// Building blocks of primitives. A primitive gets the addresses of its operands, resolved by
// the registry (A and B: MarkerFrame; bodyA and bodyB: BodyFrame; rowA and rowB: its Jacobian row
// for each body; phi, phiDot, gamma: its slots in the results), and reads no table. Vectors are
// three locals: the compiler keeps them in registers, and no scratch memory is needed. Rolling, of
// which there are few rows, is the exception.
//
// For a body turning with w, vectors fixed in it follow x' = w x x, and with w' = 0 (what gamma
// leaves out) x'' = w x (w x x). A displacement of the body moves x by theta x x, so x . y for a
// constant vector y has the derivative theta . (x x y): in the body frame, R^T (x x y).

import { rotateBack } from "../kinematics/vector";
import { at, get, set, setPair } from "../math/slots";

/** x . y */
// @ts-ignore: decorator
@inline
export function inner(x0: f64, x1: f64, x2: f64, y0: f64, y1: f64, y2: f64): f64 {
  return x0 * y0 + x1 * y1 + x2 * y2;
}

/** A component of x x y, from the next two components of x and y in cyclic order. */
// @ts-ignore: decorator
@inline
export function crossed(x1: f64, x2: f64, y1: f64, y2: f64): f64 {
  return x1 * y2 - x2 * y1;
}

/** Component i of x x y. */
// @ts-ignore: decorator
@inline
export function crossAt(x: usize, y: usize, i: i32): f64 {
  const j = (i + 1) % 3, k = (i + 2) % 3;
  return get(x, j) * get(y, k) - get(x, k) * get(y, j);
}

/** Row of a body that moves the point at arm s along n: linear n, angular R^T (s x n). */
// @ts-ignore: decorator
@inline
export function setMoving(
  row: usize, body: usize, n0: f64, n1: f64, n2: f64, s0: f64, s1: f64, s2: f64,
): void {
  set(row, 0, n0);
  set(row, 1, n1);
  set(row, 2, n2);
  rotateBack(
    body, crossed(s1, s2, n1, n2), crossed(s2, s0, n2, n0), crossed(s0, s1, n0, n1), at(row, 3),
  );
}

/** Row of a body that only turns: linear 0, angular R^T m. */
// @ts-ignore: decorator
@inline
export function setTurning(row: usize, body: usize, m0: f64, m1: f64, m2: f64): void {
  setPair(row, 0, f64x2.splat(0.0));
  set(row, 2, 0.0);
  rotateBack(body, m0, m1, m2, at(row, 3));
}

/** Adds R^T m to the angular part of a row. */
// @ts-ignore: decorator
@inline
export function addTurning(row: usize, body: usize, m0: f64, m1: f64, m2: f64): void {
  const before0 = get(row, 3), before1 = get(row, 4), before2 = get(row, 5);
  rotateBack(body, m0, m1, m2, at(row, 3));
  set(row, 3, before0 + get(row, 3));
  set(row, 4, before1 + get(row, 4));
  set(row, 5, before2 + get(row, 5));
}
