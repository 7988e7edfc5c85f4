// Small systems that exercise all features of formulations, with initial states near their constraints.

import { type Equations, equations } from "../../../src/index.js";
import { braunFourBars, braunPendulum, welchSliderCrank } from "../../mechanisms/index.js";
import { three } from "./numbers.js";

/** Equations and a start. */
export interface Problem {
  /** The equations. */
  readonly equations: Equations;
  /** Positions at the start. */
  readonly q: readonly number[];
  /** Velocities at the start. */
  readonly v: readonly number[];
}

const G = 9.81;

/** The slider-crank of Welch et al. with its last constraint given twice, once multiplied. */
function redundantSliderCrank(): Problem {
  const { description } = welchSliderCrank.equations;
  type Given = Required<NonNullable<typeof description.holonomic>>;
  const { value, jacobian, gamma } = description.holonomic as Given;
  const repeated = equations({
    ...description,
    holonomic: {
      rows: 4,
      value: (q, out) => {
        value(q, out, 0);
        repeatLast(out, 1);
      },
      jacobian: (q, out) => {
        jacobian(q, out, 0);
        repeatLast(out, 4);
      },
      gamma: (q, v, out) => {
        gamma(q, v, out, 0);
        repeatLast(out, 1);
      },
    },
  });
  return { ...welchSliderCrank, equations: repeated };
}

/** Makes the fourth row twice the third. */
function repeatLast(rows: Float64Array, width: number): void {
  for (let j = 0; j < width; j++) rows[3 * width + j] = 2 * (rows[2 * width + j] as number);
}

/** A bead in a parabolic bowl, in cylindrical coordinates: mass changes, two degrees of freedom. */
const bowl: Problem = {
  equations: equations({
    name: "bowl",
    coordinates: ["r", "angle", "z"],
    mass: {
      full: (q, out) => {
        out.set([1, 0, 0, 0, three(q)[0] ** 2, 0, 0, 0, 1]);
      },
    },
    forces: (q, v, out) => {
      const [r] = three(q);
      const [rate, omega] = three(v);
      out.set([r * omega ** 2, -2 * r * rate * omega, -G]);
    },
    holonomic: {
      rows: 1,
      value: (q, out) => {
        const [r, , z] = three(q);
        out[0] = z - r ** 2 / 2;
      },
    },
    potential: (q) => G * three(q)[2],
  }),
  q: [1, 0, 0.5],
  v: [0.3, 2, 0.3],
};

/** A spherical pendulum whose pivot is moved: a constraint that depends on time. */
const drivenPendulum: Problem = {
  equations: equations({
    name: "driven pendulum",
    coordinates: ["x", "y", "z"],
    mass: [2, 2, 2],
    forces: (_q, _v, out) => {
      out.set([0, 0, -2 * G]);
    },
    holonomic: {
      rows: 1,
      value: (q, out, t) => {
        const [x, y, z] = three(q);
        out[0] = (x - 0.3 * Math.sin(2 * t)) ** 2 + y ** 2 + z ** 2 - 1;
      },
    },
  }),
  q: [1, 0, 0],
  v: [0.6, 1, 0.5],
};

/** A Chaplygin sleigh: a velocity constraint, linear in the velocities. */
const sleigh: Problem = {
  equations: equations({
    name: "sleigh",
    coordinates: ["x", "y", "angle"],
    mass: [1, 1, 0.5],
    forces: (_q, v, out) => {
      const [vx, , omega] = three(v);
      out.set([-0.1 * vx, 0.5, -0.2 * omega]);
    },
    nonholonomic: {
      rows: ["blade"],
      value: (q, v, out) => {
        const [, , angle] = three(q);
        const [vx, vy, omega] = three(v);
        out[0] = -Math.sin(angle) * vx + Math.cos(angle) * vy - 0.4 * omega;
      },
    },
  }),
  q: [0, 0, 0],
  v: [1, 0.8, 2],
};

/**
 * Systems on which formulations are compared. The slider-crank has its rounded start; the four-bars
 * lose rank, from 5 to 3, when they lie flat.
 */
export const formulationProblems = {
  pendulum: braunPendulum,
  sliderCrank: welchSliderCrank,
  fourBars: braunFourBars,
  bowl,
  drivenPendulum,
  sleigh,
} satisfies Record<string, Problem>;

/** The slider-crank with a constraint given twice. */
export const redundantProblem: Problem = redundantSliderCrank();
