// How a force becomes generalised forces. A point with arm s on a body moves with r' + w x s, so
// the power of a force F there is
//
//   F . (r' + w x s) = F . r' + (s x F) . w = F . r' + R^T (s x F) . w_body,   w = R w_body
//
// and of a torque T it is R^T T . w_body. All in the world; the ground's frame is the identity.

import { MarkerFrame } from "../layout-bodies";
import { at, get, set } from "../math/slots";
import { bodyOf, frameOf, loadOf, markerOf } from "../kinematics/table";

/** Adds a force on the body of a marker, at the marker's point. */
export function addForce(table: usize, marker: i32, f0: f64, f1: f64, f2: f64): void {
  addForceBeyond(table, marker, 0.0, 0.0, 0.0, f0, f1, f2);
}

/** Adds a force on the body of a marker, at the point that lies d from the marker's. */
export function addForceBeyond(
  table: usize, marker: i32, d0: f64, d1: f64, d2: f64, f0: f64, f1: f64, f2: f64,
): void {
  const body = bodyOf(table, marker);
  const arm = at(markerOf(table, marker), MarkerFrame.ARM);
  const s0 = get(arm, 0) + d0, s1 = get(arm, 1) + d1, s2 = get(arm, 2) + d2;
  addTo(loadOf(table, body), f0, f1, f2);
  addTorque(table, body, s1 * f2 - s2 * f1, s2 * f0 - s0 * f2, s0 * f1 - s1 * f0);
}

/** Adds a torque on a body. */
export function addTorque(table: usize, body: i32, t0: f64, t1: f64, t2: f64): void {
  addBack(frameOf(table, body), t0, t1, t2, at(loadOf(table, body), 3));
}

/** out += R^T x: from the world to the body. */
// @ts-ignore: decorator
@inline
export function addBack(r: usize, x0: f64, x1: f64, x2: f64, out: usize): void {
  addTo(
    out,
    get(r, 0) * x0 + get(r, 1) * x1 + get(r, 2) * x2,
    get(r, 3) * x0 + get(r, 4) * x1 + get(r, 5) * x2,
    get(r, 6) * x0 + get(r, 7) * x1 + get(r, 8) * x2,
  );
}

/** x += (x0, x1, x2). */
// @ts-ignore: decorator
@inline
export function addTo(x: usize, x0: f64, x1: f64, x2: f64): void {
  set(x, 0, get(x, 0) + x0);
  set(x, 1, get(x, 1) + x1);
  set(x, 2, get(x, 2) + x2);
}
