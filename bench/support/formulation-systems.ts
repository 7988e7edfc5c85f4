// Small systems that try formulations from all sides, with starts that satisfy their constraints.

import { type Equations, equations } from "nodrift";

/** Equations and a start. */
export interface Problem {
  readonly equations: Equations;
  readonly q: readonly number[];
  readonly v: readonly number[];
}

const G = 9.81;

/** A point on a circle: one degree of freedom. */
export const pendulum: Problem = {
  equations: equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -G;
    },
    holonomic: {
      rows: 1,
      value: (q, out) => {
        out[0] = q[0] ** 2 + q[1] ** 2 - 1;
      },
      jacobian: (q, out) => {
        out[0] = 2 * q[0];
        out[1] = 2 * q[1];
      },
      gamma: (_q, v, out) => {
        out[0] = -2 * (v[0] ** 2 + v[1] ** 2);
      },
    },
  }),
  q: [1, 0],
  v: [0, 0],
};

/** Welch et al. 2007, eqs. 71-76: crank angle, rod angle and the rod's centre. */
export const sliderCrank: Problem = {
  equations: sliderCrankWith(1),
  q: [0.9851, -0.5236, 0.4256, 0.1],
  v: [0, 0, 0, 0],
};

/** The same with its last constraint given twice, once multiplied. */
export const redundantSliderCrank: Problem = { ...sliderCrank, equations: sliderCrankWith(2) };

function sliderCrankWith(copies: number): Equations {
  const [length, centre, crank] = [0.5, 0.3, 0.3];
  const rest = length - centre;
  return equations({
    name: "slider-crank",
    coordinates: ["theta", "phi", "x", "y"],
    mass: [0.045, 33 / 4800, 1, 1],
    forces: (_q, _v, out) => {
      out.fill(0);
      out[3] = -10;
    },
    holonomic: {
      rows: 2 + copies,
      value: ([theta, phi, x, y], out) => {
        out[0] = crank * Math.cos(theta) + centre * Math.cos(phi) - x;
        out[1] = crank * Math.sin(theta) + centre * Math.sin(phi) - y;
        for (let k = 1; k <= copies; k++) out[1 + k] = k * (rest * Math.sin(phi) + y);
      },
      jacobian: ([theta, phi], out) => {
        out.fill(0);
        out.set([-crank * Math.sin(theta), -centre * Math.sin(phi), -1, 0]);
        out.set([crank * Math.cos(theta), centre * Math.cos(phi), 0, -1], 4);
        for (let k = 1; k <= copies; k++) {
          out[4 + 4 * k + 1] = k * rest * Math.cos(phi);
          out[4 + 4 * k + 3] = k;
        }
      },
      gamma: ([theta, phi], [omega, rate], out) => {
        out[0] = crank * Math.cos(theta) * omega ** 2 + centre * Math.cos(phi) * rate ** 2;
        out[1] = crank * Math.sin(theta) * omega ** 2 + centre * Math.sin(phi) * rate ** 2;
        for (let k = 1; k <= copies; k++) out[1 + k] = k * rest * Math.sin(phi) * rate ** 2;
      },
    },
    potential: (q) => 10 * q[3],
  });
}

/** Links of the two four-bars: their ends are points, or places on the ground. */
const LINKS = [
  { to: 0, ground: 0 },
  { to: 1, ground: 1 },
  { to: 2, ground: 2 },
  { to: 1, from: 0, ground: 0 },
  { to: 2, from: 1, ground: 0 },
] as const;

