// Angle from x of A to x of B about z of A. With b = x_B and x, y of A,
//
//   c = x . b,   s = y . b,   theta = atan2(s, c),   rho = s^2 + c^2.
//
// s and c are products of directions fixed in A and in B (dot1.ts), so with t = (c y - s x) / rho,
// a direction fixed in A while s and c are held,
//
//   theta' = (c s' - s c') / rho = u . m,   m = t x b,   u = w_A - w_B:
//
// angular rows R_A^T m and -R_B^T m (m = -z where the z axes agree). The second derivative adds
// that of 1 / rho, with p = (c x + s y) / rho:
//
//   theta'' = (t . b)'' at fixed t - theta' rho' / rho,
//   rho' / rho = 2 (s s' + c c') / rho = 2 u . (p x b).
//
// This holds whether the z axes agree or not: a trial state may lie off the constraints. If b is
// along z of A there is no angle, and the results are not finite.

import { AngleData, MarkerFrame, Sensor, Want } from "../layout-bodies";
import { dot3 } from "../kinematics/vector";
import { at, get, set } from "../math/slots";
import { perpendicularGamma, relativeTurning } from "./dot1";
import { crossed, setTurning } from "./rows";

const REVOLUTION_RAD: f64 = 6.283185307179586;

/** reference: address of an AngleData. */
export function angle(
  want: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, reference: usize, sensor: usize,
): void {
  const x = at(A, MarkerFrame.AXES), y = at(A, MarkerFrame.AXES + 3), b = at(B, MarkerFrame.AXES);
  const c = dot3(x, b), s = dot3(y, b);
  if (want & Want.PHI) {
    const expected = get(reference, AngleData.ACCEPTED) + get(reference, AngleData.CHANGE);
    set(sensor, Sensor.VALUE, nearestTurn(Math.atan2(s, c), expected));
  }
  if (!(want & (Want.JACOBIAN | Want.RATES))) return;
  const scale = 1.0 / (s * s + c * c), cosine = scale * c, sine = scale * s;
  const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
  const y0 = get(y, 0), y1 = get(y, 1), y2 = get(y, 2);
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const t0 = cosine * y0 - sine * x0, t1 = cosine * y1 - sine * x1, t2 = cosine * y2 - sine * x2;
  const m0 = crossed(t1, t2, b1, b2), m1 = crossed(t2, t0, b2, b0), m2 = crossed(t0, t1, b0, b1);
  if (want & Want.JACOBIAN) {
    setTurning(at(sensor, Sensor.JACOBIAN_A), bodyA, m0, m1, m2);
    setTurning(at(sensor, Sensor.JACOBIAN_B), bodyB, -m0, -m1, -m2);
  }
  if (want & Want.RATES) {
    const p0 = cosine * x0 + sine * y0, p1 = cosine * x1 + sine * y1, p2 = cosine * x2 + sine * y2;
    const rate = relativeTurning(bodyA, bodyB, m0, m1, m2);
    const growth = relativeTurning(
      bodyA, bodyB, crossed(p1, p2, b1, b2), crossed(p2, p0, b2, b0), crossed(p0, p1, b0, b1),
    );
    const held = perpendicularGamma(t0, t1, t2, b0, b1, b2, bodyA, bodyB);
    set(sensor, Sensor.RATE, rate);
    set(sensor, Sensor.GAMMA, held + 2.0 * rate * growth);
  }
}

/** Unwraps an angle: the one nearest to the reference that differs by whole revolutions. */
// @ts-ignore: decorator
@inline
function nearestTurn(value: f64, reference: f64): f64 {
  return value + REVOLUTION_RAD * nearest<f64>((reference - value) / REVOLUTION_RAD);
}
