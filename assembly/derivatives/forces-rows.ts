// Rows of twelve, six for body A and then six for body B: derivatives of the measures of laws
// between two markers, and of their rates. Laws add products of such rows.
//
// A measure whose rate is n . (velocity of a point p of a body) + ..., with p at x from the body's
// centre of mass r and y = p' - r', has for this body the row n, R^T (x x n). If n changes by k for
// a displacement of p, and otherwise turns with its reference, the derivative of the rate is the
// row
//
//   k, R^T (x x k + y x n)
//
// since a turn moves p by theta x x and, with all velocities in it but r', p' by theta x y.

import {
  BODY_VELOCITIES, BodyFrame, BodyTable, MarkerFrame,
} from "../layout-bodies";
import { addressOf } from "../kinematics/table";
import { dot3 } from "../kinematics/vector";
import { at, get, set } from "../math/slots";
import { between } from "../constraints/dot2";
import { crossed, inner, setMoving, setTurning } from "../constraints/rows";
import { addProduct } from "./second-blocks";

/** Length of a row. */
const ROW = 2 * BODY_VELOCITIES;

/** Row `index`, 0, 1 or 2, of the scratch. */
// @ts-ignore: decorator
@inline
export function rowOf(table: usize, index: i32): usize {
  return at(addressOf(table, BodyTable.VELOCITY_SCRATCH), ROW * index);
}

/** A 3-vector after the rows of the scratch. */
// @ts-ignore: decorator
@inline
export function vectorOf(table: usize): usize {
  return at(addressOf(table, BodyTable.VELOCITY_SCRATCH), 3 * ROW);
}

/** The half of a row that belongs to B. */
// @ts-ignore: decorator
@inline
export function secondOf(row: usize): usize {
  return at(row, BODY_VELOCITIES);
}

/** Row of a body for the point of a marker that moves along n. */
export function setPoint(
  row: usize, body: usize, marker: usize, n0: f64, n1: f64, n2: f64,
): void {
  const x0 = get(marker, MarkerFrame.POINT) - get(body, BodyFrame.POINT);
  const x1 = get(marker, MarkerFrame.POINT + 1) - get(body, BodyFrame.POINT + 1);
  const x2 = get(marker, MarkerFrame.POINT + 2) - get(body, BodyFrame.POINT + 2);
  setMoving(row, body, n0, n1, n2, x0, x1, x2);
}

/** Row of a body for the change of n . (velocity of the point of a marker): k, x x k + y x n. */
export function setPointChange(
  row: usize, body: usize, marker: usize,
  k0: f64, k1: f64, k2: f64, n0: f64, n1: f64, n2: f64,
): void {
  const x0 = get(marker, MarkerFrame.POINT) - get(body, BodyFrame.POINT);
  const x1 = get(marker, MarkerFrame.POINT + 1) - get(body, BodyFrame.POINT + 1);
  const x2 = get(marker, MarkerFrame.POINT + 2) - get(body, BodyFrame.POINT + 2);
  const y0 = get(marker, MarkerFrame.VELOCITY) - get(body, BodyFrame.VELOCITY);
  const y1 = get(marker, MarkerFrame.VELOCITY + 1) - get(body, BodyFrame.VELOCITY + 1);
  const y2 = get(marker, MarkerFrame.VELOCITY + 2) - get(body, BodyFrame.VELOCITY + 2);
  setTurning(
    row, body, crossed(x1, x2, k1, k2) + crossed(y1, y2, n1, n2),
    crossed(x2, x0, k2, k0) + crossed(y2, y0, n2, n0),
    crossed(x0, x1, k0, k1) + crossed(y0, y1, n0, n1),
  );
  set(row, 0, k0);
  set(row, 1, k1);
  set(row, 2, k2);
}

/**
 * The derivative of the rate n . (d' - w_A x d) of a . d, plus g times that of d, in the axes of A.
 * A sees the point of B move by D = L d - theta_A x d; with y_A = p_B' - r_A' and w_A, which turns
 * with A, the velocity A sees changes by theta_B x (w_B x s_B) - theta_A x y_A - w_A x D. So both
 * rows are those of the point of B, and k = g + w_A x n.
 */
export function setSeenChange(
  row: usize, B: usize, bodyA: usize, bodyB: usize,
  g0: f64, g1: f64, g2: f64, n0: f64, n1: f64, n2: f64,
): void {
  const w0 = get(bodyA, BodyFrame.OMEGA), w1 = get(bodyA, BodyFrame.OMEGA + 1);
  const w2 = get(bodyA, BodyFrame.OMEGA + 2);
  const k0 = g0 + crossed(w1, w2, n1, n2), k1 = g1 + crossed(w2, w0, n2, n0);
  const k2 = g2 + crossed(w0, w1, n0, n1);
  setPointChange(row, bodyA, B, -k0, -k1, -k2, -n0, -n1, -n2);
  setPointChange(secondOf(row), bodyB, B, k0, k1, k2, n0, n1, n2);
}

/**
 * The derivative of the rate l' = n . d' of a length: n = d / l changes by k = (d' - l' n) / l for
 * d.
 */
