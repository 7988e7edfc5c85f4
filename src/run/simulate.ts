import type { SystemSource } from "../contracts.js";
import type { Equations } from "../equations/equations.js";
import { EquationSystem } from "../equations/system.js";
import { checkHold, heldStart } from "./held-start.js";
import { checked, type SimulationOptions } from "./options.js";
import { Simulation } from "./simulation.js";

/**
 * Starts a simulation.
 *
 * @example
 * const simulation = simulate(pendulum, {
 *   method: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() },
 *   step: 1e-3,
 *   q: [1, 0],
 * });
 * console.log(simulation.runTo(10).q, simulation.constraintError());
 */
export function simulate(source: Equations | SystemSource, options: SimulationOptions): Simulation {
  const system = "system" in source ? source.system() : new EquationSystem(source);
  const { hold, q, v = new Float64Array(system.velocities), time = 0, start } = options;
  checkHold(hold, start);
  if (hold === undefined) return new Simulation(system, options);
  const found = heldStart(source, { q, v, time: checked("time", time), hold });
  return new Simulation(system, { ...options, ...found, start: "asGiven" }, options);
}
