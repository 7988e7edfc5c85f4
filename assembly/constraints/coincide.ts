// Two points coincide: phi = p_B - p_A, three rows along the axes of the world.
//
// With p = r + R s', the row along e_i has for B the linear part e_i and the angular part
//
//   R^T (s x e_i) = (R^T s) x (R^T e_i) = s' x (row i of R),
//
// which needs the marker's arm in its body and no product with R; for A the opposite. phiDot is the
// difference of the points' velocities, and gamma that of their drifts, A's minus B's.
//
// Rejected: rows along the axes of A. Their Jacobian is full and phi'' gets terms of a turning
// frame, only for reactions that a rotation provides as well.

import { MarkerFrame, Want } from "../layout-bodies";
import { at, firstLanes, get, getPair, pairOf, secondLanes, set, setPair } from "../math/slots";
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

/**
 * Three rows: sign [I, s' x (rows of R)]. The first two together, one in each lane, as R is stored
 * column-major. Written in pairs: 11 stores instead of 18.
 */
// @ts-ignore: decorator
@inline
function setPointRows(sign: f64, body: usize, arm: usize, row: usize): void {
  const s0 = sign * get(arm, 0), s1 = sign * get(arm, 1), s2 = sign * get(arm, 2);
  const zero = f64x2.splat(0.0);
  const x = crossedPair(s1, s2, getPair(body, 3), getPair(body, 6));
  const y = crossedPair(s2, s0, getPair(body, 6), getPair(body, 0));
  const z = crossedPair(s0, s1, getPair(body, 0), getPair(body, 3));
  setPair(row, 0, pairOf(sign, 0.0));
  setPair(row, 2, firstLanes(zero, x));
  setPair(row, 4, firstLanes(y, z));
  setPair(row, 6, pairOf(0.0, sign));
  setPair(row, 8, secondLanes(zero, x));
  setPair(row, 10, secondLanes(y, z));
  const r0 = get(body, 2), r1 = get(body, 5), r2 = get(body, 8);
  setPair(row, 12, zero);
  set(row, 14, sign);
  set(row, 15, crossed(s1, s2, r1, r2));
  set(row, 16, crossed(s2, s0, r2, r0));
  set(row, 17, crossed(s0, s1, r0, r1));
}

/** `crossed` for two vectors y, one in each lane. */
// @ts-ignore: decorator
@inline
function crossedPair(x1: f64, x2: f64, y1: v128, y2: v128): v128 {
  return f64x2.sub(f64x2.mul(f64x2.splat(x1), y2), f64x2.mul(f64x2.splat(x2), y1));
}
