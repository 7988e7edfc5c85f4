import { refuseMore } from "../../../base/checking/index.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { AdaptiveIntegrator, Ode } from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { RosenbrockStepper, type RosenbrockTableau } from "./rosenbrock.js";

// RODAS (Hairer and Wanner, Solving ODEs II, 2nd ed., section IV.7, and their code of that name), in
// the form that needs no products with J:
//
//   (I - h gamma J) u_i = h gamma f(t + alpha_i h, y + sum a_ij u_j) + gamma sum c_ij u_j + gamma gamma_i h^2 f_t
//
// with y + sum a_6j u_j + u_6 at the end of the step and u_6 the difference to a formula of order 3.

export const GAMMA = 0.25;

/** Times of the stages, in steps. */
export const ALPHA = [0, 0.386, 0.21, 0.63, 1, 1] as const;

/** Weights of f_t. */
export const GAMMA_SUMS = [0.25, -0.1043, 0.1035, -0.0362, 0, 0] as const;

const LAST = [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895] as const;

/** Weights of the states at which stages are evaluated; the last row is the end of the step. */
export const A: readonly (readonly number[])[] = [
  [],
  [1.544],
  [0.9466785280815826, 0.2557011698983284],
  [3.314825187068521, 2.896124015972201, 0.9986419139977817],
  LAST,
  [...LAST, 1],
  [...LAST, 1, 1],
];

export const C: readonly (readonly number[])[] = [
  [],
  [-5.6688],
  [-2.430093356833875, -0.2063599157091915],
  [-0.1073529058151375, -9.594562251023355, -20.47028614809616],
  [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
  [
    8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
    -6.058818238834054,
  ],
];

/** Rows 2 and 3 of dense output, as weights of u_1 to u_5. */
export const DENSE = [
  [
    10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
    1.025137723295662,
  ],
  [
    -0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
    -6.594389125716872,
  ],
] as const;

const TABLEAU: RosenbrockTableau = {
  name: "rodas",
  errorOrder: 4,
  gamma: GAMMA,
  alpha: ALPHA,
  gammaSums: GAMMA_SUMS,
  a: A,
  c: C,
  // u_6 is the difference to a formula of order 3.
  error: [0, 0, 0, 0, 0, 1],
  dense: DENSE,
  // With df/dy of an earlier step it has only order 2 (../ros3/ros3.ts).
  serves: 1,
  endCheck: "lastStage",
};

/**
 * Hairer and Wanner's RODAS: a Rosenbrock method of order 4 for stiff motion, stiffly accurate and L-stable. A step
 * takes one df/dy, one factorisation and six solves, without iterations. Recommended for stiff springs and dampers at
 * tolerances down to about 1e-5, and for forces that are not smooth enough for Newton's method.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: rodas(), tolerance: 1e-4 });
 * suspension.simulate({ step: 1e-3, method: { formulation: stateSpace(), integrator: rodas() } });
 */
export function rodas(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("rodas", "METHOD", more);
  return RODAS;
}

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const RODAS: AdaptiveIntegrator = Object.freeze({
  name: "rodas",
  reference: "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section IV.7",
  order: 4,
  errorOrder: TABLEAU.errorOrder,
  stages: ALPHA.length,
  ...PLAIN_INTEGRATOR,
  isImplicit: true,
  bind: (ode: Ode, workspace: Workspace) => new RosenbrockStepper(TABLEAU, ode, workspace),
});
