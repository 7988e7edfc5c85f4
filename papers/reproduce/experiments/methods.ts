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
 *
 * @example
 * simulate(pendulum, { method: projectedRk4, step: 1e-3, q: [1, 0] }).runTo(10);
 */
export const projectedRk4: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};

/**
 * Schemes 43 and 44 of Welch et al. as they are printed: with one corrector pass, and the mean of Euler parameters in the
 * middle of the step.
 *
 * @example
 * (await compile(threeLinkPendulum())).simulate({ step: 1e-4, method: welchAsPrinted });
 */
export const welchAsPrinted: Method = { coupled: welch({ passes: 1, midpoint: "printed" }) };

/**
 * The method Welch et al. compare theirs with: Heun, with Baumgarte's alpha = damping / h and beta
 * = 1 / h.
 *
 * @example
 * const critical = baumgarteHeun(1);
 */
export function baumgarteHeun(damping: number): Method {
  return {
    formulation: udwadiaKalaba(),
    stabilisation: baumgarte({ alpha: (h) => damping / h, beta: (h) => 1 / h }),
    integrator: heun(),
  };
}

/**
 * An integrator on independent coordinates, given or chosen automatically.
 *
 * @example
 * const method = inStateSpace(sdirk4(), ["theta1", "theta2"]);
 */
export function inStateSpace(
  integrator: AdaptiveIntegrator,
  independent?: readonly string[],
): Method {
  return { formulation: stateSpace(independent ? { independent } : {}), integrator };
}
