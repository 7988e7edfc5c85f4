// Systems on which a method shows its true order: nothing in them is constant that may vary.

import { type Equations, equations } from "nodrift";

export interface OrderSystem {
  readonly equations: Equations;
  readonly q: readonly number[];
  readonly v: readonly number[];
}

/** A particle in a bowl, in cylinder coordinates: the mass depends on r, all forces on v. */
export const dampedBowl: OrderSystem = {
  equations: equations({
    name: "damped bowl",
    coordinates: ["r", "phi", "z"],
    mass: {
      diagonal: (q, out) => {
        out[0] = 1;
        out[1] = q[0] ** 2;
        out[2] = 1;
      },
    },
    forces: (q, v, out) => {
      out[0] = q[0] * v[1] ** 2 - 0.3 * v[0];
      out[1] = -2 * q[0] * v[0] * v[1] - 0.3 * q[0] ** 2 * v[1];
      out[2] = -9.81 - 0.3 * v[2];
    },
    holonomic: {
      rows: ["bowl"],
      value: (q, out) => {
        out[0] = q[2] - q[0] ** 2 / 2;
      },
    },
  }),
  q: [1, 0, 0.5],
  v: [0.3, 1.5, 0.3],
};

/**
 * A pendulum on a block that slides, with friction, on a wave: the mass matrix is full and varies.
 */
export const dampedWave: OrderSystem = {
  equations: equations({
    name: "damped wave",
    coordinates: ["x", "y", "theta"],
    mass: {
      full: (q, out) => {
        const [c, s] = [Math.cos(q[2]), Math.sin(q[2])];
        out.set([2, 0, c, 0, 2, s, c, s, 1.5]);
      },
    },
    forces: (q, v, out) => {
      const [c, s] = [Math.cos(q[2]), Math.sin(q[2])];
      out[0] = s * v[2] ** 2 - 0.5 * v[0];
      out[1] = -c * v[2] ** 2 - 19.62 - 0.5 * v[1];
      out[2] = -9.81 * s - 0.4 * v[2];
    },
    holonomic: {
      rows: ["wave"],
      value: (q, out) => {
        out[0] = q[1] - 0.3 * Math.sin(2 * q[0]);
      },
    },
  }),
  q: [0.1, 0.3 * Math.sin(0.2), 0.8],
  v: [1, 0.6 * Math.cos(0.2), -1],
};

/** A particle on a parabola that swings in time, driven and damped. */
export const movingWire: OrderSystem = {
  equations: equations({
    name: "moving wire",
    coordinates: ["x", "y"],
    mass: [1, 2],
    forces: (q, v, out, t) => {
      out[0] = -4 * q[0] - 0.5 * v[0] * Math.abs(v[0]) + Math.sin(3 * t);
      out[1] = -19.62 - 0.4 * v[1];
    },
    holonomic: {
      rows: ["wire"],
      value: (q, out, t) => {
        out[0] = q[1] - 0.4 * Math.sin(2 * t) * q[0] ** 2 - 0.2 * Math.cos(t);
      },
    },
  }),
  q: [1, 0.2],
  v: [0.5, 0.8],
};

/** Chaplygin's sleigh with friction: a knife edge that lets no sideways velocity pass. */
export const dampedSleigh: OrderSystem = {
  equations: equations({
    name: "damped sleigh",
    coordinates: ["x", "y", "theta"],
    mass: {
      full: (q, out) => {
        const [c, s] = [0.4 * Math.cos(q[2]), 0.4 * Math.sin(q[2])];
        out.set([1, 0, -s, 0, 1, c, -s, c, 0.66]);
      },
    },
    forces: (q, v, out) => {
      out[0] = 0.4 * Math.cos(q[2]) * v[2] ** 2 - 0.2 * v[0];
      out[1] = 0.4 * Math.sin(q[2]) * v[2] ** 2 - 0.2 * v[1];
      out[2] = -0.1 * v[2];
    },
    nonholonomic: {
      rows: ["edge"],
      value: (q, v, out) => {
        out[0] = Math.cos(q[2]) * v[1] - Math.sin(q[2]) * v[0];
      },
    },
  }),
  q: [0, 0, 0],
  v: [1, 0, 2],
};

/** A moving surface and a prescribed speed: both kinds of constraint, the second not linear. */
export const prescribedSpeed: OrderSystem = {
  equations: equations({
    name: "prescribed speed",
    coordinates: ["x", "y", "z"],
    mass: [1, 1, 1],
    forces: (q, v, out) => {
      out[0] = -q[0];
      out[1] = -2 * q[1] - 0.2 * v[1];
      out[2] = -9.81;
    },
    holonomic: {
      rows: ["surface"],
      value: (q, out, t) => {
        out[0] = q[2] - 0.1 * q[0] ** 2 - 0.1 * Math.sin(t);
      },
    },
    nonholonomic: {
      rows: ["speed"],
      value: (_q, v, out, t) => {
        out[0] = v[0] ** 2 + v[1] ** 2 - 1 - 0.2 * Math.sin(t);
      },
    },
  }),
  q: [0.5, 0.2, 0.025],
  v: [0.6, 0.8, 0.16],
};
