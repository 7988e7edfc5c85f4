import { refuseMore } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";

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
    actsOn: "nothing",
    oneStepOnly: false,
    needsEnergy: false,
    bind: () => ({}),
  };
}
