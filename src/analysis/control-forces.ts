import type { Simulation } from "../run/simulation.js";

/**
 * Generalised control forces: J^T lambda of the named rows alone, as accelerations without any
 * stabilisation need it. With references as rows (see {@link withTracking}) this is what drives have to
 * supply, that is, inverse dynamics. Where constraints repeat each other the multipliers are those of least
 * norm, and so is the share of these rows.
 *
 * @example
 * const [shoulder, elbow] = controlForces(simulation, ["shoulder drive", "elbow drive"]);
 */
export function controlForces(simulation: Simulation, rows: readonly string[]): Float64Array {
  return simulation.constraintForces(rows);
}
