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

/** Steps whose lengths differ by less than this part are of one length: times are rounded. */
const SAME_LENGTH = 1e-9;

/**
 * An explicit Adams method of fixed step. The slopes of earlier steps, how many there are and the length of these steps lie in
 * the arena: saving the arena saves the method. A step of another length, which ends on an event, begins anew. Slopes are
 * kept when a step is committed: one that is undone leaves none.
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
      const known = workspace.reserve(`${name} slopes known`, 2);
      /** How many slopes are known, and the length of their steps. */
      let history = new Float64Array(2);
      workspace.whenSealed((arena) => {
        history = arena.floats(known);
      });
      const countFor = (h: number) =>
        Math.abs(h - history[1]!) <= SAME_LENGTH * Math.abs(h) ? history[0]! : 0;
      return {
        attempt(t, h) {
          const { kernels } = workspace;
          kernels.copyVector(n, ode.y, ode.trial);
          ode.rate(t, slopes);
          if (countFor(h) + 1 < steps) first.attempt(t, h);
          else kernels.combine(n, steps, h, ode.y, slopes, weights, ode.trial);
        },
        accept() {
          const { kernels } = workspace;
          kernels.copyVector(n, ode.trial, ode.y);
        },
        commit(_t, h) {
          const { kernels } = workspace;
          for (let k = steps - 1; k > 0; k--) {
            kernels.copyVector(n, slopes + 8 * n * (k - 1), slopes + 8 * n * k);
          }
          history[0] = Math.min(countFor(h) + 1, steps - 1);
          history[1] = h;
        },
        reset() {
          history[0] = 0;
        },
      };
    },
  };
}
