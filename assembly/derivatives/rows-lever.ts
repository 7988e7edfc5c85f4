// Derivatives of constraint rows: the part common to all primitives.
//
// The row of a body in the world is a force n and a moment m about its centre: phi' = sum of
// n . r' + m . w, and J = [n, R^T m]. Displace the whole motion of a body: by a translation e_i
// that does not depend on time, or by a turn about theta_i, also constant, at every time about its
// centre (R(t) becomes exp(theta_i x) R(t)). r', r'' and the body components of w and w' stay as
// they are, so this is a displacement at fixed v and a, and because phi changes by e_i . n(t) or
// theta_i . m(t) at every time, its derivatives by time change by those of n and m:
//
//   L_i phi' = e_i . n' or theta_i . m',   L_i phi'' = e_i . n'' or theta_i . m''.
//
// ' is along the motion with accelerations a. Since gamma - J a = -phi'',
//
//   rate = [n', R^T m'],   bias = -[n'', R^T m''].
//
// Without accelerations -gamma = (v . L)(v . L) phi, of which the derivative by v_i is L_i phi' +
// (J_i)'. There theta_i = R e_i turns: (theta_i . m)' = theta_i . m' + (w x theta_i) . m, so
//
//   gyro = -[2 n', R^T (2 m' + m x w)].
//
// A row between two markers does not change when both bodies move as one. So forces are opposite
// and moments about any point add up to nothing: with those of B, and d = r_B - r_A,
//
//   n_A = -n,   m_A = -(m + d x n),
//
// at all times. A primitive only has to provide n and m of B with two derivatives.
//
// `pair` is the address of a RowPair, which holds the bodies of the row and its slots.
// n and m with their derivatives are RowVectors of it: each function finds its vectors there, and
// leaves its results there.

import { BodyFrame } from "../layout-bodies";
import { RowPair, RowVectors } from "../layout-stiff";
import { setThree } from "../kinematics/vector";
import { at, clearSlots, get, getAddress, getInteger, set } from "../math/slots";
import { between } from "../constraints/dot2";
import { addTurning, crossAt, crossed } from "../constraints/rows";

/** Component i in the world of the angular acceleration R w'. */
// @ts-ignore: decorator
@inline
export function alphaAt(body: usize, a: usize, i: i32): f64 {
  return get(body, i) * get(a, 3) + get(body, 3 + i) * get(a, 4) + get(body, 6 + i) * get(a, 5);
}

/** Adds the contribution of a moment on a body: nine values, m with its derivatives u and z. */
export function addMoment(pair: usize, slot: i32, body: usize, moment: usize): void {
  const w0 = get(body, BodyFrame.OMEGA);
  const w1 = get(body, BodyFrame.OMEGA + 1);
  const w2 = get(body, BodyFrame.OMEGA + 2);
  const m0 = get(moment, 0), m1 = get(moment, 1), m2 = get(moment, 2);
  const u0 = get(moment, 3), u1 = get(moment, 4), u2 = get(moment, 5);
  addTurning(at(getAddress(pair, RowPair.RATE), slot), body, u0, u1, u2);
  addTurning(
    at(getAddress(pair, RowPair.BIAS), slot), body, -get(moment, 6), -get(moment, 7),
    -get(moment, 8),
  );
  addTurning(
    at(getAddress(pair, RowPair.GYRO), slot), body, crossed(w1, w2, m1, m2) - 2.0 * u0,
    crossed(w2, w0, m2, m0) - 2.0 * u1, crossed(w0, w1, m0, m1) - 2.0 * u2,
  );
}

/** Adds the contribution of component i of a force: its derivatives u and z. */
// @ts-ignore: decorator
@inline
function addForce(pair: usize, to: i32, u: f64, z: f64): void {
  const rate = getAddress(pair, RowPair.RATE), bias = getAddress(pair, RowPair.BIAS);
  const gyro = getAddress(pair, RowPair.GYRO);
  set(rate, to, get(rate, to) + u);
  set(bias, to, get(bias, to) - z);
  set(gyro, to, get(gyro, to) - 2.0 * u);
}

