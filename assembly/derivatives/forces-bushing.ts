// Derivatives of a bushing. Along the axes a_i of A it is three springs on a_i . d, and the force F
// = sum f_i a_i is fixed in A while their lengths stay: the change of all three rows together is
// the second derivative of F . d.
//
// Turning, in the letters of bushing-turn.ts and the axes of A: with E = e0 I - [e x],
//
//   z = 2 (e1, e2, e3),   z' = E w,   m = g - K z - C z',   T = E^T m
//
// and a turn psi = theta_B - theta_A of B that A sees changes e by (-psi . e, E psi) / 2, and w by
// psi x w_B, since w_A and w_B turn with their bodies. E is linear in e, so L E is that of L e, and
//
//   L m = -2 K (L e) - C (E L w + (L E) w),   L T = E^T L m + (L E)^T m.
//
// The forces g, as those along the axes, are treated as constants: derivatives of formulas in
// them are added separately. This is complete for the torque -T on A, in the axes of A. The torque
// on B is R^T T in the axes of B, and also turns by -psi.

import {
  BODY_VELOCITIES, BodyFrame, BodyTable, BushingData, ForceEntry, MarkerFrame,
} from "../layout-bodies";
import { bodyOf, frameOf, markerOf } from "../kinematics/table";
import { cross, dot3, rotate, rotateBack, setThree } from "../kinematics/vector";
import { at, clearSlots, get, getInteger, set } from "../math/slots";
import { along, alongRate, setAlongRows } from "../constraints/dot2";
import { crossed } from "../constraints/rows";
import { bushingTurn } from "../forces/bushing-turn";
import { constantsOf } from "../forces/entry";
import { addBack, addTo } from "../forces/loads";
import { addElastic, rowOf, secondOf, setSeenChange, vectorOf } from "./forces-rows";
import { blockOf } from "./second-blocks";
import { addAlong } from "./second-pairs";

/** Slots of the scratch. In the axes of A, except the torque in the world. */
enum Turning {
  /** e, and its change. */
  E = 0,
  E_CHANGE = 4,
  M = 8,
  /** Angular velocities: of B as A sees it, and of B. */
  OMEGA = 11,
  OMEGA_B = 14,
  TORQUE = 17,
  PSI = 20,
  OMEGA_CHANGE = 23,
  /** Of z' and then of m. */
  RATE_CHANGE = 26,
  TORQUE_CHANGE = 29,
  /** The same in the world. */
  WORLD = 32,
}

export function addBushing(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const A = markerOf(table, first), B = markerOf(table, second);
  const numberA = bodyOf(table, first), numberB = bodyOf(table, second);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const i = BODY_VELOCITIES * numberA, j = BODY_VELOCITIES * numberB;
  const data = constantsOf(table, entry), force = vectorOf(table);
  const row = rowOf(table, 0), change = rowOf(table, 1);
  setThree(force, 0.0, 0.0, 0.0);
  for (let axis = 0; axis < 3; axis++) {
    const a = at(A, MarkerFrame.AXES + 3 * axis), k = get(data, BushingData.STIFFNESS + axis);
    const c = get(data, BushingData.DAMPING + axis);
    const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
    const g = get(data, BushingData.FORCE + axis);
    const f = g - k * along(a, A, B) - c * alongRate(a, A, B, bodyA);
    addTo(force, f * a0, f * a1, f * a2);
    setAlongRows(a, A, B, bodyA, bodyB, row, secondOf(row));
    if (c != 0.0) setSeenChange(change, B, bodyA, bodyB, 0.0, 0.0, 0.0, a0, a1, a2);
    addElastic(stiffness, damping, blocks, i, j, k, c, row, change);
  }
  addAlong(stiffness, blocks, i, j, force, B, bodyA, bodyB, 1.0);
  const scratch = row;
  bushingTurn(table, first, second, data, 0, scratch);
  setTurn(scratch, data, at(A, MarkerFrame.AXES), bodyA, bodyB);
  addTurns(stiffness, damping, blocks, i, j, A, bodyA, bodyB, data, scratch, -1.0);
  addTurns(stiffness, damping, blocks, i, j, A, bodyA, bodyB, data, scratch, 1.0);
}

/** Angular velocities, m and the torque. */
function setTurn(s: usize, data: usize, axes: usize, bodyA: usize, bodyB: usize): void {
  const w = at(bodyB, BodyFrame.OMEGA), v = at(bodyA, BodyFrame.OMEGA);
  rotateBack(axes, get(w, 0), get(w, 1), get(w, 2), at(s, Turning.OMEGA_B));
  rotateBack(
    axes, get(w, 0) - get(v, 0), get(w, 1) - get(v, 1), get(w, 2) - get(v, 2),
    at(s, Turning.OMEGA),
  );
  const m = at(s, Turning.M), torque = at(s, Turning.TORQUE_CHANGE);
  clearSlots(m, 3);
  addTurned(at(s, Turning.E), at(s, Turning.OMEGA), m);
  for (let i = 0; i < 3; i++) {
    const k = get(data, BushingData.TURN_STIFFNESS + i);
    const c = get(data, BushingData.TURN_DAMPING + i);
    const g = get(data, BushingData.TURN_FORCE + i);
    set(m, i, g - 2.0 * k * get(s, Turning.E + 1 + i) - c * get(m, i));
  }
  clearSlots(torque, 3);
  addTurnedBack(at(s, Turning.E), m, torque);
  rotate(axes, torque, at(s, Turning.TORQUE));
}

