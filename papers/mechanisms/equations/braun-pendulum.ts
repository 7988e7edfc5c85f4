import { type Equations, equations } from "../../../src/systems/equations/equations.js";
import { requireNumbers } from "../checks.js";
import type { Mechanism } from "./mechanism.js";

/** Acceleration of gravity in the examples of Braun and Goldfarb, m/s^2. The paper prints none. */
export const BRAUN_GRAVITY = 9.81;

/** A unit mass at the end of a unit length, in Cartesian coordinates. */
function pendulum(gravity: number): Equations {
  return equations({
    name: "pendulum of Braun and Goldfarb",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_, __, out) => {
      out[0] = 0;
      out[1] = -gravity;
    },
    holonomic: {
      rows: ["length"],
      value: (q, out) => {
        const [x, y] = q as unknown as [number, number];
        out[0] = x * x + y * y - 1;
      },
      jacobian: (q, out) => {
        out[0] = 2 * (q[0] as number);
        out[1] = 2 * (q[1] as number);
      },
      gamma: (_, v, out) => {
        const [x, y] = v as unknown as [number, number];
        out[0] = -2 * (x * x + y * y);
      },
    },
    potential: (q) => gravity * (q[1] as number),
    potentialGradient: (_, out) => {
      out[0] = 0;
      out[1] = gravity;
    },
  });
}

/** A pendulum in Cartesian coordinates that is let go when horizontal. */
export const braunPendulum: Mechanism = {
  name: "braun-pendulum",
  description: "A pendulum in Cartesian coordinates, let go when horizontal.",
  reference: "Braun and Goldfarb, CMAME 198 (2009) 3151-3160, section 5.1",
  equations: pendulum(BRAUN_GRAVITY),
  q: [1, 0],
  v: [0, 0],
};

/** An initial state off the constraints, which the method must correct. */
export const braunPendulumInconsistentStart = { q: [1.00001, 1e-5], v: [1e-4, -1e-4] } as const;

/** angle'' of the motion in one coordinate, x = cos angle, y = sin angle. */
export function braunPendulumAcceleration(angle: number, ...more: undefined[]): number {
  requireNumbers("braunPendulumAcceleration", { angle }, more);
  return -BRAUN_GRAVITY * Math.cos(angle);
}
