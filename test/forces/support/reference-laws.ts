// Reference implementation of the laws: each is a list of forces at points and torques, in the world.

import { ForceKind, ForcePart, type ForceSpec, type Mechanism, Sensor } from "./mechanism.js";
import {
  add,
  conjugate,
  cross,
  dot,
  length,
  product,
  scale,
  subtract,
  turn,
  turnBack,
  type Vector,
  ZERO,
} from "./vectors.js";

interface Load {
  readonly body: number;
  readonly point: Vector;
  readonly force: Vector;
  readonly torque: Vector;
}

type Law = (mechanism: Mechanism, force: ForceSpec, parts: number) => Load[];

/** A force at a point of B, and its reaction on A at the same point. */
function pair(a: number, b: number, point: Vector, force: Vector, torque: Vector = ZERO): Load[] {
  return [
    { body: b, point, force, torque },
    { body: a, point, force: scale(-1, force), torque: scale(-1, torque) },
  ];
}

/** Sum of the elastic and the other part, as far as requested. */
function asked(parts: number, elastic: number, other: number): number {
  return (parts & ForcePart.CONSERVATIVE ? elastic : 0) + (parts & ForcePart.OTHER ? other : 0);
}

const applied =
  (isTorque: boolean): Law =>
  (mechanism, { a, flag, data }, parts) => {
    const { body, point, e } = mechanism.place(a);
    const vector = scale(asked(parts, 0, 1), flag === 1 ? turn(e, data) : data);
    return [{ body, point, force: isTorque ? ZERO : vector, torque: isTorque ? vector : ZERO }];
  };

const spring: Law = (mechanism, { a, b, data: [k, rest, c, f] }, parts) => {
  const [first, second] = [mechanism.place(a), mechanism.place(b!)];
  const d = subtract(second.point, first.point);
  const u = scale(1 / length(d), d);
  const rate = dot(u, subtract(second.velocity, first.velocity));
  const force = asked(parts, -k * (length(d) - rest), f - c * rate);
  return pair(first.body, second.body, first.point, scale(force, u));
};

/** x and z of a bushing, and their rates; z with the sign of e0 >= 0. */
export function bushingMotion(mechanism: Mechanism, a: number, b: number) {
  const [first, second] = [mechanism.place(a), mechanism.place(b)];
  const d = subtract(second.point, first.point);
  const relative = product(conjugate(first.e), second.e);
  const [e0, ...e] = relative[0] < 0 ? scale(-1, relative) : relative;
  const w = turnBack(first.e, subtract(second.omega, first.omega));
  const u = subtract(subtract(second.velocity, first.velocity), cross(first.omega, d));
  return {
    x: turnBack(first.e, d),
    xRate: turnBack(first.e, u),
    e0,
    z: scale(2, e),
    zRate: add(scale(e0, w), cross(w, e)),
  };
}

const bushing: Law = (mechanism, { a, b, data }, parts) => {
  const [first, second] = [mechanism.place(a), mechanism.place(b!)];
  const { x, xRate, e0, z, zRate } = bushingMotion(mechanism, a, b!);
  const f = x.map((value, i) =>
    asked(parts, -data[i] * value, data[12 + i] - data[3 + i] * xRate[i]),
  );
  const m = z.map((value, i) =>
    asked(parts, -data[6 + i] * value, data[15 + i] - data[9 + i] * zRate[i]),
  );
  const torque = add(scale(e0, m), scale(0.5, cross(z, m)));
  return pair(first.body, second.body, second.point, turn(first.e, f), turn(first.e, torque));
};

const drag: Law = (mechanism, { a, data: [c1, c2, c3, c4] }, parts) => {
  const { body, point, velocity, omega } = mechanism.place(a);
  const one = asked(parts, 0, 1);
  return [
    {
      body,
      point,
      force: scale(-one * (c1 + c2 * length(velocity)), velocity),
      torque: scale(-one * (c3 + c4 * length(omega)), omega),
    },
  ];
};

const tyre: Law = (mechanism, { a, b, data }, parts) => {
  const [k, c, radius, height, roadRate, cannotPull] = data;
  const [road, wheel] = [mechanism.place(a), mechanism.place(b!)];
  const { x, xRate } = bushingMotion(mechanism, a, b!);
  const pressed = radius - (x[2] - height);
  const force = k * pressed - c * (xRate[2] - roadRate);
  const pushed = cannotPull ? (pressed < 0 ? 0 : Math.max(force, 0)) : force;
  return pair(road.body, wheel.body, wheel.point, turn(road.e, [0, 0, asked(parts, 0, pushed)]));
};

const laws: Partial<Record<ForceKind, Law>> = {
  [ForceKind.FORCE]: applied(false),
  [ForceKind.TORQUE]: applied(true),
  [ForceKind.SPRING]: spring,
  [ForceKind.BUSHING]: bushing,
  [ForceKind.DRAG]: drag,
  [ForceKind.TYRE]: tyre,
};

