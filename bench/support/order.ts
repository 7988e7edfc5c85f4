import { type Method, projection, rk4, type Simulation, simulate, udwadiaKalaba } from "nodrift";
import type { OrderSystem } from "./order-systems.js";

/** What the errors of a method are measured against. */
export const referenceMethod: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};

/** The order of the errors of positions and velocities at t = 2 when the step is halved. */
export function measuredOrder(
  { equations, q, v }: OrderSystem,
  method: Method,
  step = 1 / 256,
): { position: number; velocity: number } {
  const run = (tried: Method, length: number) =>
    simulate(equations, { method: tried, step: length, q, v }).runTo(2);
  const reference = run(referenceMethod, 1 / 2048);
  const errors = (length: number) => {
    const end = run(method, length);
    return [distance(end, reference, "q"), distance(end, reference, "v")];
  };
  const [long, short] = [errors(step), errors(step / 2)];
  return { position: Math.log2(long[0] / short[0]), velocity: Math.log2(long[1] / short[1]) };
}

function distance(one: Simulation, other: Simulation, part: "q" | "v"): number {
  return Math.hypot(...one[part].map((value, i) => value - other[part][i]));
}
