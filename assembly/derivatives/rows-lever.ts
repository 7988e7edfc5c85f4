// How constraint rows change: what the rows of all primitives have in common.
//
// The row of a body in the world is a force n and a moment m about its centre: phi' = sum of
// n . r' + m . w, and J = [n, R^T m]. Displace the whole motion of a body: by a translation e_i
// that does not depend on time, or by a turn about theta_i, likewise held, at every time about its
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
// at all times. What is left for a primitive is n and m of B with two derivatives.
//
// slotA, slotB: where the rows of both bodies lie in rate, bias and gyro. aA, aB: accelerations.

import { BodyFrame } from "../layout-bodies";
import { at, get, set } from "../math/slots";
import { between } from "../constraints/dot2";
import { addTurning, crossAt, crossed } from "../constraints/rows";

/** Component i in the world of the angular acceleration R w'. */
// @ts-ignore: decorator
@inline
export function alphaAt(body: usize, a: usize, i: i32): f64 {
  return get(body, i) * get(a, 3) + get(body, 3 + i) * get(a, 4) + get(body, 6 + i) * get(a, 5);
}

/** Adds what a moment m says, with its derivatives u and z. */
export function addMoment(
  rate: usize, bias: usize, gyro: usize, slot: i32, body: usize,
  m0: f64, m1: f64, m2: f64, u0: f64, u1: f64, u2: f64, z0: f64, z1: f64, z2: f64,
): void {
  const w0 = get(body, BodyFrame.OMEGA);
  const w1 = get(body, BodyFrame.OMEGA + 1);
  const w2 = get(body, BodyFrame.OMEGA + 2);
  addTurning(at(rate, slot), body, u0, u1, u2);
  addTurning(at(bias, slot), body, -z0, -z1, -z2);
  addTurning(
    at(gyro, slot), body, crossed(w1, w2, m1, m2) - 2.0 * u0,
    crossed(w2, w0, m2, m0) - 2.0 * u1, crossed(w0, w1, m0, m1) - 2.0 * u2,
  );
}

/** Adds what component i of a force says: its derivatives u and z. */
// @ts-ignore: decorator
@inline
function addForce(
  rate: usize, bias: usize, gyro: usize, slot: i32, i: i32, u: f64, z: f64,
): void {
  const to = slot + i;
  set(rate, to, get(rate, to) + u);
  set(bias, to, get(bias, to) - z);
  set(gyro, to, get(gyro, to) - 2.0 * u);
}

/** Adds the rows of both bodies for a force n and a moment m on B, each with two derivatives. */
export function addForces(
  rate: usize, bias: usize, gyro: usize, slotA: i32, slotB: i32, bodyA: usize, bodyB: usize,
  aA: usize, aB: usize,
  n0: f64, n1: f64, n2: f64, p0: f64, p1: f64, p2: f64, q0: f64, q1: f64, q2: f64,
  m0: f64, m1: f64, m2: f64, u0: f64, u1: f64, u2: f64, z0: f64, z1: f64, z2: f64,
): void {
  addForce(rate, bias, gyro, slotA, 0, -p0, -q0);
  addForce(rate, bias, gyro, slotA, 1, -p1, -q1);
  addForce(rate, bias, gyro, slotA, 2, -p2, -q2);
  addForce(rate, bias, gyro, slotB, 0, p0, q0);
  addForce(rate, bias, gyro, slotB, 1, p1, q1);
  addForce(rate, bias, gyro, slotB, 2, p2, q2);
  const d0 = between(bodyA, bodyB, BodyFrame.POINT);
  const d1 = between(bodyA, bodyB, BodyFrame.POINT + 1);
  const d2 = between(bodyA, bodyB, BodyFrame.POINT + 2);
  const e0 = between(bodyA, bodyB, BodyFrame.VELOCITY);
  const e1 = between(bodyA, bodyB, BodyFrame.VELOCITY + 1);
  const e2 = between(bodyA, bodyB, BodyFrame.VELOCITY + 2);
  const f0 = between(aA, aB, 0), f1 = between(aA, aB, 1), f2 = between(aA, aB, 2);
  addMoment(rate, bias, gyro, slotB, bodyB, m0, m1, m2, u0, u1, u2, z0, z1, z2);
  addMoment(
    rate, bias, gyro, slotA, bodyA,
    -m0 - crossed(d1, d2, n1, n2), -m1 - crossed(d2, d0, n2, n0), -m2 - crossed(d0, d1, n0, n1),
    -u0 - crossed(e1, e2, n1, n2) - crossed(d1, d2, p1, p2),
    -u1 - crossed(e2, e0, n2, n0) - crossed(d2, d0, p2, p0),
    -u2 - crossed(e0, e1, n0, n1) - crossed(d0, d1, p0, p1),
    -z0 - crossed(f1, f2, n1, n2) - 2.0 * crossed(e1, e2, p1, p2) - crossed(d1, d2, q1, q2),
    -z1 - crossed(f2, f0, n2, n0) - 2.0 * crossed(e2, e0, p2, p0) - crossed(d2, d0, q2, q0),
    -z2 - crossed(f0, f1, n0, n1) - 2.0 * crossed(e0, e1, p0, p1) - crossed(d0, d1, q0, q1),
  );
}

