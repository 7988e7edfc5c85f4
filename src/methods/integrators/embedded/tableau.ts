import type { Tableau } from "../fixed/tableau.js";

/**
 * Data of an explicit Runge-Kutta method with an error estimate. Slopes are ordered: first those of the stages, then
 * the one at the end of the step, then those that only dense output needs.
 */
export interface EmbeddedTableau extends Tableau {
  /** The estimate is O(h^errorOrder). */
  readonly errorOrder: number;
  /** Error vectors h sum e_k slope_k: one, or two that {@link judge} combines. */
  readonly errors: readonly (readonly number[])[];
  /** Returns the error from the norms of both vectors. Default: the norm of the first. */
  readonly judge?: (first: number, second: number) => number;
  /** Stages that only dense output needs: weights of all slopes before each of them. */
  readonly denseStages?: {
    readonly a: readonly (readonly number[])[];
    readonly c: readonly number[];
  };
  /**
   * Rows of the interpolant after the first four, as weights of all slopes: row j is
   * h sum d_k slope_k. The first four are the cubic with the values and slopes of both ends.
   */
  readonly dense: readonly (readonly number[])[];
}
