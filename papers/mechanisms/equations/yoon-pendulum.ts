import { equations } from "../../../src/systems/equations/equations.js";
import type { Mechanism } from "./mechanism.js";

const reference = "Yoon, Energy constraint control, Example 1, eqs. 24 to 31";

/**
 * A unit mass on a unit circle under g = 1, in X and Y. It goes round: the energy is twice what it
 * takes to reach the top. (24.d) is printed without its -g.
 */
export const yoonPendulum: Mechanism = {
  name: "Yoon's pendulum",
  description: "A unit mass that goes round a unit circle in a vertical plane.",
  reference,
  equations: equations({
    name: "Yoon's pendulum",
    coordinates: ["X", "Y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -1;
    },
    potential: (q) => q[1] as number,
    potentialGradient: (_q, out) => {
      out[0] = 0;
      out[1] = 1;
    },
    holonomic: {
      rows: ["circle"],
      value: (q, out) => {
        out[0] = ((q[0] as number) ** 2 + (q[1] as number) ** 2 - 1) / 2;
      },
      jacobian: (q, out) => {
        out[0] = q[0] as number;
        out[1] = q[1] as number;
      },
      gamma: (_q, v, out) => {
        out[0] = -((v[0] as number) ** 2) - (v[1] as number) ** 2;
      },
    },
  }),
  q: [1, 0],
  v: [0, 2],
};

/** The unconstrained pendulum in the angle from the X axis: theta'' = -cos theta. */
export const yoonPendulumAngle: Mechanism = {
  name: "Yoon's pendulum by its angle",
  description: "The unit mass on a unit circle in one independent coordinate.",
  reference,
  equations: equations({
    name: "Yoon's pendulum by its angle",
    coordinates: ["theta"],
    mass: [1],
    forces: (q, _v, out) => {
      out[0] = -Math.cos(q[0] as number);
    },
    potential: (q) => Math.sin(q[0] as number),
    potentialGradient: (q, out) => {
      out[0] = Math.cos(q[0] as number);
    },
  }),
  q: [0],
  v: [2],
};
