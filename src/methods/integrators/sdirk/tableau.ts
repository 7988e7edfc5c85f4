import type { Named } from "../../../seam/index.js";

/**
 * A stiffly accurate, singly diagonally implicit Runge-Kutta method, as data. It is written in the displacements
 * of its stages, z_i = Y_i - y0, instead of their slopes: no slope of a stiff system, which is large and
 * inaccurate, is stored, and none is needed at the ends of steps.
 *
 *   z_i = sum_{j<i} alpha_ij z_j + h gamma f(t + c_i h, y0 + z_i),   alpha = I - gamma A^-1,   y1 = y0 + z_s
 */
export interface SdirkTableau extends Named {
  /** Order of accuracy. */
  readonly order: number;
  /** The difference to the embedded solution is O(h^errorOrder). */
  readonly errorOrder: number;
  /** The diagonal of A, all the same: one matrix is factored for all stages. */
  readonly gamma: number;
  /** Row i weighs the displacements before stage i. */
  readonly alpha: readonly (readonly number[])[];
  /** Where the stages lie in the step. */
  readonly c: readonly number[];
  /** y0 + sum e_i z_i over all stages but the last: the solution that y1 is judged by. */
  readonly embedded: readonly number[];
  /**
   * First guesses of z_i from the displacements before it, of the stages between the first, which is
   * extrapolated from the step before, and the last, which is the embedded solution.
   */
  readonly guesses: readonly (readonly number[])[];
  /** Rows D_k of y(t + s h) = y0 + sum_k s^k sum_i D_ki z_i, k = 1, 2, 3, 4. */
  readonly dense: readonly (readonly number[])[];
}
