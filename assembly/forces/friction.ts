// Friction against the rate v of a sensor: u = v / v_s, v_s the transition velocity (SPEED) at
// which it is largest, load N, F_C while sliding, F_S before, and a viscous part c v:
//
//   F = -N (F_C tanh(4 u) + (F_S - F_C) u / (u^2 / 4 + 3 / 4)^2) - c v
//
// Brown and McPhee, J. Comput. Nonlinear Dyn. 11 (2016) 054502, eq. 15: smooth in v, with the drop
// from F_S to F_C (Stribeck), and F_S is reached at u = 1. Rejected: the sign of v, which no method
// integrates without events; Stribeck's exponential times it, which has that jump too. A contact at
// rest under a load creeps, slower than v_s; bristles do not creep.

import { ForceEntry, FrictionData, Sensor } from "../layout-bodies";
import { hyperbolicTangent } from "../math/exponential";
import { get, getInteger } from "../math/slots";
import { sensorOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { pushAlong } from "./sensor-load";

/** Adds F. */
export function friction(table: usize, entry: usize): void {
  const number = getInteger(entry, ForceEntry.A);
  const rate = get(sensorOf(table, number), Sensor.RATE);
  pushAlong(table, number, frictionOf(constantsOf(table, entry), rate));
}

/** Returns F for a rate. */
export function frictionOf(data: usize, rate: f64): f64 {
  const coulomb = get(data, FrictionData.COULOMB), u = rate / get(data, FrictionData.SPEED);
  const bowl = 0.25 * u * u + 0.75;
  const drop = (get(data, FrictionData.STATIC) - coulomb) * u / (bowl * bowl);
  const dry = get(data, FrictionData.LOAD) * (coulomb * hyperbolicTangent(4.0 * u) + drop);
  return -dry - get(data, FrictionData.VISCOUS) * rate;
}

/** -dF / dv, with tanh' = 1 - tanh^2 and (u b^-2)' = b^-2 - u^2 b^-3 for b' = u / 2. */
export function frictionSlope(data: usize, rate: f64): f64 {
  const coulomb = get(data, FrictionData.COULOMB), speed = get(data, FrictionData.SPEED);
  const u = rate / speed, bowl = 0.25 * u * u + 0.75, steep = hyperbolicTangent(4.0 * u);
  const drop = (get(data, FrictionData.STATIC) - coulomb) * (bowl - u * u) / (bowl * bowl * bowl);
  const dry = 4.0 * coulomb * (1.0 - steep * steep) + drop;
  return get(data, FrictionData.LOAD) * dry / speed + get(data, FrictionData.VISCOUS);
}
