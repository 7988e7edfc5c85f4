import { differentiate } from "../base/algebra/differences.js";
import { spectralRadius } from "../base/algebra/eigenvalues.js";
import { needed, notNegative, optionsOf, type Shape } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { Method } from "../interfaces/index.js";
import {
  fixedStepMethod,
  SIMULATION_SHAPE,
  type SimulationOptions,
} from "../run/stepping/options.js";
import { simulate } from "../run/stepping/simulate.js";
import { checkSource } from "../run/stepping/source.js";
import type { Equations } from "../systems/equations/equations.js";

/** Displacement of each variable for finite differences, independent of its value, since the size of angles is arbitrary. */
const DIFFERENCE_STEP = 2 ** -8;
export type LinearMapOptions = Omit<SimulationOptions, "start">;

const { start: _, ...GIVEN_SHAPE } = SIMULATION_SHAPE;
const MAP_SHAPE = { ...GIVEN_SHAPE, method: needed(fixedStepMethod) };

/**
 * Computes the derivative of one step, from (q, v) to the next (q, v), column-major, by finite differences. At
 * an equilibrium its spectral radius shows whether a method is stable with this step size.
 *
 * @example
 * const map = linearMap(pendulum, { method: { coupled: welch() }, step: 0.1, q: [0, -1] });
 * console.log(spectralRadius(4, map));
 */
export function linearMap(
  equations: Equations,
  options: LinearMapOptions,
  ...more: undefined[]
): Float64Array {
  checkSource("linearMap", equations, "linearMap(pendulum, { method, step: 0.1, q: [0, -1] })");
  const read = optionsOf("linearMap", "STEP", options, MAP_SHAPE, more);
  const { method } = read;
  if ("integrator" in method && method.integrator.isMultistep) {
    throw new NodriftError(
      "METHOD",
      `${method.integrator.name} is a multistep method: its step is not a function of the state alone. ` +
        "Use a one-step method",
    );
  }
  const simulation = simulate(equations, { ...read, start: "asGiven" });
  const before = simulation.save();
  const split = simulation.q.length;
  const size = split + simulation.v.length;
  const start = Float64Array.from([...simulation.q, ...simulation.v]);
  const end = new Float64Array(size);
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    const centre = start[j] as number;
    const sample = (s: number) => {
      simulation.restore(before);
      start[j] = centre + s;
      simulation.setState(start.subarray(0, split), start.subarray(split), "asGiven");
      simulation.advance();
      end.set(simulation.q);
      end.set(simulation.v, split);
    };
    differentiate(DIFFERENCE_STEP, sample, end, matrix, j * size);
    start[j] = centre;
  }
  return matrix;
}

/** Options of {@link stabilityLimit}. */
export interface StabilityLimitOptions extends Omit<LinearMapOptions, "step"> {
  /** Step size that is stable. */
  readonly stable: number;
  /** Step size that is unstable. */
  readonly unstable: number;
  /**
   * Largest excess of the spectral radius over 1. Double eigenvalues on the unit circle have an error of the
   * square root of the rounding. Default: 1e-5.
   */
  readonly tolerance?: number;
}

const { step: length, ...REST_SHAPE } = MAP_SHAPE;
const LIMIT_SHAPE: Shape<Omit<StabilityLimitOptions, "method"> & { method: Method }> = {
  ...REST_SHAPE,
  stable: length,
  unstable: length,
  tolerance: notNegative,
};

/**
 * The longest stable step at an equilibrium, by halving the interval.
 *
 * @example
 * stabilityLimit(pendulum, { method: { coupled: hong() }, q: [0, -1], stable: 0.01, unstable: 2 });
 */
export function stabilityLimit(
  equations: Equations,
  options: StabilityLimitOptions,
  ...more: undefined[]
): number {
  checkSource("stabilityLimit", equations, "stabilityLimit(pendulum, { method, q: [0, -1], ... })");
  const read = optionsOf("stabilityLimit", "STEP", options, LIMIT_SHAPE, more);
  const { stable, unstable, tolerance = 1e-5, ...rest } = read;
  if (!(stable < unstable)) {
    throw new NodriftError(
      "STEP",
      `stabilityLimit: stable is ${stable} and unstable ${unstable}; give a shorter step that is stable`,
    );
  }
  const isStable = (step: number) => {
    const matrix = linearMap(equations, { ...rest, step });
    return spectralRadius(Math.sqrt(matrix.length), matrix) <= 1 + tolerance;
  };
  if (!isStable(stable) || isStable(unstable)) {
    throw new NodriftError(
      "STEP",
      "stabilityLimit: `stable` must be a stable step and `unstable` an unstable one; " +
        `got ${stable} and ${unstable}`,
    );
  }
  let [low, high] = [stable, unstable];
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (isStable(middle)) low = middle;
    else high = middle;
  }
  return low;
}
