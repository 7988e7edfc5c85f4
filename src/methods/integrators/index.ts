// The registry of integrators: a constant and a line each. A line enrols it in the conformance tests, the benchmark
// and the table of methods. All entries of this file are exported by `nodrift`.

import { withoutOptions } from "../../base/checking/index.js";
import type { Integrator } from "../../interfaces/index.js";
import { ab3Coefficients } from "./fixed/ab3.js";
import { adamsBashforth } from "./fixed/adams-bashforth.js";
import { eulerTableau } from "./fixed/euler.js";
import { explicitRk } from "./fixed/explicit-rk.js";
import { heunTableau } from "./fixed/heun.js";
import { midpointTableau } from "./fixed/midpoint.js";
import { rk4Tableau } from "./fixed/rk4.js";
import { semiImplicitEulerMethod } from "./fixed/semi-implicit-euler.js";

/**
 * Explicit Euler: order 1. For comparison.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: euler() };
 */
export const euler = withoutOptions("euler", () => explicitRk(eulerTableau));

/**
 * Semi-implicit (symplectic) Euler: order 1, velocities first, then positions by the new velocities. Its energy error
 * stays bounded if all forces have a potential. For formulations on the level of accelerations. With Baumgarte's
 * stabilisation it is the first-order scheme of Welch et al., eqs. 47 and 14 to 17, which is unstable with alpha = beta
 * = 1 / h, and dead-beat with alpha = 1 / 2h, beta = 1 / h.
 *
 * @example
 * const stabilisation = baumgarte({ alpha: (h) => 0.5 / h, beta: (h) => 1 / h });
 * const method = { formulation: udwadiaKalaba(), stabilisation, integrator: semiImplicitEuler() };
 */
export const semiImplicitEuler = withoutOptions("semiImplicitEuler", semiImplicitEulerMethod);

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
 * Adams-Bashforth: order 3, one evaluation per step.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: ab3() };
 */
export const ab3 = withoutOptions("ab3", () => adamsBashforth(ab3Coefficients));

/** Integrators by name. */
export const integrators = {
  euler,
  semiImplicitEuler,
  heun,
  midpoint,
  rk4,
  ab3,
} satisfies Record<string, () => Integrator>;
