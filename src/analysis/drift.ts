import { argument, finite, refuseMore } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import { requireSimulation, type Simulation } from "../run/stepping/simulation.js";

/** Growth of the constraint error of a run. */
export interface Drift {
  /** p in |Phi| ~ t^p: about 0 without drift, 1 or 2 if errors accumulate. */
  readonly exponent: number;
  /** Largest |Phi| during the run. */
  readonly largest: number;
}

/** The fit uses the last part of the run, from 1/16 of it on. */
const OCTAVES = 4;
const POINTS_PER_OCTAVE = 4;

/**
 * Runs a simulation and fits max |Phi| ~ t^p by least squares of logarithms, at times evenly spaced in the logarithm.
 *
 * @example
 * const { exponent } = measureDrift(simulation, 100);
 */
export function measureDrift(simulation: Simulation, until: number, ...more: undefined[]): Drift {
  refuseMore("measureDrift", "STEP", more, "it takes a simulation and a time");
  requireSimulation("measureDrift", simulation);
  argument("measureDrift", "STEP", "until", until, finite);
  const start = simulation.time;
  const span = until - start;
  const points: (readonly [number, number])[] = [];
  let largest = 0;
  let next = -OCTAVES * POINTS_PER_OCTAVE;
  simulation.runTo(until, ({ time }) => {
    largest = Math.max(largest, simulation.constraintError().position);
    const octaves = Math.log2((time - start) / span);
    if (octaves < next / POINTS_PER_OCTAVE - 1e-9) return;
    points.push([octaves, Math.log2(largest)]);
    while (next / POINTS_PER_OCTAVE <= octaves + 1e-9) next++;
  });
  if (points.length < (OCTAVES * POINTS_PER_OCTAVE) / 2) {
    throw new NodriftError(
      "STEP",
      `measureDrift: the run has too few steps (${points.length}) for a fit: run longer`,
    );
  }
  return { exponent: largest === 0 ? 0 : slope(points), largest };
}

function slope(points: readonly (readonly [number, number])[]): number {
  const finite = points.filter(([, y]) => Number.isFinite(y));
  const mean = (index: 0 | 1) =>
    finite.reduce((sum, point) => sum + point[index], 0) / finite.length;
  const [x, y] = [mean(0), mean(1)];
  const product = finite.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return product / finite.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
