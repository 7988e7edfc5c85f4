import type { NoiseReport } from "../../seam/index.js";
import type { ConstraintEvaluator } from "./constraint-evaluator.js";
import type { Equations } from "./made.js";
import type { UserFunctions } from "./user-functions.js";

/**
 * Noise of a function from its sixth differences, as in More and Wild, Estimating computational noise, SIAM J. Sci. Comput. 33
 * (2011): samples so near to each other that all that is smooth drops out, and sigma = rms(D6) / sqrt(12! / 6!^2).
 */
const DIFFERENCES = [1, -6, 15, -20, 15, -6, 1] as const;
const ROOT = Math.sqrt(924);
const SAMPLES = 13;
/**
 * Where samples lie, in units of coordinates, velocities and time: their distance, and that of their middle from the
 * state. Noise is the least value: a kink contributes less at shorter spacing, and a kink or jump lies in only one of
 * the windows.
 */
const WINDOWS = [
  { spacing: 2 ** -13, away: 0 },
  { spacing: 2 ** -20, away: 0 },
  { spacing: 2 ** -20, away: 2 ** -9 },
] as const;

/** What differences make of noise, relative to the length over which a function varies: see DifferenceLine and -Columns. */
const BY_SECOND_DIFFERENCES = 1e3;
const BY_FIRST_DIFFERENCES = 1e2;

type Evaluate = (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;

interface Around {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly t: number;
}

interface Level {
  readonly name: string;
  readonly level: number;
}

/** Measures noise of the functions of a system at a state: once, when steps are shorter than they should be. */
export function noiseOf(
  { coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  constraints: ConstraintEvaluator,
  state: Around,
): NoiseReport {
  const n = coordinateNames.length;
  const [rows, others] = [holonomicNames.length, nonholonomicNames.length];
  const { gives } = functions;
  const levels: Level[] = [];
  const look = (name: string, length: number, evaluate: Evaluate, factor = 1) => {
    const measured = noiseAround(state, length, (q, v, out, t) => {
      functions.changed();
      evaluate(q, v, out, t);
    });
    levels.push({ name, level: measured.bySize * factor });
    return measured;
  };
  look("forces", n, (q, v, out, t) => functions.forces(q, v, out, t));
  if (mass.function) {
    look("mass", mass.diagonal ? n : n * n, (q, v, out, t) => functions.mass(q, v, out, t));
  }
  let positions = 0;
  if (rows > 0) {
    const phi = noiseAround(state, rows, (q, v, out, t) => {
      functions.changed();
      functions.phi(q, v, out, t);
    });
    positions = phi.bySlope;
    const isDifferenced = !(gives.jacobian && gives.gamma);
    const factor = isDifferenced ? BY_SECOND_DIFFERENCES / constraints.shortestLength() : 1;
    levels.push({ name: "holonomic.value", level: positions * factor });
    if (gives.jacobian) {
      look("holonomic.jacobian", rows * n, (q, v, out, t) => functions.jacobian(q, v, out, t));
    }
    if (gives.gamma) look("holonomic.gamma", rows, (q, v, out, t) => functions.gamma(q, v, out, t));
  }
  if (others > 0) {
    const isDifferenced = !(gives.nonholonomicJacobian && gives.nonholonomicGamma);
    const pi = noiseAround(state, others, (q, v, out, t) => {
      functions.changed();
      functions.nonholonomic(q, v, out, t);
    });
    const level = pi.bySlope * (isDifferenced ? BY_FIRST_DIFFERENCES : 1);
    levels.push({ name: "nonholonomic.value", level });
  }
  functions.changed();
  const [first = { name: "", level: 0 }] = levels.sort((one, other) => other.level - one.level);
  return { noisiest: first.name, positions, accelerations: first.level };
}

/** Noise of a function of the state, in parts of its largest value, and of the slope of the row itself. */
function noiseAround(
  state: Around,
  length: number,
  evaluate: Evaluate,
): { readonly bySize: number; readonly bySlope: number } {
  let bySize = Number.POSITIVE_INFINITY;
  let bySlope = Number.POSITIVE_INFINITY;
  for (const { spacing, away } of WINDOWS) {
    const samples = samplesOf(state, length, evaluate, spacing, away);
    const [start, end] = [samples[0] as Float64Array, samples[SAMPLES - 1] as Float64Array];
    let [noise, size, slope] = [0, 0, 0];
    for (let row = 0; row < length; row++) {
      noise = Math.max(noise, noiseOfRow(samples, row));
      size = Math.max(size, Math.abs(start[row] as number));
      const change = Math.abs((end[row] as number) - (start[row] as number));
      slope = Math.max(slope, change / ((SAMPLES - 1) * spacing));
    }
    bySize = Math.min(bySize, size > 0 ? noise / size : 0);
    bySlope = Math.min(bySlope, slope > 0 ? noise / slope : 0);
  }
  return { bySize, bySlope };
}

function samplesOf(
  { q, v, t }: Around,
  length: number,
  evaluate: Evaluate,
  spacing: number,
  away: number,
): Float64Array[] {
  return Array.from({ length: SAMPLES }, (_, k) => {
    const s = away + (k - (SAMPLES - 1) / 2) * spacing;
    const out = new Float64Array(length);
    evaluate(
      q.map((x) => x + s),
      v.map((x) => x + s),
      out,
      t + s,
    );
    return out;
  });
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
