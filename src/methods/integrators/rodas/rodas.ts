import { refuseMore } from "../../../ground/checking/index.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveIntegrator, Ode } from "../../../seam/index.js";
import { A, ALPHA, C, DENSE, GAMMA, GAMMA_SUMS } from "./rodas-coefficients.js";
import { RosenbrockStepper, type RosenbrockTableau } from "./rosenbrock.js";

const TABLEAU: RosenbrockTableau = {
  name: "rodas",
  gamma: GAMMA,
  alpha: ALPHA,
  gammaSums: GAMMA_SUMS,
  a: A,
  c: C,
  // u_6 is the difference to a formula of order 3.
  error: [0, 0, 0, 0, 0, 1],
  dense: DENSE,
  // With a df/dy of an earlier step it is of order 2 only (../ros3/ros3-coefficients.ts).
  serves: 1,
  endCheck: "lastStage",
};

/**
 * Hairer and Wanner's RODAS: a Rosenbrock method of order 4 for stiff motion, stiffly accurate and L-stable. A
 * step takes one df/dy, one factorisation and six solves, and never iterates: the choice for strong springs
 * and dampers at tolerances down to 1e-5 or so, and where forces are not smooth enough for Newton's method.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: rodas(), tolerance: 1e-4 });
 * suspension.simulate({ step: 1e-3, method: { formulation: stateSpace(), integrator: rodas() } });
 */
export function rodas(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("rodas", "METHOD", more);
  return RODAS;
}

/** One object for all calls: `solve` finds the memory of an earlier run by it. */
const RODAS: AdaptiveIntegrator = Object.freeze({
  name: "rodas",
  reference: "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section IV.7",
  order: 4,
  errorOrder: 4,
  stages: ALPHA.length,
  isMultistep: false,
  isImplicit: true,
  bind: (ode: Ode, workspace: Workspace) => new RosenbrockStepper(TABLEAU, ode, workspace),
});
