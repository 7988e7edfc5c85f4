// Derivatives of velocity rows. Pi = n . r' + m . w as in rows-lever.ts, but n and m are not those
// of any phi. A displacement of the whole motion changes Pi by e_i . l or theta_i . N, and Pi' by
// their derivatives, while J' is that of n and m. So
//
//   rate = [l, R^T N],   bias = -[l', R^T N'],   gyro = -(rate + [n', R^T (m' + m x w)]).

import { BodyFrame, MarkerFrame } from "../layout-bodies";
import { RowPair, RowVectors } from "../layout-stiff";
import { dot3, setThree } from "../kinematics/vector";
import { at, get, getAddress, getInteger, set } from "../math/slots";
import { between } from "../constraints/dot2";
import { addTurning, crossAt, crossed, inner } from "../constraints/rows";
import { addForces, alphaAt } from "./rows-lever";

/**
 * Pi = a . r' + w . (s x a) for a and s fixed in the body: the second part is one of body
 * components, which stays. l = 0, N = a x r', and R^T (s x a) is constant.
 */
export function addKnifeEdge(
  rate: usize, bias: usize, gyro: usize, slot: i32, body: usize, acceleration: usize, a: usize,
): void {
  const w = at(body, BodyFrame.OMEGA), v = at(body, BodyFrame.VELOCITY);
  const p0 = crossAt(w, a, 0), p1 = crossAt(w, a, 1), p2 = crossAt(w, a, 2);
  const m0 = crossAt(a, v, 0), m1 = crossAt(a, v, 1), m2 = crossAt(a, v, 2);
  addTurning(at(rate, slot), body, m0, m1, m2);
  addTurning(
    at(bias, slot), body,
    -crossed(p1, p2, get(v, 1), get(v, 2)) - crossAt(a, acceleration, 0),
    -crossed(p2, p0, get(v, 2), get(v, 0)) - crossAt(a, acceleration, 1),
    -crossed(p0, p1, get(v, 0), get(v, 1)) - crossAt(a, acceleration, 2),
  );
  addTurning(at(gyro, slot), body, -m0, -m1, -m2);
  set(gyro, slot, get(gyro, slot) - p0);
  set(gyro, slot + 1, get(gyro, slot + 1) - p1);
  set(gyro, slot + 2, get(gyro, slot + 2) - p2);
}

/**
 * Rolling, with the names of rolling.ts: n = a and m = T x a for B, where T = p - r_B = t - rho u.
 * With W = w_B - w_A and g = a x W, Pi = a . (r_B' - r_A' + W x T - w_A x (r_B - r_A)): a
 * translation of B gives l = -a x w_A = a'. A turn of B moves w_B, t and, by its axle c, u:
 *
 *   L_i Pi = a . ((theta x w_B) x T) + g . (theta x t - rho L_i u),
 *   N = w_B x (T x a) + t x g + c x Y.
 *
 * For a sphere u = n stays and Y = 0. For a disk u = (n - k c) / h, and if c changes by dc, u
 * does by -(1 - u u^T) ((n . dc) c + k dc) / h. With dc = theta x c and because u . c = 0
 *
 *   Y = (rho / h) ((c . g) n + k (g - (u . g) u)),   (rho / h)' = (rho / h) k k' / h^2.
 *
 * Pi is that of the relative motion: A's l and N are as in rows-lever.ts, with l and N of B for n'
 * and m' of B. gyro is then corrected by N - m'.
 */
