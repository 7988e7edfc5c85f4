import { equations } from "../../../src/systems/equations/equations.js";
import { requireNumbers } from "../checks.js";
import type { Mechanism } from "./mechanism.js";

const mass = 1;
const inertia = 0.5;
/** From the knife edge forward to the centre of mass. */
const distance = 0.4;
/** Forward and angular velocity at the start. */
const [forward, turning] = [1, 2];

/**
 * Chaplygin's sleigh: a body on ice with a knife edge aft of its centre of mass, in the coordinates
 * of that centre. The edge cannot move sideways: -x' sin theta + y' cos theta - a theta' = 0.
 */
export const chaplyginSleigh: Mechanism = {
  name: "Chaplygin's sleigh",
  description: "A body on ice that rests on a knife edge behind its centre of mass.",
  reference: "Chaplygin 1911; Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972)",
  equations: equations({
    name: "Chaplygin's sleigh",
    coordinates: ["x", "y", "theta"],
    mass: [mass, mass, inertia],
    forces: (_q, _v, out) => {
      out.fill(0);
    },
    potential: () => 0,
    potentialGradient: (_q, out) => {
      out.fill(0);
    },
    nonholonomic: {
      rows: ["knife edge"],
      value: (q, v, out) => {
        const [x, y, omega] = v as unknown as [number, number, number];
        const theta = q[2] as number;
        out[0] = -x * Math.sin(theta) + y * Math.cos(theta) - distance * omega;
      },
      jacobian: (q, _v, out) => {
        const theta = q[2] as number;
        out[0] = -Math.sin(theta);
        out[1] = Math.cos(theta);
        out[2] = -distance;
      },
      gamma: (q, v, out) => {
        const [x, y, omega] = v as unknown as [number, number, number];
        const theta = q[2] as number;
        out[0] = omega * (x * Math.cos(theta) + y * Math.sin(theta));
      },
    },
  }),
  q: [0, 0, 0],
  v: [forward, distance * turning, turning],
};

/**
 * Its forward and angular velocity at a time. With I = J + m a^2 the motion is u' = a omega^2,
 * I omega' = -m a u omega, and m u^2 + I omega^2 = m U^2 is constant: u = U tanh, omega ~ 1 / cosh.
 */
export function chaplyginSleighMotion(
  t: number,
  ...more: undefined[]
): { forward: number; turning: number } {
  requireNumbers("chaplyginSleighMotion", { t }, more);
  const about = inertia + mass * distance ** 2;
  const limit = Math.sqrt(forward ** 2 + (about / mass) * turning ** 2);
  const phase = ((mass * distance * limit) / about) * t + Math.atanh(forward / limit);
  return {
    forward: limit * Math.tanh(phase),
    turning: (limit * Math.sqrt(mass / about)) / Math.cosh(phase),
  };
}
