// A wheel rolls on a plane: the material points of both bodies at the point of contact p have the
// same velocity along a, an axis of the plane (markers as in wheel-height.ts).
//
//   p = p_B - rho u,   u = n for a sphere, u = (n - k c) / h for a disk,
//   k = n . c,   h = |n - k c|,
//   Pi = a . [(v_B + w_B x (p - r_B)) - (v_A + w_A x (p - r_A))]
//
// B: linear a, angular R_B^T ((p - r_B) x a); A: the opposite, with its own arm. p is not a point
// of either body: it moves over both, with
//
//   p' = p_B' - rho u',   u' = w_A x n,   or for a disk u' = (m - (u . m) u) / h,
//   m = (n - k c)' = w_A x n - k' c - k (w_B x c),   k' = (w_A - w_B) . (n x c).
//
// Without accelerations, with x the bracket,
//
//   Pi' = (w_A x a) . x + a . (w_B x (p' - v_B) - w_A x (p' - v_A)),
//   gamma = g . (x + p' - v_A) - f . (p' - v_B),   g = a x w_A,   f = a x w_B.
//
// Rejected: the arm p - r_B as if fixed in B. Pi is the same, but gamma is then that of a stone in
// the tyre, which is drawn towards the axle while the point of contact goes on below it.

import { BodyFrame, MarkerFrame, Want } from "../layout-bodies";
import { dot3 } from "../kinematics/vector";
import { at, get, set } from "../math/slots";
import { relativeTurning } from "./dot1";
import { between } from "./dot2";
import { crossAt, crossed, inner, setMoving } from "./rows";

/** a: axis in the world; disk: 1, or 0 for a sphere; data: radius. */
export function rolling(
  want: i32, disk: i32, a: usize, A: usize, B: usize, bodyA: usize, bodyB: usize, data: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  if (want & Want.PHI) set(phi, 0, 0.0);
  if (!(want & (Want.JACOBIAN | Want.RATES))) return;
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const k = disk ? dot3(n, c) : 0.0;
  const m0 = get(n, 0) - k * get(c, 0);
  const m1 = get(n, 1) - k * get(c, 1);
  const m2 = get(n, 2) - k * get(c, 2);
  const scale = 1.0 / Math.sqrt(inner(m0, m1, m2, m0, m1, m2));
  const u0 = scale * m0, u1 = scale * m1, u2 = scale * m2, radius = get(data, 0);
  const t0 = get(B, MarkerFrame.ARM) - radius * u0;
  const t1 = get(B, MarkerFrame.ARM + 1) - radius * u1;
  const t2 = get(B, MarkerFrame.ARM + 2) - radius * u2;
  const s0 = get(A, MarkerFrame.ARM) + between(A, B, MarkerFrame.POINT) - radius * u0;
  const s1 = get(A, MarkerFrame.ARM + 1) + between(A, B, MarkerFrame.POINT + 1) - radius * u1;
  const s2 = get(A, MarkerFrame.ARM + 2) + between(A, B, MarkerFrame.POINT + 2) - radius * u2;
  if (want & Want.JACOBIAN) {
    const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
    setMoving(rowA, bodyA, -a0, -a1, -a2, s0, s1, s2);
    setMoving(rowB, bodyB, a0, a1, a2, t0, t1, t2);
  }
  if (want & Want.RATES) {
    setSlip(
      disk, k, scale, radius, u0, u1, u2, s0, s1, s2, t0, t1, t2, a, n, c, B, bodyA, bodyB,
      phiDot, gamma,
    );
  }
}

/** phiDot and gamma, with s = p - r_A, t = p - r_B and scale = 1 / h. */
function setSlip(
  disk: i32, k: f64, scale: f64, radius: f64, u0: f64, u1: f64, u2: f64,
  s0: f64, s1: f64, s2: f64, t0: f64, t1: f64, t2: f64,
  a: usize, n: usize, c: usize, B: usize, bodyA: usize, bodyB: usize, phiDot: usize, gamma: usize,
): void {
  const wA = at(bodyA, BodyFrame.OMEGA), wB = at(bodyB, BodyFrame.OMEGA);
  const vA = at(bodyA, BodyFrame.VELOCITY), vB = at(bodyB, BodyFrame.VELOCITY);
  const kRate = disk
    ? relativeTurning(bodyA, bodyB, crossAt(n, c, 0), crossAt(n, c, 1), crossAt(n, c, 2))
    : 0.0;
  const m0 = crossAt(wA, n, 0) - kRate * get(c, 0) - k * crossAt(wB, c, 0);
  const m1 = crossAt(wA, n, 1) - kRate * get(c, 1) - k * crossAt(wB, c, 1);
  const m2 = crossAt(wA, n, 2) - kRate * get(c, 2) - k * crossAt(wB, c, 2);
  const growth = inner(u0, u1, u2, m0, m1, m2), lag = radius * scale;
  const p0 = get(B, MarkerFrame.VELOCITY) - lag * (m0 - growth * u0);
  const p1 = get(B, MarkerFrame.VELOCITY + 1) - lag * (m1 - growth * u1);
  const p2 = get(B, MarkerFrame.VELOCITY + 2) - lag * (m2 - growth * u2);
  const x0 = get(vB, 0) - get(vA, 0) +
    crossed(get(wB, 1), get(wB, 2), t1, t2) - crossed(get(wA, 1), get(wA, 2), s1, s2);
  const x1 = get(vB, 1) - get(vA, 1) +
    crossed(get(wB, 2), get(wB, 0), t2, t0) - crossed(get(wA, 2), get(wA, 0), s2, s0);
  const x2 = get(vB, 2) - get(vA, 2) +
    crossed(get(wB, 0), get(wB, 1), t0, t1) - crossed(get(wA, 0), get(wA, 1), s0, s1);
  set(phiDot, 0, inner(get(a, 0), get(a, 1), get(a, 2), x0, x1, x2));
  const turning = inner(
    crossAt(a, wA, 0), crossAt(a, wA, 1), crossAt(a, wA, 2),
    x0 + p0 - get(vA, 0), x1 + p1 - get(vA, 1), x2 + p2 - get(vA, 2),
  );
  const moving = inner(
    crossAt(a, wB, 0), crossAt(a, wB, 1), crossAt(a, wB, 2),
    p0 - get(vB, 0), p1 - get(vB, 1), p2 - get(vB, 2),
  );
  set(gamma, 0, turning - moving);
}
