import { refuseMore } from "../../base/checking/index.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindStageEquations } from "./stage-equations.js";

/**
 * The equations of motion with the original constraints on positions, of index 3: positions, velocities,
 * accelerations and multipliers are the unknowns of an implicit integrator. Constraints on positions hold to rounding,
 * velocities are consistent to the order of the method. No independent coordinates are chosen, so none need to be
 * changed during the motion. Velocities and multipliers are less accurate than in other forms. For `radau5` and
 * `bdf`.
 *
 * @example
 * solve(suspension, { span: [0, 10], method: { formulation: index3(), integrator: radau5() } });
 */
export function index3(...more: undefined[]): Formulation {
  refuseMore("index3", "METHOD", more);
  return INDEX_3;
}

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const INDEX_3: Formulation = Object.freeze({
  ...PLAIN_FORMULATION,
  name: "index3",
  reference:
    "Hairer, Lubich and Roche, The Numerical Solution of DAE Systems by Runge-Kutta Methods, Springer 1989, section 6",
  level: "position",
  survivesRedundantRows: false,
  needs: "matrices",
  index: 3,
  bind: (system) => bindStageEquations(system, "positions"),
} satisfies Formulation);