/** All generalised forces of a mechanism, those of the ground last. */
export function naiveForces(mechanism: Mechanism, parts: number): number[] {
  const { bodies, forces, gravity } = mechanism.spec;
  const sum: number[] = new Array(6 * (bodies.length + 1)).fill(0);
  const addAt = (body: number, values: Vector) => {
    const start = 6 * (body < 0 ? bodies.length : body);
    for (const [i, value] of values.entries()) sum[start + i] += value;
  };
  for (const [body, { mass, inertia }] of bodies.entries()) {
    if (parts & ForcePart.CONSERVATIVE) addAt(body, scale(mass, gravity));
    if (!(parts & ForcePart.GYROSCOPIC)) continue;
    const w = [...mechanism.v.subarray(6 * body + 3, 6 * body + 6)];
    const momentum = [0, 1, 2].map((i) => dot(inertia.slice(3 * i, 3 * i + 3), w));
    addAt(body, [0, 0, 0, ...cross(momentum, w)]);
  }
  for (const force of forces) {
    const sensed = sensorLaws[force.kind];
    if (sensed) addSensor(mechanism, force, (s, rate) => sensed(force.data, s, rate, parts), addAt);
    for (const { body, point, force: f, torque } of laws[force.kind]?.(mechanism, force, parts) ??
      []) {
      const { point: centre, e } = mechanism.pose(body);
      const moment = add(torque, cross(subtract(point, centre), f));
      addAt(body, [...f, ...turnBack(e, moment)]);
    }
  }
  return sum;
}

/** Laws along a sensor: the force for a value and a rate. */
type SensorLaw = (data: Vector, value: number, rate: number, parts: number) => number;

const sensorLaws: Partial<Record<ForceKind, SensorLaw>> = {
  [ForceKind.SENSOR_SPRING]: ([k, s0, c, f], value, rate, parts) =>
    asked(parts, -k * (value - s0), f - c * rate),
  [ForceKind.STOP]: ([k, n, d, lower, upper], value, rate, parts) => {
    const side = value > upper ? 1 : value < lower ? -1 : 0;
    const depth = Math.max(value - upper, lower - value, 0);
    const y = d * side * rate;
    const more = y > -0.5 ? y : -1 / (4 * y) - 1;
    return asked(parts, -side * k * depth ** n, -side * k * depth ** n * more);
  },
  [ForceKind.FRICTION]: ([coulomb, most, speed, viscous, load], _, rate, parts) => {
    const u = rate / speed;
    const dry = coulomb * Math.tanh(4 * u) + ((most - coulomb) * u) / ((u * u + 3) / 4) ** 2;
    return asked(parts, 0, -load * dry - viscous * rate);
  },
  [ForceKind.MOTOR]: (data, value, rate, parts) => asked(parts, 0, motorForce(data, value, rate)),
};

/** Torque of a rotor within its limits, fading over the last twentieth of its speed, after a gear with losses. */
function motorForce(data: readonly number[], value: number, rate: number): number {
  const [target, targetRate, feed, kp, kd, torque, speed, power, ratio, efficiency, slow] = data;
  const command = feed + kp * (target - value) + kd * (targetRate - rate);
  const spin = ratio * rate;
  const allowed = Math.min(torque, power / Math.abs(spin));
  const held = Math.max(-allowed, Math.min(allowed, command / ratio));
  const fade = Math.max(0, Math.min(1, (speed - Math.abs(spin)) / (0.05 * speed)));
  const given = held * spin > 0 ? held * fade : held;
  const x = Math.max(-1, Math.min(1, spin / slow));
  const outward = (Math.sign(given) * x * (3 - x * x)) / 2;
  // A fraction of (1 + outward) / 2 flows out, the rest flows in.
  return ratio * given * (((1 + outward) / 2) * efficiency + (1 - outward) / 2 / efficiency);
}

function addSensor(
  mechanism: Mechanism,
  { a }: ForceSpec,
  law: (value: number, rate: number) => number,
  addAt: (body: number, values: Vector) => void,
): void {
  const record = [...mechanism.sensors.subarray(Sensor.LENGTH * a, Sensor.LENGTH * (a + 1))];
  const force = law(record[Sensor.VALUE], record[Sensor.RATE]);
  const [first, second] = mechanism.spec.sensors[a]
    .slice(0, 2)
    .map((marker) => mechanism.place(marker!).body);
  addAt(first, scale(force, record.slice(Sensor.JACOBIAN_A, Sensor.JACOBIAN_A + 6)));
  addAt(second, scale(force, record.slice(Sensor.JACOBIAN_B, Sensor.JACOBIAN_B + 6)));
}
