import type { SystemSource } from "../../seam/index.js";
import type { Equations } from "../../systems/equations/equations.js";
import { shownCoordinates } from "../public/state-view.js";
import { systemFor } from "./coordinate-choice.js";
import { FixedSteps } from "./fixed-steps.js";
import { checkHold, heldStart } from "./held-start.js";
import { checkedOptions, type SimulationOptions } from "./options.js";
import type { Simulation } from "./simulation.js";
import { checkSource, systemOf } from "./source.js";

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
export function simulate(
  source: Equations | SystemSource,
  options: SimulationOptions,
  ...more: undefined[]
): Simulation {
  checkSource("simulate", source, "simulate(pendulum, { method, step: 1e-3, q: [1, 0] })");
  const checked = checkedOptions("simulate", options, more);
  const system = systemFor(checked.method, systemOf(source));
  const {
    hold,
    q,
    v = new Float64Array(shownCoordinates(system).velocities),
    time = 0,
    start,
  } = checked;
  checkHold(hold, start);
  if (hold === undefined) return new FixedSteps(system, checked);
  const found = heldStart(source, { q, v, time, hold });
  return new FixedSteps(system, { ...checked, ...found, start: "asGiven" }, checked);
}
