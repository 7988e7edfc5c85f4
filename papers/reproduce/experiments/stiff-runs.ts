// Shared by experiments on stiff motion: tolerances, and errors along a trajectory.

import type { State } from "../../../src/index.js";
import type { Solution, StateFunction } from "../../../src/solve.js";

/** 10^from, ..., 10^to: exact, as the decimals are. */
export function powersOfTen(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, k) => Number(`1e${from - k}`));
}

/** Errors of a quantity at the output times of a solution: the columns of table II of Negrut et al. */
export interface TrajectoryError {
  /** Time of the largest error. */
  readonly time: number;
  /** The largest error. */
  readonly largest: number;
  /** The largest error relative to the value at that time, in per cent. */
  readonly percent: number;
  /** Root of the mean square. */
  readonly mean: number;
  /** Root of the sum of squares over the number of steps, which is what the paper prints as the mean. */
  readonly rootOverSteps: number;
}

/** Errors of a solution against another one, at the output times of the first. */
export function trajectoryError<T extends State>(
  solution: Solution<T>,
  exact: Solution<T>,
  reading: StateFunction<T>,
): TrajectoryError {
  let [time, largest, percent, squares] = [0, 0, 0, 0];
  for (const state of solution.states()) {
    const truth = reading(exact.at(state.time));
    const error = Math.abs(reading(state) - truth);
    squares += error * error;
    // NaN counts as the largest, and stays.
    if (error <= largest || Number.isNaN(largest)) continue;
    [time, largest, percent] = [state.time, error, (100 * error) / Math.abs(truth)];
  }
  const mean = Math.sqrt(squares / solution.length);
  return { time, largest, percent, mean, rootOverSteps: Math.sqrt(squares) / solution.length };
}
