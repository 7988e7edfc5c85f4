// A compliant stop. Beyond a limit of s, with penetration x > 0 and its rate x',
//
//   V = k x^(n + 1) / (n + 1),   F = k x^n g(d x')  against x
//
// with g(y) = 1 + y (Hunt and Crossley, J. Appl. Mech. 42 (1975) 440): no force at touch, whatever
// the speed, as its damping grows with the penetration. If an external force separates the bodies
// faster than 1 / d, that law pulls. We continue it from y = -1/2 on by
//
//   g(y) = -1 / (4 y)
//
// which has value and slope 1/2 and 1 there, and stays positive. Rejected: max(0, 1 + y), whose
// kink costs methods their order; a free rebound is never faster than 1 / d, so it differs little.
// V is conservative; k x^n (g - 1) is OTHER, the energy dissipated by stops.

import { ForceEntry, ForcePart, Sensor, StopData } from "../layout-bodies";
import { power } from "../math/exponential";
import { get, getInteger } from "../math/slots";
import { sensorOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { pushAlong } from "./sensor-load";

/** 1 beyond the upper limit, -1 beyond the lower one, 0 between them. */
export function sideOf(data: usize, value: f64): f64 {
  if (value > get(data, StopData.UPPER)) return 1.0;
  return value < get(data, StopData.LOWER) ? -1.0 : 0.0;
}

/** Penetration beyond the limit of a side. */
// @ts-ignore: decorator
@inline
export function depthOf(data: usize, value: f64, side: f64): f64 {
  return side > 0.0 ? value - get(data, StopData.UPPER) : get(data, StopData.LOWER) - value;
}

/** k x^n */
export function elasticPush(data: usize, depth: f64): f64 {
  return get(data, StopData.STIFFNESS) * powerOf(depth, get(data, StopData.EXPONENT));
}

/** x^n; the usual exponents without logarithms. */
export function powerOf(x: f64, n: f64): f64 {
  if (n == 0.0) return 1.0;
  if (n == 1.0) return x;
  if (n == 1.5) return x * Math.sqrt(x);
  return power(x, n);
}

/** g */
export function growth(y: f64): f64 {
  return y >= -0.5 ? 1.0 + y : -0.25 / y;
}

/** g' */
export function growthSlope(y: f64): f64 {
  return y >= -0.5 ? 1.0 : 0.25 / (y * y);
}

/** Adds the force of the violated limit. */
export function stop(table: usize, entry: usize, parts: i32): void {
  const number = getInteger(entry, ForceEntry.A);
  const sensor = sensorOf(table, number), data = constantsOf(table, entry);
  const value = get(sensor, Sensor.VALUE), side = sideOf(data, value);
  if (side == 0.0) return;
  const push = elasticPush(data, depthOf(data, value, side));
  let force = 0.0;
  if (parts & ForcePart.CONSERVATIVE) force += push;
  if (parts & ForcePart.OTHER) {
    const rate = side * get(sensor, Sensor.RATE);
    force += push * (growth(get(data, StopData.DAMPING) * rate) - 1.0);
  }
  pushAlong(table, number, -side * force);
}

/** k x^(n + 1) / (n + 1) */
export function stopPotential(table: usize, entry: usize): f64 {
  const sensor = sensorOf(table, getInteger(entry, ForceEntry.A));
  const data = constantsOf(table, entry), value = get(sensor, Sensor.VALUE);
  const side = sideOf(data, value);
  if (side == 0.0) return 0.0;
  const depth = depthOf(data, value, side);
  return elasticPush(data, depth) * depth / (get(data, StopData.EXPONENT) + 1.0);
}
