import type { Tableau } from "../fixed/tableau.js";

/**
 * An explicit Runge-Kutta method that estimates its error, as data. Slopes are numbered: first
 * those of the stages, then the one at the end of the step, then those that only dense output needs.
 */
export interface EmbeddedTableau extends Tableau {
  /** The estimate is O(h^errorOrder). */
  readonly errorOrder: number;
  /** Error vectors h sum e_k slope_k: one, or two that {@link judge} puts together. */
  readonly errors: readonly (readonly number[])[];
  /** The error from the norms of both vectors. Default: the norm of the first. */
  readonly judge?: (first: number, second: number) => number;
  /** Stages that only dense output needs: weights of all slopes before each of them. */
  readonly denseStages?: {
    readonly a: readonly (readonly number[])[];
    readonly c: readonly number[];
  };
  /**
   * Rows of the interpolant after the first four, as weights of all slopes: row j is
   * h sum d_k slope_k. The first four make the cubic with the values and slopes of both ends.
   */
  readonly dense: readonly (readonly number[])[];
}
