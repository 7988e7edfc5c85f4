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
// the tyre, which is drawn towards the axle while the point of contact moves on below it.

import {
  BodyFrame, BodyTable, Contact, MarkerFrame, RowEntry, Want, WheelData,
} from "../layout-bodies";
import { addressOf } from "../kinematics/table";
import { dot3, setThree } from "../kinematics/vector";
import { at, get, getInteger, set } from "../math/slots";
import { relativeTurning } from "./dot1";
import { between } from "./dot2";
import { crossAt, inner, setMoving } from "./rows";

/** Axis a and kind of wheel come from the entry, the radius from its constants. */
export function rolling(
  want: i32, table: usize, entry: usize, A: usize, B: usize, bodyA: usize, bodyB: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  if (want & Want.PHI) set(phi, 0, 0.0);
  if (!(want & (Want.JACOBIAN | Want.RATES))) return;
  const contact = addressOf(table, BodyTable.VELOCITY_SCRATCH);
  const data = at(addressOf(table, BodyTable.DATA), getInteger(entry, RowEntry.DATA));
  const radius = get(data, WheelData.RADIUS);
  const disk = getInteger(entry, RowEntry.AXIS_B);
  const a = at(A, MarkerFrame.AXES + 3 * getInteger(entry, RowEntry.AXIS_A));
  setContact(disk, radius, A, B, contact);
  if (want & Want.JACOBIAN) {
    const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
    const s = at(contact, Contact.ARM_A), t = at(contact, Contact.ARM_B);
    setMoving(rowA, bodyA, -a0, -a1, -a2, get(s, 0), get(s, 1), get(s, 2));
    setMoving(rowB, bodyB, a0, a1, a2, get(t, 0), get(t, 1), get(t, 2));
  }
  if (want & Want.RATES) {
    setSlip(disk, radius, a, A, B, bodyA, bodyB, contact, phiDot, gamma);
  }
}

/** Computes the point of contact. */
function setContact(disk: i32, radius: f64, A: usize, B: usize, contact: usize): void {
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const k = disk ? dot3(n, c) : 0.0;
  const m0 = get(n, 0) - k * get(c, 0);
  const m1 = get(n, 1) - k * get(c, 1);
  const m2 = get(n, 2) - k * get(c, 2);
  const scale = 1.0 / Math.sqrt(inner(m0, m1, m2, m0, m1, m2));
  set(contact, Contact.TILT, k);
  set(contact, Contact.SCALE, scale);
  setThree(at(contact, Contact.NORMAL), scale * m0, scale * m1, scale * m2);
  for (let i = 0; i < 3; i++) {
    const below = radius * get(contact, Contact.NORMAL + i), arm = get(A, MarkerFrame.ARM + i);
    set(contact, Contact.ARM_A + i, arm + between(A, B, MarkerFrame.POINT + i) - below);
    set(contact, Contact.ARM_B + i, get(B, MarkerFrame.ARM + i) - below);
  }
}

/** phiDot and gamma, with s = p - r_A and t = p - r_B. */
function setSlip(
  disk: i32, radius: f64, a: usize, A: usize, B: usize, bodyA: usize, bodyB: usize,
  contact: usize, phiDot: usize, gamma: usize,
): void {
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const k = get(contact, Contact.TILT), u = at(contact, Contact.NORMAL);
  const u0 = get(u, 0), u1 = get(u, 1), u2 = get(u, 2);
  const s = at(contact, Contact.ARM_A), t = at(contact, Contact.ARM_B);
  const wA = at(bodyA, BodyFrame.OMEGA), wB = at(bodyB, BodyFrame.OMEGA);
  const vA = at(bodyA, BodyFrame.VELOCITY), vB = at(bodyB, BodyFrame.VELOCITY);
  const kRate = disk
    ? relativeTurning(bodyA, bodyB, crossAt(n, c, 0), crossAt(n, c, 1), crossAt(n, c, 2))
    : 0.0;
  const m0 = crossAt(wA, n, 0) - kRate * get(c, 0) - k * crossAt(wB, c, 0);
  const m1 = crossAt(wA, n, 1) - kRate * get(c, 1) - k * crossAt(wB, c, 1);
  const m2 = crossAt(wA, n, 2) - kRate * get(c, 2) - k * crossAt(wB, c, 2);
  const growth = inner(u0, u1, u2, m0, m1, m2), lag = radius * get(contact, Contact.SCALE);
  const p0 = get(B, MarkerFrame.VELOCITY) - lag * (m0 - growth * u0);
  const p1 = get(B, MarkerFrame.VELOCITY + 1) - lag * (m1 - growth * u1);
  const p2 = get(B, MarkerFrame.VELOCITY + 2) - lag * (m2 - growth * u2);
  const x0 = get(vB, 0) - get(vA, 0) + crossAt(wB, t, 0) - crossAt(wA, s, 0);
  const x1 = get(vB, 1) - get(vA, 1) + crossAt(wB, t, 1) - crossAt(wA, s, 1);
  const x2 = get(vB, 2) - get(vA, 2) + crossAt(wB, t, 2) - crossAt(wA, s, 2);
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