/**
 * Adds the rows whose moment on B is m = x x n, for x fixed in B and any n with its derivatives p
 * and q. With `pulls` n is also the force: it acts on the point at arm x. Without there is none: n
 * is a direction the direction x makes an angle with.
 */
export function addLever(
  rate: usize, bias: usize, gyro: usize, slotA: i32, slotB: i32, bodyA: usize, bodyB: usize,
  aA: usize, aB: usize, pulls: bool, x: usize,
  n0: f64, n1: f64, n2: f64, p0: f64, p1: f64, p2: f64, q0: f64, q1: f64, q2: f64,
): void {
  const w = at(bodyB, BodyFrame.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const r0 = alphaAt(bodyB, aB, 0), r1 = alphaAt(bodyB, aB, 1), r2 = alphaAt(bodyB, aB, 2);
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  const y0 = crossAt(w, x, 0), y1 = crossAt(w, x, 1), y2 = crossAt(w, x, 2);
  const t0 = crossed(r1, r2, x1, x2) + crossed(w1, w2, y1, y2);
  const t1 = crossed(r2, r0, x2, x0) + crossed(w2, w0, y2, y0);
  const t2 = crossed(r0, r1, x0, x1) + crossed(w0, w1, y0, y1);
  const m0 = crossed(x1, x2, n1, n2), m1 = crossed(x2, x0, n2, n0), m2 = crossed(x0, x1, n0, n1);
  const u0 = crossed(y1, y2, n1, n2) + crossed(x1, x2, p1, p2);
  const u1 = crossed(y2, y0, n2, n0) + crossed(x2, x0, p2, p0);
  const u2 = crossed(y0, y1, n0, n1) + crossed(x0, x1, p0, p1);
  const z0 = crossed(t1, t2, n1, n2) + 2.0 * crossed(y1, y2, p1, p2) + crossed(x1, x2, q1, q2);
  const z1 = crossed(t2, t0, n2, n0) + 2.0 * crossed(y2, y0, p2, p0) + crossed(x2, x0, q2, q0);
  const z2 = crossed(t0, t1, n0, n1) + 2.0 * crossed(y0, y1, p0, p1) + crossed(x0, x1, q0, q1);
  if (pulls) {
    addForces(
      rate, bias, gyro, slotA, slotB, bodyA, bodyB, aA, aB,
      n0, n1, n2, p0, p1, p2, q0, q1, q2, m0, m1, m2, u0, u1, u2, z0, z1, z2,
    );
    return;
  }
  addMoment(rate, bias, gyro, slotA, bodyA, -m0, -m1, -m2, -u0, -u1, -u2, -z0, -z1, -z2);
  addMoment(rate, bias, gyro, slotB, bodyB, m0, m1, m2, u0, u1, u2, z0, z1, z2);
}

/**
 * The same for an n that is given in the axes of A, where it changes with f and f':
 *
 *   n' = f + w x n,   n'' = f' + w' x n + w x (2 f + w x n),   w = w_A.
 */
export function addCarried(
  rate: usize, bias: usize, gyro: usize, slotA: i32, slotB: i32, bodyA: usize, bodyB: usize,
  aA: usize, aB: usize, pulls: bool, x: usize,
  n0: f64, n1: f64, n2: f64, f0: f64, f1: f64, f2: f64, g0: f64, g1: f64, g2: f64,
): void {
  const w0 = get(bodyA, BodyFrame.OMEGA);
  const w1 = get(bodyA, BodyFrame.OMEGA + 1);
  const w2 = get(bodyA, BodyFrame.OMEGA + 2);
  const r0 = alphaAt(bodyA, aA, 0), r1 = alphaAt(bodyA, aA, 1), r2 = alphaAt(bodyA, aA, 2);
  const p0 = f0 + crossed(w1, w2, n1, n2), h0 = f0 + p0;
  const p1 = f1 + crossed(w2, w0, n2, n0), h1 = f1 + p1;
  const p2 = f2 + crossed(w0, w1, n0, n1), h2 = f2 + p2;
  addLever(
    rate, bias, gyro, slotA, slotB, bodyA, bodyB, aA, aB, pulls, x, n0, n1, n2, p0, p1, p2,
    g0 + crossed(r1, r2, n1, n2) + crossed(w1, w2, h1, h2),
    g1 + crossed(r2, r0, n2, n0) + crossed(w2, w0, h2, h0),
    g2 + crossed(r0, r1, n0, n1) + crossed(w0, w1, h0, h1),
  );
}

/** The same for an n = factor y with y fixed in A. */
// @ts-ignore: decorator
@inline
export function addFixed(
  rate: usize, bias: usize, gyro: usize, slotA: i32, slotB: i32, bodyA: usize, bodyB: usize,
  aA: usize, aB: usize, pulls: bool, x: usize, factor: f64, y: usize,
): void {
  addCarried(
    rate, bias, gyro, slotA, slotB, bodyA, bodyB, aA, aB, pulls, x,
    factor * get(y, 0), factor * get(y, 1), factor * get(y, 2), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
  );
}
