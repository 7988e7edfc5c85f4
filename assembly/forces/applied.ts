// Forces and torques whose components are given, in the world or in the axes of the marker they act
// at. They may be functions of anything, so they have no potential.

import { AppliedData, ForceEntry, MarkerFrame } from "../layout-bodies";
import { at, get, getInteger } from "../math/slots";
import { bodyOf, markerOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { addForce, addTorque } from "./loads";

/** Adds a force at the point of A. */
export function appliedForce(table: usize, entry: usize): void {
  addForce(
    table, getInteger(entry, ForceEntry.A),
    component(table, entry, 0), component(table, entry, 1), component(table, entry, 2),
  );
}

/** Adds a torque on the body of A. */
export function appliedTorque(table: usize, entry: usize): void {
  addTorque(
    table, bodyOf(table, getInteger(entry, ForceEntry.A)),
    component(table, entry, 0), component(table, entry, 1), component(table, entry, 2),
  );
}

/** Component i in the world of the vector of the entry. */
// @ts-ignore: decorator
@inline
export function component(table: usize, entry: usize, i: i32): f64 {
  const data = at(constantsOf(table, entry), AppliedData.VECTOR);
  if (getInteger(entry, ForceEntry.FLAG) != 1) return get(data, i);
  const axes = at(markerOf(table, getInteger(entry, ForceEntry.A)), MarkerFrame.AXES);
  return get(axes, i) * get(data, 0) + get(axes, 3 + i) * get(data, 1)
    + get(axes, 6 + i) * get(data, 2);
}
