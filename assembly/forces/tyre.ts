// A tyre on a road. The height of the wheel's centre over A's plane, with normal z and d from A to
// B, is y = z . d, and as z turns with the body of A,
//
//   y' = z . (vB - vA) + (wA x z) . d = z . (vB - vA - wA x d),
//   F = k (radius - (y - height)) - c (y' - rate)
//
// The power F y' is that of F z at B and of -F z on the road's body at the same point. The road may
// move on its own, so this has no potential.

import { ForceEntry, MarkerFrame, TyreData } from "../layout-bodies";
import { at, get, getInteger } from "../math/slots";
import { markerOf } from "../kinematics/table";
import { along, between, betweenRate, constantsOf, omegaOf } from "./entry";
import { addForce, addForceBeyond } from "./loads";

/** Adds F z at the point of B, and the opposite on the body of A at that point. */
export function tyre(table: usize, entry: usize): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const a = markerOf(table, first), b = markerOf(table, second);
  const data = constantsOf(table, entry);
  const z = at(a, MarkerFrame.AXES + 6), w = omegaOf(table, first);
  const d0 = between(a, b, 0), d1 = between(a, b, 1), d2 = between(a, b, 2);
  const rate = along(
    z,
    betweenRate(a, b, 0) - (get(w, 1) * d2 - get(w, 2) * d1),
    betweenRate(a, b, 1) - (get(w, 2) * d0 - get(w, 0) * d2),
    betweenRate(a, b, 2) - (get(w, 0) * d1 - get(w, 1) * d0),
  );
  const height = along(z, d0, d1, d2) - get(data, TyreData.HEIGHT);
  const pressed = get(data, TyreData.RADIUS) - height;
  const slowing = get(data, TyreData.DAMPING) * (rate - get(data, TyreData.RATE));
  const force = get(data, TyreData.STIFFNESS) * pressed - slowing;
  // No force without contact.
  if (get(data, TyreData.CANNOT_PULL) != 0.0 && (pressed < 0.0 || force < 0.0)) return;
  const f0 = force * get(z, 0), f1 = force * get(z, 1), f2 = force * get(z, 2);
  addForce(table, second, f0, f1, f2);
  addForceBeyond(table, first, d0, d1, d2, -f0, -f1, -f2);
}
