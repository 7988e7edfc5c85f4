// A spring, a damper and an actuator along the line between two points. With d from A to B, l = |d|
// and u = d / l,
//
//   l' = u . (vB - vA),   V = k / 2 (l - L0)^2,   F = f - k (l - L0) - c l'
//
// and the power F l' is that of F u at B and -F u at A.

import { ForceEntry, ForcePart, SpringData } from "../layout-bodies";
import { get, getInteger } from "../math/slots";
import { markerOf } from "../kinematics/table";
import { between, betweenRate, constantsOf, lengthOf } from "./entry";
import { addForce } from "./loads";

/** Adds F u at B and -F u at A. Points that coincide have no direction, and no force. */
export function spring(table: usize, entry: usize, parts: i32): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const a = markerOf(table, first), b = markerOf(table, second);
  const d0 = between(a, b, 0), d1 = between(a, b, 1), d2 = between(a, b, 2);
  const length = lengthOf(d0, d1, d2);
  if (length == 0.0) return;
  const u0 = d0 / length, u1 = d1 / length, u2 = d2 / length;
  const data = constantsOf(table, entry);
  let force = 0.0;
  if (parts & ForcePart.CONSERVATIVE) {
    force -= get(data, SpringData.STIFFNESS) * (length - get(data, SpringData.FREE));
  }
  if (parts & ForcePart.OTHER) {
    const rate = u0 * betweenRate(a, b, 0) + u1 * betweenRate(a, b, 1) + u2 * betweenRate(a, b, 2);
    force += get(data, SpringData.FORCE) - get(data, SpringData.DAMPING) * rate;
  }
  addForce(table, first, -force * u0, -force * u1, -force * u2);
  addForce(table, second, force * u0, force * u1, force * u2);
}

/** k / 2 (l - L0)^2 */
export function springPotential(table: usize, entry: usize): f64 {
  const a = markerOf(table, getInteger(entry, ForceEntry.A));
  const b = markerOf(table, getInteger(entry, ForceEntry.B));
  const data = constantsOf(table, entry);
  const length = lengthOf(between(a, b, 0), between(a, b, 1), between(a, b, 2));
  const stretch = length - get(data, SpringData.FREE);
  return 0.5 * get(data, SpringData.STIFFNESS) * stretch * stretch;
}
