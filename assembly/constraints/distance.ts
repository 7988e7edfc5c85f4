// Two points keep a distance: phi = (d . d - L(t)^2) / (2 L0), d = p_B - p_A.
//
//   phiDot = (d . d' - L L') / L0,   phi'' = (d . d'' + d' . d' - L L'' - L'^2) / L0
//
// With n = d / L0 the rows are those of a point moving along n: A -n, B n. L0 makes phi a length,
// so that tolerances have the same meaning as for other rows.
//
// Rejected: |d| - L. It has a square root, and no derivative if the points coincide.

import { DistanceData, MarkerFrame, Prescribed, Want } from "../layout-bodies";
import { get, set } from "../math/slots";
import { between } from "./dot2";
import { inner, setMoving } from "./rows";

/** Slot of 1 / L0 in the constants. */
export const SCALE: i32 = Prescribed.LENGTH + DistanceData.SCALE;

/** data: L, L', L'', 1 / L0. */
export function distance(
  want: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, data: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  const d0 = between(A, B, MarkerFrame.POINT);
  const d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  const length = get(data, Prescribed.VALUE), scale = get(data, SCALE);
  if (want & Want.PHI) {
    set(phi, 0, 0.5 * scale * (inner(d0, d1, d2, d0, d1, d2) - length * length));
  }
  if (want & Want.JACOBIAN) {
    setPullRows(scale * d0, scale * d1, scale * d2, A, B, bodyA, bodyB, rowA, rowB);
  }
  if (want & Want.RATES) {
    const v0 = between(A, B, MarkerFrame.VELOCITY);
    const v1 = between(A, B, MarkerFrame.VELOCITY + 1);
    const v2 = between(A, B, MarkerFrame.VELOCITY + 2);
    const drift = d0 * between(A, B, MarkerFrame.DRIFT) +
      d1 * between(A, B, MarkerFrame.DRIFT + 1) + d2 * between(A, B, MarkerFrame.DRIFT + 2);
    const rate = get(data, Prescribed.RATE);
    set(phiDot, 0, scale * (inner(d0, d1, d2, v0, v1, v2) - length * rate));
    const prescribed = length * get(data, Prescribed.SECOND) + rate * rate;
    set(gamma, 0, scale * (prescribed - drift - inner(v0, v1, v2, v0, v1, v2)));
  }
}

/** Rows of n . (p_B - p_A)' for a given n. */
// @ts-ignore: decorator
@inline
export function setPullRows(
  n0: f64, n1: f64, n2: f64, A: usize, B: usize, bodyA: usize, bodyB: usize,
  rowA: usize, rowB: usize,
): void {
  const s0 = get(A, MarkerFrame.ARM), s1 = get(A, MarkerFrame.ARM + 1);
  setMoving(rowA, bodyA, -n0, -n1, -n2, s0, s1, get(A, MarkerFrame.ARM + 2));
  const t0 = get(B, MarkerFrame.ARM), t1 = get(B, MarkerFrame.ARM + 1);
  setMoving(rowB, bodyB, n0, n1, n2, t0, t1, get(B, MarkerFrame.ARM + 2));
}
