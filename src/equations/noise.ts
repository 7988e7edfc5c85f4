import type { NoiseReport } from "../contracts.js";
import type { Equations } from "./equations.js";
import type { ConstraintEvaluator } from "./evaluator.js";
import type { UserFunctions } from "./functions.js";

/**
 * Noise of a function from its sixth differences, as in More and Wild, Estimating computational noise, SIAM J. Sci. Comput. 33
 * (2011): samples so near to each other that all that is smooth drops out, and sigma = rms(D6) / sqrt(12! / 6!^2).
 */
const DIFFERENCES = [1, -6, 15, -20, 15, -6, 1] as const;
const ROOT = Math.sqrt(924);
const SAMPLES = 13;
/** Distance of the samples, in units of coordinates, of velocities and of time. */
const SPACING = 2 ** -13;

interface Measured {
  readonly name: string;
  /** Standard deviation of the noisiest row, largest value, largest slope of that row. */
  readonly noise: number;
  readonly size: number;
  readonly slope: number;
}

type Evaluate = (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;

/** Looks for noise in the functions of a system at a state: once, when steps cannot be as long as they should be. */
export function noiseOf(
  { coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  constraints: ConstraintEvaluator,
  state: { readonly q: Float64Array; readonly v: Float64Array; readonly t: number },
): NoiseReport {
  const n = coordinateNames.length;
  const rows = holonomicNames.length;
  const others = nonholonomicNames.length;
  const { gives } = functions;
  const look = (name: string, length: number, evaluate: Evaluate, wanted = true) =>
    wanted && length > 0 ? [measured(name, length, state, functions, evaluate)] : [];
  const places = look("holonomic.value", rows, (q, v, out, t) => functions.phi(q, v, out, t));
  const rates = [
    ...look("forces", n, (q, v, out, t) => functions.forces(q, v, out, t)),
    ...look(
      "mass",
      mass.diagonal ? n : n * n,
      (q, v, out, t) => functions.mass(q, v, out, t),
      mass.function !== undefined,
    ),
    ...look(
      "holonomic.jacobian",
      rows * n,
      (q, v, out, t) => functions.jacobian(q, v, out, t),
      gives.jacobian,
    ),
    ...look("holonomic.gamma", rows, (q, v, out, t) => functions.gamma(q, v, out, t), gives.gamma),
    ...look(
      "nonholonomic.jacobian",
      others * n,
      (q, v, out, t) => functions.nonholonomicJacobian(q, v, out, t),
      gives.nonholonomicJacobian,
    ),
    ...look(
      "nonholonomic.gamma",
      others,
      (q, v, out, t) => functions.nonholonomicGamma(q, v, out, t),
      gives.nonholonomicGamma,
    ),
  ];
  const differences = constraints.differenceError(state.q, state.v, state.t);
  functions.changed();
  return summary(places, rates, differences);
}

function summary(
  places: readonly Measured[],
  rates: readonly Measured[],
  differences: { readonly name: string; readonly error: number },
): NoiseReport {
  const positions = places.reduce((most, { noise, slope }) => worse(most, noise, slope), 0);
  const named = rates.map(({ name, noise, size }) => ({ name, level: worse(0, noise, size) }));
  named.push({ name: differences.name, level: differences.error });
  named.sort((one, other) => other.level - one.level);
  const [first = { name: "", level: 0 }] = named;
  return {
    noisiest: positions > first.level ? (places[0]?.name ?? "") : first.name,
    positions,
    accelerations: first.level,
  };
}

function worse(most: number, noise: number, size: number): number {
  return size > 0 ? Math.max(most, noise / size) : most;
}

function measured(
  name: string,
  length: number,
  { q, v, t }: { readonly q: Float64Array; readonly v: Float64Array; readonly t: number },
  functions: UserFunctions,
  evaluate: Evaluate,
): Measured {
  const samples = Array.from({ length: SAMPLES }, (_, k) => {
    const s = (k - (SAMPLES - 1) / 2) * SPACING;
    const out = new Float64Array(length);
    functions.changed();
    evaluate(
      q.map((x) => x + s),
      v.map((x) => x + s),
      out,
      t + s,
    );
    return out;
  });
  const [start, end] = [samples[0] as Float64Array, samples[SAMPLES - 1] as Float64Array];
  let [noise, size, slope] = [0, 0, 0];
  for (let row = 0; row < length; row++) {
    noise = Math.max(noise, noiseOfRow(samples, row));
    size = Math.max(size, Math.abs(start[row] as number));
    const change = Math.abs((end[row] as number) - (start[row] as number));
    slope = Math.max(slope, change / ((SAMPLES - 1) * SPACING));
  }
  return { name, noise, size, slope };
}

function noiseOfRow(samples: readonly Float64Array[], row: number): number {
  const count = SAMPLES - DIFFERENCES.length + 1;
  let squares = 0;
  for (let first = 0; first < count; first++) {
    const sum = DIFFERENCES.reduce<number>(
      (total, weight, k) => total + weight * ((samples[first + k] as Float64Array)[row] as number),
      0,
    );
    squares += sum * sum;
  }
  return Math.sqrt(squares / count) / ROOT;
}
