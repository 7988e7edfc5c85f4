// Derivatives of forces on one body, column by column. theta_j = R e_j is the turn of column 3 + j.
// A force F at the arm s, with s x F in the axes of the body, changes by L F and R^T (s x (L F -
// theta x F)).

import {
  BODY_VELOCITIES, BodyFrame, BodyMass, BodyTable, DragData, ForceEntry, MarkerFrame,
} from "../layout-bodies";
import { addressOf, bodyOf, frameOf, markerOf } from "../kinematics/table";
import { dot3 } from "../kinematics/vector";
import { at, get, getInteger, set } from "../math/slots";
import { crossed } from "../constraints/rows";
import { massOf } from "../forces/body";
import { component } from "../forces/applied";
import { constantsOf, lengthOf } from "../forces/entry";
import { addBack, addTo } from "../forces/loads";
import { blockOf } from "./second-blocks";

/** Address of column `column` of a body's own block. Not for the ground. */
// @ts-ignore: decorator
@inline
function columnOf(blocks: usize, out: usize, body: i32, column: i32): usize {
  const first = BODY_VELOCITIES * body;
  return at(out, blockOf(blocks, first, first) + BODY_VELOCITIES * column);
}

/** Whether a marker is on the ground. */
// @ts-ignore: decorator
@inline
function grounded(table: usize, marker: i32): bool {
  return bodyOf(table, marker) == getInteger(table, BodyTable.BODY_COUNT);
}

/**
 * A force fixed in the body turns and its torque does not; for one fixed in the world the reverse
 * holds.
 */
export function addAppliedForce(
  table: usize, entry: usize, blocks: usize, stiffness: usize,
): void {
  const marker = getInteger(entry, ForceEntry.A);
  if (grounded(table, marker)) return;
  const number = bodyOf(table, marker), body = frameOf(table, number);
  const arm = at(markerOf(table, marker), MarkerFrame.ARM);
  const f0 = component(table, entry, 0), f1 = component(table, entry, 1);
  const f2 = component(table, entry, 2);
  const turns = getInteger(entry, ForceEntry.FLAG) == 1;
  for (let j = 0; j < 3; j++) {
    const theta = at(body, 3 * j), column = columnOf(blocks, stiffness, number, 3 + j);
    const x0 = crossed(get(theta, 1), get(theta, 2), f1, f2);
    const x1 = crossed(get(theta, 2), get(theta, 0), f2, f0);
    const x2 = crossed(get(theta, 0), get(theta, 1), f0, f1);
    if (turns) addTo(column, x0, x1, x2);
    else addMoment(at(column, 3), body, arm, -x0, -x1, -x2);
  }
}

/** -R^T (theta x T) for a torque fixed in the world, zero for one fixed in the body. */
export function addAppliedTorque(
  table: usize, entry: usize, blocks: usize, stiffness: usize,
): void {
  const marker = getInteger(entry, ForceEntry.A);
  if (grounded(table, marker) || getInteger(entry, ForceEntry.FLAG) == 1) return;
  const number = bodyOf(table, marker), body = frameOf(table, number);
  const t0 = component(table, entry, 0), t1 = component(table, entry, 1);
  const t2 = component(table, entry, 2);
  for (let j = 0; j < 3; j++) {
    const theta = at(body, 3 * j);
    addBack(
      body, crossed(t1, t2, get(theta, 1), get(theta, 2)),
      crossed(t2, t0, get(theta, 2), get(theta, 0)), crossed(t0, t1, get(theta, 0), get(theta, 1)),
      at(columnOf(blocks, stiffness, number, 3 + j), 3),
    );
  }
}

/**
 * -(c1 + c2 |u|) u changes by -(c1 + c2 |u|) L u - c2 (u . L u) u / |u|. Turns change u by
 * theta x (w x s); velocities by 1, and theta x s. The torque is the same of w in the body, where
 * turns do not change it.
 */
