// The stiff double pendulum of Negrut, Haug and German, Multibody System Dynamics 9 (2003), in its two angles.

import { type Equations, equations } from "nodrift";

const GRAVITY = 9.81;
const [M1, M2] = [3, 0.3];
/** Half lengths of uniform rods. */
const [L1, L2] = [1, 1.5];
const [J1, J2] = [(M1 * L1 ** 2) / 3, (M2 * L2 ** 2) / 3];
const [K1, C1] = [400, 15];
const [K2, C2] = [3e5, 5e4];

export function stiffPendulum(): Equations {
  return equations({
    name: "stiff double pendulum",
    coordinates: ["theta1", "theta2"],
    mass: {
      full: ([one, two], out) => {
        const coupling = 2 * M2 * L1 * L2 * Math.cos(one - two);
        out.set([J1 + M1 * L1 ** 2 + 4 * M2 * L1 ** 2, coupling, coupling, J2 + M2 * L2 ** 2]);
      },
    },
    forces: ([one, two], [rateOne, rateTwo], out) => {
      const centrifugal = 2 * M2 * L1 * L2 * Math.sin(one - two);
      const joint = K2 * (two - one) + C2 * (rateTwo - rateOne);
      const ground = K1 * (one - (3 * Math.PI) / 2) + C1 * rateOne;
      const weights = [(M1 + 2 * M2) * L1 * GRAVITY, M2 * L2 * GRAVITY];
      out[0] = -weights[0] * Math.cos(one) - centrifugal * rateTwo ** 2 - ground + joint;
      out[1] = -weights[1] * Math.cos(two) + centrifugal * rateOne ** 2 - joint;
    },
  });
}

export const start = {
  q: [2 * Math.PI, (23 * Math.PI) / 12],
  v: [0, 10],
  span: [0, 2],
  firstStep: 1e-6,
} as const;
