// Options of a simulation of a mechanism.

import { needed, refuseMore, type Shape } from "../../../base/checking/index.js";
import type { Method } from "../../../interfaces/index.js";
import { pseudoinverse } from "../../../methods/formulations/acceleration-level.js";
import { rk4 } from "../../../methods/integrators/index.js";
import type { MethodOption } from "../../../methods/names/method-rule.js";
import { chosenMethod } from "../../../methods/names/method-rule.js";
import { stagedProjection } from "../../../methods/stabilisations/staged-projection.js";
import { fixedStepMethod, stepLength } from "../../stepping/options.js";

/** Options of {@link CompiledModel.simulate}. */
export interface BodySimulationOptions {
  /** Default: RK4, projected in every stage: integrates through singular poses, without drift. */
  readonly method?: MethodOption;
  /** Length of a step in seconds. */
  readonly step: number;
}

/** Checked options. */
export interface CheckedBodyOptions extends BodySimulationOptions {
  readonly method?: Method;
}

export const BODY_SIMULATION_SHAPE: Shape<CheckedBodyOptions> = {
  step: needed(stepLength),
  method: fixedStepMethod,
};

/**
 * The default method of {@link CompiledModel.simulate}: RK4, projected in every stage.
 *
 * @example
 * system.simulate({ step: 1e-3, method: { ...defaultMethod(), stabilisation: projection() } });
 */
export function defaultMethod(...more: undefined[]): Method {
  refuseMore("defaultMethod", "METHOD", more);
  return chosenMethod({
    formulation: pseudoinverse(),
    stabilisation: stagedProjection(),
    integrator: rk4(),
  });
}