/** Adds the rows of both bodies for a force n and a moment m on B, each with two derivatives. */
export function addForces(pair: usize): void {
  const slotA = getInteger(pair, RowPair.SLOT_A), slotB = getInteger(pair, RowPair.SLOT_B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  for (let i = 0; i < 3; i++) {
    const p = get(pair, RowVectors.FORCE_RATE + i), q = get(pair, RowVectors.FORCE_SECOND + i);
    addForce(pair, slotA + i, -p, -q);
    addForce(pair, slotB + i, p, q);
  }
  addMoment(pair, slotB, bodyB, at(pair, RowVectors.MOMENT));
  setOpposite(pair, bodyA, bodyB);
  addMoment(pair, slotA, bodyA, at(pair, RowVectors.MOMENT_A));
}

/** The moment on A, with its derivatives: -(m + d x n). */
function setOpposite(pair: usize, bodyA: usize, bodyB: usize): void {
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const n = at(pair, RowVectors.FORCE), p = at(pair, RowVectors.FORCE_RATE);
  const q = at(pair, RowVectors.FORCE_SECOND), m = at(pair, RowVectors.MOMENT);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const p0 = get(p, 0), p1 = get(p, 1), p2 = get(p, 2);
  const q0 = get(q, 0), q1 = get(q, 1), q2 = get(q, 2);
  const d0 = between(bodyA, bodyB, BodyFrame.POINT);
  const d1 = between(bodyA, bodyB, BodyFrame.POINT + 1);
  const d2 = between(bodyA, bodyB, BodyFrame.POINT + 2);
  const e0 = between(bodyA, bodyB, BodyFrame.VELOCITY);
  const e1 = between(bodyA, bodyB, BodyFrame.VELOCITY + 1);
  const e2 = between(bodyA, bodyB, BodyFrame.VELOCITY + 2);
  const f0 = between(aA, aB, 0), f1 = between(aA, aB, 1), f2 = between(aA, aB, 2);
  const out = at(pair, RowVectors.MOMENT_A);
  setThree(
    out, -get(m, 0) - crossed(d1, d2, n1, n2), -get(m, 1) - crossed(d2, d0, n2, n0),
    -get(m, 2) - crossed(d0, d1, n0, n1),
  );
  setThree(
    at(out, 3), -get(m, 3) - crossed(e1, e2, n1, n2) - crossed(d1, d2, p1, p2),
    -get(m, 4) - crossed(e2, e0, n2, n0) - crossed(d2, d0, p2, p0),
    -get(m, 5) - crossed(e0, e1, n0, n1) - crossed(d0, d1, p0, p1),
  );
  setThree(
    at(out, 6),
    -get(m, 6) - crossed(f1, f2, n1, n2) - 2.0 * crossed(e1, e2, p1, p2) - crossed(d1, d2, q1, q2),
    -get(m, 7) - crossed(f2, f0, n2, n0) - 2.0 * crossed(e2, e0, p2, p0) - crossed(d2, d0, q2, q0),
    -get(m, 8) - crossed(f0, f1, n0, n1) - 2.0 * crossed(e0, e1, p0, p1) - crossed(d0, d1, q0, q1),
  );
}

/**
 * Adds the rows whose moment on B is m = x x n, for x fixed in B and any n with its derivatives p
 * and q, in the slots of the force. With `pulls`, n is also the force and acts on the point at arm
 * x. Otherwise there is no force, and n is a direction whose angle to x enters the row.
 */
export function addLever(pair: usize, pulls: bool, x: usize): void {
  setLever(pair, x);
  if (pulls) {
    addForces(pair);
    return;
  }
  const m = at(pair, RowVectors.MOMENT), opposite = at(pair, RowVectors.MOMENT_A);
  for (let i = 0; i < 9; i++) set(opposite, i, -get(m, i));
  addMoment(
    pair, getInteger(pair, RowPair.SLOT_A), getAddress(pair, RowPair.BODY_A), opposite,
  );
  addMoment(pair, getInteger(pair, RowPair.SLOT_B), getAddress(pair, RowPair.BODY_B), m);
}

/** m = x x n with its derivatives, from those of n. */
function setLever(pair: usize, x: usize): void {
  const bodyB = getAddress(pair, RowPair.BODY_B), aB = getAddress(pair, RowPair.ACCELERATION_B);
  const n = at(pair, RowVectors.FORCE), p = at(pair, RowVectors.FORCE_RATE);
  const q = at(pair, RowVectors.FORCE_SECOND), m = at(pair, RowVectors.MOMENT);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const p0 = get(p, 0), p1 = get(p, 1), p2 = get(p, 2);
  const q0 = get(q, 0), q1 = get(q, 1), q2 = get(q, 2);
  const w = at(bodyB, BodyFrame.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const r0 = alphaAt(bodyB, aB, 0), r1 = alphaAt(bodyB, aB, 1), r2 = alphaAt(bodyB, aB, 2);
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  const y0 = crossAt(w, x, 0), y1 = crossAt(w, x, 1), y2 = crossAt(w, x, 2);
  const t0 = crossed(r1, r2, x1, x2) + crossed(w1, w2, y1, y2);
  const t1 = crossed(r2, r0, x2, x0) + crossed(w2, w0, y2, y0);
  const t2 = crossed(r0, r1, x0, x1) + crossed(w0, w1, y0, y1);
  setThree(
    m, crossed(x1, x2, n1, n2), crossed(x2, x0, n2, n0), crossed(x0, x1, n0, n1),
  );
  setThree(
    at(m, 3), crossed(y1, y2, n1, n2) + crossed(x1, x2, p1, p2),
    crossed(y2, y0, n2, n0) + crossed(x2, x0, p2, p0),
    crossed(y0, y1, n0, n1) + crossed(x0, x1, p0, p1),
  );
  setThree(
    at(m, 6),
    crossed(t1, t2, n1, n2) + 2.0 * crossed(y1, y2, p1, p2) + crossed(x1, x2, q1, q2),
    crossed(t2, t0, n2, n0) + 2.0 * crossed(y2, y0, p2, p0) + crossed(x2, x0, q2, q0),
    crossed(t0, t1, n0, n1) + 2.0 * crossed(y0, y1, p0, p1) + crossed(x0, x1, q0, q1),
  );
}

/**
 * {@link addLever} for an n given in the axes of A, in which its derivatives are f and f' (in the
 * slots of its derivatives, which overwrite them):
 *
 *   n' = f + w x n,   n'' = f' + w' x n + w x (2 f + w x n),   w = w_A.
 */
export function addCarried(pair: usize, pulls: bool, x: usize): void {
  const bodyA = getAddress(pair, RowPair.BODY_A), aA = getAddress(pair, RowPair.ACCELERATION_A);
  const n = at(pair, RowVectors.FORCE), f = at(pair, RowVectors.FORCE_RATE);
  const g = at(pair, RowVectors.FORCE_SECOND);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const f0 = get(f, 0), f1 = get(f, 1), f2 = get(f, 2);
  const w0 = get(bodyA, BodyFrame.OMEGA);
  const w1 = get(bodyA, BodyFrame.OMEGA + 1);
  const w2 = get(bodyA, BodyFrame.OMEGA + 2);
  const r0 = alphaAt(bodyA, aA, 0), r1 = alphaAt(bodyA, aA, 1), r2 = alphaAt(bodyA, aA, 2);
  const p0 = f0 + crossed(w1, w2, n1, n2), h0 = f0 + p0;
  const p1 = f1 + crossed(w2, w0, n2, n0), h1 = f1 + p1;
  const p2 = f2 + crossed(w0, w1, n0, n1), h2 = f2 + p2;
  setThree(f, p0, p1, p2);
  setThree(
    g, get(g, 0) + crossed(r1, r2, n1, n2) + crossed(w1, w2, h1, h2),
    get(g, 1) + crossed(r2, r0, n2, n0) + crossed(w2, w0, h2, h0),
    get(g, 2) + crossed(r0, r1, n0, n1) + crossed(w0, w1, h0, h1),
  );
  addLever(pair, pulls, x);
}

/** {@link addLever} for n = factor y with y fixed in A. */
export function addFixed(pair: usize, pulls: bool, x: usize, factor: f64, y: usize): void {
  setThree(
    at(pair, RowVectors.FORCE), factor * get(y, 0), factor * get(y, 1), factor * get(y, 2),
  );
  clearSlots(at(pair, RowVectors.FORCE_RATE), 6);
  addCarried(pair, pulls, x);
}
