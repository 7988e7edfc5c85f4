import { equations } from "../../../src/systems/equations/equations.js";
import type { Mechanism } from "./mechanism.js";

const CRANK = 0.3;
const ROD = 0.5;
const CENTRE = 0.3;
const WEIGHT = 10;

/** Slider-crank with a massless slider: crank angle, rod angle and the rod's centre. */
export const welchSliderCrank: Mechanism = {
  name: "slider-crank of Welch et al.",
  description:
    "A crank and a rod whose end slides on the x axis, let go from rest at a rounded start.",
  reference: "Welch et al. 2007, eqs. 71-76, table 2; Wu, Chiou and Lin 2000",
  equations: /* @__PURE__ */ equations({
    name: "slider-crank",
    coordinates: ["theta", "phi", "x", "y"],
    mass: [0.045, 33 / 4800, 1, 1],
    forces: (_q, _v, out) => {
      out.fill(0);
      out[3] = -WEIGHT;
    },
    potential: (q) => WEIGHT * (q[3] as number),
    holonomic: {
      rows: ["joint x", "joint y", "slider"],
      value: (q, out) => {
        const [theta, phi] = [q[0] as number, q[1] as number];
        const [x, y] = [q[2] as number, q[3] as number];
        out[0] = CRANK * Math.cos(theta) + CENTRE * Math.cos(phi) - x;
        out[1] = CRANK * Math.sin(theta) + CENTRE * Math.sin(phi) - y;
        out[2] = (ROD - CENTRE) * Math.sin(phi) + y;
      },
      jacobian: (q, out) => {
        const [theta, phi] = [q[0] as number, q[1] as number];
        out.fill(0);
        out[0] = -CRANK * Math.sin(theta);
        out[1] = -CENTRE * Math.sin(phi);
        out[2] = out[7] = -1;
        out[4] = CRANK * Math.cos(theta);
        out[5] = CENTRE * Math.cos(phi);
        out[9] = (ROD - CENTRE) * Math.cos(phi);
        out[11] = 1;
      },
      gamma: (q, v, out) => {
        const [theta, phi] = [q[0] as number, q[1] as number];
        const [thetaRate, phiRate] = [v[0] as number, v[1] as number];
        const [crank, rod] = [CRANK * thetaRate ** 2, phiRate ** 2];
        out[0] = crank * Math.cos(theta) + CENTRE * rod * Math.cos(phi);
        out[1] = crank * Math.sin(theta) + CENTRE * rod * Math.sin(phi);
        out[2] = (ROD - CENTRE) * rod * Math.sin(phi);
      },
    },
  }),
  q: [0.9851, -0.5236, 0.4256, 0.1],
  v: [0, 0, 0, 0],
};
