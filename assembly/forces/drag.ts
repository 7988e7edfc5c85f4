// Drag at a point, linear and quadratic: -(c1 + c2 |u|) u for the velocity u of the point, and the
// torque -(c3 + c4 |w|) w for the angular velocity w of the body. Its power is never positive.

import { DragData, ForceEntry, MarkerFrame } from "../layout-bodies";
import { at, get, getInteger } from "../math/slots";
import { bodyOf, markerOf } from "../kinematics/table";
import { constantsOf, lengthOf, omegaOf } from "./entry";
import { addForce, addTorque } from "./loads";

/** Adds the force at the point of A and the torque on its body. */
export function drag(table: usize, entry: usize): void {
  const a = getInteger(entry, ForceEntry.A);
  const data = constantsOf(table, entry);
  const u = at(markerOf(table, a), MarkerFrame.VELOCITY), w = omegaOf(table, a);
  const u0 = get(u, 0), u1 = get(u, 1), u2 = get(u, 2);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const speed = lengthOf(u0, u1, u2), turning = lengthOf(w0, w1, w2);
  const slow = -(get(data, DragData.LINEAR) + get(data, DragData.QUADRATIC) * speed);
  const calm = -(get(data, DragData.ANGULAR) + get(data, DragData.ANGULAR_QUADRATIC) * turning);
  addForce(table, a, slow * u0, slow * u1, slow * u2);
  addTorque(table, bodyOf(table, a), calm * w0, calm * w1, calm * w2);
}
