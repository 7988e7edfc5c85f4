// Loads on a single body: gravity and the gyroscopic torque.
//
// Gravity: m g at the centre of mass, potential -m g . r. Gyroscopic torque: the angular momentum
// R I w changes by R (I w' + w x I w), so I w' = torque - w x (I w), all in the body frame.

import { BODY_VELOCITIES, BodyFrame, BodyMass, BodyTable } from "../layout-bodies";
import { at, get } from "../math/slots";
import { addressOf, frameOf, loadOf } from "../kinematics/table";
import { dot3 } from "../kinematics/vector";
import { addTo } from "./loads";

// @ts-ignore: decorator
@inline
export function massOf(table: usize, body: i32): usize {
  return at(addressOf(table, BodyTable.MASSES), BodyMass.LENGTH * body);
}

/** Adds m g. */
export function gravity(table: usize, body: i32): void {
  const record = massOf(table, body);
  const mass = get(record, BodyMass.MASS);
  addTo(
    loadOf(table, body),
    mass * get(record, BodyMass.GRAVITY),
    mass * get(record, BodyMass.GRAVITY + 1),
    mass * get(record, BodyMass.GRAVITY + 2),
  );
}

/** -m g . r */
export function gravityPotential(table: usize, body: i32): f64 {
  const record = massOf(table, body);
  const height = dot3(at(record, BodyMass.GRAVITY), at(frameOf(table, body), BodyFrame.POINT));
  return -get(record, BodyMass.MASS) * height;
}

/** Adds -w x (I w). */
export function gyroscopic(table: usize, body: i32): void {
  const w = at(addressOf(table, BodyTable.VELOCITIES), BODY_VELOCITIES * body + 3);
  const inertia = at(massOf(table, body), BodyMass.INERTIA);
  // Columns stand for rows: the tensor is symmetric.
  const h0 = dot3(inertia, w), h1 = dot3(at(inertia, 3), w), h2 = dot3(at(inertia, 6), w);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  addTo(
    at(loadOf(table, body), 3), h1 * w2 - h2 * w1, h2 * w0 - h0 * w2, h0 * w1 - h1 * w0,
  );
}
