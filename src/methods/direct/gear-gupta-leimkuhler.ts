import { refuseMore } from "../../base/checking/index.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindStageEquations } from "./stage-equations.js";

/**
 * The stabilised index-2 form of Gear, Gupta and Leimkuhler: the constraints hold on positions and on velocities, and
 * q' = v + J^T mu has multipliers mu of its own, which are zero up to errors of the method. Positions and velocities
 * keep the order of `radau5`, and both levels of the constraints hold to rounding. The recommended form that keeps
 * all coordinates.
 *
 * mu is weighted by J^T and not by M^-1 J^T: mu is of the order of the error, so its metric does not matter, and no
 * solve with M is needed.
 *
 * @example
 * solve(suspension, { span: [0, 10], method: { formulation: gearGuptaLeimkuhler(), integrator: radau5() } });
 */
export function gearGuptaLeimkuhler(...more: undefined[]): Formulation {
  refuseMore("gearGuptaLeimkuhler", "METHOD", more);
  return GEAR_GUPTA_LEIMKUHLER;
}

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const GEAR_GUPTA_LEIMKUHLER: Formulation = Object.freeze({
  ...PLAIN_FORMULATION,
  name: "gearGuptaLeimkuhler",
  reference: "Gear, Gupta and Leimkuhler, J. Comput. Appl. Math. 12-13 (1985) 77-90",
  level: "position",
  survivesRedundantRows: false,
  needs: "matrices",
  index: 2,
  bind: (system) => bindStageEquations(system, "both"),
} satisfies Formulation);
