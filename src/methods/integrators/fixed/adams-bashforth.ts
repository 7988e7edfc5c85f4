import type { Integrator } from "../../../seam/index.js";
import { explicitRk } from "./explicit-rk.js";
import type { Tableau } from "./tableau.js";

/** An Adams-Bashforth method as data: y(n+1) = y(n) + h sum b(k) f(n - k). */
export interface AdamsCoefficients {
  readonly name: string;
  readonly reference: string;
  readonly order: number;
  readonly b: readonly number[];
  /** One-step method for the first steps. */
  readonly start: Tableau;
}

/**
 * An explicit Adams method of fixed step. The slopes of earlier steps, and how many there are, lie in
 * the arena: saving the arena saves the method.
 */
export function adamsBashforth({
  name,
  reference,
  order,
  b,
  start,
}: AdamsCoefficients): Integrator {
  const steps = b.length;
  return {
    name,
    reference,
    order,
    stages: 1,
    isMultistep: true,

    bind(ode, workspace) {
      const n = ode.dimension;
      const first = explicitRk({ ...start, name: `${name} start` }).bind(ode, workspace);
      const slopes = workspace.vector(`${name} slopes`, n * steps);
      const weights = workspace.constants(`${name} weights`, b);
      const known = workspace.reserve(`${name} slopes known`, 1);
      let count = new Float64Array(1);
      workspace.whenSealed((arena) => {
        count = arena.floats(known);
      });
      return {
        attempt(t, h) {
          const { kernels } = workspace;
          kernels.copyVector(n, ode.y, ode.trial);
          ode.rate(t, slopes);
          if ((count[0] as number) + 1 < steps) first.attempt(t, h);
          else kernels.combine(n, steps, h, ode.y, slopes, weights, ode.trial);
        },
        accept() {
          const { kernels } = workspace;
          kernels.copyVector(n, ode.trial, ode.y);
          for (let k = steps - 1; k > 0; k--) {
            kernels.copyVector(n, slopes + 8 * n * (k - 1), slopes + 8 * n * k);
          }
          count[0] = Math.min((count[0] as number) + 1, steps - 1);
        },
        reset() {
          count[0] = 0;
        },
      };
    },
  };
}
