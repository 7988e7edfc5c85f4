// The registry of integrators with error control: a constant and a line each. A line enrols it in the
// conformance tests, the figures and the table of methods. All entries of this file are exported by `nodrift/solve`.

import { withoutOptions } from "../../base/checking/index.js";
import type { AdaptiveIntegrator } from "../../interfaces/index.js";
import { adams } from "./adams/adams.js";
import { bdf } from "./bdf/bdf.js";
import { bogackiShampineTableau } from "./embedded/bogacki-shampine.js";
import { dop853Tableau } from "./embedded/dop853.js";
import { dormandPrinceTableau } from "./embedded/dormand-prince.js";
import { embeddedRk } from "./embedded/embedded-rk.js";
import { tsitourasTableau } from "./embedded/tsitouras.js";
import { radau5 } from "./radau/radau.js";
import { rodas } from "./rodas/rodas.js";
import { ros3 } from "./ros3/ros3.js";
import { sdirk4 } from "./sdirk/sdirk.js";

/**
 * Bogacki and Shampine: order 3, for coarse tolerances (1e-2 to 1e-4) and rough forces.
 *
 * @example
 * solve(system, { span: [0, 10], integrator: bs3(), tolerance: 1e-3 });
 */
export const bs3 = withoutOptions("bs3", () => embeddedRk(bogackiShampineTableau));

/**
 * Dormand and Prince: order 5, for tolerances of 1e-4 to 1e-6.
 *
 * @example
 * solve(system, { span: [0, 10], integrator: dp5(), tolerance: 1e-5 });
 */
export const dp5 = withoutOptions("dp5", () => embeddedRk(dormandPrinceTableau));

/**
 * Tsitouras: order 5, for tolerances of 1e-3 to 1e-6. Steps as long as those of dp5, with mostly smaller errors.
 *
 * @example
 * solve(system, { span: [0, 10], integrator: tsit5(), tolerance: 1e-5 });
 */
export const tsit5 = withoutOptions("tsit5", () => embeddedRk(tsitourasTableau));

/**
 * Dormand and Prince: order 8, for smooth systems and most tolerances, down to rounding. The default choice.
 *
 * @example
 * solve(system, { span: [0, 10], integrator: dop853(), tolerance: 1e-9 });
 */
export const dop853 = withoutOptions("dop853", () => embeddedRk(dop853Tableau));

/** Integrators that control their error, by name. */
export const adaptiveIntegrators = {
  bs3,
  dp5,
  tsit5,
  dop853,
  /** Shampine and Gordon: orders 1 to 12, two evaluations per step, for expensive smooth systems. */
  adams,
  /** Hairer and Wanner, with gamma = 4/15: order 4, implicit, for stiff systems. */
  "sdirk4-15": sdirk4,
  /** Hairer and Wanner: order 4, for stiff systems and tolerances down to 1e-5. No iterations. */
  rodas,
  /** Rang and Angermann: order 3, for stiff systems in real time. No iterations, one df/dy in two steps. */
  ros3,
  /** Hairer and Wanner: order 5, for stiff smooth systems and tolerances from 1e-4 down. */
  radau5,
  /** Brenan, Campbell and Petzold: orders 1 to 5, for large stiff systems. One factorisation serves many steps. */
  bdf,
} satisfies Record<string, () => AdaptiveIntegrator>;

export { type AdamsOptions, adams } from "./adams/adams.js";
export { type BdfOptions, bdf } from "./bdf/bdf.js";
export { bogackiShampineTableau } from "./embedded/bogacki-shampine.js";
export { dop853Tableau } from "./embedded/dop853.js";
export { dormandPrinceTableau } from "./embedded/dormand-prince.js";
export { tsitourasTableau } from "./embedded/tsitouras.js";
export { radau5 } from "./radau/radau.js";
export { rodas } from "./rodas/rodas.js";
export { ros3 } from "./ros3/ros3.js";
export { type Sdirk4Options, sdirk, sdirk4 } from "./sdirk/sdirk.js";
export { sdirk14Tableau, sdirk415Tableau } from "./sdirk/sdirk-tableaus.js";
