// Spatial vectors and matrices at the points of nodes, in the axes of the world: (angular, linear)
// for motions, (torque, force) for forces. Everything stays at points of the mechanism and is
// carried from one to the next. At the world's origin nothing would have to be carried, but
// inertias of a mechanism at a distance d would contain m d^2, and lose as many digits.

import { at, get, getPair, set, setPair, splat } from "../../math/slots";
import { setThree } from "../../kinematics/vector";
import { setSix } from "../vector";

/** x . y of six components. */
// @ts-ignore: decorator
@inline
export function dotSix(x: usize, y: usize): f64 {
  return get(x, 0) * get(y, 0) + get(x, 1) * get(y, 1) + get(x, 2) * get(y, 2)
    + (get(x, 3) * get(y, 3) + get(x, 4) * get(y, 4) + get(x, 5) * get(y, 5));
}

/** out = x x y of motions: (w x s, w x t + v x s). */
// @ts-ignore: decorator
@inline
export function crossMotion(x: usize, y: usize, out: usize): void {
  const w0 = get(x, 0), w1 = get(x, 1), w2 = get(x, 2);
  const v0 = get(x, 3), v1 = get(x, 4), v2 = get(x, 5);
  const s0 = get(y, 0), s1 = get(y, 1), s2 = get(y, 2);
  const t0 = get(y, 3), t1 = get(y, 4), t2 = get(y, 5);
  setSix(
    out,
    w1 * s2 - w2 * s1, w2 * s0 - w0 * s2, w0 * s1 - w1 * s0,
    w1 * t2 - w2 * t1 + (v1 * s2 - v2 * s1),
    w2 * t0 - w0 * t2 + (v2 * s0 - v0 * s2),
    w0 * t1 - w1 * t0 + (v0 * s1 - v1 * s0),
  );
}

/**
 * out += x x* f: change of a force rotated and shifted by the motion x: (s x n + t x f, s x f).
 */
// @ts-ignore: decorator
@inline
export function addCrossForce(x: usize, force: usize, out: usize): void {
  const s0 = get(x, 0), s1 = get(x, 1), s2 = get(x, 2);
  const t0 = get(x, 3), t1 = get(x, 4), t2 = get(x, 5);
  const n0 = get(force, 0), n1 = get(force, 1), n2 = get(force, 2);
  const f0 = get(force, 3), f1 = get(force, 4), f2 = get(force, 5);
  setSix(
    out,
    get(out, 0) + (s1 * n2 - s2 * n1) + (t1 * f2 - t2 * f1),
    get(out, 1) + (s2 * n0 - s0 * n2) + (t2 * f0 - t0 * f2),
    get(out, 2) + (s0 * n1 - s1 * n0) + (t0 * f1 - t1 * f0),
    get(out, 3) + (s1 * f2 - s2 * f1),
    get(out, 4) + (s2 * f0 - s0 * f2),
    get(out, 5) + (s0 * f1 - s1 * f0),
  );
}

/** Carries a force inwards from a point at the arm r: n += r x f. */
// @ts-ignore: decorator
@inline
export function carryForce(r: usize, force: usize): void {
  const r0 = get(r, 0), r1 = get(r, 1), r2 = get(r, 2);
  const f0 = get(force, 3), f1 = get(force, 4), f2 = get(force, 5);
  setThree(
    force,
    get(force, 0) + (r1 * f2 - r2 * f1), get(force, 1) + (r2 * f0 - r0 * f2),
    get(force, 2) + (r0 * f1 - r1 * f0),
  );
}

/** Carries a motion to a point at the arm r: v + w x r. */
// @ts-ignore: decorator
@inline
export function carryMotion(r: usize, x: usize, out: usize): void {
  const w0 = get(x, 0), w1 = get(x, 1), w2 = get(x, 2);
  const r0 = get(r, 0), r1 = get(r, 1), r2 = get(r, 2);
  setSix(
    out,
    w0, w1, w2,
    get(x, 3) + (w1 * r2 - w2 * r1), get(x, 4) + (w2 * r0 - w0 * r2),
    get(x, 5) + (w0 * r1 - w1 * r0),
  );
}

/** out = A x for a 6 x 6 column-major matrix. */
export function timesSix(matrix: usize, x: usize, out: usize): void {
  setSix(out, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  addTimesSix(matrix, x, out);
}

/** out += A x */
export function addTimesSix(matrix: usize, x: usize, out: usize): void {
  let first = getPair(out, 0), second = getPair(out, 2), third = getPair(out, 4);
  for (let j = 0; j < 6; j++) {
    const factor = splat(x, j), column = at(matrix, 6 * j);
    first = f64x2.add(first, f64x2.mul(factor, getPair(column, 0)));
    second = f64x2.add(second, f64x2.mul(factor, getPair(column, 2)));
    third = f64x2.add(third, f64x2.mul(factor, getPair(column, 4)));
  }
  setPair(out, 0, first);
  setPair(out, 2, second);
  setPair(out, 4, third);
}

/** out = A^T x */
export function transposeTimesSix(matrix: usize, x: usize, out: usize): void {
  for (let j = 0; j < 6; j++) set(out, j, dotSix(at(matrix, 6 * j), x));
}

/**
 * Columns of a motion at a point from those at a point at the arm s from it, in place: the linear
 * part of a motion there is t + w x s, so that the column of e_a gets the linear ones times e_a x
 * s.
 */
export function carryColumns(matrix: usize, s0: f64, s1: f64, s2: f64): void {
  addArm(matrix, at(matrix, 18), s0, s1, s2);
}

/** Angular columns += linear columns of another matrix times e_a x s. */
// @ts-ignore: decorator
@inline
export function addArm(angular: usize, linear: usize, s0: f64, s1: f64, s2: f64): void {
  const a = f64x2.splat(s0), b = f64x2.splat(s1), c = f64x2.splat(s2);
  for (let i = 0; i < 6; i += 2) {
    const x = getPair(linear, i), y = getPair(linear, 6 + i), z = getPair(linear, 12 + i);
    addPair(angular, i, f64x2.sub(f64x2.mul(z, b), f64x2.mul(y, c)));
    addPair(angular, 6 + i, f64x2.sub(f64x2.mul(x, c), f64x2.mul(z, a)));
    addPair(angular, 12 + i, f64x2.sub(f64x2.mul(y, a), f64x2.mul(x, b)));
  }
}

// @ts-ignore: decorator
@inline
function addPair(to: usize, slot: i32, value: v128): void {
  setPair(to, slot, f64x2.add(getPair(to, slot), value));
}

/** Carries the rows of a force: n += r x f in each column. */
export function carryRows(matrix: usize, r: usize): void {
  for (let j = 0; j < 6; j++) carryForce(r, at(matrix, 6 * j));
}

/** out += matrix, carried from its point at the arm r. The matrix is overwritten. */
export function addCarried(matrix: usize, r: usize, out: usize): void {
  carryColumns(matrix, get(r, 0), get(r, 1), get(r, 2));
  carryRows(matrix, r);
  addNumbers(36, matrix, out);
}

/** out += x, for an even count. */
// @ts-ignore: decorator
@inline
export function addNumbers(count: i32, x: usize, out: usize): void {
  for (let i = 0; i < count; i += 2) setPair(out, i, f64x2.add(getPair(out, i), getPair(x, i)));
}
