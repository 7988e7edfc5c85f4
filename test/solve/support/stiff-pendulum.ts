// The stiff double pendulum in its two angles, and what is known about its motion.

import { type AdaptiveIntegrator, type Equations, udwadiaKalaba } from "nodrift";
import { stiffPendulumMinimal, stiffPendulumReference } from "nodrift/mechanisms";
import { type SolveOptions, solve } from "nodrift/solve";

const mechanism = stiffPendulumMinimal();

export const stiffPendulum = (): Equations => stiffPendulumMinimal().equations;

export const START = { q: mechanism.q, v: mechanism.v, span: [0, 2] } as const;

/** Its position, and the angular velocity of the first rod. */
export const samples = stiffPendulumReference.map(([time, theta, , rate]) => ({
  time,
  theta,
  rate,
}));

/** At t = 2: the first angle and its rate. */
export const END = { angle: samples.at(-1)!.theta, rate: samples.at(-1)!.rate } as const;

export function swung(
  integrator: AdaptiveIntegrator,
  tolerance: number,
  options: Partial<SolveOptions<Equations>> = {},
) {
  const method = { formulation: udwadiaKalaba(), integrator };
  return solve(stiffPendulum(), { ...START, method, tolerance, output: "ends", ...options });
}
