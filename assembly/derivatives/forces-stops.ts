// Derivatives of stops and of friction: laws along a sensor, like springs.
//
//   F = -k x^n g(d x') on the upper side:  -dF/ds = k n x^(n-1) g,  -dF/ds' = k x^n d g'
//
// and the same below, where x and F have the other sign.

import { ForceEntry, Sensor, StopData } from "../layout-bodies";
import { sensorOf } from "../kinematics/table";
import { get, getInteger } from "../math/slots";
import { constantsOf } from "../forces/entry";
import { frictionOf, frictionSlope } from "../forces/friction";
import { depthOf, elasticPush, growth, growthSlope, powerOf, sideOf } from "../forces/stop";
import { addAlongSensor } from "./forces-springs";

/** Adds the derivatives of a stop; an open stop has none. */
export function addStop(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const number = getInteger(entry, ForceEntry.A), sensor = sensorOf(table, number);
  const data = constantsOf(table, entry), value = get(sensor, Sensor.VALUE);
  const side = sideOf(data, value);
  if (side == 0.0) return;
  const depth = depthOf(data, value, side), push = elasticPush(data, depth);
  const d = get(data, StopData.DAMPING), y = d * side * get(sensor, Sensor.RATE), g = growth(y);
  const n = get(data, StopData.EXPONENT);
  const k = get(data, StopData.STIFFNESS) * n * powerOf(depth, n - 1.0) * g;
  const c = push * d * growthSlope(y);
  addAlongSensor(table, number, -side * push * g, k, c, blocks, stiffness, damping);
}

export function addFriction(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const number = getInteger(entry, ForceEntry.A), data = constantsOf(table, entry);
  const rate = get(sensorOf(table, number), Sensor.RATE);
  const force = frictionOf(data, rate), c = frictionSlope(data, rate);
  addAlongSensor(table, number, force, 0.0, c, blocks, stiffness, damping);
}
