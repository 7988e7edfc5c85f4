import { refuseMore } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";

/**
 * No drift control, for comparison.
 *
 * @example
 * const method = { formulation: lagrange(), stabilisation: none(), integrator: rk4() };
 */
export function none(...more: undefined[]): Stabilisation {
  refuseMore("none", "METHOD", more);
  return {
    name: "none",
    reference: "-",
    ...PLAIN_STABILISATION,
    actsOn: "nothing",
    bind: () => NO_CORRECTION,
  };
}
