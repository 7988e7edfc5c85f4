import { oneOf, optionsOf, type Shape } from "../../base/checking/index.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindAcceleration } from "./acceleration-level.js";

/** Options of {@link lagrange}. */
export interface LagrangeOptions {
  /**
   * "cholesky": solve for the multipliers with the positive definite J M^-1 J^T. "kkt": solve for accelerations and
   * multipliers together with the indefinite saddle point matrix. Default: "cholesky".
   */
  readonly solver?: "cholesky" | "kkt";
}

const SHAPE: Shape<LagrangeOptions> = { solver: oneOf("cholesky", "kkt") };

/**
 * Lagrange's equations of the first kind with the constraints differentiated twice (index 1). The classical method;
 * needs independent constraints.
 *
 * @example
 * simulate(pendulum, { method: { formulation: lagrange(), integrator: rk4() }, ...start });
 */
export function lagrange(options: LagrangeOptions = {}, ...more: undefined[]): Formulation {
  const { solver = "cholesky" } = optionsOf("lagrange", "METHOD", options, SHAPE, more);
  return {
    ...PLAIN_FORMULATION,
    name: `lagrange(${solver})`,
    reference: "Lagrange 1788; Laulusa and Bauchau 2008, eqs. 12 and 13",
    survivesRedundantRows: false,
    needs: solver === "kkt" ? "dense" : "operators",
    bind: (system, stabilisation) =>
      bindAcceleration(
        system,
        stabilisation,
        system.dynamics.solver(solver, undefined, denseMemory),
      ),
  };
}
