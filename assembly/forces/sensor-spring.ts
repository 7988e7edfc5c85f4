// A spring, a damper and an actuator along a sensor's value s. With s' = J_A v_A + J_B v_B,
//
//   V = k / 2 (s - s0)^2,   F = f - k (s - s0) - c s'
//
// and the power F s' is that of the generalised forces J_A^T F and J_B^T F.

import { ForceEntry, ForcePart, Sensor, SpringData } from "../layout-bodies";
import { get, getInteger } from "../math/slots";
import { sensorOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { pushAlong } from "./sensor-load";

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
  pushAlong(table, number, force);
}

/** k / 2 (s - s0)^2 */
export function sensorSpringPotential(table: usize, entry: usize): f64 {
  const sensor = sensorOf(table, getInteger(entry, ForceEntry.A));
  const data = constantsOf(table, entry);
  const stretch = get(sensor, Sensor.VALUE) - get(data, SpringData.FREE);
  return 0.5 * get(data, SpringData.STIFFNESS) * stretch * stretch;
}
