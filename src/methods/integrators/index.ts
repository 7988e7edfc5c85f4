// The registry of integrators: a constant and a line each. A line enrols it in the conformance tests, the benchmark
// and the table of methods. All entries of this file are exported by `nodrift`.

import { withoutOptions } from "../../ground/checking/index.js";
import type { Integrator } from "../../seam/index.js";
import { ab3Coefficients } from "./fixed/ab3.js";
import { adamsBashforth } from "./fixed/adams-bashforth.js";
import { eulerTableau } from "./fixed/euler.js";
import { explicitRk } from "./fixed/explicit-rk.js";
import { heunTableau } from "./fixed/heun.js";
import { midpointTableau } from "./fixed/midpoint.js";
import { rk4Tableau } from "./fixed/rk4.js";

/**
 * Explicit Euler: order 1. For comparison.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: euler() };
 */
export const euler = withoutOptions("euler", () => explicitRk(eulerTableau));

/**
 * Heun's trapezoidal rule: order 2.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: baumgarte(), integrator: heun() };
 */
export const heun = withoutOptions("heun", () => explicitRk(heunTableau));

/**
 * The midpoint rule: order 2.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: midpoint() };
 */
export const midpoint = withoutOptions("midpoint", () => explicitRk(midpointTableau));

/**
 * The classical Runge-Kutta method: order 4. The default choice.
 *
 * @example
 * simulate(pendulum, { method: { formulation: udwadiaKalaba(), integrator: rk4() }, step: 1e-3, q: [1, 0] });
 */
export const rk4 = withoutOptions("rk4", () => explicitRk(rk4Tableau));

/**
 * Adams-Bashforth: order 3, one evaluation a step.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: ab3() };
 */
export const ab3 = withoutOptions("ab3", () => adamsBashforth(ab3Coefficients));

/** Integrators by name. */
export const integrators = {
  euler,
  heun,
  midpoint,
  rk4,
  ab3,
} satisfies Record<string, () => Integrator>;
