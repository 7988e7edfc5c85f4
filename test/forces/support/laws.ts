// One force of each kind, with random constants.

import { ForceKind, type ForceSpec } from "./mechanism.js";
import { type Given, markerOn } from "./random.js";

export type Make = (given: Given) => ForceSpec;

/** Pairs of bodies with forces between them: two bodies, the ground and a body, one body twice. */
export const ENDS: readonly (readonly [number, number])[] = [
  [markerOn(0), markerOn(1)],
  [markerOn(-1), markerOn(2)],
  [markerOn(2), markerOn(-1)],
  [markerOn(1), markerOn(1) + 1],
];

export const spring =
  (a: number, b: number, only?: "damper"): Make =>
  ({ numbers }) => {
    const [k, rest, c, f] = numbers(4, 0.5, 2);
    return { kind: ForceKind.SPRING, a, b, data: only ? [0, rest, c, 0] : [k, rest, c, f] };
  };

export const sensorSpring =
  (sensor: number, only?: "damper"): Make =>
  ({ numbers }) => {
    const [k, s0, c, f] = numbers(4, 0.5, 2);
    const data = only ? [0, s0, c, 0] : [k, s0, c, f];
    return { kind: ForceKind.SENSOR_SPRING, a: sensor, data };
  };

/** A motor that reaches, or fades at, the named limit. */
export const motor =
  (sensor: number, limit?: "torque" | "power" | "speed"): Make =>
  ({ numbers }) => {
    const [target, rate, feed, kp, kd, ratio] = numbers(6, 0.5, 2);
    const most = [
      limit === "torque" ? 1e-2 : 1e6,
      limit === "speed" ? 1e-3 : 1e6,
      limit === "power" ? 1e-3 : 1e6,
    ];
    const data = [target, rate, feed, kp, kd, ...most, ratio, 0.8, limit ? 1e-6 : 50, 0, 0, 0, 0];
    return { kind: ForceKind.MOTOR, a: sensor, data };
  };

export const bushing =
  (a: number, b: number, only?: "damper"): Make =>
  ({ numbers }) => {
    const data = numbers(18, 0.5, 2);
    if (only) data.fill(0, 0, 3).fill(0, 6, 9).fill(0, 12);
    return { kind: ForceKind.BUSHING, a, b, data };
  };

export const drag =
  (a: number): Make =>
  ({ numbers }) => ({ kind: ForceKind.DRAG, a, data: numbers(4, 0.5, 2) });

export const tyre =
  (a: number, b: number, cannotPull: 0 | 1, only?: "damper"): Make =>
  ({ numbers }) => {
    const [k, c, radius, height, rate] = numbers(5, 0.5, 2);
    const data = only ? [0, c, radius, height, 0] : [k, c, radius, height, rate];
    return { kind: ForceKind.TYRE, a, b, data: [...data, cannotPull, 0, 0, 0, 0] };
  };

/** Beyond its upper limit for a positive side, beyond its lower one for a negative. */
export const stop =
  (sensor: number, side: 1 | -1, exponent: number): Make =>
  ({ numbers }) => {
    const [k, d] = numbers(2, 0.5, 2);
    const limits = side > 0 ? [-90, -8] : [8, 90];
    return { kind: ForceKind.STOP, a: sensor, data: [k, exponent, d, ...limits, 0] };
  };

export const friction =
  (sensor: number): Make =>
  ({ numbers }) => {
    const [coulomb, more, speed, viscous, load] = numbers(5, 0.5, 2);
    const data = [coulomb, coulomb + more, speed, viscous, load];
    return { kind: ForceKind.FRICTION, a: sensor, data };
  };

export const applied =
  (kind: ForceKind.FORCE | ForceKind.TORQUE, a: number, flag: 0 | 1): Make =>
  ({ numbers }) => ({ kind, a, flag, data: numbers(3, -2, 2) });

/** Every law between every pair of ends. Sensors have the indices of the ends. */
export const everyLaw: Readonly<Record<string, readonly Make[]>> = {
  nothing: [],
  force: [0, 2, 7].flatMap((a) => [applied(ForceKind.FORCE, a, 0), applied(ForceKind.FORCE, a, 1)]),
  torque: [1, 3, 6].flatMap((a) => [
    applied(ForceKind.TORQUE, a, 0),
    applied(ForceKind.TORQUE, a, 1),
  ]),
  spring: ENDS.map(([a, b]) => spring(a, b)),
  "sensor spring": ENDS.map((_, i) => sensorSpring(i)),
  motor: ENDS.flatMap((_, i) => [
    motor(i),
    motor(i, "torque"),
    motor(i, "power"),
    motor(i, "speed"),
  ]),
  bushing: ENDS.map(([a, b]) => bushing(a, b)),
  drag: [drag(3), drag(4)],
  tyre: ENDS.flatMap(([a, b]) => [tyre(a, b, 0), tyre(a, b, 1)]),
  stop: ENDS.flatMap((_, i) => [stop(i, 1, 1), stop(i, -1, 1.5), stop(i, 1, 2.2)]),
  friction: ENDS.map((_, i) => friction(i)),
};

export const making =
  (makes: readonly Make[]) =>
  (given: Given): ForceSpec[] =>
    makes.map((make) => make(given));
