// A spring, a damper and a motor about what a sensor measures. With s' = J_A v_A + J_B v_B,
//
//   V = k / 2 (s - s0)^2,   F = f - k (s - s0) - c s'
//
// and the power F s' is that of the generalised forces J_A^T F and J_B^T F.

import {
  BODY_VELOCITIES, BodyTable, ForceEntry, ForcePart, Sensor, SensorEntry, SpringData,
} from "../layout-bodies";
import { at, get, getInteger, set } from "../math/slots";
import { bodyOf, entryOf, loadOf, sensorOf } from "../kinematics/table";
import { constantsOf } from "./entry";

/** Adds F in the sensor's direction. */
export function sensorSpring(table: usize, entry: usize, parts: i32): void {
  const number = getInteger(entry, ForceEntry.A);
  const sensor = sensorOf(table, number), data = constantsOf(table, entry);
  let force = 0.0;
  if (parts & ForcePart.CONSERVATIVE) {
    const stretch = get(sensor, Sensor.VALUE) - get(data, SpringData.FREE);
    force -= get(data, SpringData.STIFFNESS) * stretch;
  }
  if (parts & ForcePart.OTHER) {
    force += get(data, SpringData.FORCE) - get(data, SpringData.DAMPING) * get(sensor, Sensor.RATE);
  }
  const markers = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, number);
  const a = bodyOf(table, getInteger(markers, SensorEntry.A));
  const b = bodyOf(table, getInteger(markers, SensorEntry.B));
  addAlong(loadOf(table, a), at(sensor, Sensor.JACOBIAN_A), force);
  addAlong(loadOf(table, b), at(sensor, Sensor.JACOBIAN_B), force);
}

/** k / 2 (s - s0)^2 */
export function sensorSpringPotential(table: usize, entry: usize): f64 {
  const sensor = sensorOf(table, getInteger(entry, ForceEntry.A));
  const data = constantsOf(table, entry);
  const stretch = get(sensor, Sensor.VALUE) - get(data, SpringData.FREE);
  return 0.5 * get(data, SpringData.STIFFNESS) * stretch * stretch;
}

/** load += force J^T */
// @ts-ignore: decorator
@inline
function addAlong(load: usize, jacobian: usize, force: f64): void {
  for (let i = 0; i < BODY_VELOCITIES; i++) {
    set(load, i, get(load, i) + force * get(jacobian, i));
  }
}
