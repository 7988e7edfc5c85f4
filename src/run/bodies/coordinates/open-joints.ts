// Opening of joints in an initial state, and the part due to the geometry of the model.

import type { AssemblyReport } from "../../../systems/bodies/initial-state/initial-state.js";

/** Constraint error above which an initial state is open for the joints of a tree. */
export const OPEN_TOLERANCE = 1e-10;

/** Largest misfit of nearly fitting geometry, relative to the length of the model. */
export const MAX_MISFIT = 1e-2;

/** Misfit of joints treated as zero, in radians or lengths of the model. */
export const MISFIT_TOLERANCE = 1e-11;

/**
 * Returns the constraint errors of an initial state beyond the misfit of the geometry, in radians or lengths of the
 * model. If joints fit only nearly, position errors up to ten times the misfit and all velocity errors are due to the
 * geometry.
 */
export function openness(
  { residual, velocityResidual }: AssemblyReport,
  misfit: number,
  length: number,
): number {
  const isLoose = misfit > MISFIT_TOLERANCE;
  const left = residual > (isLoose ? 10 * misfit * length : 0) ? residual : 0;
  return Math.max(left, isLoose ? 0 : velocityResidual);
}