/** Braun and Goldfarb 2009: two four-bars of five equal rods. Rank 5 falls to 3 where y = 0. */
export const fourBars: Problem = {
  equations: equations({
    name: "two four-bars",
    coordinates: ["x1", "y1", "x2", "y2", "x3", "y3"],
    mass: [
      [2 / 3, 0, 1 / 6, 0, 0, 0],
      [0, 2 / 3, 0, 1 / 6, 0, 0],
      [1 / 6, 0, 1, 0, 1 / 6, 0],
      [0, 1 / 6, 0, 1, 0, 1 / 6],
      [0, 0, 1 / 6, 0, 2 / 3, 0],
      [0, 0, 0, 1 / 6, 0, 2 / 3],
    ],
    forces: (_q, _v, out) => {
      out.set([0, -G, 0, -1.5 * G, 0, -G]);
    },
    holonomic: {
      rows: LINKS.length,
      value: (q, out) => {
        LINKS.forEach((link, row) => {
          const [x, y] = along(link, q, link.ground);
          out[row] = x ** 2 + y ** 2 - 1;
        });
      },
      jacobian: (q, out) => {
        out.fill(0);
        LINKS.forEach((link, row) => {
          const [x, y] = along(link, q, link.ground);
          out.set([2 * x, 2 * y], 6 * row + 2 * link.to);
          if ("from" in link) out.set([-2 * x, -2 * y], 6 * row + 2 * link.from);
        });
      },
      gamma: (_q, v, out) => {
        LINKS.forEach((link, row) => {
          const [x, y] = along(link, v, 0);
          out[row] = -2 * (x ** 2 + y ** 2);
        });
      },
    },
  }),
  q: [0, 1, 1, 1, 2, 1],
  v: [1, 0, 1, 0, 1, 0],
};

function along(
  link: (typeof LINKS)[number],
  points: ArrayLike<number>,
  ground: number,
): [number, number] {
  const [x, y] = [points[2 * link.to], points[2 * link.to + 1]];
  return "from" in link
    ? [x - points[2 * link.from], y - points[2 * link.from + 1]]
    : [x - ground, y];
}

/** A bead in a parabolic bowl, in cylindrical coordinates: mass changes, two degrees of freedom. */
export const bowl: Problem = {
  equations: equations({
    name: "bowl",
    coordinates: ["r", "angle", "z"],
    mass: {
      full: ([r], out) => {
        out.fill(0);
        out[0] = 1;
        out[4] = r ** 2;
        out[8] = 1;
      },
    },
    forces: ([r], [rate, omega], out) => {
      out[0] = r * omega ** 2;
      out[1] = -2 * r * rate * omega;
      out[2] = -G;
    },
    holonomic: {
      rows: 1,
      value: ([r, , z], out) => {
        out[0] = z - r ** 2 / 2;
      },
    },
    potential: (q) => G * q[2],
  }),
  q: [1, 0, 0.5],
  v: [0.3, 2, 0.3],
};

/** A spherical pendulum whose pivot is moved: a constraint that depends on time. */
export const drivenPendulum: Problem = {
  equations: equations({
    name: "driven pendulum",
    coordinates: ["x", "y", "z"],
    mass: [2, 2, 2],
    forces: (_q, _v, out) => {
      out.set([0, 0, -2 * G]);
    },
    holonomic: {
      rows: 1,
      value: ([x, y, z], out, t) => {
        out[0] = (x - 0.3 * Math.sin(2 * t)) ** 2 + y ** 2 + z ** 2 - 1;
      },
    },
  }),
  q: [1, 0, 0],
  v: [0.6, 1, 0.5],
};

/** A Chaplygin sleigh: a velocity constraint, linear in the velocities. */
export const sleigh: Problem = {
  equations: equations({
    name: "sleigh",
    coordinates: ["x", "y", "angle"],
    mass: [1, 1, 0.5],
    forces: (_q, v, out) => {
      out.set([-0.1 * v[0], 0.5, -0.2 * v[2]]);
    },
    nonholonomic: {
      rows: ["blade"],
      value: ([, , angle], [vx, vy, omega], out) => {
        out[0] = -Math.sin(angle) * vx + Math.cos(angle) * vy - 0.4 * omega;
      },
    },
  }),
  q: [0, 0, 0],
  v: [1, 0.8, 2],
};
