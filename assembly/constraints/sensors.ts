// All sensors of a mechanism. Rows that couple them and forces that follow them read what they say.

import { AngleData, BodyTable, Sensor, SensorEntry, SensorKind, Want } from "../layout-bodies";
import { poseMarker } from "../kinematics/frames";
import { addressOf, bodyOf, entryOf, frameOf, markerOf, sensorOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";
import { angle } from "./angle";
import { displacement } from "./displacement";
import { length } from "./length";

/**
 * Value (PHI), Jacobian, rate and gamma (RATES) of the sensors that are used, or of all of them, as
 * the bits of `want` say. Frames hold the trial state, with velocities if rates are wanted.
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

/** The state is accepted: angles are continued from what sensors say now. */
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

/** The same for some angles, by the frames of bodies: their numbers are a list of integers. */
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
