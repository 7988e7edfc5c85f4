import type { Integrator } from "../../../interfaces/index.js";
import { NO_HISTORY, PLAIN_INTEGRATOR } from "../../defaults.js";
import { type Tableau, tableauMemory } from "./tableau.js";

/** An explicit Runge-Kutta method, given by its tableau. */
export function explicitRk(tableau: Tableau): Integrator {
  const { name, reference, order, b, c } = tableau;
  const stages = b.length;
  return {
    name,
    reference,
    order,
    stages,
    ...PLAIN_INTEGRATOR,

    bind(ode, workspace) {
      const n = ode.dimension;
      const slopes = workspace.vector(`${name} slopes`, n * stages);
      const slope = b.map((_, stage) => slopes + 8 * n * stage);
      const { address, rows, nodes } = tableauMemory(tableau, workspace);
      const all = { first: 0, count: stages, tableau: address, nodes, slopes };
      const { fused } = ode;
      return {
        ...NO_HISTORY,
        attempt(t, h) {
          const done = fused ? fused.stages(t, h, all) : 0;
          if (done === stages) return;
          const { kernels } = workspace;
          for (let s = done; s < stages; s++) {
            kernels.combine(n, s, h, ode.y, slopes, rows[s] as number, ode.trial);
            ode.rate(t + (c[s] as number) * h, slope[s] as number);
          }
          kernels.combine(n, stages, h, ode.y, slopes, rows[stages] as number, ode.trial);
        },
        ...(fused?.takesSteps && {
          steps: (t: number, h: number, count: number) => fused.steps(t, h, count, all),
        }),
        accept: () => workspace.kernels.copyVector(n, ode.trial, ode.y),
      };
    },
  };
}
