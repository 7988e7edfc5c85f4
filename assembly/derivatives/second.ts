// The stiffness of constraints: derivative of J^T lambda by a displacement at constant lambda. For
// linearisation and stability, not for a step.

import {
  BODY_VELOCITIES, BodyTable, MarkerFrame, RowEntry, RowKind, WheelData,
} from "../layout-bodies";
import { addressOf, bodyOf, entryOf, frameOf, markerOf } from "../kinematics/table";
import { dot3, setThree } from "../kinematics/vector";
import { at, get, getInteger } from "../math/slots";
import { FACTOR_A, FACTOR_B } from "../constraints/couple";
import { SCALE } from "../constraints/distance";
import { crossed, inner } from "../constraints/rows";
import { vectorOf } from "./forces-rows";
import { addAlong, addDirections, addPull, addSquare, addTurningRows } from "./second-pairs";
import { addSensor } from "./second-sensors";

/**
 * Adds d(J^T lambda) / d(displacement) of all holonomic rows to `out`, the blocks of
 * a pattern.
 * Frames are those of the state, and sensors have their values and Jacobians. The user's rows are
 * left out.
 */
export function bodyConstraintStiffness(
  table: usize, blocks: usize, lambda: usize, out: usize,
): void {
  const count = getInteger(table, BodyTable.ENTRY_COUNT);
  let entry = entryOf(table, BodyTable.ENTRY_LIST, RowEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    const kind = getInteger(entry, RowEntry.KIND);
    const multipliers = at(lambda, getInteger(entry, RowEntry.ROW));
    if (kind == RowKind.COUPLE) addCouple(table, entry, get(multipliers, 0), blocks, out);
    else if (kind <= RowKind.WHEEL_HEIGHT) addPair(table, entry, kind, multipliers, blocks, out);
    entry += RowEntry.LENGTH << 2;
  }
}

function addCouple(
  table: usize, entry: usize, lambda: f64, blocks: usize, out: usize,
): void {
  const data = dataOf(table, entry), second = getInteger(entry, RowEntry.B);
  addSensor(table, getInteger(entry, RowEntry.A), lambda * get(data, FACTOR_A), blocks, out);
  if (second >= 0) addSensor(table, second, lambda * get(data, FACTOR_B), blocks, out);
}

/** A row between two markers. */
function addPair(
  table: usize, entry: usize, kind: i32, lambda: usize, blocks: usize, out: usize,
): void {
  const a = getInteger(entry, RowEntry.A), b = getInteger(entry, RowEntry.B);
  const A = markerOf(table, a), B = markerOf(table, b);
  const numberA = bodyOf(table, a), numberB = bodyOf(table, b);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const i = BODY_VELOCITIES * numberA, j = BODY_VELOCITIES * numberB;
  const axisA = at(A, MarkerFrame.AXES + 3 * getInteger(entry, RowEntry.AXIS_A));
  const factor = get(lambda, 0);
  switch (kind) {
    case RowKind.COINCIDE:
      addPull(out, blocks, i, j, A, B, bodyA, bodyB, factor, get(lambda, 1), get(lambda, 2));
      break;
    case RowKind.DOT1: {
      const axisB = at(B, MarkerFrame.AXES + 3 * getInteger(entry, RowEntry.AXIS_B));
      addDirections(out, blocks, i, j, bodyA, bodyB, factor, axisA, axisB);
      break;
    }
    case RowKind.DOT2:
      addAlong(out, blocks, i, j, axisA, B, bodyA, bodyB, factor);
      break;
    case RowKind.DISTANCE:
      addSquare(out, blocks, i, j, A, B, bodyA, bodyB, factor * get(dataOf(table, entry), SCALE));
      break;
    case RowKind.WHEEL_HEIGHT: {
      addAlong(out, blocks, i, j, at(A, MarkerFrame.AXES + 6), B, bodyA, bodyB, factor);
      if (!getInteger(entry, RowEntry.AXIS_B)) break;
      const scaled = factor * get(dataOf(table, entry), WheelData.RADIUS);
      addDisk(out, blocks, i, j, A, B, bodyA, bodyB, vectorOf(table), scaled);
    }
  }
}

/**
 * -h(k) of wheel-height.ts: L_j L_i (-h) = (k / h) L_j L_i k + (L_i k)(L_j k) / h^3. m: scratch for
 * a vector.
 */
function addDisk(
  out: usize, blocks: usize, i: i32, j: i32, A: usize, B: usize, bodyA: usize, bodyB: usize,
  m: usize, factor: f64,
): void {
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
  const m0 = crossed(n1, n2, c1, c2), m1 = crossed(n2, n0, c2, c0), m2 = crossed(n0, n1, c0, c1);
  const h = Math.sqrt(inner(m0, m1, m2, m0, m1, m2));
  const first = (factor * dot3(n, c)) / h, second = factor / (h * h * h);
  addDirections(out, blocks, i, j, bodyA, bodyB, first, n, c);
  setThree(m, m0, m1, m2);
  addTurningRows(out, blocks, i, j, bodyA, bodyB, second, m, m);
}

// @ts-ignore: decorator
@inline
function dataOf(table: usize, entry: usize): usize {
  return at(addressOf(table, BodyTable.DATA), getInteger(entry, RowEntry.DATA));
}
