import type { System } from "../../../seam/index.js";

/** Constraint error that a step may leave, and the error, in tolerances, assigned beyond it. */
const OPEN = 1e-10;
const TOO_OPEN = 10;
/** Part of the irremovable residual of a geometry that nearly fits that looks removable. */
const MISFIT = 1e-3;
/** Constraint errors below this many ulps of the positions are rounding: far from the origin. */
const SPACINGS = 16 * Number.EPSILON;

/**
 * Where loops close, corrections may not get all the way back from a long step past a singular pose: what they leave
 * open counts as an error. A residual that no motion could remove does not.
 */
export class OpenLoops {
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  /** Error of the step at whose end `at` has been called. */
  error(): number {
    const system = this.#system;
    const { kernels } = system.workspace;
    const residual = kernels.largestMagnitude(system.constraints.rows, system.constraints.phi());
    if (residual <= OPEN) return 0;
    const rounding =
      SPACINGS * kernels.largestMagnitude(system.coordinates.positions, system.trial.q);
    if (residual <= rounding) return 0;
    const open = system.loops?.correctableError?.() ?? residual;
    return open <= Math.max(OPEN, rounding, MISFIT * residual) ? 0 : TOO_OPEN;
  }
}
