import { refuseMore } from "../../../ground/checking/index.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveIntegrator, Ode } from "../../../seam/index.js";
import { LiveRosenbrock } from "./live-rosenbrock.js";

/**
 * ROS3w of Rang and Angermann: a Rosenbrock method of order 3 for stiff motion in real time, L-stable. It never iterates: a
 * step costs three solves and two evaluations, and each second one of a length df/dy, df/dt and a factorisation.
 *
 * No step of `simulate` fails where a shorter one would do: one that is far off by its own estimate, as where a stiff contact
 * begins, or that fails, is taken in up to 64 parts. What the shortest part cannot resolve is damped, by a step of the linearly implicit Euler method.
 * `simulation.division` counts them.
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
  dividesSteps: true,
  bind: (ode: Ode, workspace: Workspace) => new LiveRosenbrock(ode, workspace),
});
