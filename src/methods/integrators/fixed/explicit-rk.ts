import type { Integrator } from "../../../seam/index.js";
import type { Tableau } from "./tableau.js";

/** An explicit Runge-Kutta method, given by its tableau. */
export function explicitRk({ name, reference, order, a, b, c }: Tableau): Integrator {
  const stages = b.length;
  return {
    name,
    reference,
    order,
    stages,
    isMultistep: false,

    bind(ode, workspace) {
      const n = ode.dimension;
      const slopes = workspace.vector(`${name} slopes`, n * stages);
      const slope = b.map((_, stage) => slopes + 8 * n * stage);
      const rows = a.map((row, stage) => workspace.constants(`${name} row ${stage}`, row));
      const weights = workspace.constants(`${name} weights`, b);
      return {
        attempt(t, h) {
          const { kernels } = workspace;
          for (let s = 0; s < stages; s++) {
            kernels.combine(n, s, h, ode.y, slopes, rows[s] as number, ode.trial);
            ode.rate(t + (c[s] as number) * h, slope[s] as number);
          }
          kernels.combine(n, stages, h, ode.y, slopes, weights, ode.trial);
        },
        accept: () => workspace.kernels.copyVector(n, ode.trial, ode.y),
      };
    },
  };
}