export function addDrag(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const number = getInteger(entry, ForceEntry.A);
  if (grounded(table, number)) return;
  const own = bodyOf(table, number), body = frameOf(table, own), marker = markerOf(table, number);
  const arm = at(marker, MarkerFrame.ARM), u = at(marker, MarkerFrame.VELOCITY);
  const data = constantsOf(table, entry);
  const u0 = get(u, 0), u1 = get(u, 1), u2 = get(u, 2), speed = lengthOf(u0, u1, u2);
  const more = get(data, DragData.QUADRATIC), slow = -(get(data, DragData.LINEAR) + more * speed);
  const growth = speed > 0.0 ? -more / speed : 0.0;
  const y0 = u0 - get(body, BodyFrame.VELOCITY), y1 = u1 - get(body, BodyFrame.VELOCITY + 1);
  const y2 = u2 - get(body, BodyFrame.VELOCITY + 2);
  const s0 = get(arm, 0), s1 = get(arm, 1), s2 = get(arm, 2);
  for (let j = 0; j < 3; j++) {
    const linear = columnOf(blocks, damping, own, j);
    addSlowing(linear, body, arm, u, slow, growth, f64(j == 0), f64(j == 1), f64(j == 2));
    const theta = at(body, 3 * j), a0 = get(theta, 0), a1 = get(theta, 1), a2 = get(theta, 2);
    addSlowing(
      columnOf(blocks, damping, own, 3 + j), body, arm, u, slow, growth,
      crossed(a1, a2, s1, s2), crossed(a2, a0, s2, s0), crossed(a0, a1, s0, s1),
    );
    const turning = columnOf(blocks, stiffness, own, 3 + j);
    addSlowing(
      turning, body, arm, u, slow, growth,
      crossed(a1, a2, y1, y2), crossed(a2, a0, y2, y0), crossed(a0, a1, y0, y1),
    );
    addMoment(
      at(turning, 3), body, arm, slow * crossed(u1, u2, a1, a2), slow * crossed(u2, u0, a2, a0),
      slow * crossed(u0, u1, a0, a1),
    );
  }
  addCalming(table, own, data, blocks, damping);
}

/** Column of the change (x0, x1, x2) of u. */
function addSlowing(
  column: usize, body: usize, arm: usize, u: usize, slow: f64, growth: f64,
  x0: f64, x1: f64, x2: f64,
): void {
  const more = growth * (get(u, 0) * x0 + get(u, 1) * x1 + get(u, 2) * x2);
  const f0 = slow * x0 + more * get(u, 0), f1 = slow * x1 + more * get(u, 1);
  const f2 = slow * x2 + more * get(u, 2);
  addTo(column, f0, f1, f2);
  addMoment(at(column, 3), body, arm, f0, f1, f2);
}

/** out += R^T (s x F) */
function addMoment(out: usize, body: usize, arm: usize, f0: f64, f1: f64, f2: f64): void {
  const s0 = get(arm, 0), s1 = get(arm, 1), s2 = get(arm, 2);
  addBack(
    body, crossed(s1, s2, f1, f2), crossed(s2, s0, f2, f0), crossed(s0, s1, f0, f1), out,
  );
}

function addCalming(
  table: usize, body: i32, data: usize, blocks: usize, damping: usize,
): void {
  const w = at(addressOf(table, BodyTable.VELOCITIES), BODY_VELOCITIES * body + 3);
  const speed = Math.sqrt(dot3(w, w)), steep = get(data, DragData.ANGULAR_QUADRATIC);
  const calm = -(get(data, DragData.ANGULAR) + steep * speed);
  const growth = speed > 0.0 ? -steep / speed : 0.0;
  for (let j = 0; j < 3; j++) {
    const column = at(columnOf(blocks, damping, body, 3 + j), 3), more = growth * get(w, j);
    addTo(column, more * get(w, 0), more * get(w, 1), more * get(w, 2));
    set(column, j, get(column, j) + calm);
  }
}

/** I w x w changes by I x x w + I w x x. */
export function addGyroscopic(table: usize, body: i32, blocks: usize, damping: usize): void {
  const w = at(addressOf(table, BodyTable.VELOCITIES), BODY_VELOCITIES * body + 3);
  const inertia = at(massOf(table, body), BodyMass.INERTIA);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const h0 = dot3(inertia, w), h1 = dot3(at(inertia, 3), w), h2 = dot3(at(inertia, 6), w);
  for (let j = 0; j < 3; j++) {
    const i0 = get(inertia, 3 * j), i1 = get(inertia, 3 * j + 1), i2 = get(inertia, 3 * j + 2);
    const x0 = f64(j == 0), x1 = f64(j == 1), x2 = f64(j == 2);
    addTo(
      at(columnOf(blocks, damping, body, 3 + j), 3),
      crossed(i1, i2, w1, w2) + crossed(h1, h2, x1, x2),
      crossed(i2, i0, w2, w0) + crossed(h2, h0, x2, x0),
      crossed(i0, i1, w0, w1) + crossed(h0, h1, x0, x1),
    );
  }
}
