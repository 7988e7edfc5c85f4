// The registry of integrators that control their error: one line each. A line enrols it in the conformance
// tests, the figures and the table of methods.

import type { AdaptiveIntegrator } from "../../contracts.js";
import { adams } from "./adams.js";
import { embeddedRk } from "./embedded-rk.js";
import { dormandPrinceTableau } from "./tableaus/dormand-prince.js";

/** Integrators that control their error, by name. */
export const adaptiveIntegrators = {
  /** Dormand and Prince: order 5, for tolerances down to 1e-5 or so. */
  dp5: () => embeddedRk(dormandPrinceTableau),
  /** Shampine and Gordon: orders 1 to 12, two evaluations a step, for expensive smooth systems. */
  adams,
} satisfies Record<string, () => AdaptiveIntegrator>;

export const { dp5 } = adaptiveIntegrators;
