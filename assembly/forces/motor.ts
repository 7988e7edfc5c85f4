// A geared motor along a sensor's value s. With the gear ratio n and the speed w = n s' of
// the rotor,
//
//   u = f + kp (s* - s) + kd (s*' - s'),      m = u / n  within  |m| <= M,  |m w| <= P,
//   if it accelerates a rotor close to its maximum speed W:  m (W - |w|) / (FADE W),
//   F = n m e,   e = the efficiency if power flows to the joint, its reciprocal if it flows back.
//
// e switches over speeds up to w0 by sigma(x) = x (3 - x^2) / 2, so that F has a continuous
// derivative when the joint stands still. Rejected: a jump there, at which adaptive steps
// accumulate. Limits are kinks, which the error estimate finds; rounding them off would cut
// into the range the data sheet allows.

import { ForceEntry, Sensor } from "../layout-bodies";
import { MotorData } from "../layout-motor";
import { get, getInteger, set } from "../math/slots";
import { sensorOf } from "../kinematics/table";
import { constantsOf } from "./entry";
import { pushAlong } from "./sensor-load";

/** Fraction of the maximum speed over which the torque fades. */
const FADE: f64 = 0.05;

/** Adds F in the sensor's direction, and records F, m, dF/ds and dF/ds'. */
export function motor(table: usize, entry: usize): void {
  const number = getInteger(entry, ForceEntry.A);
  pushAlong(table, number, motorForce(constantsOf(table, entry), sensorOf(table, number)));
}

/** Returns F for a sensor; records it in the constants with its derivatives by value and rate. */
export function motorForce(data: usize, sensor: usize): f64 {
  evaluate(data, get(sensor, Sensor.VALUE), get(sensor, Sensor.RATE));
  return get(data, MotorData.FORCE);
}

/** The law, and its derivatives by value and rate. */
function evaluate(data: usize, value: f64, rate: f64): void {
  const ratio = get(data, MotorData.RATIO), kp = get(data, MotorData.STIFFNESS);
  const kd = get(data, MotorData.DAMPING), speed = ratio * rate;
  const command = get(data, MotorData.FEED) + kp * (get(data, MotorData.TARGET) - value)
    + kd * (get(data, MotorData.TARGET_RATE) - rate);
  // m, dm/du and dm/dw.
  let m = command / ratio, byCommand = 1.0 / ratio, bySpeed = 0.0;
  let limit = get(data, MotorData.MOST_TORQUE), limitBySpeed = 0.0;
  const power = get(data, MotorData.MOST_POWER);
  if (limit * Math.abs(speed) > power) {
    limit = power / Math.abs(speed);
    limitBySpeed = -limit / speed;
  }
  if (Math.abs(m) > limit) {
    bySpeed = m > 0.0 ? limitBySpeed : -limitBySpeed;
    m = m > 0.0 ? limit : -limit;
    byCommand = 0.0;
  }
  const most = get(data, MotorData.MOST_SPEED), left = most - Math.abs(speed);
  if (m * speed > 0.0 && left < FADE * most) {
    const part = left > 0.0 ? left / (FADE * most) : 0.0;
    const slope = left > 0.0 ? (speed > 0.0 ? -1.0 : 1.0) / (FADE * most) : 0.0;
    bySpeed = bySpeed * part + m * slope;
    byCommand *= part;
    m *= part;
  }
  const efficiency = get(data, MotorData.EFFICIENCY), sign = m < 0.0 ? -1.0 : 1.0;
  const mean = (1.0 / efficiency + efficiency) / 2.0, half = (1.0 / efficiency - efficiency) / 2.0;
  const x = speed / get(data, MotorData.SLOW), isSlow = Math.abs(x) < 1.0;
  const side = isSlow ? x * (3.0 - x * x) / 2.0 : x > 0.0 ? 1.0 : -1.0;
  const sideRate = isSlow ? 1.5 * (1.0 - x * x) / get(data, MotorData.SLOW) : 0.0;
  const gain = mean - sign * half * side, gainRate = -sign * half * sideRate;
  set(data, MotorData.TORQUE, m);
  set(data, MotorData.FORCE, ratio * m * gain);
  set(data, MotorData.BY_VALUE, -ratio * gain * byCommand * kp);
  set(
    data, MotorData.BY_RATE,
    ratio * (-gain * byCommand * kd + ratio * (gain * bySpeed + m * gainRate)),
  );
}
