import type { Stabilisation } from "../contracts.js";

/**
 * Nothing is done about drift: for comparison.
 *
 * @example
 * const method = { formulation: lagrange(), stabilisation: none(), integrator: rk4() };
 */
export function none(): Stabilisation {
  return {
    name: "none",
    reference: "-",
    acts: "nothing",
    oneStepOnly: false,
    needsEnergy: false,
    bind: () => ({}),
  };
}
