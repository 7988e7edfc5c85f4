import { equations } from "../../../src/systems/equations/equations.js";
import type { Mechanism } from "./mechanism.js";

const HALF = 5 / 2;
const INERTIA = 25 / 12;
const GRAVITY = 10;

/** Planar double pendulum in absolute coordinates: two rods of length 5, mass 1. */
export const welchDoublePendulum: Mechanism = {
  name: "double pendulum of Welch et al.",
  description:
    "Two equal rods in absolute coordinates, held out level and let go; gravity acts along +x.",
  reference: "Welch et al. 2007, eqs. 66 and 67, table 1",
  equations: /* @__PURE__ */ equations({
    name: "double pendulum",
    coordinates: ["x1", "y1", "theta1", "x2", "y2", "theta2"],
    mass: [1, 1, INERTIA, 1, 1, INERTIA],
    forces: (_q, _v, out) => {
      out.fill(0);
      out[0] = GRAVITY;
      out[3] = GRAVITY;
    },
    potential: (q) => -GRAVITY * ((q[0] as number) + (q[3] as number)),
    holonomic: {
      rows: ["pivot x", "pivot y", "joint x", "joint y"],
      value: (q, out) => {
        const [first, second] = [q[2] as number, q[5] as number];
        const [x1, y1] = [q[0] as number, q[1] as number];
        out[0] = x1 - HALF * Math.sin(first);
        out[1] = y1 - HALF * Math.cos(first);
        out[2] = (q[3] as number) - x1 - HALF * (Math.sin(first) + Math.sin(second));
        out[3] = (q[4] as number) - y1 - HALF * (Math.cos(first) + Math.cos(second));
      },
      jacobian: (q, out) => {
        const [first, second] = [q[2] as number, q[5] as number];
        out.fill(0);
        out[0] = out[7] = out[15] = out[22] = 1;
        out[12] = out[19] = -1;
        out[2] = out[14] = -HALF * Math.cos(first);
        out[8] = out[20] = HALF * Math.sin(first);
        out[17] = -HALF * Math.cos(second);
        out[23] = HALF * Math.sin(second);
      },
      gamma: (q, v, out) => {
        const [first, second] = [q[2] as number, q[5] as number];
        const [firstRate, secondRate] = [v[2] as number, v[5] as number];
        out[0] = -HALF * Math.sin(first) * firstRate ** 2;
        out[1] = -HALF * Math.cos(first) * firstRate ** 2;
        out[2] = (out[0] as number) - HALF * Math.sin(second) * secondRate ** 2;
        out[3] = (out[1] as number) - HALF * Math.cos(second) * secondRate ** 2;
      },
    },
  }),
  q: [0, HALF, 0, 0, 3 * HALF, 0],
  v: [0, 0, 0, 0, 0, 0],
};

/** Hanging straight down: the equilibrium of the stability analysis. */
export const welchDoublePendulumEquilibrium: readonly number[] = [
  HALF,
  0,
  Math.PI / 2,
  3 * HALF,
  0,
  Math.PI / 2,
];

/** theta1 and theta2 at t = 10, converged. */
export const welchDoublePendulumAngles: readonly [number, number] = [1.785250028, 2.321186442];
