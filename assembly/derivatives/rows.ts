// How constraint rows change with displacements and velocities: what implicit methods need of them.
// Once for each Jacobian of a step, not for each evaluation.

import {
  BODY_VELOCITIES, BodyFrame, BodyTable, MarkerFrame, RowEntry, RowKind, SensorEntry, SensorKind,
} from "../layout-bodies";
import { addressOf, bodyOf, entryOf, frameOf, markerOf } from "../kinematics/table";
import { at, get, getInteger, setPair } from "../math/slots";
import { addFixed } from "./rows-lever";
import { addAngle, addDisk, addLength, addPoint, addSquare } from "./rows-pairs";
import { addKnifeEdge, addRolling } from "./rows-velocity";

/**
 * Three sparse matrices that lie as the Jacobian does:
 *
 *   rate = d(phiDot) / d(displacement) at fixed v,
 *   bias = d(gamma - J a) / d(displacement) at fixed v and a,
 *   gyro = d(gamma) / dv.
 *
 * Displacements are translations along the axes of the world and turns about those of the body, v
 * and a are linear in the world and angular in the body: six for each body. Frames are those of the
 * state, with velocities. Nothing else is read: neither rows nor sensors need be evaluated. The
 * user's rows are left alone.
 */
export function bodyRowDerivatives(
  table: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const count = getInteger(table, BodyTable.ENTRY_COUNT);
  let entry = entryOf(table, BodyTable.ENTRY_LIST, RowEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    const kind = getInteger(entry, RowEntry.KIND);
    if (kind != RowKind.USER) {
      const rows = kind == RowKind.COINCIDE ? 3 : 1;
      clear(rate, bias, gyro, getInteger(entry, RowEntry.JACOBIAN_A), rows);
      clear(rate, bias, gyro, getInteger(entry, RowEntry.JACOBIAN_B), rows);
      if (kind == RowKind.COUPLE) addCouple(table, entry, a, rate, bias, gyro);
      else if (kind == RowKind.KNIFE_EDGE) addEdge(table, entry, a, rate, bias, gyro);
      else addPair(table, entry, kind, a, rate, bias, gyro);
    }
    entry += RowEntry.LENGTH << 2;
  }
}

/** By pairs: filling memory is a call, and rows are short. */
// @ts-ignore: decorator
@inline
function clear(rate: usize, bias: usize, gyro: usize, slot: i32, rows: i32): void {
  const zero = f64x2.splat(0.0), end = slot + BODY_VELOCITIES * rows;
  for (let i = slot; i < end; i += 2) {
    setPair(rate, i, zero);
    setPair(bias, i, zero);
    setPair(gyro, i, zero);
  }
}

/** Accelerations of a body. The ground has none: its centre is the origin, and rests. */
// @ts-ignore: decorator
@inline
function accelerationOf(table: usize, a: usize, body: i32): usize {
  return body < getInteger(table, BodyTable.BODY_COUNT)
    ? at(a, BODY_VELOCITIES * body)
    : at(frameOf(table, body), BodyFrame.POINT);
}

// @ts-ignore: decorator
@inline
function dataOf(table: usize, entry: usize): usize {
  return at(addressOf(table, BodyTable.DATA), getInteger(entry, RowEntry.DATA));
}

// @ts-ignore: decorator
@inline
function axisOf(entry: usize, field: i32, marker: usize): usize {
  return at(marker, MarkerFrame.AXES + 3 * getInteger(entry, field));
}

/** A row between two markers. What is prescribed does not depend on the state. */
function addPair(
  table: usize, entry: usize, kind: i32, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const markerA = getInteger(entry, RowEntry.A), markerB = getInteger(entry, RowEntry.B);
  const i = getInteger(entry, RowEntry.JACOBIAN_A), j = getInteger(entry, RowEntry.JACOBIAN_B);
  const A = markerOf(table, markerA), B = markerOf(table, markerB);
  const numberA = bodyOf(table, markerA), numberB = bodyOf(table, markerB);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const aA = accelerationOf(table, a, numberA), aB = accelerationOf(table, a, numberB);
  const data = dataOf(table, entry), axis = axisOf(entry, RowEntry.AXIS_A, A);
  const arm = at(B, MarkerFrame.ARM), disk = getInteger(entry, RowEntry.AXIS_B);
  switch (kind) {
    case RowKind.COINCIDE:
      addPoint(rate, bias, gyro, i, bodyA, aA, at(A, MarkerFrame.ARM), -1.0);
      addPoint(rate, bias, gyro, j, bodyB, aB, arm, 1.0);
      break;
    case RowKind.DOT1: {
      const b = axisOf(entry, RowEntry.AXIS_B, B);
      addFixed(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, false, b, 1.0, axis);
      break;
    }
    case RowKind.DOT2:
      addFixed(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, true, arm, 1.0, axis);
      break;
    case RowKind.DISTANCE:
      addSquare(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, A, B, get(data, 3));
      break;
    case RowKind.WHEEL_HEIGHT: {
      const normal = at(A, MarkerFrame.AXES + 6), radius = get(data, 0);
      addFixed(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, true, arm, 1.0, normal);
      if (disk) addDisk(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, A, B, radius);
      break;
    }
    case RowKind.ROLLING: {
      const radius = get(data, 0);
      addRolling(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, A, B, disk, axis, radius);
    }
  }
}

/** A row of one marker. */
function addEdge(
  table: usize, entry: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const marker = getInteger(entry, RowEntry.A), number = bodyOf(table, marker);
  addKnifeEdge(
    rate, bias, gyro, getInteger(entry, RowEntry.JACOBIAN_A), frameOf(table, number),
    accelerationOf(table, a, number), axisOf(entry, RowEntry.AXIS_A, markerOf(table, marker)),
  );
}

/** Rows of sensors add with their factors. The first two have been cleared. */
function addCouple(
  table: usize, entry: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const data = dataOf(table, entry), second = getInteger(entry, RowEntry.B);
  if (second >= 0) {
    const i = getInteger(entry, RowEntry.JACOBIAN_C), j = getInteger(entry, RowEntry.JACOBIAN_D);
    clear(rate, bias, gyro, i, 1);
    clear(rate, bias, gyro, j, 1);
    addSensor(table, second, get(data, 4), i, j, a, rate, bias, gyro);
  }
  const i = getInteger(entry, RowEntry.JACOBIAN_A), j = getInteger(entry, RowEntry.JACOBIAN_B);
  addSensor(table, getInteger(entry, RowEntry.A), get(data, 3), i, j, a, rate, bias, gyro);
}

/** Adds factor times the rows of a sensor at slots i and j. */
function addSensor(
  table: usize, index: i32, factor: f64, i: i32, j: i32,
  a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, index);
  const markerA = getInteger(entry, SensorEntry.A), markerB = getInteger(entry, SensorEntry.B);
  const A = markerOf(table, markerA), B = markerOf(table, markerB);
  const numberA = bodyOf(table, markerA), numberB = bodyOf(table, markerB);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const aA = accelerationOf(table, a, numberA), aB = accelerationOf(table, a, numberB);
  switch (getInteger(entry, SensorEntry.KIND)) {
    case SensorKind.ANGLE:
      addAngle(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, A, B, factor);
      break;
    case SensorKind.DISPLACEMENT: {
      const arm = at(B, MarkerFrame.ARM), z = at(A, MarkerFrame.AXES + 6);
      addFixed(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, true, arm, factor, z);
      break;
    }
    default:
      addLength(rate, bias, gyro, i, j, bodyA, bodyB, aA, aB, A, B, factor);
  }
}
