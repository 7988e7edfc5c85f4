// Two directions are perpendicular: phi = a . b, with a fixed in body A and b in body B.
//
// phiDot = (w_A x a) . b + a . (w_B x b) = u . m,   u = w_A - w_B,   m = a x b:
//
// angular rows R_A^T m and -R_B^T m, no linear ones. Without accelerations u stays, and
//
//   phi'' = u . ((w_A x a) x b + a x (w_B x b))
//         = u . (a (w_A . b) - w_A (a . b) + w_B (a . b) - b (a . w_B))
//         = (u . a)(w_A . b) - (u . b)(w_B . a) - (u . u)(a . b) = -gamma:
//
// six inner products instead of the cross products of the first line.

import { BodyFrame, Want } from "../layout-bodies";
import { get, set } from "../math/slots";
import { crossed, inner, setTurning } from "./rows";

/** a, b: axes in the world. */
// @ts-ignore: decorator
@inline
export function dot1(
  want: i32, a: usize, b: usize, bodyA: usize, bodyB: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  if (want & Want.PHI) set(phi, 0, inner(a0, a1, a2, b0, b1, b2));
  if (!(want & (Want.JACOBIAN | Want.RATES))) return;
  const m0 = crossed(a1, a2, b1, b2), m1 = crossed(a2, a0, b2, b0), m2 = crossed(a0, a1, b0, b1);
  if (want & Want.JACOBIAN) {
    setTurning(rowA, bodyA, m0, m1, m2);
    setTurning(rowB, bodyB, -m0, -m1, -m2);
  }
  if (want & Want.RATES) {
    set(phiDot, 0, relativeTurning(bodyA, bodyB, m0, m1, m2));
    set(gamma, 0, perpendicularGamma(a0, a1, a2, b0, b1, b2, bodyA, bodyB));
  }
}

/** (w_A - w_B) . m */
// @ts-ignore: decorator
@inline
export function relativeTurning(bodyA: usize, bodyB: usize, m0: f64, m1: f64, m2: f64): f64 {
  return (get(bodyA, BodyFrame.OMEGA) - get(bodyB, BodyFrame.OMEGA)) * m0 +
    (get(bodyA, BodyFrame.OMEGA + 1) - get(bodyB, BodyFrame.OMEGA + 1)) * m1 +
    (get(bodyA, BodyFrame.OMEGA + 2) - get(bodyB, BodyFrame.OMEGA + 2)) * m2;
}

/** gamma of a . b for any a fixed in A and b fixed in B. */
// @ts-ignore: decorator
@inline
export function perpendicularGamma(
  a0: f64, a1: f64, a2: f64, b0: f64, b1: f64, b2: f64, bodyA: usize, bodyB: usize,
): f64 {
  const v0 = get(bodyA, BodyFrame.OMEGA), w0 = get(bodyB, BodyFrame.OMEGA), u0 = v0 - w0;
  const v1 = get(bodyA, BodyFrame.OMEGA + 1), w1 = get(bodyB, BodyFrame.OMEGA + 1), u1 = v1 - w1;
  const v2 = get(bodyA, BodyFrame.OMEGA + 2), w2 = get(bodyB, BodyFrame.OMEGA + 2), u2 = v2 - w2;
  return inner(u0, u1, u2, b0, b1, b2) * inner(w0, w1, w2, a0, a1, a2) -
    inner(u0, u1, u2, a0, a1, a2) * inner(v0, v1, v2, b0, b1, b2) +
    inner(u0, u1, u2, u0, u1, u2) * inner(a0, a1, a2, b0, b1, b2);
}
