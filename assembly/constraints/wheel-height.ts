// A wheel touches a plane. A is a point of the plane, its z the normal n; B the centre of the
// wheel, its z the axle c. The lowest point of a disk of radius rho lies rho h below its centre,
// where h is the sine of the angle between n and c:
//
//   phi = n . d - rho h,   k = n . c,   h = sqrt(1 - k^2) = |n x c|;   for a sphere h = 1.
//
// n . d is that of dot2.ts and k that of dot1.ts. From h h' = -k k' and h^2 + k^2 = 1
//
//   (-rho h)' = (rho k / h) k',   (-rho h)'' = (rho k / h) k'' + (rho / h^3) k'^2:
//
// rows and gammas add with the factor rho k / h, and gamma gets -(rho / h^3) k'^2. h is taken from
// the cross product: near k = 1 the root of the difference loses half of the digits. A disk that
// lies flat (h = 0) touches everywhere, and its row is not finite.

import { MarkerFrame, Want, WheelData } from "../layout-bodies";
import { dot3 } from "../kinematics/vector";
import { at, get, set } from "../math/slots";
import { perpendicularGamma, relativeTurning } from "./dot1";
import { along, alongGamma, alongRate, setAlongRows } from "./dot2";
import { addTurning, crossed, inner } from "./rows";

/** disk: 1, or 0 for a sphere; data: WheelData. */
export function wheelHeight(
  want: i32, disk: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, data: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  const n = at(A, MarkerFrame.AXES + 6);
  if (want & Want.PHI) set(phi, 0, along(n, A, B));
  if (want & Want.JACOBIAN) setAlongRows(n, A, B, bodyA, bodyB, rowA, rowB);
  if (want & Want.RATES) {
    set(phiDot, 0, alongRate(n, A, B, bodyA));
    set(gamma, 0, alongGamma(n, A, B, bodyA));
  }
  const radius = get(data, WheelData.RADIUS);
  if (disk) {
    const c = at(B, MarkerFrame.AXES + 6);
    addDisk(want, radius, n, c, bodyA, bodyB, rowA, rowB, phi, phiDot, gamma);
  } else if (want & Want.PHI) set(phi, 0, get(phi, 0) - radius);
}

/** Adds the contribution of -radius h. */
function addDisk(
  want: i32, radius: f64, n: usize, c: usize, bodyA: usize, bodyB: usize,
  rowA: usize, rowB: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
  const m0 = crossed(n1, n2, c1, c2), m1 = crossed(n2, n0, c2, c0), m2 = crossed(n0, n1, c0, c1);
  const h = Math.sqrt(inner(m0, m1, m2, m0, m1, m2));
  if (want & Want.PHI) set(phi, 0, get(phi, 0) - radius * h);
  const factor = (radius * dot3(n, c)) / h;
  if (want & Want.JACOBIAN) {
    addTurning(rowA, bodyA, factor * m0, factor * m1, factor * m2);
    addTurning(rowB, bodyB, -factor * m0, -factor * m1, -factor * m2);
  }
  if (want & Want.RATES) {
    const rate = relativeTurning(bodyA, bodyB, m0, m1, m2);
    const turning = factor * perpendicularGamma(n0, n1, n2, c0, c1, c2, bodyA, bodyB);
    set(phiDot, 0, get(phiDot, 0) + factor * rate);
    set(gamma, 0, get(gamma, 0) + turning - (radius * rate * rate) / (h * h * h));
  }
}
