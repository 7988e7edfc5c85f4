// A force F along a sensor's value s: with s' = J_A v_A + J_B v_B its power F s' is that of the
// generalised forces J_A^T F and J_B^T F.

import { BODY_VELOCITIES, BodyTable, Sensor, SensorEntry } from "../layout-bodies";
import { at, get, getInteger, set } from "../math/slots";
import { bodyOf, entryOf, loadOf, sensorOf } from "../kinematics/table";

/** Adds J^T F to the loads of both bodies. */
export function pushAlong(table: usize, number: i32, force: f64): void {
  const sensor = sensorOf(table, number);
  const markers = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, number);
  const a = bodyOf(table, getInteger(markers, SensorEntry.A));
  const b = bodyOf(table, getInteger(markers, SensorEntry.B));
  addAlong(loadOf(table, a), at(sensor, Sensor.JACOBIAN_A), force);
  addAlong(loadOf(table, b), at(sensor, Sensor.JACOBIAN_B), force);
}

/** load += force J^T */
// @ts-ignore: decorator
@inline
function addAlong(load: usize, jacobian: usize, force: f64): void {
  for (let i = 0; i < BODY_VELOCITIES; i++) {
    set(load, i, get(load, i) + force * get(jacobian, i));
  }
}
