// Small mechanisms with named joints.

import { type Model, model, rod, sphere } from "nodrift/bodies";

const Y = [0, 1, 0] as const;

/** Two rods in series, suspended at x: "shoulder" and "elbow". */
export function arm(x = 0): Model {
  return armWithElbow(x).m;
}

/** The arm with a drive "motor" that rotates the elbow by 1 rad/s. */
export function driven(): Model {
  const { m, elbow } = armWithElbow();
  m.driveAngle({ name: "motor", joint: elbow, angle: (t) => t });
  return m;
}

function armWithElbow(x = 0) {
  const m = model({ name: "arm" });
  const shape = rod({ length: 1, axis: [0, 0, 1] });
  const upper = m.body({ name: "upper", mass: 2, shape, position: [x, 0, -0.5] });
  const lower = m.body({ name: "lower", mass: 1, shape, position: [x, 0, -1.5] });
  m.revolute({ name: "shoulder", between: [m.ground, upper], at: [x, 0, 0], axis: Y });
  const elbow = m.revolute({ name: "elbow", between: [upper, lower], at: [x, 0, -1], axis: Y });
  return { m, elbow };
}

/** Initial pin positions of the four-bar below. */
export const PINS = [
  [0, 0],
  [0.3, 0.9],
  [2, 1.5],
  [2.5, 0],
] as const;

/** Crank, coupler and rocker between "pin 0" and "pin 3" on the ground, shifted along x; every angle is initially 0. */
export function fourBar(first = "pin 0", away = 0): Model {
  const m = model({ name: "four-bar" });
  const bars = ["crank", "coupler", "rocker"].map((name, k) => {
    const [[x, z], [toX, toZ]] = [PINS[k], PINS[k + 1]];
    return m.body({
      name,
      mass: 1 + k,
      shape: rod({ length: Math.hypot(toX - x, toZ - z), axis: [toX - x, 0, toZ - z] }),
      position: [away + (x + toX) / 2, 0, (z + toZ) / 2],
    });
  });
  const chain = [m.ground, ...bars, m.ground];
  for (const [k, [x, z]] of PINS.entries()) {
    m.revolute({
      name: k === 0 ? first : `pin ${k}`,
      between: [chain[k], chain[k + 1]],
      at: [away + x, 0, z],
      axis: Y,
    });
  }
  return m;
}

/** Five bars "b0" to "b4" between "pin 0" and "pin 5" on the ground. */
export function sixBar(): Model {
  const m = model({ name: "six-bar" });
  const pins = [
    [0, 0],
    [0.3, 0.9],
    [1.2, 1.6],
    [2.1, 1.5],
    [3, 0.8],
    [2.5, 0],
  ] as const;
  const bars = pins.slice(1).map(([toX, toZ], k) => {
    const [x, z] = pins[k];
    return m.body({
      name: `b${k}`,
      mass: 1 + k,
      shape: rod({ length: Math.hypot(toX - x, toZ - z), axis: [toX - x, 0, toZ - z] }),
      position: [(x + toX) / 2, 0, (z + toZ) / 2],
    });
  });
  const chain = [m.ground, ...bars, m.ground];
  for (const [k, [x, z]] of pins.entries()) {
    m.revolute({ name: `pin ${k}`, between: [chain[k], chain[k + 1]], at: [x, 0, z], axis: Y });
  }
  return m;
}

/** A free ball, with a joint of each kind attached to it. */
export function manyJoints(): Model {
  const m = model({ name: "many joints" });
  const shape = sphere({ radius: 0.2 });
  const types = ["cylindrical", "universal", "planar", "spherical", "screw"] as const;
  let last = m.body({ name: "root", mass: 1, shape });
  for (const [i, type] of types.entries()) {
    const body = m.body({ name: `on ${type}`, mass: 1, shape, position: [i + 1, 0, 0] });
    const between = [last, body] as const;
    const at = [i + 0.5, 0, 0] as const;
    if (type === "universal") {
      m.universal({ name: type, between, at, axisA: [0, 1, 0], axisB: [0, 0, 1] });
    } else if (type === "spherical") m.spherical({ name: type, between, at });
    else if (type === "screw") m.screw({ name: type, between, at, axis: Y, pitch: 0.5 });
    else m[type]({ name: type, between, at, axis: Y });
    last = body;
  }
  return m;
}
