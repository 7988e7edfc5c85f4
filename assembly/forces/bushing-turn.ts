// The turning half of a bushing. The matrix P of the axes of B in those of A is a rotation; e are
// its Euler parameters, z = 2 (e1, e2, e3), and w the angular velocity of B relative to A in the
// axes of A. From P' = w~ P follows e' = (0, w) e / 2 as Hamilton's product, so
//
//   z' = e0 w + w x z / 2 = (e0 I - z~ / 2) w,   V = 1/2 sum k_i z_i^2,
//   m_i = g_i - k_i z_i - c_i z_i'
//
// and the power m . z' is that of the torque T = (e0 I - z~ / 2)^T m = e0 m + z x m / 2 on B, in
// the axes of A, and of -T on A. For springs and dampers the sign of e does not matter: z, z' and m
// change with it, V and T do not. So they are smooth at half turns too, where a spring has
// no torque. For g_i, which laws compute from z and z', it does: e0 is never negative, and z are
// angles within half a turn.

import { BushingData, ForcePart, MarkerFrame } from "../layout-bodies";
import { at, get, set } from "../math/slots";
import { bodyOf, markerOf } from "../kinematics/table";
import { dot3, setThree } from "../kinematics/vector";
import { along, omegaOf } from "./entry";
import { addTorque } from "./loads";

/**
 * Adds the requested parts of the torque, and returns the potential. Writes e to the address
 * `parameters`, unless it is 0. The products 4 e_i e_j are sums of elements of P. Four that
 * have the largest e_i in common, scaled to length one, are e without cancellation; e_0 is large
 * enough if the trace is not negative.
 */
export function bushingTurn(
  table: usize, first: i32, second: i32, data: usize, parts: i32, parameters: usize,
): f64 {
  const a = at(markerOf(table, first), MarkerFrame.AXES), a1 = at(a, 3), a2 = at(a, 6);
  const b = at(markerOf(table, second), MarkerFrame.AXES), b1 = at(b, 3), b2 = at(b, 6);
  const p00 = dot3(a, b), p01 = dot3(a, b1), p02 = dot3(a, b2);
  const p10 = dot3(a1, b), p11 = dot3(a1, b1), p12 = dot3(a1, b2);
  const p20 = dot3(a2, b), p21 = dot3(a2, b1), p22 = dot3(a2, b2);
  let e0 = 1.0 + p00 + p11 + p22, e1 = p21 - p12, e2 = p02 - p20, e3 = p10 - p01;
  if (e0 < 1.0) {
    if (p00 >= p11 && p00 >= p22) {
      e0 = e1;
      e1 = 1.0 + p00 - p11 - p22;
      e2 = p10 + p01;
      e3 = p20 + p02;
    } else if (p11 >= p22) {
      e0 = e2;
      e1 = p10 + p01;
      e2 = 1.0 + p11 - p00 - p22;
      e3 = p21 + p12;
    } else {
      e0 = e3;
      e1 = p20 + p02;
      e2 = p21 + p12;
      e3 = 1.0 + p22 - p00 - p11;
    }
  }
  let scale = 1.0 / Math.sqrt(e0 * e0 + e1 * e1 + (e2 * e2 + e3 * e3));
  if (e0 < 0.0) scale = -scale;
  e0 *= scale;
  e1 *= scale;
  e2 *= scale;
  e3 *= scale;
  if (parameters) {
    set(parameters, 0, e0);
    setThree(at(parameters, 1), e1, e2, e3);
  }
  if (parts) addTurn(table, first, second, data, parts, e0, e1, e2, e3);
  const k = at(data, BushingData.TURN_STIFFNESS);
  return 2.0 * (get(k, 0) * e1 * e1 + get(k, 1) * e2 * e2 + get(k, 2) * e3 * e3);
}

/** Adds T on the body of B and -T on that of A. */
function addTurn(
  table: usize, first: i32, second: i32, data: usize, parts: i32,
  e0: f64, e1: f64, e2: f64, e3: f64,
): void {
  const a = at(markerOf(table, first), MarkerFrame.AXES);
  let m0 = 0.0, m1 = 0.0, m2 = 0.0;
  if (parts & ForcePart.CONSERVATIVE) {
    const k = at(data, BushingData.TURN_STIFFNESS);
    m0 -= 2.0 * get(k, 0) * e1;
    m1 -= 2.0 * get(k, 1) * e2;
    m2 -= 2.0 * get(k, 2) * e3;
  }
  if (parts & ForcePart.OTHER) {
    const wa = omegaOf(table, first), wb = omegaOf(table, second);
    const x0 = get(wb, 0) - get(wa, 0), x1 = get(wb, 1) - get(wa, 1), x2 = get(wb, 2) - get(wa, 2);
    const w0 = along(a, x0, x1, x2), w1 = along(at(a, 3), x0, x1, x2);
    const w2 = along(at(a, 6), x0, x1, x2);
    const c = at(data, BushingData.TURN_DAMPING);
    const g = at(data, BushingData.TURN_FORCE);
    m0 += get(g, 0) - get(c, 0) * (e0 * w0 + (w1 * e3 - w2 * e2));
    m1 += get(g, 1) - get(c, 1) * (e0 * w1 + (w2 * e1 - w0 * e3));
    m2 += get(g, 2) - get(c, 2) * (e0 * w2 + (w0 * e2 - w1 * e1));
  }
  const t0 = e0 * m0 + (e2 * m2 - e3 * m1);
  const t1 = e0 * m1 + (e3 * m0 - e1 * m2);
  const t2 = e0 * m2 + (e1 * m1 - e2 * m0);
  const x0 = get(a, 0) * t0 + get(a, 3) * t1 + get(a, 6) * t2;
  const x1 = get(a, 1) * t0 + get(a, 4) * t1 + get(a, 7) * t2;
  const x2 = get(a, 2) * t0 + get(a, 5) * t1 + get(a, 8) * t2;
  addTorque(table, bodyOf(table, second), x0, x1, x2);
  addTorque(table, bodyOf(table, first), -x0, -x1, -x2);
}
