// Derivatives of springs: F along a row J, so Q = F J^T changes by J^T L F + F L J^T, and the last
// is the second derivative of the measure, times F.

import {
  BODY_VELOCITIES, BodyTable, ForceEntry, MarkerFrame, Sensor, SensorEntry, SensorKind, SpringData,
} from "../layout-bodies";
import { MotorData } from "../layout-motor";
import { bodyOf, entryOf, frameOf, markerOf, sensorOf } from "../kinematics/table";
import { at, get, getInteger } from "../math/slots";
import { between, betweenRate, constantsOf, lengthOf } from "../forces/entry";
import { motorForce } from "../forces/motor";
import {
  addElastic, rowOf, secondOf, setAngleChange, setLengthChange, setPoint, setSeenChange,
} from "./forces-rows";
import { addSquare } from "./second-pairs";
import { addSensor } from "./second-sensors";

/**
 * F u for u = d / l. The second derivative of l is that of d . d / 2 less J^T J, over l: the latter
 * joins k. Points that coincide have no force.
 */
export function addSpring(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const A = markerOf(table, first), B = markerOf(table, second);
  const d0 = between(A, B, 0), d1 = between(A, B, 1), d2 = between(A, B, 2);
  const length = lengthOf(d0, d1, d2);
  if (length == 0.0) return;
  const numberA = bodyOf(table, first), numberB = bodyOf(table, second);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const i = BODY_VELOCITIES * numberA, j = BODY_VELOCITIES * numberB;
  const data = constantsOf(table, entry);
  const k = get(data, SpringData.STIFFNESS), c = get(data, SpringData.DAMPING);
  const u0 = d0 / length, u1 = d1 / length, u2 = d2 / length;
  const rate = u0 * betweenRate(A, B, 0) + u1 * betweenRate(A, B, 1) + u2 * betweenRate(A, B, 2);
  const push = get(data, SpringData.FORCE) - k * (length - get(data, SpringData.FREE)) - c * rate;
  const tension = push / length;
  const row = rowOf(table, 0), change = rowOf(table, 1);
  setPoint(row, bodyA, A, -u0, -u1, -u2);
  setPoint(secondOf(row), bodyB, B, u0, u1, u2);
  if (c != 0.0) setLengthChange(change, A, B, bodyA, bodyB, length);
  addElastic(stiffness, damping, blocks, i, j, k + tension, c, row, change);
  addSquare(stiffness, blocks, i, j, A, B, bodyA, bodyB, tension);
}

/** F in the direction of a sensor. */
export function addSensorSpring(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const number = getInteger(entry, ForceEntry.A), sensor = sensorOf(table, number);
  const data = constantsOf(table, entry), value = get(sensor, Sensor.VALUE);
  const k = get(data, SpringData.STIFFNESS), c = get(data, SpringData.DAMPING);
  const push = get(data, SpringData.FORCE) - k * (value - get(data, SpringData.FREE));
  const force = push - c * get(sensor, Sensor.RATE);
  addAlongSensor(table, number, force, k, c, blocks, stiffness, damping);
}

/**
 * F of a motor, whose law records its derivatives; it is called again, as its last call may be of
 * another state.
 */
export function addMotor(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const number = getInteger(entry, ForceEntry.A), data = constantsOf(table, entry);
  const force = motorForce(data, sensorOf(table, number));
  const k = -get(data, MotorData.BY_VALUE), c = -get(data, MotorData.BY_RATE);
  addAlongSensor(table, number, force, k, c, blocks, stiffness, damping);
}

/** Any law F(s, s') along a sensor, with k = -dF/ds and c = -dF/ds'. */
export function addAlongSensor(
  table: usize, number: i32, force: f64, k: f64, c: f64, blocks: usize, stiffness: usize,
  damping: usize,
): void {
  const sensor = sensorOf(table, number);
  const markers = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, number);
  const kind = getInteger(markers, SensorEntry.KIND), value = get(sensor, Sensor.VALUE);
  if (kind == SensorKind.LENGTH && value == 0.0) return;
  const first = getInteger(markers, SensorEntry.A), second = getInteger(markers, SensorEntry.B);
  const numberA = bodyOf(table, first), numberB = bodyOf(table, second);
  const row = at(sensor, Sensor.JACOBIAN_A), change = rowOf(table, 1);
  if (c != 0.0) {
    const A = markerOf(table, first), B = markerOf(table, second);
    setSensorChange(change, kind, value, A, B, frameOf(table, numberA), frameOf(table, numberB));
  }
  addElastic(
    stiffness, damping, blocks, BODY_VELOCITIES * numberA, BODY_VELOCITIES * numberB, k, c, row,
    change,
  );
  addSensor(table, number, force, blocks, stiffness);
}

/** The derivative of a sensor's rate. */
function setSensorChange(
  row: usize, kind: i32, value: f64, A: usize, B: usize, bodyA: usize, bodyB: usize,
): void {
  if (kind == SensorKind.ANGLE) {
    setAngleChange(row, A, B, bodyA, bodyB);
    return;
  }
  if (kind == SensorKind.LENGTH) {
    setLengthChange(row, A, B, bodyA, bodyB, value);
    return;
  }
  const z = at(A, MarkerFrame.AXES + 6);
  setSeenChange(row, B, bodyA, bodyB, 0.0, 0.0, 0.0, get(z, 0), get(z, 1), get(z, 2));
}
