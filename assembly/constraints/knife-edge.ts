// A blade does not slip sideways: Pi = a . p', for the point p of A and an axis a fixed in A.
// Linear a, angular R^T (s x a). Without accelerations Pi' = (w x a) . p' + a . p'' with p'' the
// drift: -gamma.

import { BodyFrame, MarkerFrame, Want } from "../layout-bodies";
import { get, set } from "../math/slots";
import { crossed, inner, setMoving } from "./rows";

/** a: axis in the world. */
export function knifeEdge(
  want: i32, a: usize, A: usize, bodyA: usize,
  rowA: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  if (want & Want.PHI) set(phi, 0, 0.0);
  if (want & Want.JACOBIAN) {
    const s0 = get(A, MarkerFrame.ARM), s1 = get(A, MarkerFrame.ARM + 1);
    setMoving(rowA, bodyA, a0, a1, a2, s0, s1, get(A, MarkerFrame.ARM + 2));
  }
  if (want & Want.RATES) {
    const v0 = get(A, MarkerFrame.VELOCITY);
    const v1 = get(A, MarkerFrame.VELOCITY + 1);
    const v2 = get(A, MarkerFrame.VELOCITY + 2);
    const drift = a0 * get(A, MarkerFrame.DRIFT) + a1 * get(A, MarkerFrame.DRIFT + 1) +
      a2 * get(A, MarkerFrame.DRIFT + 2);
    const turning = get(bodyA, BodyFrame.OMEGA) * crossed(a1, a2, v1, v2) +
      get(bodyA, BodyFrame.OMEGA + 1) * crossed(a2, a0, v2, v0) +
      get(bodyA, BodyFrame.OMEGA + 2) * crossed(a0, a1, v0, v1);
    set(phiDot, 0, inner(a0, a1, a2, v0, v1, v2));
    set(gamma, 0, -(turning + drift));
  }
}