/** Columns of the turns of B (sign 1) or of A (-1); psi = sign theta. */
function addTurns(
  stiffness: usize, damping: usize, blocks: usize, i: i32, j: i32, A: usize, bodyA: usize,
  bodyB: usize, data: usize, s: usize, sign: f64,
): void {
  const from = sign > 0.0 ? j : i, body = sign > 0.0 ? bodyB : bodyA;
  const onA = blockOf(blocks, i, from), onB = blockOf(blocks, j, from);
  if (onA < 0 && onB < 0) return;
  const axes = at(A, MarkerFrame.AXES), world = at(s, Turning.WORLD), T = at(s, Turning.TORQUE);
  const T0 = get(T, 0), T1 = get(T, 1), T2 = get(T, 2);
  for (let column = 0; column < 3; column++) {
    const theta = at(body, 3 * column), to = 6 * (3 + column) + 3;
    const p0 = sign * get(theta, 0), p1 = sign * get(theta, 1), p2 = sign * get(theta, 2);
    rotateBack(axes, p0, p1, p2, at(s, Turning.PSI));
    setTorqueChange(s, data);
    rotate(axes, at(s, Turning.TORQUE_CHANGE), world);
    const x0 = get(world, 0), x1 = get(world, 1), x2 = get(world, 2);
    if (onA >= 0) addBack(bodyA, -x0, -x1, -x2, at(stiffness, onA + to));
    if (onB >= 0) {
      addBack(
        bodyB, x0 + crossed(T1, T2, p1, p2), x1 + crossed(T2, T0, p2, p0),
        x2 + crossed(T0, T1, p0, p1), at(stiffness, onB + to),
      );
    }
    setTorqueRate(s, data);
    rotate(axes, at(s, Turning.TORQUE_CHANGE), world);
    const y0 = get(world, 0), y1 = get(world, 1), y2 = get(world, 2);
    if (onA >= 0) addBack(bodyA, -y0, -y1, -y2, at(damping, onA + to));
    if (onB >= 0) addBack(bodyB, y0, y1, y2, at(damping, onB + to));
  }
}

/** L T for the turn psi. */
function setTorqueChange(s: usize, data: usize): void {
  const e = at(s, Turning.E), changed = at(s, Turning.E_CHANGE), psi = at(s, Turning.PSI);
  const m = at(s, Turning.RATE_CHANGE), out = at(s, Turning.TORQUE_CHANGE);
  set(changed, 0, -dot3(psi, at(e, 1)));
  clearSlots(at(changed, 1), 3);
  addTurned(e, psi, at(changed, 1));
  for (let i = 0; i < 4; i++) set(changed, i, 0.5 * get(changed, i));
  const w = at(s, Turning.OMEGA_CHANGE);
  cross(psi, at(s, Turning.OMEGA_B), w);
  clearSlots(m, 3);
  addTurned(e, w, m);
  addTurned(changed, at(s, Turning.OMEGA), m);
  for (let i = 0; i < 3; i++) {
    const k = get(data, BushingData.TURN_STIFFNESS + i);
    const c = get(data, BushingData.TURN_DAMPING + i);
    set(m, i, -2.0 * k * get(changed, 1 + i) - c * get(m, i));
  }
  clearSlots(out, 3);
  addTurnedBack(e, m, out);
  addTurnedBack(changed, at(s, Turning.M), out);
}

/** The change of T for the angular velocity psi: -E^T C E psi. */
function setTorqueRate(s: usize, data: usize): void {
  const e = at(s, Turning.E), m = at(s, Turning.RATE_CHANGE), out = at(s, Turning.TORQUE_CHANGE);
  clearSlots(m, 3);
  addTurned(e, at(s, Turning.PSI), m);
  for (let i = 0; i < 3; i++) set(m, i, -get(data, BushingData.TURN_DAMPING + i) * get(m, i));
  clearSlots(out, 3);
  addTurnedBack(e, m, out);
}

/** out += E x = e0 x + x x e */
function addTurned(e: usize, x: usize, out: usize): void {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  addTo(
    out, e0 * x0 + crossed(x1, x2, e2, e3), e0 * x1 + crossed(x2, x0, e3, e1),
    e0 * x2 + crossed(x0, x1, e1, e2),
  );
}

/** out += E^T x = e0 x - x x e */
function addTurnedBack(e: usize, x: usize, out: usize): void {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  addTo(
    out, e0 * x0 - crossed(x1, x2, e2, e3), e0 * x1 - crossed(x2, x0, e3, e1),
    e0 * x2 - crossed(x0, x1, e1, e2),
  );
}
