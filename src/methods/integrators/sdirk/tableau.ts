import type { Named } from "../../../interfaces/index.js";

/**
 * Data of a stiffly accurate, singly diagonally implicit Runge-Kutta method. It is written in the displacements of
 * its stages, z_i = Y_i - y0, instead of their slopes: no slope of a stiff system, which is large and
 * inaccurate, is stored, and none is needed at the ends of steps.
 *
 *   z_i = sum_{j<i} alpha_ij z_j + h gamma f(t + c_i h, y0 + z_i),   alpha = I - gamma A^-1,   y1 = y0 + z_s
 */
export interface SdirkTableau extends Named {
  /** Order of accuracy. */
  readonly order: number;
  /** The difference from the embedded solution is O(h^errorOrder). */
  readonly errorOrder: number;
  /** The diagonal of A, all the same: one matrix is factored for all stages. */
  readonly gamma: number;
  /** Row i has the weights of the displacements before stage i. */
  readonly alpha: readonly (readonly number[])[];
  /** Times of the stages, in steps. */
  readonly c: readonly number[];
  /** Weights e_i of the embedded solution, y0 + sum e_i z_i over all stages except the last. */
  readonly embedded: readonly number[];
  /**
   * Weights of first guesses of z_i from the displacements before it, for the inner stages. The first stage is
   * extrapolated from the previous step, and the last is guessed by the embedded solution.
   */
  readonly guesses: readonly (readonly number[])[];
  /** Rows D_k of y(t + s h) = y0 + sum_k s^k sum_i D_ki z_i, k = 1, 2, 3, 4. */
  readonly dense: readonly (readonly number[])[];
}
