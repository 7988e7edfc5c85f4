// The registry of integrators: one line each. A line enrols it in the conformance tests, the benchmark
// and the table of methods. What stands in this file is exported by `nodrift`.

import { withoutOptions } from "../../ground/checking/index.js";
import type { Integrator } from "../../seam/index.js";
import { ab3Coefficients } from "./fixed/ab3.js";
import { adamsBashforth } from "./fixed/adams-bashforth.js";
import { eulerTableau } from "./fixed/euler.js";
import { explicitRk } from "./fixed/explicit-rk.js";
import { heunTableau } from "./fixed/heun.js";
import { midpointTableau } from "./fixed/midpoint.js";
import { rk4Tableau } from "./fixed/rk4.js";

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
