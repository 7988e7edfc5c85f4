// All sensors of a mechanism. Coupling rows and forces along sensors read their results.

import { AngleData, BodyTable, Sensor, SensorEntry, SensorKind, Want } from "../layout-bodies";
import { poseMarker } from "../kinematics/frames";
import { addressOf, bodyOf, entryOf, frameOf, markerOf, sensorOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";
import { angle } from "./angle";
import { displacement } from "./displacement";
import { length } from "./length";

/**
 * Computes value (PHI), Jacobian, rate and gamma (RATES) of the sensors in use, or of all, as
 * selected by `want`. Frames hold the trial state, with velocities if rates are wanted.
 */
export function bodySensors(table: usize, want: i32): void {
  const count = getInteger(table, BodyTable.SENSOR_COUNT);
  let entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    if (want & Want.ALL_SENSORS || getInteger(entry, SensorEntry.USED)) {
      evaluate(table, want, entry, sensorOf(table, index));
    }
    entry += SensorEntry.LENGTH << 2;
  }
}

function evaluate(table: usize, want: i32, entry: usize, sensor: usize): void {
  const a = getInteger(entry, SensorEntry.A), b = getInteger(entry, SensorEntry.B);
  const A = markerOf(table, a), B = markerOf(table, b);
  const bodyA = frameOf(table, bodyOf(table, a)), bodyB = frameOf(table, bodyOf(table, b));
  switch (getInteger(entry, SensorEntry.KIND)) {
    case SensorKind.ANGLE:
      angle(want, A, B, bodyA, bodyB, referenceOf(table, entry), sensor);
      break;
    case SensorKind.DISPLACEMENT:
      displacement(want, A, B, bodyA, bodyB, sensor);
      break;
    default:
      length(want, A, B, bodyA, bodyB, sensor);
  }
}

/** Continues angles from the current sensor values. Call after a state has been accepted. */
export function bodyContinue(table: usize): void {
  const count = getInteger(table, BodyTable.SENSOR_COUNT);
  let entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    if (getInteger(entry, SensorEntry.KIND) == SensorKind.ANGLE) {
      accept(referenceOf(table, entry), sensorOf(table, index));
    }
    entry += SensorEntry.LENGTH << 2;
  }
}

/** {@link bodyContinue} for a list of sensor indices, from the frames of bodies. */
export function bodyContinueSome(table: usize, count: i32, list: usize): void {
  for (let k = 0; k < count; k++) {
    const index = getInteger(list, k);
    const entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, index);
    const sensor = sensorOf(table, index);
    poseMarker(table, getInteger(entry, SensorEntry.A));
    poseMarker(table, getInteger(entry, SensorEntry.B));
    evaluate(table, Want.PHI, entry, sensor);
    accept(referenceOf(table, entry), sensor);
  }
}

// @ts-ignore: decorator
@inline
function accept(reference: usize, sensor: usize): void {
  set(reference, AngleData.ACCEPTED, get(sensor, Sensor.VALUE));
  set(reference, AngleData.CHANGE, 0.0);
}

// @ts-ignore: decorator
@inline
function referenceOf(table: usize, entry: usize): usize {
  return at(addressOf(table, BodyTable.DATA), getInteger(entry, SensorEntry.DATA));
}
