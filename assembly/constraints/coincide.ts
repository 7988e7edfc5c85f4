// Two points are one: phi = p_B - p_A, three rows along the axes of the world.
//
// With p = r + R s', the row along e_i has for B the linear part e_i and the angular part
//
//   R^T (s x e_i) = (R^T s) x (R^T e_i) = s' x (row i of R),
//
// which needs the marker's arm in its body and no product with R; for A the opposite. phiDot is the
// difference of the points' velocities, and gamma that of their drifts, A's minus B's.
//
// Rejected: rows along the axes of A. Their Jacobian is full and phi'' gets terms of a turning
// frame, for reactions that a rotation gives as well.

import { BodyFrame, MarkerFrame, Want } from "../layout-bodies";
import { at, get, set } from "../math/slots";
import { crossed } from "./rows";

// @ts-ignore: decorator
@inline
export function coincide(
  want: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, armA: usize, armB: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  if (want & Want.PHI) setDifference(at(B, MarkerFrame.POINT), at(A, MarkerFrame.POINT), phi);
  if (want & Want.JACOBIAN) {
    setPointRows(-1.0, bodyA, armA, rowA);
    setPointRows(1.0, bodyB, armB, rowB);
  }
  if (want & Want.RATES) {
    setDifference(at(B, MarkerFrame.VELOCITY), at(A, MarkerFrame.VELOCITY), phiDot);
    setDifference(at(A, MarkerFrame.DRIFT), at(B, MarkerFrame.DRIFT), gamma);
  }
}

// @ts-ignore: decorator
@inline
function setDifference(x: usize, y: usize, out: usize): void {
  set(out, 0, get(x, 0) - get(y, 0));
  set(out, 1, get(x, 1) - get(y, 1));
  set(out, 2, get(x, 2) - get(y, 2));
}

/** Three rows: sign [I, s' x (rows of R)]. */
// @ts-ignore: decorator
@inline
function setPointRows(sign: f64, body: usize, arm: usize, row: usize): void {
  const s0 = sign * get(arm, 0), s1 = sign * get(arm, 1), s2 = sign * get(arm, 2);
  setPointRow(sign, 0.0, 0.0, at(body, BodyFrame.ROTATION), s0, s1, s2, row);
  setPointRow(0.0, sign, 0.0, at(body, BodyFrame.ROTATION + 1), s0, s1, s2, at(row, 6));
  setPointRow(0.0, 0.0, sign, at(body, BodyFrame.ROTATION + 2), s0, s1, s2, at(row, 12));
}

// @ts-ignore: decorator
@inline
function setPointRow(
  n0: f64, n1: f64, n2: f64, r: usize, s0: f64, s1: f64, s2: f64, row: usize,
): void {
  const r0 = get(r, 0), r1 = get(r, 3), r2 = get(r, 6);
  set(row, 0, n0);
  set(row, 1, n1);
  set(row, 2, n2);
  set(row, 3, crossed(s1, s2, r1, r2));
  set(row, 4, crossed(s2, s0, r2, r0));
  set(row, 5, crossed(s0, s1, r0, r1));
}
