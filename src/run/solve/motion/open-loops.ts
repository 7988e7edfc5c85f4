import type { System } from "../../../seam/index.js";

/** Constraint errors that steps may leave, and the error in tolerances they count as beyond. */
const OPEN = 1e-10;
const TOO_OPEN = 10;
/** Of what stays open in a geometry that nearly fits, so much looks as if it could be closed. */
const MISFIT = 1e-3;
/** Constraint errors of so many spacings of the positions are rounding: far from the origin. */
const SPACINGS = 16 * Number.EPSILON;

/**
 * Where loops close, corrections may not get all the way back from a long step past a singular pose: what
 * they leave open counts as an error. What no motion could close does not: the mechanism closes no better.
 */
export class OpenLoops {
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  /** Error of the step whose end has been announced. */
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