export function setLengthChange(
  row: usize, A: usize, B: usize, bodyA: usize, bodyB: usize, length: f64,
): void {
  const scale = 1.0 / length;
  const n0 = scale * between(A, B, MarkerFrame.POINT);
  const n1 = scale * between(A, B, MarkerFrame.POINT + 1);
  const n2 = scale * between(A, B, MarkerFrame.POINT + 2);
  const v0 = between(A, B, MarkerFrame.VELOCITY), v1 = between(A, B, MarkerFrame.VELOCITY + 1);
  const v2 = between(A, B, MarkerFrame.VELOCITY + 2), rate = inner(n0, n1, n2, v0, v1, v2);
  const k0 = scale * (v0 - rate * n0), k1 = scale * (v1 - rate * n1);
  const k2 = scale * (v2 - rate * n2);
  setPointChange(row, bodyA, A, -k0, -k1, -k2, -n0, -n1, -n2);
  setPointChange(secondOf(row), bodyB, B, k0, k1, k2, n0, n1, n2);
}

/**
 * The derivative of the rate of an angle, in the letters of angle.ts. Relative to A, b turns by psi
 * = theta_B - theta_A, and u = w_A - w_B change by -psi x w_B. From p + i t = (x + i y) / (c + i s)
 * follows L t = -g t - theta p with the changes theta = -psi . m and g = -psi . (p x b) of
 * angle.ts, and
 *
 *   L (u . m) = psi . (theta' (p x b) + g' m + b x (u x t) - w_B x m),   g' = u . (p x b).
 */
export function setAngleChange(row: usize, A: usize, B: usize, bodyA: usize, bodyB: usize): void {
  const x = at(A, MarkerFrame.AXES), y = at(A, MarkerFrame.AXES + 3), b = at(B, MarkerFrame.AXES);
  const c = dot3(x, b), s = dot3(y, b);
  const scale = 1.0 / (s * s + c * c), cosine = scale * c, sine = scale * s;
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const t0 = cosine * get(y, 0) - sine * get(x, 0), p0 = cosine * get(x, 0) + sine * get(y, 0);
  const t1 = cosine * get(y, 1) - sine * get(x, 1), p1 = cosine * get(x, 1) + sine * get(y, 1);
  const t2 = cosine * get(y, 2) - sine * get(x, 2), p2 = cosine * get(x, 2) + sine * get(y, 2);
  const m0 = crossed(t1, t2, b1, b2), m1 = crossed(t2, t0, b2, b0), m2 = crossed(t0, t1, b0, b1);
  const g0 = crossed(p1, p2, b1, b2), g1 = crossed(p2, p0, b2, b0), g2 = crossed(p0, p1, b0, b1);
  const w = at(bodyB, BodyFrame.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const u0 = get(bodyA, BodyFrame.OMEGA) - w0, u1 = get(bodyA, BodyFrame.OMEGA + 1) - w1;
  const u2 = get(bodyA, BodyFrame.OMEGA + 2) - w2;
  const rate = inner(u0, u1, u2, m0, m1, m2), growth = inner(u0, u1, u2, g0, g1, g2);
  const v0 = crossed(u1, u2, t1, t2), v1 = crossed(u2, u0, t2, t0), v2 = crossed(u0, u1, t0, t1);
  const q0 = rate * g0 + growth * m0 + crossed(b1, b2, v1, v2) - crossed(w1, w2, m1, m2);
  const q1 = rate * g1 + growth * m1 + crossed(b2, b0, v2, v0) - crossed(w2, w0, m2, m0);
  const q2 = rate * g2 + growth * m2 + crossed(b0, b1, v0, v1) - crossed(w0, w1, m0, m1);
  setTurning(row, bodyA, -q0, -q1, -q2);
  setTurning(secondOf(row), bodyB, q0, q1, q2);
}

/** out += factor x y^T for rows of both bodies. i and j are the first rows of A and B. */
export function addRows(
  out: usize, blocks: usize, i: i32, j: i32, factor: f64, x: usize, y: usize,
): void {
  addProduct(out, blocks, i, i, factor, x, y);
  addProduct(out, blocks, i, j, factor, x, secondOf(y));
  addProduct(out, blocks, j, i, factor, secondOf(x), y);
  addProduct(out, blocks, j, j, factor, secondOf(x), secondOf(y));
}

/**
 * Adds the derivatives of -k x - c x' along a row J, except those of J itself: -J^T (k J + c L x')
 * and -c J^T J. `change` holds L x', and is overwritten; it is not read if c is 0.
 */
export function addElastic(
  stiffness: usize, damping: usize, blocks: usize, i: i32, j: i32, k: f64, c: f64,
  row: usize, change: usize,
): void {
  if (c == 0.0) {
    addRows(stiffness, blocks, i, j, -k, row, row);
    return;
  }
  for (let index = 0; index < ROW; index++) {
    set(change, index, k * get(row, index) + c * get(change, index));
  }
  addRows(stiffness, blocks, i, j, -1.0, row, change);
  addRows(damping, blocks, i, j, -c, row, row);
}