export function addRolling(pair: usize, disk: i32, a: usize, radius: f64): void {
  const A = getAddress(pair, RowPair.A), B = getAddress(pair, RowPair.B);
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const wA = at(bodyA, BodyFrame.OMEGA), wB = at(bodyB, BodyFrame.OMEGA);
  const n = at(A, MarkerFrame.AXES + 6), c = at(B, MarkerFrame.AXES + 6);
  const n0 = get(n, 0), n1 = get(n, 1), n2 = get(n, 2);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
  const e0 = crossAt(wA, n, 0), e1 = crossAt(wA, n, 1), e2 = crossAt(wA, n, 2);
  const f0 = crossAt(wB, c, 0), f1 = crossAt(wB, c, 1), f2 = crossAt(wB, c, 2);
  const k = disk ? dot3(n, c) : 0.0;
  const kRate = disk ? inner(e0, e1, e2, c0, c1, c2) + inner(n0, n1, n2, f0, f1, f2) : 0.0;
  const m0 = n0 - k * c0, m1 = n1 - k * c1, m2 = n2 - k * c2;
  const scale = 1.0 / Math.sqrt(inner(m0, m1, m2, m0, m1, m2));
  const u0 = scale * m0, u1 = scale * m1, u2 = scale * m2;
  const o0 = e0 - kRate * c0 - k * f0, o1 = e1 - kRate * c1 - k * f1;
  const o2 = e2 - kRate * c2 - k * f2, growth = inner(u0, u1, u2, o0, o1, o2);
  const x0 = scale * (o0 - growth * u0), x1 = scale * (o1 - growth * u1);
  const x2 = scale * (o2 - growth * u2);
  const w0 = between(wA, wB, 0), w1 = between(wA, wB, 1), w2 = between(wA, wB, 2);
  const r0 = alphaAt(bodyB, aB, 0) - alphaAt(bodyA, aA, 0);
  const r1 = alphaAt(bodyB, aB, 1) - alphaAt(bodyA, aA, 1);
  const r2 = alphaAt(bodyB, aB, 2) - alphaAt(bodyA, aA, 2);
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const p0 = crossAt(wA, a, 0), p1 = crossAt(wA, a, 1), p2 = crossAt(wA, a, 2);
  const g0 = crossed(a1, a2, w1, w2), g1 = crossed(a2, a0, w2, w0), g2 = crossed(a0, a1, w0, w1);
  const h0 = crossed(p1, p2, w1, w2) + crossed(a1, a2, r1, r2);
  const h1 = crossed(p2, p0, w2, w0) + crossed(a2, a0, r2, r0);
  const h2 = crossed(p0, p1, w0, w1) + crossed(a0, a1, r0, r1);
  const y = disk ? radius * scale : 0.0, yRate = y * k * kRate * scale * scale;
  const d = inner(c0, c1, c2, g0, g1, g2);
  const dRate = inner(f0, f1, f2, g0, g1, g2) + inner(c0, c1, c2, h0, h1, h2);
  const b = inner(u0, u1, u2, g0, g1, g2);
  const bRate = inner(x0, x1, x2, g0, g1, g2) + inner(u0, u1, u2, h0, h1, h2);
  const q0 = g0 - b * u0, q1 = g1 - b * u1, q2 = g2 - b * u2;
  const y0 = d * n0 + k * q0, y1 = d * n1 + k * q1, y2 = d * n2 + k * q2;
  const z0 = dRate * n0 + d * e0 + kRate * q0 + k * (h0 - bRate * u0 - b * x0);
  const z1 = dRate * n1 + d * e1 + kRate * q1 + k * (h1 - bRate * u1 - b * x1);
  const z2 = dRate * n2 + d * e2 + kRate * q2 + k * (h2 - bRate * u2 - b * x2);
  setThree(at(pair, RowVectors.FORCE), a0, a1, a2);
  setThree(at(pair, RowVectors.FORCE_RATE), p0, p1, p2);
  setThree(at(pair, RowVectors.RADIUS), radius * u0, radius * u1, radius * u2);
  setThree(at(pair, RowVectors.RADIUS_RATE), radius * x0, radius * x1, radius * x2);
  setThree(at(pair, RowVectors.TURN), g0, g1, g2);
  setThree(at(pair, RowVectors.TURN_RATE), h0, h1, h2);
  setThree(at(pair, RowVectors.AXLE), y * y0, y * y1, y * y2);
  setThree(
    at(pair, RowVectors.AXLE_RATE), yRate * y0 + y * z0, yRate * y1 + y * z1, yRate * y2 + y * z2,
  );
  addTread(pair, at(B, MarkerFrame.ARM), c);
}

/**
 * The rows for the RowVectors a = FORCE and p = a', u = rho times that of addRolling and x = u', g
 * and h = g', y = Y and z = Y'. t: the arm of B; c: its axle.
 */
