// Evaluates everything needed at a state in one call from JavaScript.

import { Status } from "../layout";
import { BODY_VELOCITIES, BodyTable, Want } from "../layout-bodies";
import { bodyRows } from "../constraints/registry";
import { bodyContinueSome, bodySensors } from "../constraints/sensors";
import { bodyKinematics } from "../kinematics/frames";
import { at, get, getInteger, getPair } from "../math/slots";

/** Frames, sensors and rows at the trial state. SINGULAR or NON_FINITE name a body. */
export function bodyEvaluate(table: usize, want: i32): i32 {
  if (!(want & Want.FRAMES_KNOWN)) {
    const status = bodyKinematics(table, want);
    if (status != Status.OK) return status;
  }
  if (getInteger(table, BodyTable.SENSOR_COUNT) > 0) bodySensors(table, want);
  bodyRows(table, want);
  return Status.OK;
}

/** Continues the angles of a list from the frames of bodies: bodyContinueSome. */
export function continueAngles(table: usize, count: i32, list: usize): void {
  bodyContinueSome(table, count, list);
}

/** The largest angular velocity at v. */
export function bodyAngularRate(table: usize, v: usize): f64 {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  let largest = 0.0;
  for (let body = 0; body < count; body++) {
    const w = at(v, BODY_VELOCITIES * body + 3);
    const square = get(w, 0) * get(w, 0) + get(w, 1) * get(w, 1) + get(w, 2) * get(w, 2);
    largest = Math.max(largest, square);
  }
  return Math.sqrt(largest);
}

/** Largest difference of the velocities of the centres of mass in any component. */
export function bodySpeedRange(table: usize, v: usize): f64 {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  if (count == 0) return 0.0;
  let low = getPair(v, 0), high = low, lowest = get(v, 2), highest = lowest;
  for (let body = 1; body < count; body++) {
    const velocity = at(v, BODY_VELOCITIES * body);
    low = f64x2.pmin(low, getPair(velocity, 0));
    high = f64x2.pmax(high, getPair(velocity, 0));
    const speed = get(velocity, 2);
    if (speed < lowest) lowest = speed;
    if (speed > highest) highest = speed;
  }
  const ranges = f64x2.sub(high, low);
  const first = Math.max(f64x2.extract_lane(ranges, 0), f64x2.extract_lane(ranges, 1));
  return Math.max(first, highest - lowest);
}
