// Derivatives of e' = T w, with T w = e (0, w) / 2 as a product of quaternions. A turn by u about
// the axes of the body moves e by e (0, u) / 2, and e'' = T a + T' w with T' w = -|w|^2 e / 4, so
//
//   d(T w)/du          = e (0, u)(0, w) / 4
//   d(-T' w - T a)/du  = |w|^2 e (0, u) / 8 - e (0, u)(0, a) / 4
//   d(-T' w)/dw        = e w^T / 2

import { BODY_POSITIONS, BODY_VELOCITIES, BodyTable } from "../layout-bodies";
import { addressOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";

/**
 * Twelve values for each body and each of the three: for each component of e, by the three axes.
 */
export function bodyTurnDerivatives(
  table: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  const q = addressOf(table, BodyTable.POSITIONS), v = addressOf(table, BodyTable.VELOCITIES);
  for (let body = 0; body < count; body++) {
    const e = at(q, BODY_POSITIONS * body + 3), w = at(v, BODY_VELOCITIES * body + 3);
    const alpha = at(a, BODY_VELOCITIES * body + 3);
    setTurns(e, w, alpha, at(rate, 12 * body), at(bias, 12 * body), at(gyro, 12 * body));
  }
}

/** The three for one rotation. */
export function setTurns(
  e: usize, w: usize, alpha: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const square = get(w, 0) * get(w, 0) + get(w, 1) * get(w, 1) + get(w, 2) * get(w, 2);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 4; i++) {
      const to = 3 * i + k;
      set(rate, to, 0.25 * twice(e, w, i, k));
      set(bias, to, 0.125 * square * once(e, i, k) - 0.25 * twice(e, alpha, i, k));
      set(gyro, to, 0.5 * get(e, i) * get(w, k));
    }
  }
}

/** Component i of e (0, unit k). */
function once(e: usize, i: i32, k: i32): f64 {
  if (i == 0) return -get(e, 1 + k);
  if (i == k + 1) return get(e, 0);
  // The vector part of e crossed with the unit vector: component i - 1 from the remaining one.
  const other = 3 - k - (i - 1);
  return other == i % 3 ? get(e, 1 + other) : -get(e, 1 + other);
}

/** Component i of e (0, unit k)(0, w) = e (-w_k, unit k x w). */
function twice(e: usize, w: usize, i: i32, k: i32): f64 {
  const next = (k + 1) % 3, last = (k + 2) % 3;
  // unit k x w has -w_last at `next` and w_next at `last`.
  return once(e, i, last) * get(w, next) - once(e, i, next) * get(w, last) - get(e, i) * get(w, k);
}
