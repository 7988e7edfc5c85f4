import { argument, listOf, refuseMore, text } from "../base/checking/index.js";
import { requireSimulation, type Simulation } from "../run/stepping/simulation.js";

/**
 * Generalised control forces: J^T lambda of the named rows alone, for accelerations without
 * stabilisation. With references as rows (see {@link withTracking}) these are the forces that drives have to
 * supply (inverse dynamics). If constraints are redundant, minimum-norm multipliers are used, which also determine
 * the share of these rows.
 *
 * @example
 * const [shoulder, elbow] = controlForces(simulation, ["shoulder drive", "elbow drive"]);
 */
export function controlForces(
  simulation: Simulation,
  rows: readonly string[],
  ...more: undefined[]
): Float64Array {
  refuseMore("controlForces", "STEP", more, "it takes a simulation and names of rows");
  requireSimulation("controlForces", simulation);
  argument("controlForces", "STEP", "rows", rows, listOf(text, "a list of names of rows"));
  return simulation.constraintForces(rows);
}
