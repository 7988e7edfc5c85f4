// Derivatives of constraint rows by displacements and velocities, for implicit methods.
// Evaluated once for each Jacobian of a step, not for each evaluation.

import {
  BODY_VELOCITIES, BodyFrame, BodyTable, MarkerFrame, RowEntry, RowKind, SensorEntry, SensorKind,
  WheelData,
} from "../layout-bodies";
import { RowPair } from "../layout-stiff";
import { addressOf, bodyOf, entryOf, frameOf, markerOf } from "../kinematics/table";
import { at, get, getAddress, getInteger, setInteger, setPair } from "../math/slots";
import { FACTOR_A, FACTOR_B } from "../constraints/couple";
import { SCALE } from "../constraints/distance";
import { addFixed } from "./rows-lever";
import { addAngle, addDisk, addLength, addPoint, addSquare } from "./rows-pairs";
import { addKnifeEdge, addRolling } from "./rows-velocity";

/**
 * Three sparse matrices in the layout of the Jacobian:
 *
 *   rate = d(phiDot) / d(displacement) at fixed v,
 *   bias = d(gamma - J a) / d(displacement) at fixed v and a,
 *   gyro = d(gamma) / dv.
 *
 * Displacements are translations along the axes of the world and turns about those of the body, v
 * and a are linear in the world and angular in the body: six for each body. Frames are those of the
 * state, with velocities. Nothing else is read: neither rows nor sensors need be evaluated. The
 * user's rows are not written.
 */
export function bodyRowDerivatives(
  table: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const count = getInteger(table, BodyTable.ENTRY_COUNT);
  const pair = addressOf(table, BodyTable.VELOCITY_SCRATCH);
  setInteger(pair, RowPair.RATE, <i32>rate);
  setInteger(pair, RowPair.BIAS, <i32>bias);
  setInteger(pair, RowPair.GYRO, <i32>gyro);
  let entry = entryOf(table, BodyTable.ENTRY_LIST, RowEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    const kind = getInteger(entry, RowEntry.KIND);
    if (kind != RowKind.USER) {
      const rows = kind == RowKind.COINCIDE ? 3 : 1;
      clear(rate, bias, gyro, getInteger(entry, RowEntry.JACOBIAN_A), rows);
      clear(rate, bias, gyro, getInteger(entry, RowEntry.JACOBIAN_B), rows);
      if (kind == RowKind.COUPLE) addCouple(table, entry, a, pair);
      else if (kind == RowKind.KNIFE_EDGE) addEdge(table, entry, a, rate, bias, gyro);
      else addPair(table, entry, kind, a, pair);
    }
    entry += RowEntry.LENGTH << 2;
  }
}

/** Clears rows in pairs: memory.fill is a call, and rows are short. */
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

/** Writes the markers of a row and the slots of its rows of both bodies to the record. */
function setMarkers(table: usize, a: usize, markerA: i32, markerB: i32, pair: usize): void {
  const numberA = bodyOf(table, markerA), numberB = bodyOf(table, markerB);
  setInteger(pair, RowPair.A, <i32>markerOf(table, markerA));
  setInteger(pair, RowPair.B, <i32>markerOf(table, markerB));
  setInteger(pair, RowPair.BODY_A, <i32>frameOf(table, numberA));
  setInteger(pair, RowPair.BODY_B, <i32>frameOf(table, numberB));
  setInteger(pair, RowPair.ACCELERATION_A, <i32>accelerationOf(table, a, numberA));
  setInteger(pair, RowPair.ACCELERATION_B, <i32>accelerationOf(table, a, numberB));
}

// @ts-ignore: decorator
@inline
function setSlots(pair: usize, slotA: i32, slotB: i32): void {
  setInteger(pair, RowPair.SLOT_A, slotA);
  setInteger(pair, RowPair.SLOT_B, slotB);
}

/** A row between two markers. Prescribed values do not depend on the state. */
function addPair(table: usize, entry: usize, kind: i32, a: usize, pair: usize): void {
  setMarkers(table, a, getInteger(entry, RowEntry.A), getInteger(entry, RowEntry.B), pair);
  const i = getInteger(entry, RowEntry.JACOBIAN_A), j = getInteger(entry, RowEntry.JACOBIAN_B);
  setSlots(pair, i, j);
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const data = dataOf(table, entry), axis = axisOf(entry, RowEntry.AXIS_A, A);
  const arm = at(B, MarkerFrame.ARM), disk = getInteger(entry, RowEntry.AXIS_B);
  switch (kind) {
    case RowKind.COINCIDE: {
      const aA = getAddress(pair, RowPair.ACCELERATION_A);
      const aB = getAddress(pair, RowPair.ACCELERATION_B), armA = at(A, MarkerFrame.ARM);
      addPoint(pair, i, getAddress(pair, RowPair.BODY_A), aA, armA, -1.0);
      addPoint(pair, j, getAddress(pair, RowPair.BODY_B), aB, arm, 1.0);
      break;
    }
    case RowKind.DOT1: {
      addFixed(pair, false, axisOf(entry, RowEntry.AXIS_B, B), 1.0, axis);
      break;
    }
    case RowKind.DOT2:
      addFixed(pair, true, arm, 1.0, axis);
      break;
    case RowKind.DISTANCE:
      addSquare(pair, get(data, SCALE));
      break;
    case RowKind.WHEEL_HEIGHT: {
      addFixed(pair, true, arm, 1.0, at(A, MarkerFrame.AXES + 6));
      if (disk) addDisk(pair, get(data, WheelData.RADIUS));
      break;
    }
    case RowKind.ROLLING: {
      addRolling(pair, disk, axis, get(data, WheelData.RADIUS));
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
function addCouple(table: usize, entry: usize, a: usize, pair: usize): void {
  const data = dataOf(table, entry), second = getInteger(entry, RowEntry.B);
  if (second >= 0) {
    const i = getInteger(entry, RowEntry.JACOBIAN_C), j = getInteger(entry, RowEntry.JACOBIAN_D);
    const rate = getAddress(pair, RowPair.RATE), bias = getAddress(pair, RowPair.BIAS);
    const gyro = getAddress(pair, RowPair.GYRO);
    clear(rate, bias, gyro, i, 1);
    clear(rate, bias, gyro, j, 1);
    setSlots(pair, i, j);
    addSensor(table, second, get(data, FACTOR_B), a, pair);
  }
  setSlots(
    pair, getInteger(entry, RowEntry.JACOBIAN_A), getInteger(entry, RowEntry.JACOBIAN_B),
  );
  addSensor(table, getInteger(entry, RowEntry.A), get(data, FACTOR_A), a, pair);
}

/** Adds factor times the rows of a sensor at the slots of the record. */
function addSensor(table: usize, index: i32, factor: f64, a: usize, pair: usize): void {
  const entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, index);
  setMarkers(table, a, getInteger(entry, SensorEntry.A), getInteger(entry, SensorEntry.B), pair);
  switch (getInteger(entry, SensorEntry.KIND)) {
    case SensorKind.ANGLE:
      addAngle(pair, factor);
      break;
    case SensorKind.DISPLACEMENT: {
      const arm = at(getAddress(pair, RowPair.B), MarkerFrame.ARM);
      addFixed(pair, true, arm, factor, at(getAddress(pair, RowPair.A), MarkerFrame.AXES + 6));
      break;
    }
    default:
      addLength(pair, factor);
  }
}
