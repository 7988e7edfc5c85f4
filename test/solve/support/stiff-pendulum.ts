// Two uniform rods whose second joint is all but rigid: a stiff spring with a strong damper.

import { type AdaptiveIntegrator, type Equations, equations, udwadiaKalaba } from "nodrift";
import { type SolveOptions, solve } from "nodrift/solve";

const GRAVITY = 9.81;
const [M1, M2, L1, L2] = [3, 0.3, 1, 1.5];
const [K1, C1, K2, C2] = [400, 15, 3e5, 5e4];
const COUPLING = 2 * M2 * L1 * L2;

/** Angles from the horizontal; half-lengths L, inertias m L^2 / 3 about the centres. */
export function stiffPendulum(): Equations {
  return equations({
    name: "stiff pendulum",
    coordinates: ["first", "second"],
    mass: {
      full: ([a, b], out) => {
        const c = COUPLING * Math.cos(a - b);
        out.set([(4 / 3) * M1 * L1 ** 2 + 4 * M2 * L1 ** 2, c, c, (4 / 3) * M2 * L2 ** 2]);
      },
    },
    forces: ([a, b], [u, w], out) => {
      const s = COUPLING * Math.sin(a - b);
      const base = -K1 * (a - 1.5 * Math.PI) - C1 * u;
      const joint = -K2 * (b - a) - C2 * (w - u);
      out[0] = base - joint - s * w * w - (M1 + 2 * M2) * GRAVITY * L1 * Math.cos(a);
      out[1] = joint + s * u * u - M2 * GRAVITY * L2 * Math.cos(b);
    },
  });
}

export const START = { q: [2 * Math.PI, (23 / 12) * Math.PI], v: [0, 10], span: [0, 2] } as const;

/** At t = 2: the first angle and its rate. */
export const END = { angle: 4.640478183, rate: -1.629892454 } as const;

export function swung(
  integrator: AdaptiveIntegrator,
  tolerance: number,
  options: Partial<SolveOptions<Equations>> = {},
) {
  const method = { formulation: udwadiaKalaba(), integrator };
  return solve(stiffPendulum(), { ...START, method, tolerance, output: "ends", ...options });
}
