// Second derivatives of sensors.

import {
  BODY_VELOCITIES, BodyTable, MarkerFrame, Sensor, SensorEntry, SensorKind,
} from "../layout-bodies";
import { bodyOf, entryOf, frameOf, markerOf, sensorOf } from "../kinematics/table";
import { dot3, setThree } from "../kinematics/vector";
import { at, get, getInteger } from "../math/slots";
import { crossed } from "../constraints/rows";
import { rowOf } from "./forces-rows";
import { addProduct } from "./second-blocks";
import { addAlong, addDirections, addSquare, addTurningRows } from "./second-pairs";

/** Adds factor times the second derivatives of a sensor. */
export function addSensor(
  table: usize, index: i32, factor: f64, blocks: usize, out: usize,
): void {
  const entry = entryOf(table, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, index);
  const a = getInteger(entry, SensorEntry.A), b = getInteger(entry, SensorEntry.B);
  const A = markerOf(table, a), B = markerOf(table, b);
  const numberA = bodyOf(table, a), numberB = bodyOf(table, b);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const i = BODY_VELOCITIES * numberA, j = BODY_VELOCITIES * numberB;
  switch (getInteger(entry, SensorEntry.KIND)) {
    case SensorKind.ANGLE:
      addAngle(out, blocks, i, j, A, B, bodyA, bodyB, rowOf(table, 0), factor);
      break;
    case SensorKind.DISPLACEMENT:
      addAlong(out, blocks, i, j, at(A, MarkerFrame.AXES + 6), B, bodyA, bodyB, factor);
      break;
    default:
      addLength(out, blocks, i, j, A, B, bodyA, bodyB, sensorOf(table, index), factor);
  }
}

/**
 * theta is the imaginary part of ln(c + i s). With the rows theta_k = L_k theta and g_k = L_k ln
 * sqrt(rho), (ln z)'' = z''/z - (z'/z)^2 has the imaginary part
 *
 *   (c L_j L_i s - s L_j L_i c) / rho - (theta_i g_j + g_i theta_j):
 *
 * the first is that of t . b at fixed t, and theta, g are the rows t x b, p x b of angle.ts.
 * `t`: scratch for three vectors.
 */
function addAngle(
  out: usize, blocks: usize, i: i32, j: i32, A: usize, B: usize, bodyA: usize, bodyB: usize,
  t: usize, factor: f64,
): void {
  const x = at(A, MarkerFrame.AXES), y = at(A, MarkerFrame.AXES + 3), b = at(B, MarkerFrame.AXES);
  const c = dot3(x, b), s = dot3(y, b);
  const scale = 1.0 / (s * s + c * c), cosine = scale * c, sine = scale * s;
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const t0 = cosine * get(y, 0) - sine * get(x, 0), p0 = cosine * get(x, 0) + sine * get(y, 0);
  const t1 = cosine * get(y, 1) - sine * get(x, 1), p1 = cosine * get(x, 1) + sine * get(y, 1);
  const t2 = cosine * get(y, 2) - sine * get(x, 2), p2 = cosine * get(x, 2) + sine * get(y, 2);
  const m = at(t, 3), g = at(t, 6);
  setThree(t, t0, t1, t2);
  setThree(m, crossed(t1, t2, b1, b2), crossed(t2, t0, b2, b0), crossed(t0, t1, b0, b1));
  setThree(g, crossed(p1, p2, b1, b2), crossed(p2, p0, b2, b0), crossed(p0, p1, b0, b1));
  addDirections(out, blocks, i, j, bodyA, bodyB, factor, t, b);
  addTurningRows(out, blocks, i, j, bodyA, bodyB, -factor, m, g);
  addTurningRows(out, blocks, i, j, bodyA, bodyB, -factor, g, m);
}

/** From l^2 / 2 = d . d / 2: l L_j L_i l = L_j L_i (d . d / 2) - (L_i l)(L_j l). 0 if l is 0. */
function addLength(
  out: usize, blocks: usize, i: i32, j: i32, A: usize, B: usize, bodyA: usize, bodyB: usize,
  sensor: usize, factor: f64,
): void {
  const value = get(sensor, Sensor.VALUE);
  if (!(value > 0.0)) return;
  const scaled = factor / value;
  addSquare(out, blocks, i, j, A, B, bodyA, bodyB, scaled);
  const rowA = at(sensor, Sensor.JACOBIAN_A), rowB = at(sensor, Sensor.JACOBIAN_B);
  addProduct(out, blocks, i, i, -scaled, rowA, rowA);
  addProduct(out, blocks, i, j, -scaled, rowA, rowB);
  addProduct(out, blocks, j, i, -scaled, rowB, rowA);
  addProduct(out, blocks, j, j, -scaled, rowB, rowB);
}
