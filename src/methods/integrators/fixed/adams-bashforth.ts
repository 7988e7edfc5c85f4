import type { Integrator } from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { explicitRk } from "./explicit-rk.js";
import type { Tableau } from "./tableau.js";

/** Data of an Adams-Bashforth method: y(n+1) = y(n) + h sum b(k) f(n - k). */
export interface AdamsCoefficients {
  readonly name: string;
  readonly reference: string;
  readonly order: number;
  readonly b: readonly number[];
  /** One-step method for the first steps. */
  readonly start: Tableau;
}

/** Relative difference below which step lengths count as equal, as times are rounded. */
const STEP_LENGTH_TOLERANCE = 1e-9;

/**
 * An explicit Adams method of fixed step. The slopes of earlier steps, their number and the length of these steps are
 * in the arena, so saving the arena saves the method. A step of another length, such as one that ends at an event,
 * restarts the method. Slopes are stored when a step is committed; an undone step leaves none.
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
    ...PLAIN_INTEGRATOR,
    isMultistep: true,

    bind(ode, workspace) {
      const n = ode.dimension;
      const first = explicitRk({ ...start, name: `${name} start` }).bind(ode, workspace);
      const slopes = workspace.vector(`${name} slopes`, n * steps);
      const weights = workspace.constants(`${name} weights`, b);
      const known = workspace.reserve(`${name} slopes known`, 2);
      /** Number of known slopes, and the length of their steps. */
      let history = new Float64Array(2);
      workspace.whenSealed((arena) => {
        history = arena.floats(known);
      });
      const countFor = (h: number) =>
        Math.abs(h - history[1]!) <= STEP_LENGTH_TOLERANCE * Math.abs(h) ? history[0]! : 0;
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
