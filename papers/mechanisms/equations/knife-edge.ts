import { equations } from "../../../src/systems/equations/equations.js";
import { requireNumbers } from "../checks.js";
import type { Mechanism } from "./mechanism.js";

/** Gravity along the incline, and angular velocity. */
const [gravity, turning] = [5, 2];
const [mass, inertia] = [2, 0.3];

/**
 * A knife edge on an incline, x pointing down: x' sin phi = y' cos phi. From rest and turning
 * evenly it does not slide down but wanders sideways along cycloids, coming to rest again and
 * again.
 */
export const knifeEdge: Mechanism = {
  name: "knife edge on an incline",
  description: "A turning knife edge that is let go on an inclined plane.",
  reference: "Neimark and Fufaev, Dynamics of Nonholonomic Systems (1972)",
  equations: equations({
    name: "knife edge on an incline",
    coordinates: ["x", "y", "phi"],
    mass: [mass, mass, inertia],
    forces: (_q, _v, out) => {
      out[0] = mass * gravity;
      out[1] = 0;
      out[2] = 0;
    },
    potential: (q) => -mass * gravity * (q[0] as number),
    nonholonomic: {
      rows: ["edge"],
      value: (q, v, out) => {
        const phi = q[2] as number;
        out[0] = (v[0] as number) * Math.sin(phi) - (v[1] as number) * Math.cos(phi);
      },
    },
  }),
  q: [0, 0, 0],
  v: [0, 0, turning],
};

/** Its position at a time: x = g / (2 w^2) sin^2 wt, y = g / (2 w^2) (wt - sin 2wt / 2). */
export function knifeEdgeMotion(
  t: number,
  ...more: undefined[]
): { x: number; y: number; phi: number } {
  requireNumbers("knifeEdgeMotion", { t }, more);
  const size = gravity / (2 * turning ** 2);
  const phi = turning * t;
  return { x: size * Math.sin(phi) ** 2, y: size * (phi - Math.sin(2 * phi) / 2), phi };
}
