// Contributions of primitives and sensors to the rows of rows-lever.ts: the vectors n and x of
// which the moment on B is made, with derivatives. `pair` as there; A and B are its markers.

import { BODY_VELOCITIES, BodyFrame, MarkerFrame } from "../layout-bodies";
import { RowPair, RowVectors } from "../layout-stiff";
import { dot3, setThree } from "../kinematics/vector";
import { at, get, getAddress } from "../math/slots";
import { between } from "../constraints/dot2";
import { crossAt, crossed, inner } from "../constraints/rows";
import { addCarried, addLever, addMoment, alphaAt } from "./rows-lever";

/**
 * The part of one body in p_B - p_A along e_0, e_1, e_2, three rows: the force sign e_i stays, and
 * its moment is s x sign e_i, with the derivatives of the arm s.
 */
export function addPoint(
  pair: usize, slot: i32, body: usize, a: usize, arm: usize, sign: f64,
): void {
  const w = at(body, BodyFrame.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const r0 = alphaAt(body, a, 0), r1 = alphaAt(body, a, 1), r2 = alphaAt(body, a, 2);
  const s0 = sign * get(arm, 0), s1 = sign * get(arm, 1), s2 = sign * get(arm, 2);
  const u0 = crossed(w1, w2, s1, s2), u1 = crossed(w2, w0, s2, s0), u2 = crossed(w0, w1, s0, s1);
  const z0 = crossed(r1, r2, s1, s2) + crossed(w1, w2, u1, u2);
  const z1 = crossed(r2, r0, s2, s0) + crossed(w2, w0, u2, u0);
  const z2 = crossed(r0, r1, s0, s1) + crossed(w0, w1, u0, u1);
  const m = at(pair, RowVectors.MOMENT), u = at(m, 3), z = at(m, 6);
  setThree(m, 0.0, s2, -s1);
  setThree(u, 0.0, u2, -u1);
  setThree(z, 0.0, z2, -z1);
  addMoment(pair, slot, body, m);
  setThree(m, -s2, 0.0, s0);
  setThree(u, -u2, 0.0, u0);
  setThree(z, -z2, 0.0, z0);
  addMoment(pair, slot + BODY_VELOCITIES, body, m);
  setThree(m, s1, -s0, 0.0);
  setThree(u, u1, -u0, 0.0);
  setThree(z, z1, -z0, 0.0);
  addMoment(pair, slot + 2 * BODY_VELOCITIES, body, m);
}

/** Component i of d'' for d = p_B - p_A. */
// @ts-ignore: decorator
@inline
function accelerationAt(
  A: usize, B: usize, bodyA: usize, bodyB: usize, aA: usize, aB: usize, i: i32,
): f64 {
  const j = (i + 1) % 3, k = (i + 2) % 3, s = MarkerFrame.ARM;
  return between(aA, aB, i) + between(A, B, MarkerFrame.DRIFT + i) +
    crossed(alphaAt(bodyB, aB, j), alphaAt(bodyB, aB, k), get(B, s + j), get(B, s + k)) -
    crossed(alphaAt(bodyA, aA, j), alphaAt(bodyA, aA, k), get(A, s + j), get(A, s + k));
}

/** factor d . d / 2: the force factor d at the point of B. */
export function addSquare(pair: usize, factor: f64): void {
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  setThree(
    at(pair, RowVectors.FORCE), factor * between(A, B, MarkerFrame.POINT),
    factor * between(A, B, MarkerFrame.POINT + 1), factor * between(A, B, MarkerFrame.POINT + 2),
  );
  setThree(
    at(pair, RowVectors.FORCE_RATE), factor * between(A, B, MarkerFrame.VELOCITY),
    factor * between(A, B, MarkerFrame.VELOCITY + 1),
    factor * between(A, B, MarkerFrame.VELOCITY + 2),
  );
  setThree(
    at(pair, RowVectors.FORCE_SECOND), factor * accelerationAt(A, B, bodyA, bodyB, aA, aB, 0),
    factor * accelerationAt(A, B, bodyA, bodyB, aA, aB, 1),
    factor * accelerationAt(A, B, bodyA, bodyB, aA, aB, 2),
  );
  addLever(pair, true, at(B, MarkerFrame.ARM));
}

/**
 * factor |d|: the force n = d / l at the point of B. From l n = d
 *
 *   l n' = d' - l' n,   l n'' = d'' - l'' n - 2 l' n',   l' = n . d',   l'' = n' . d' + n . d'',
 *
 * and everything is 0 if l is 0, as in length.ts.
 */
export function addLength(pair: usize, factor: f64): void {
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const d0 = between(A, B, MarkerFrame.POINT);
  const d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  const square = inner(d0, d1, d2, d0, d1, d2);
  if (!(square > 0.0)) return;
  const scale = 1.0 / Math.sqrt(square), f = factor * scale;
  const v0 = between(A, B, MarkerFrame.VELOCITY);
  const v1 = between(A, B, MarkerFrame.VELOCITY + 1);
  const v2 = between(A, B, MarkerFrame.VELOCITY + 2);
  const z0 = accelerationAt(A, B, bodyA, bodyB, aA, aB, 0);
  const z1 = accelerationAt(A, B, bodyA, bodyB, aA, aB, 1);
  const z2 = accelerationAt(A, B, bodyA, bodyB, aA, aB, 2);
  const n0 = scale * d0, n1 = scale * d1, n2 = scale * d2;
  const first = inner(n0, n1, n2, v0, v1, v2);
  const p0 = scale * (v0 - first * n0), p1 = scale * (v1 - first * n1);
  const p2 = scale * (v2 - first * n2);
  const second = inner(p0, p1, p2, v0, v1, v2) + inner(n0, n1, n2, z0, z1, z2);
  setThree(at(pair, RowVectors.FORCE), factor * n0, factor * n1, factor * n2);
  setThree(at(pair, RowVectors.FORCE_RATE), factor * p0, factor * p1, factor * p2);
  setThree(
    at(pair, RowVectors.FORCE_SECOND), f * (z0 - second * n0 - 2.0 * first * p0),
    f * (z1 - second * n1 - 2.0 * first * p1), f * (z2 - second * n2 - 2.0 * first * p2),
  );
  addLever(pair, true, at(B, MarkerFrame.ARM));
}

// Seen from A, body B turns with W = w_B - w_A, and a vector b fixed in B has the derivatives
//
//   W x b,   V x b + W x (W x b),   V = W' - w_A x W = w_B' - w_A' - w_A x w_B.

/** Component i of W. */
// @ts-ignore: decorator
@inline
function turnAt(bodyA: usize, bodyB: usize, i: i32): f64 {
  return between(bodyA, bodyB, BodyFrame.OMEGA + i);
}

/** Component i of V. */
// @ts-ignore: decorator
@inline
function turnRateAt(bodyA: usize, bodyB: usize, aA: usize, aB: usize, i: i32): f64 {
  return alphaAt(bodyB, aB, i) - alphaAt(bodyA, aA, i) -
    crossAt(at(bodyA, BodyFrame.OMEGA), at(bodyB, BodyFrame.OMEGA), i);
}

/**
 * factor times the angle of angle.ts, which is the imaginary part of ln z, z = (x + i y) . b. Its
 * moment on B is b x t for t the imaginary part of N = p + i t = (x + i y) / z. Seen from A, x and
 * y stay, and with b' and b'' seen from there z' / z = N . b' = e and z'' / z = N . b'':
 *
 *   N' = -e N,   N'' = (2 e^2 - N . b'') N.
 */
export function addAngle(pair: usize, factor: f64): void {
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const x = at(A, MarkerFrame.AXES), y = at(A, MarkerFrame.AXES + 3), b = at(B, MarkerFrame.AXES);
  const c = dot3(x, b), s = dot3(y, b);
  const scale = 1.0 / (s * s + c * c), cosine = scale * c, sine = scale * s;
  const p0 = cosine * get(x, 0) + sine * get(y, 0), t0 = cosine * get(y, 0) - sine * get(x, 0);
  const p1 = cosine * get(x, 1) + sine * get(y, 1), t1 = cosine * get(y, 1) - sine * get(x, 1);
  const p2 = cosine * get(x, 2) + sine * get(y, 2), t2 = cosine * get(y, 2) - sine * get(x, 2);
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const w0 = turnAt(bodyA, bodyB, 0), w1 = turnAt(bodyA, bodyB, 1), w2 = turnAt(bodyA, bodyB, 2);
  const r0 = turnRateAt(bodyA, bodyB, aA, aB, 0), r1 = turnRateAt(bodyA, bodyB, aA, aB, 1);
  const r2 = turnRateAt(bodyA, bodyB, aA, aB, 2);
  const u0 = crossed(w1, w2, b1, b2), u1 = crossed(w2, w0, b2, b0), u2 = crossed(w0, w1, b0, b1);
  const z0 = crossed(r1, r2, b1, b2) + crossed(w1, w2, u1, u2);
  const z1 = crossed(r2, r0, b2, b0) + crossed(w2, w0, u2, u0);
  const z2 = crossed(r0, r1, b0, b1) + crossed(w0, w1, u0, u1);
  const real = inner(p0, p1, p2, u0, u1, u2), imaginary = inner(t0, t1, t2, u0, u1, u2);
  const e = -factor * real, f = -factor * imaginary;
  const across = inner(p0, p1, p2, z0, z1, z2), along = inner(t0, t1, t2, z0, z1, z2);
  const g = factor * (2.0 * (real * real - imaginary * imaginary) - across);
  const h = factor * (4.0 * real * imaginary - along);
  setThree(at(pair, RowVectors.FORCE), factor * t0, factor * t1, factor * t2);
  setThree(
    at(pair, RowVectors.FORCE_RATE), e * t0 + f * p0, e * t1 + f * p1, e * t2 + f * p2,
  );
  setThree(
    at(pair, RowVectors.FORCE_SECOND), g * t0 + h * p0, g * t1 + h * p1, g * t2 + h * p2,
  );
  addCarried(pair, false, b);
}

/**
 * -radius h of wheel-height.ts for a disk: its moment on B is c x (K n) with K = radius k / h, and
 * because (k / h)' = k' / h^3,
 *
 *   K' = radius k' / h^3,   K'' = radius (k'' + 3 k k'^2 / h^2) / h^3.
 *
 * Seen from A n stays: k' and k'' are the products of n with the derivatives of c seen from there.
 */
export function addDisk(pair: usize, radius: f64): void {
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
  const m0 = crossed(n1, n2, c1, c2), m1 = crossed(n2, n0, c2, c0), m2 = crossed(n0, n1, c0, c1);
  const w0 = turnAt(bodyA, bodyB, 0), w1 = turnAt(bodyA, bodyB, 1), w2 = turnAt(bodyA, bodyB, 2);
  const r0 = turnRateAt(bodyA, bodyB, aA, aB, 0), r1 = turnRateAt(bodyA, bodyB, aA, aB, 1);
  const r2 = turnRateAt(bodyA, bodyB, aA, aB, 2);
  const u0 = crossed(w1, w2, c1, c2), u1 = crossed(w2, w0, c2, c0), u2 = crossed(w0, w1, c0, c1);
  const k = inner(n0, n1, n2, c0, c1, c2), first = inner(n0, n1, n2, u0, u1, u2);
  const second = inner(
    n0, n1, n2, crossed(r1, r2, c1, c2) + crossed(w1, w2, u1, u2),
    crossed(r2, r0, c2, c0) + crossed(w2, w0, u2, u0),
    crossed(r0, r1, c0, c1) + crossed(w0, w1, u0, u1),
  );
  const square = inner(m0, m1, m2, m0, m1, m2), scale = radius / Math.sqrt(square);
  const K = scale * k, e = (scale / square) * first;
  const f = (scale / square) * (second + (3.0 * k * first * first) / square);
  setThree(at(pair, RowVectors.FORCE), K * n0, K * n1, K * n2);
  setThree(at(pair, RowVectors.FORCE_RATE), e * n0, e * n1, e * n2);
  setThree(at(pair, RowVectors.FORCE_SECOND), f * n0, f * n1, f * n2);
  addCarried(pair, false, c);
}
