// A spring, a damper and an actuator along the line between two points. With d from A to B, l = |d|
// and u = d / l,
//
//   l' = u . (vB - vA),   V = k / 2 (l - L0)^2,   F = f - k (l - L0) - c l'
//
// and the power F l' is that of F u at B and -F u at A.

import { ForceEntry, ForcePart, MarkerFrame } from "../layout-bodies";
import { get, getInteger } from "../math/slots";
import { bodyOf, markerOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { addForce } from "./loads";

/** Component i of the vector from A to B. */
// @ts-ignore: decorator
@inline
function between(a: usize, b: usize, i: i32): f64 {
  return get(b, MarkerFrame.POINT + i) - get(a, MarkerFrame.POINT + i);
}

// @ts-ignore: decorator
@inline
function lengthOf(d0: f64, d1: f64, d2: f64): f64 {
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}

/** u . (vB - vA) */
// @ts-ignore: decorator
@inline
function rateOf(a: usize, b: usize, u0: f64, u1: f64, u2: f64): f64 {
  return u0 * (get(b, MarkerFrame.VELOCITY) - get(a, MarkerFrame.VELOCITY))
    + u1 * (get(b, MarkerFrame.VELOCITY + 1) - get(a, MarkerFrame.VELOCITY + 1))
    + u2 * (get(b, MarkerFrame.VELOCITY + 2) - get(a, MarkerFrame.VELOCITY + 2));
}

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
  if (parts & ForcePart.CONSERVATIVE) force -= get(data, 0) * (length - get(data, 1));
  if (parts & ForcePart.OTHER) force += get(data, 3) - get(data, 2) * rateOf(a, b, u0, u1, u2);
  const f0 = force * u0, f1 = force * u1, f2 = force * u2;
  addForce(
    table, bodyOf(table, first), get(a, MarkerFrame.ARM), get(a, MarkerFrame.ARM + 1),
    get(a, MarkerFrame.ARM + 2), -f0, -f1, -f2,
  );
  addForce(
    table, bodyOf(table, second), get(b, MarkerFrame.ARM), get(b, MarkerFrame.ARM + 1),
    get(b, MarkerFrame.ARM + 2), f0, f1, f2,
  );
}

/** k / 2 (l - L0)^2 */
export function springPotential(table: usize, entry: usize): f64 {
  const a = markerOf(table, getInteger(entry, ForceEntry.A));
  const b = markerOf(table, getInteger(entry, ForceEntry.B));
  const data = constantsOf(table, entry);
  const longer = lengthOf(between(a, b, 0), between(a, b, 1), between(a, b, 2)) - get(data, 1);
  return 0.5 * get(data, 0) * longer * longer;
}
