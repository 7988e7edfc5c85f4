// How far joints are open at a start, and how much of that is the geometry of the model.

import type { AssemblyReport } from "../../../systems/bodies/start/start.js";

/** Constraint errors of a start that joints of a tree cannot have. */
export const OPEN = 1e-10;

/** How much joints may be open where the geometry fits only nearly, over the length of the model. */
export const MISFIT = 1e-2;

/** Misfits of joints, in radians or lengths of the model, that are rounding. */
export const FITS = 1e-11;

/**
 * Constraint errors of a start beyond the misfit of the geometry, in radians or lengths of the model: of positions that
 * much is left of joints that fit only nearly, of velocities whatever it may be.
 */
export function openness(
  { residual, velocityResidual }: AssemblyReport,
  misfit: number,
  length: number,
): number {
  const isLoose = misfit > FITS;
  const left = residual > (isLoose ? 10 * misfit * length : 0) ? residual : 0;
  return Math.max(left, isLoose ? 0 : velocityResidual);
}
