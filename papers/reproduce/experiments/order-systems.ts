// Systems on which a method shows its true order: everything that may vary does.

import { equations, type Method, simulate } from "../../../src/index.js";
import type { Problem } from "./formulation-systems.js";
import { projectedRk4 } from "./methods.js";
import { distance, three } from "./numbers.js";

/** A particle in a bowl, in cylinder coordinates: the mass depends on r, all forces on v. */
const dampedBowl: Problem = {
  equations: equations({
    name: "damped bowl",
    coordinates: ["r", "phi", "z"],
    mass: {
      diagonal: (q, out) => {
        out.set([1, three(q)[0] ** 2, 1]);
      },
    },
    forces: (q, v, out) => {
      const [r] = three(q);
      const [rRate, phiRate, zRate] = three(v);
      out[0] = r * phiRate ** 2 - 0.3 * rRate;
      out[1] = -2 * r * rRate * phiRate - 0.3 * r ** 2 * phiRate;
      out[2] = -9.81 - 0.3 * zRate;
    },
    holonomic: {
      rows: ["bowl"],
      value: (q, out) => {
        const [r, , z] = three(q);
        out[0] = z - r ** 2 / 2;
      },
    },
  }),
  q: [1, 0, 0.5],
  v: [0.3, 1.5, 0.3],
};

/** A pendulum on a block that slides, with friction, on a wave: the mass matrix is full and varies. */
const dampedWave: Problem = {
  equations: equations({
    name: "damped wave",
    coordinates: ["x", "y", "theta"],
    mass: {
      full: (q, out) => {
        const [, , theta] = three(q);
        const [c, s] = [Math.cos(theta), Math.sin(theta)];
        out.set([2, 0, c, 0, 2, s, c, s, 1.5]);
      },
    },
    forces: (q, v, out) => {
      const [, , theta] = three(q);
      const [xRate, yRate, omega] = three(v);
      const [c, s] = [Math.cos(theta), Math.sin(theta)];
      out[0] = s * omega ** 2 - 0.5 * xRate;
      out[1] = -c * omega ** 2 - 19.62 - 0.5 * yRate;
      out[2] = -9.81 * s - 0.4 * omega;
    },
    holonomic: {
      rows: ["wave"],
      value: (q, out) => {
        const [x, y] = three(q);
        out[0] = y - 0.3 * Math.sin(2 * x);
      },
    },
  }),
  q: [0.1, 0.3 * Math.sin(0.2), 0.8],
  v: [1, 0.6 * Math.cos(0.2), -1],
};

/** A particle on a parabola that swings in time, driven and damped. */
const movingWire: Problem = {
  equations: equations({
    name: "moving wire",
    coordinates: ["x", "y"],
    mass: [1, 2],
    forces: (q, v, out, t) => {
      const [xRate, yRate] = [v[0] as number, v[1] as number];
      out[0] = -4 * (q[0] as number) - 0.5 * xRate * Math.abs(xRate) + Math.sin(3 * t);
      out[1] = -19.62 - 0.4 * yRate;
    },
    holonomic: {
      rows: ["wire"],
      value: (q, out, t) => {
        const [x, y] = [q[0] as number, q[1] as number];
        out[0] = y - 0.4 * Math.sin(2 * t) * x ** 2 - 0.2 * Math.cos(t);
      },
    },
  }),
  q: [1, 0.2],
  v: [0.5, 0.8],
};

/** Chaplygin's sleigh with friction: a knife edge that allows no sideways velocity. */
const dampedSleigh: Problem = {
  equations: equations({
    name: "damped sleigh",
    coordinates: ["x", "y", "theta"],
    mass: {
      full: (q, out) => {
        const [, , theta] = three(q);
        const [c, s] = [0.4 * Math.cos(theta), 0.4 * Math.sin(theta)];
        out.set([1, 0, -s, 0, 1, c, -s, c, 0.66]);
      },
    },
    forces: (q, v, out) => {
      const [, , theta] = three(q);
      const [xRate, yRate, omega] = three(v);
      out[0] = 0.4 * Math.cos(theta) * omega ** 2 - 0.2 * xRate;
      out[1] = 0.4 * Math.sin(theta) * omega ** 2 - 0.2 * yRate;
      out[2] = -0.1 * omega;
    },
    nonholonomic: {
      rows: ["edge"],
      value: (q, v, out) => {
        const [, , theta] = three(q);
        const [xRate, yRate] = three(v);
        out[0] = Math.cos(theta) * yRate - Math.sin(theta) * xRate;
      },
    },
  }),
  q: [0, 0, 0],
  v: [1, 0, 2],
};

/** A moving surface and a prescribed speed: both kinds of constraint, the second not linear. */
const prescribedSpeed: Problem = {
  equations: equations({
    name: "prescribed speed",
    coordinates: ["x", "y", "z"],
    mass: [1, 1, 1],
    forces: (q, v, out) => {
      const [x, y] = three(q);
      out.set([-x, -2 * y - 0.2 * three(v)[1], -9.81]);
    },
    holonomic: {
      rows: ["surface"],
      value: (q, out, t) => {
        const [x, , z] = three(q);
        out[0] = z - 0.1 * x ** 2 - 0.1 * Math.sin(t);
      },
    },
    nonholonomic: {
      rows: ["speed"],
      value: (_q, v, out, t) => {
        const [xRate, yRate] = three(v);
        out[0] = xRate ** 2 + yRate ** 2 - 1 - 0.2 * Math.sin(t);
      },
    },
  }),
  q: [0.5, 0.2, 0.025],
  v: [0.6, 0.8, 0.16],
};

/** Systems on which coupled methods show their order. */
export const orderSystems = {
  dampedBowl,
  dampedWave,
  movingWire,
  dampedSleigh,
  prescribedSpeed,
} as const;

/** Order of the errors of positions and velocities at t = 2 as the step is halved. */
export function measuredOrder({ equations, q, v }: Problem, method: Method, step = 1 / 256) {
  const run = (tried: Method, length: number) =>
    simulate(equations, { method: tried, step: length, q, v }).runTo(2);
  const exact = run(projectedRk4, 1 / 2048);
  const [long, short] = [run(method, step), run(method, step / 2)];
  const order = (part: "q" | "v") =>
    Math.log2(distance(long[part], exact[part]) / distance(short[part], exact[part]));
  return { position: order("q"), velocity: order("v") };
}
