// Methods that several experiments use.

import {
  type AdaptiveIntegrator,
  baumgarte,
  heun,
  type Method,
  projection,
  rk4,
  udwadiaKalaba,
  welch,
} from "../../../src/index.js";
import { stateSpace } from "../../../src/solve.js";

/**
 * Reference method: RK4, with positions and velocities projected after each
 * step.
 */
export const projectedRk4: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};

/**
 * Schemes 43 and 44 of Welch et al. as they are printed: with one corrector pass, and the mean of Euler parameters in the
 * middle of the step.
 */
export const welchAsPrinted: Method = { coupled: welch({ passes: 1, midpoint: "printed" }) };

/**
 * The method Welch et al. compare theirs with: Heun, with Baumgarte's alpha = damping / h and beta
 * = 1 / h.
 */
export function baumgarteHeun(damping: number): Method {
  return {
    formulation: udwadiaKalaba(),
    stabilisation: baumgarte({ alpha: (h) => damping / h, beta: (h) => 1 / h }),
    integrator: heun(),
  };
}

/** An integrator on independent coordinates, given or chosen automatically. */
export function inStateSpace(
  integrator: AdaptiveIntegrator,
  independent?: readonly string[],
): Method {
  return { formulation: stateSpace(independent ? { independent } : {}), integrator };
}
