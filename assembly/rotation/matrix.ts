// Rotations as matrices and of vectors. R(e) carries body vectors to the world:
//
//   R v = v + 2 / |e|^2 (e0 (u x v) + u x (u x v)),   u = (e1, e2, e3),
//
// orthogonal for e of any length but zero. With w in the body frame, Rdot = R w~.
// Strides: 4 for e, 3 for vectors, 9 for matrices. SINGULAR and NON_FINITE name the body.

import { Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { squareOf, squareStatus } from "./quaternion";

/** R(e), 3 x 3, column-major; `square` is |e|^2. */
// @ts-ignore: decorator
@inline
export function setRotation(e: usize, square: f64, r: usize): void {
  const scale = 2.0 / square;
  const e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const s0 = scale * get(e, 0), s1 = scale * e1, s2 = scale * e2, s3 = scale * e3;
  set(r, 0, 1.0 - (s2 * e2 + s3 * e3));
  set(r, 1, s1 * e2 + s0 * e3);
  set(r, 2, s1 * e3 - s0 * e2);
  set(r, 3, s1 * e2 - s0 * e3);
  set(r, 4, 1.0 - (s1 * e1 + s3 * e3));
  set(r, 5, s2 * e3 + s0 * e1);
  set(r, 6, s1 * e3 + s0 * e2);
  set(r, 7, s2 * e3 - s0 * e1);
  set(r, 8, 1.0 - (s1 * e1 + s2 * e2));
}

/** R(e) of each body, 3 x 3, column-major. */
export function rotationMatrix(count: i32, e: usize, r: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let body = 0; body < count; body++) {
    const from = at(e, 4 * body), to = at(r, 9 * body);
    const square = squareOf(from);
    const status = squareStatus(square, body);
    if (status != Status.OK) return status;
    setRotation(from, square, to);
  }
  return Status.OK;
}

/** out = R(e) v: from the body to the world. out may be v. */
export function rotateVector(count: i32, e: usize, v: usize, out: usize): i32 {
  return rotateVectors(count, 1.0, e, v, out);
}

/** out = R(e)^T v: from the world to the body. out may be v. */
export function rotateVectorBack(count: i32, e: usize, v: usize, out: usize): i32 {
  return rotateVectors(count, -1.0, e, v, out);
}

/** The inverse rotation has the opposite scalar. */
function rotateVectors(count: i32, sign: f64, e: usize, v: usize, out: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let body = 0; body < count; body++) {
    const from = at(e, 4 * body), vector = at(v, 3 * body), to = at(out, 3 * body);
    const square = squareOf(from);
    const status = squareStatus(square, body);
    if (status != Status.OK) return status;
    const scale = 2.0 / square, e0 = sign * get(from, 0);
    const e1 = get(from, 1), e2 = get(from, 2), e3 = get(from, 3);
    const v1 = get(vector, 0), v2 = get(vector, 1), v3 = get(vector, 2);
    const c1 = scale * (e2 * v3 - e3 * v2);
    const c2 = scale * (e3 * v1 - e1 * v3);
    const c3 = scale * (e1 * v2 - e2 * v1);
    const x1 = v1 + e0 * c1 + (e2 * c3 - e3 * c2);
    const x2 = v2 + e0 * c2 + (e3 * c1 - e1 * c3);
    const x3 = v3 + e0 * c3 + (e1 * c2 - e2 * c1);
    if (!isNumber(x1 + x2 + x3)) return statusAt(Status.NON_FINITE, body);
    set(to, 0, x1);
    set(to, 1, x2);
    set(to, 2, x3);
  }
  return Status.OK;
}
