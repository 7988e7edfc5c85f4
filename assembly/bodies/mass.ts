// The mass matrix of rigid bodies: m I and the inertia tensor, constant in coordinates r' and w.

import { BODY_VELOCITIES, BodyMass, BodyTable } from "../layout-bodies";
import { at, get, getInteger, set } from "../math/slots";
import { addressOf } from "../kinematics/table";

/** out = M x. out may be x. */
export function bodyMassTimes(table: usize, x: usize, out: usize): void {
  multiply(table, BodyMass.MASS, BodyMass.INERTIA, x, out);
}

/** x = M^-1 b. x may be b. */
export function bodyMassSolve(table: usize, b: usize, x: usize): void {
  multiply(table, BodyMass.INVERSE_MASS, BodyMass.INVERSE_INERTIA, b, x);
}

/** x += M^-1 b. */
export function addMassSolve(table: usize, b: usize, x: usize): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  let mass = addressOf(table, BodyTable.MASSES);
  let from = b, to = x;
  for (let body = 0; body < count; body++) {
    const m = get(mass, BodyMass.INVERSE_MASS), inertia = at(mass, BodyMass.INVERSE_INERTIA);
    const w0 = get(from, 3), w1 = get(from, 4), w2 = get(from, 5);
    const xy = get(inertia, 1), xz = get(inertia, 2), yz = get(inertia, 5);
    set(to, 0, get(to, 0) + m * get(from, 0));
    set(to, 1, get(to, 1) + m * get(from, 1));
    set(to, 2, get(to, 2) + m * get(from, 2));
    set(to, 3, get(to, 3) + get(inertia, 0) * w0 + xy * w1 + xz * w2);
    set(to, 4, get(to, 4) + xy * w0 + get(inertia, 4) * w1 + yz * w2);
    set(to, 5, get(to, 5) + xz * w0 + yz * w1 + get(inertia, 8) * w2);
    mass = at(mass, BodyMass.LENGTH);
    from = at(from, BODY_VELOCITIES);
    to = at(to, BODY_VELOCITIES);
  }
}

// @ts-ignore: decorator
@inline
function multiply(table: usize, scalar: i32, tensor: i32, x: usize, out: usize): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  let mass = addressOf(table, BodyTable.MASSES);
  let from = x, to = out;
  for (let body = 0; body < count; body++) {
    timesMass(get(mass, scalar), at(mass, tensor), from, to);
    mass = at(mass, BodyMass.LENGTH);
    from = at(from, BODY_VELOCITIES);
    to = at(to, BODY_VELOCITIES);
  }
}

/** out = (m x_linear, I x_angular) for one body. out may be x. */
// @ts-ignore: decorator
@inline
export function timesMass(m: f64, inertia: usize, x: usize, out: usize): void {
  const w0 = get(x, 3), w1 = get(x, 4), w2 = get(x, 5);
  set(out, 0, m * get(x, 0));
  set(out, 1, m * get(x, 1));
  set(out, 2, m * get(x, 2));
  set(out, 3, get(inertia, 0) * w0 + get(inertia, 1) * w1 + get(inertia, 2) * w2);
  set(out, 4, get(inertia, 3) * w0 + get(inertia, 4) * w1 + get(inertia, 5) * w2);
  set(out, 5, get(inertia, 6) * w0 + get(inertia, 7) * w1 + get(inertia, 8) * w2);
}
