// Distance of two points: l = |d|, d = p_B - p_A. With n = d / l,
//
//   l' = n . d',   l l'' + l'^2 = d . d'' + d' . d',
//
// rows of a point moving along n. If the points coincide l has no derivative: n, the rate and gamma
// are then 0, so that a spring between them has no direction instead of a NaN.

import { MarkerFrame, Sensor, Want } from "../layout-bodies";
import { at, set } from "../math/slots";
import { setPullRows } from "./distance";
import { between } from "./dot2";
import { inner } from "./rows";

export function length(
  want: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, sensor: usize,
): void {
  const d0 = between(A, B, MarkerFrame.POINT);
  const d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  const value = Math.sqrt(inner(d0, d1, d2, d0, d1, d2));
  if (want & Want.PHI) set(sensor, Sensor.VALUE, value);
  if (!(want & (Want.JACOBIAN | Want.RATES))) return;
  const scale = value > 0.0 ? 1.0 / value : 0.0;
  const n0 = scale * d0, n1 = scale * d1, n2 = scale * d2;
  if (want & Want.JACOBIAN) {
    const rowA = at(sensor, Sensor.JACOBIAN_A), rowB = at(sensor, Sensor.JACOBIAN_B);
    setPullRows(n0, n1, n2, A, B, bodyA, bodyB, rowA, rowB);
  }
  if (want & Want.RATES) {
    const v0 = between(A, B, MarkerFrame.VELOCITY);
    const v1 = between(A, B, MarkerFrame.VELOCITY + 1);
    const v2 = between(A, B, MarkerFrame.VELOCITY + 2);
    const rate = inner(n0, n1, n2, v0, v1, v2);
    const drift = n0 * between(A, B, MarkerFrame.DRIFT) +
      n1 * between(A, B, MarkerFrame.DRIFT + 1) + n2 * between(A, B, MarkerFrame.DRIFT + 2);
    const across = inner(v0, v1, v2, v0, v1, v2) - rate * rate;
    set(sensor, Sensor.RATE, rate);
    set(sensor, Sensor.GAMMA, -(drift + scale * across));
  }
}
