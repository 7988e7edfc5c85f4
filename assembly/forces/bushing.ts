// A bushing: springs and dampers along and about the three axes a_i of A. With d from A to B,
//
//   x_i = a_i . d,   x_i' = a_i . (vB - vA - wA x d),   f_i = g_i - k_i x_i - c_i x_i'
//
// (a_i turns with A). The power of f_i is that of F = sum f_i a_i at B and of -F on the body of A
// at the same point. Turning is in bushing-turn.ts. V = 1/2 sum k_i x_i^2 and that of turning.
//
// DATA: 3 stiffnesses, 3 dampings of translation, then of rotation; 3 forces g_i, then of rotation.

import { BushingData, ForceEntry, ForcePart, MarkerFrame } from "../layout-bodies";
import { at, get, getInteger } from "../math/slots";
import { markerOf } from "../kinematics/table";
import { bushingTurn } from "./bushing-turn";
import { along, between, betweenRate, constantsOf, omegaOf } from "./entry";
import { addForce, addForceBeyond } from "./loads";

/** Adds the forces and torques on both bodies. */
export function bushing(table: usize, entry: usize, parts: i32): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const a = markerOf(table, first), b = markerOf(table, second);
  const data = constantsOf(table, entry);
  const d0 = between(a, b, 0), d1 = between(a, b, 1), d2 = between(a, b, 2);
  let u0 = 0.0, u1 = 0.0, u2 = 0.0;
  if (parts & ForcePart.OTHER) {
    const w = omegaOf(table, first);
    u0 = betweenRate(a, b, 0) - (get(w, 1) * d2 - get(w, 2) * d1);
    u1 = betweenRate(a, b, 1) - (get(w, 2) * d0 - get(w, 0) * d2);
    u2 = betweenRate(a, b, 2) - (get(w, 0) * d1 - get(w, 1) * d0);
  }
  let f0 = 0.0, f1 = 0.0, f2 = 0.0;
  for (let i = 0; i < 3; i++) {
    const axis = at(a, MarkerFrame.AXES + 3 * i);
    let f = 0.0;
    if (parts & ForcePart.CONSERVATIVE) {
      f -= get(data, BushingData.STIFFNESS + i) * along(axis, d0, d1, d2);
    }
    if (parts & ForcePart.OTHER) {
      f += get(data, BushingData.FORCE + i)
        - get(data, BushingData.DAMPING + i) * along(axis, u0, u1, u2);
    }
    f0 += f * get(axis, 0);
    f1 += f * get(axis, 1);
    f2 += f * get(axis, 2);
  }
  addForce(table, second, f0, f1, f2);
  addForceBeyond(table, first, d0, d1, d2, -f0, -f1, -f2);
  bushingTurn(table, first, second, data, parts, 0);
}

/** 1/2 sum k_i x_i^2, plus that of turning. */
export function bushingPotential(table: usize, entry: usize): f64 {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const a = markerOf(table, first), b = markerOf(table, second);
  const data = constantsOf(table, entry);
  let sum = bushingTurn(table, first, second, data, 0, 0);
  for (let i = 0; i < 3; i++) {
    const axis = at(a, MarkerFrame.AXES + 3 * i);
    const x = along(axis, between(a, b, 0), between(a, b, 1), between(a, b, 2));
    sum += 0.5 * get(data, BushingData.STIFFNESS + i) * x * x;
  }
  return sum;
}
