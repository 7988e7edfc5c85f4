import { optionsOf } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Method, System, SystemSource } from "../../interfaces/index.js";
import { udwadiaKalaba } from "../../methods/formulations/udwadia-kalaba.js";
import { rk4 } from "../../methods/integrators/index.js";
import { chosenMethod } from "../../methods/names/method-rule.js";
import { projection } from "../../methods/stabilisations/projection.js";
import type { Equations } from "../../systems/equations/equations.js";
import { publicCoordinates } from "../public/public-view.js";
import { systemFor } from "./coordinate-choice.js";
import { type CheckedOptions, SIMULATION_SHAPE, type SimulationOptions } from "./options.js";
import { Simulation } from "./simulation.js";
import { checkHold, checkSource, heldStart, switchingOf, systemOf } from "./source.js";
import { SteppedSystem } from "./stepped-system.js";

/** Returns the default method: steps of order 4, projected at their ends. */
const defaultMethod = (): Method =>
  chosenMethod({
    formulation: udwadiaKalaba(),
    stabilisation: projection(),
    integrator: rk4(),
  });

/** Returns the given initial state, or else that of the source. */
function startOf(
  source: Equations | SystemSource,
  system: System,
  { q, v }: Pick<SimulationOptions, "q" | "v">,
): Pick<CheckedOptions, "q" | "v"> {
  if (q !== undefined) return { q, ...(v && { v }) };
  const own = "system" in source ? source : undefined;
  if (own?.q === undefined) {
    const { velocityNames, positionNames = velocityNames } = publicCoordinates(system);
    throw new NodriftError(
      "STEP",
      `simulate: q is missing: give the positions at the start (${positionNames.join(", ")})`,
    );
  }
  const velocities = v ?? own.v;
  return { q: own.q, ...(velocities && { v: velocities }) };
}

/** A simulation of a system given by functions. */
class EquationSimulation extends Simulation {
  protected readonly carried = undefined;

  /** `given`: the initial state of the user, if the start was computed from it. */
  constructor(
    system: System,
    options: CheckedOptions,
    given: Pick<CheckedOptions, "q" | "v"> = options,
  ) {
    const { method, step, q, v, time = 0, start = "assemble" } = options;
    const stepped = new SteppedSystem(system, method);
    const { view, correction } = stepped;
    stepped.setState(q, v ?? new Float64Array(view.coordinates.velocities), { time, start });
    if (given !== options) correction.record(given.q, given.v, view);
    super(stepped, step);
  }

  protected get shown(): SteppedSystem {
    return this.stepped;
  }
}

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
  const given = optionsOf("simulate", "STEP", options, SIMULATION_SHAPE, more);
  const [switched] = switchingOf(source)?.rows ?? [];
  if (switched) {
    throw new NodriftError(
      "STEP",
      `simulate: row "${switched.name}" switches on and off by its \`when\`, which is for solve: use solve(system, { span, step }) ` +
        "for fixed steps, or start(system, { span, step }), which takes them one by one",
    );
  }
  const method = given.method ?? defaultMethod();
  const system = systemFor(method, systemOf(source));
  const checked = { ...given, method, ...startOf(source, system, given) };
  const {
    hold,
    q,
    v = new Float64Array(publicCoordinates(system).velocities),
    time = 0,
    start,
  } = checked;
  checkHold(hold, start);
  if (hold === undefined) return new EquationSimulation(system, checked);
  const found = heldStart(source, { q, v, time, hold });
  return new EquationSimulation(system, { ...checked, ...found, start: "asGiven" }, checked);
}
