import { refuseMore } from "../../../ground/checking/index.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveIntegrator, Ode } from "../../../seam/index.js";
import { RosenbrockStepper } from "../rodas/rosenbrock.js";
import { ros3Tableau } from "./ros3-coefficients.js";

/**
 * ROS3w of Rang and Angermann: a Rosenbrock method of order 3 for stiff motion in real time, L-stable. It never iterates: a
 * step costs three solves and two evaluations, and each second one of a length df/dy, df/dt and a factorisation.
 *
 * @example
 * suspension.simulate({ step: 1 / 240, method: { formulation: stateSpace(), integrator: ros3() } });
 */
export function ros3(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("ros3", "METHOD", more);
  return ROS3;
}

/** One object for all calls: `solve` finds the memory of an earlier run by it. */
const ROS3: AdaptiveIntegrator = Object.freeze({
  name: "ros3",
  reference: "Rang and Angermann, BIT Numer. Math. 45 (2005) 761-787",
  order: 3,
  errorOrder: 3,
  stages: 2,
  isMultistep: false,
  isImplicit: true,
  bind: (ode: Ode, workspace: Workspace) => new RosenbrockStepper(ros3Tableau, ode, workspace),
});
