import { refuseMore } from "../../base/checking/index.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindStageEquations } from "./stage-equations.js";

/**
 * The equations of motion with the constraints on velocities, of index 2: positions, velocities, accelerations and
 * multipliers are the unknowns of an implicit integrator. Positions and velocities keep the order of `radau5`.
 * Constraints on velocities hold to rounding; those on positions drift, in proportion to time.
 *
 * @example
 * solve(suspension, { span: [0, 10], method: { formulation: index2(), integrator: radau5() } });
 */
export function index2(...more: undefined[]): Formulation {
  refuseMore("index2", "METHOD", more);
  return INDEX_2;
}

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const INDEX_2: Formulation = Object.freeze({
  ...PLAIN_FORMULATION,
  name: "index2",
  reference:
    "Hairer, Lubich and Roche, The Numerical Solution of DAE Systems by Runge-Kutta Methods, Springer 1989, section 4",
  level: "velocity",
  survivesRedundantRows: false,
  needs: "matrices",
  index: 2,
  bind: (system) => bindStageEquations(system, "velocities"),
} satisfies Formulation);
