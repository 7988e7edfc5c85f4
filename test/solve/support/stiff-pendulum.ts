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

/** Where it is, and how fast the first rod turns, by Radau's method to 1e-10. */
export const samples = [
  { time: 0.1, theta: 6.067066513031779, rate: -5.792112369185844 },
  { time: 0.25, theta: 4.778703731920604, rate: -9.44226713103798 },
  { time: 0.413557, theta: 3.71965458018454, rate: -2.2863382114234705 },
  { time: 0.5, theta: 3.7363754783895216, rate: 2.5257755528722483 },
  { time: 0.578444, theta: 4.063483749887298, rate: 5.506492564748887 },
  { time: 1, theta: 5.161439799330777, rate: -3.606803134762077 },
  { time: 1.5, theta: 4.615635626301588, rate: 2.8612829496381305 },
  { time: 2, theta: 4.640478183220456, rate: -1.6298924540897342 },
] as const;