function addTread(pair: usize, t: usize, c: usize): void {
  const bodyA = getAddress(pair, RowPair.BODY_A), bodyB = getAddress(pair, RowPair.BODY_B);
  const aA = getAddress(pair, RowPair.ACCELERATION_A);
  const aB = getAddress(pair, RowPair.ACCELERATION_B);
  const u = at(pair, RowVectors.RADIUS), x = at(pair, RowVectors.RADIUS_RATE);
  const a = at(pair, RowVectors.FORCE), p = at(pair, RowVectors.FORCE_RATE);
  const g = at(pair, RowVectors.TURN), h = at(pair, RowVectors.TURN_RATE);
  const y = at(pair, RowVectors.AXLE), z = at(pair, RowVectors.AXLE_RATE);
  const p0 = get(p, 0), p1 = get(p, 1), p2 = get(p, 2);
  const g0 = get(g, 0), g1 = get(g, 1), g2 = get(g, 2);
  const h0 = get(h, 0), h1 = get(h, 1), h2 = get(h, 2);
  const y0 = get(y, 0), y1 = get(y, 1), y2 = get(y, 2);
  const z0 = get(z, 0), z1 = get(z, 1), z2 = get(z, 2);
  const w = at(bodyB, BodyFrame.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const r0 = alphaAt(bodyB, aB, 0), r1 = alphaAt(bodyB, aB, 1), r2 = alphaAt(bodyB, aB, 2);
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const t0 = get(t, 0), t1 = get(t, 1), t2 = get(t, 2);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2);
  const d0 = crossAt(w, t, 0), d1 = crossAt(w, t, 1), d2 = crossAt(w, t, 2);
  const f0 = crossAt(w, c, 0), f1 = crossAt(w, c, 1), f2 = crossAt(w, c, 2);
  const s0 = t0 - get(u, 0), s1 = t1 - get(u, 1), s2 = t2 - get(u, 2);
  const v0 = d0 - get(x, 0), v1 = d1 - get(x, 1), v2 = d2 - get(x, 2);
  const m0 = crossed(s1, s2, a1, a2), m1 = crossed(s2, s0, a2, a0), m2 = crossed(s0, s1, a0, a1);
  const k0 = crossed(v1, v2, a1, a2) + crossed(s1, s2, p1, p2);
  const k1 = crossed(v2, v0, a2, a0) + crossed(s2, s0, p2, p0);
  const k2 = crossed(v0, v1, a0, a1) + crossed(s0, s1, p0, p1);
  const n0 = crossed(w1, w2, m1, m2) + crossed(t1, t2, g1, g2) + crossed(c1, c2, y1, y2);
  const n1 = crossed(w2, w0, m2, m0) + crossed(t2, t0, g2, g0) + crossed(c2, c0, y2, y0);
  const n2 = crossed(w0, w1, m0, m1) + crossed(t0, t1, g0, g1) + crossed(c0, c1, y0, y1);
  const wA = at(bodyA, BodyFrame.OMEGA), e0 = get(wA, 0), e1 = get(wA, 1), e2 = get(wA, 2);
  const j0 = alphaAt(bodyA, aA, 0), j1 = alphaAt(bodyA, aA, 1), j2 = alphaAt(bodyA, aA, 2);
  setThree(
    at(pair, RowVectors.FORCE_SECOND), crossed(j1, j2, a1, a2) + crossed(e1, e2, p1, p2),
    crossed(j2, j0, a2, a0) + crossed(e2, e0, p2, p0),
    crossed(j0, j1, a0, a1) + crossed(e0, e1, p0, p1),
  );
  setThree(at(pair, RowVectors.MOMENT), m0, m1, m2);
  setThree(at(pair, RowVectors.MOMENT_RATE), n0, n1, n2);
  setThree(
    at(pair, RowVectors.MOMENT_SECOND),
    crossed(r1, r2, m1, m2) + crossed(w1, w2, k1, k2) + crossed(d1, d2, g1, g2) +
      crossed(t1, t2, h1, h2) + crossed(f1, f2, y1, y2) + crossed(c1, c2, z1, z2),
    crossed(r2, r0, m2, m0) + crossed(w2, w0, k2, k0) + crossed(d2, d0, g2, g0) +
      crossed(t2, t0, h2, h0) + crossed(f2, f0, y2, y0) + crossed(c2, c0, z2, z0),
    crossed(r0, r1, m0, m1) + crossed(w0, w1, k0, k1) + crossed(d0, d1, g0, g1) +
      crossed(t0, t1, h0, h1) + crossed(f0, f1, y0, y1) + crossed(c0, c1, z0, z1),
  );
  addForces(pair);
  const gyro = getAddress(pair, RowPair.GYRO);
  addTurning(
    at(gyro, getInteger(pair, RowPair.SLOT_B)), bodyB, n0 - k0, n1 - k1, n2 - k2,
  );
  addTurning(
    at(gyro, getInteger(pair, RowPair.SLOT_A)), bodyA, k0 - n0, k1 - n1, k2 - n2,
  );
}
