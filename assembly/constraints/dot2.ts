// Distance along a direction of A: phi = a . d - f(t), d = p_B - p_A, a fixed in body A.
//
//   phiDot = (w_A x a) . d + a . d' - f'
//
// A: linear -a, angular R_A^T (a x d - s_A x a) = -R_A^T ((s_A + d) x a), as if p_B were a point of
// A. B: linear a, angular R_B^T (s_B x a). Without accelerations d'' is the difference of the
// drifts, and
//
//   (w x (w x a)) . d = (w . a)(w . d) - (w . w)(a . d),   (w x a) . d' = w . (a x d'),
//   gamma = f'' - [(w . a)(w . d) - (w . w)(a . d) + 2 w . (a x d') + a . d''],   w = w_A.

import { BodyFrame, MarkerFrame, Prescribed, Want } from "../layout-bodies";
import { get, set } from "../math/slots";
import { crossed, inner, setMoving } from "./rows";

/** a: axis in the world; data: f, f', f''. */
// @ts-ignore: decorator
@inline
export function dot2(
  want: i32, a: usize, A: usize, B: usize, bodyA: usize, bodyB: usize, data: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  if (want & Want.PHI) set(phi, 0, along(a, A, B) - get(data, Prescribed.VALUE));
  if (want & Want.JACOBIAN) setAlongRows(a, A, B, bodyA, bodyB, rowA, rowB);
  if (want & Want.RATES) {
    set(phiDot, 0, alongRate(a, A, B, bodyA) - get(data, Prescribed.RATE));
    set(gamma, 0, alongGamma(a, A, B, bodyA) + get(data, Prescribed.SECOND));
  }
}

/** Component of p_B - p_A in MarkerFrame: of points, velocities or drifts, by `field`. */
// @ts-ignore: decorator
@inline
export function between(A: usize, B: usize, field: i32): f64 {
  return get(B, field) - get(A, field);
}

/** a . d */
// @ts-ignore: decorator
@inline
export function along(a: usize, A: usize, B: usize): f64 {
  return get(a, 0) * between(A, B, MarkerFrame.POINT) +
    get(a, 1) * between(A, B, MarkerFrame.POINT + 1) +
    get(a, 2) * between(A, B, MarkerFrame.POINT + 2);
}

/** Jacobian rows of a . d. */
// @ts-ignore: decorator
@inline
export function setAlongRows(
  a: usize, A: usize, B: usize, bodyA: usize, bodyB: usize, rowA: usize, rowB: usize,
): void {
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const s0 = get(A, MarkerFrame.ARM) + between(A, B, MarkerFrame.POINT);
  const s1 = get(A, MarkerFrame.ARM + 1) + between(A, B, MarkerFrame.POINT + 1);
  const s2 = get(A, MarkerFrame.ARM + 2) + between(A, B, MarkerFrame.POINT + 2);
  setMoving(rowA, bodyA, -a0, -a1, -a2, s0, s1, s2);
  const t0 = get(B, MarkerFrame.ARM), t1 = get(B, MarkerFrame.ARM + 1);
  setMoving(rowB, bodyB, a0, a1, a2, t0, t1, get(B, MarkerFrame.ARM + 2));
}

/** d/dt of a . d. */
// @ts-ignore: decorator
@inline
export function alongRate(a: usize, A: usize, B: usize, bodyA: usize): f64 {
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const d0 = between(A, B, MarkerFrame.POINT);
  const d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  return get(bodyA, BodyFrame.OMEGA) * crossed(a1, a2, d1, d2) +
    get(bodyA, BodyFrame.OMEGA + 1) * crossed(a2, a0, d2, d0) +
    get(bodyA, BodyFrame.OMEGA + 2) * crossed(a0, a1, d0, d1) +
    a0 * between(A, B, MarkerFrame.VELOCITY) + a1 * between(A, B, MarkerFrame.VELOCITY + 1) +
    a2 * between(A, B, MarkerFrame.VELOCITY + 2);
}

/** gamma of a . d. */
// @ts-ignore: decorator
@inline
export function alongGamma(a: usize, A: usize, B: usize, bodyA: usize): f64 {
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const w0 = get(bodyA, BodyFrame.OMEGA);
  const w1 = get(bodyA, BodyFrame.OMEGA + 1);
  const w2 = get(bodyA, BodyFrame.OMEGA + 2);
  const d0 = between(A, B, MarkerFrame.POINT);
  const d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  const v0 = between(A, B, MarkerFrame.VELOCITY);
  const v1 = between(A, B, MarkerFrame.VELOCITY + 1);
  const v2 = between(A, B, MarkerFrame.VELOCITY + 2);
  const turning = inner(w0, w1, w2, a0, a1, a2) * inner(w0, w1, w2, d0, d1, d2) -
    inner(w0, w1, w2, w0, w1, w2) * inner(a0, a1, a2, d0, d1, d2);
  const moving = w0 * crossed(a1, a2, v1, v2) + w1 * crossed(a2, a0, v2, v0) +
    w2 * crossed(a0, a1, v0, v1);
  const drift = a0 * between(A, B, MarkerFrame.DRIFT) +
    a1 * between(A, B, MarkerFrame.DRIFT + 1) + a2 * between(A, B, MarkerFrame.DRIFT + 2);
  return -(turning + 2.0 * moving + drift);
}
