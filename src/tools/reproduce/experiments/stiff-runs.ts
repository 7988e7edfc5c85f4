// What experiments on stiff motion share: tolerances, and errors on the way.

import type { State } from "../../../index.js";
import type { Solution, StateFunction } from "../../../solve.js";

/**
 * 10^from, ..., 10^to: exact, as the decimals are.
 *
 * @example
 * powersOfTen(-2, -5); // [0.01, 0.001, 0.0001, 0.00001]
 */
export function powersOfTen(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, k) => Number(`1e${from - k}`));
}

/**
 * Errors of a number at the times that a solution kept: the columns of table II of Negrut et al.
 */
export interface TrajectoryError {
  /** When the largest error occurs, and how large it is. */
  readonly time: number;
  /** The largest error. */
  readonly largest: number;
  /** The largest one relative to the number there, in per cent. */
  readonly percent: number;
  /** Root of the mean square. */
  readonly mean: number;
  /** Root of the sum of squares over the number of steps, which is what the paper prints as the mean. */
  readonly rootOverSteps: number;
}

/**
 * Errors of a solution against another one, at the times that the first kept.
 *
 * @example
 * const { largest } = trajectoryError(solution, exact, ({ q }) => q[0]);
 */
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
    // NaN is larger than all, and stays.
    if (error <= largest || Number.isNaN(largest)) continue;
    [time, largest, percent] = [state.time, error, (100 * error) / Math.abs(truth)];
  }
  const mean = Math.sqrt(squares / solution.length);
  return { time, largest, percent, mean, rootOverSteps: Math.sqrt(squares) / solution.length };
}
