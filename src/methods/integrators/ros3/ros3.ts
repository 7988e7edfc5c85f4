import { refuseMore } from "../../../ground/checking/index.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveIntegrator, Ode } from "../../../seam/index.js";
import { RosenbrockStepper } from "../rodas/rosenbrock.js";
import { ros3Tableau } from "./ros3-coefficients.js";

/**
 * Sandu's ROS3: a Rosenbrock method of order 3 for stiff motion in real time, L-stable. Every step costs the same: one
 * df/dy, one factorisation, three solves and two evaluations (a third finds df/dt); it never iterates.
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
  reference: "Sandu, Verwer, Blom, Spee, Carmichael and Potra, Atmos. Environ. 31 (1997) 3459-3472",
  order: 3,
  errorOrder: 3,
  stages: 2,
  isMultistep: false,
  isImplicit: true,
  bind: (ode: Ode, workspace: Workspace) => new RosenbrockStepper(ros3Tableau, ode, workspace),
});
