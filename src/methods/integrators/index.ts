// The registry of integrators: one line each. A line enrols it in the conformance tests, the benchmark
// and the table of methods. What stands in this file is exported by `nodrift`.

import { withoutOptions } from "../../ground/checking/index.js";
import type { Integrator } from "../../seam/methods.js";
import { adamsBashforth } from "./adams-bashforth.js";
import { explicitRk } from "./explicit-rk.js";
import { ab3Coefficients } from "./tableaus/ab3.js";
import { eulerTableau } from "./tableaus/euler.js";
import { heunTableau } from "./tableaus/heun.js";
import { midpointTableau } from "./tableaus/midpoint.js";
import { rk4Tableau } from "./tableaus/rk4.js";

/** Integrators by name. */
export const integrators = {
  /** Explicit Euler: order 1. For comparison. */
  euler: withoutOptions("euler", () => explicitRk(eulerTableau)),
  /** Heun's trapezoidal rule: order 2. */
  heun: withoutOptions("heun", () => explicitRk(heunTableau)),
  /** The midpoint rule: order 2. */
  midpoint: withoutOptions("midpoint", () => explicitRk(midpointTableau)),
  /** The classical Runge-Kutta method: order 4. The default choice. */
  rk4: withoutOptions("rk4", () => explicitRk(rk4Tableau)),
  /** Adams-Bashforth: order 3, one evaluation a step. */
  ab3: withoutOptions("ab3", () => adamsBashforth(ab3Coefficients)),
} satisfies Record<string, () => Integrator>;

export const { euler, heun, midpoint, rk4, ab3 } = integrators;
