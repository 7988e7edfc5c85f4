import type { Address } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import { bindProjector } from "../../../seam/projection/projector.js";

/** Part of an error that counts where the constraints do not leave it free. */
const HELD = 0.1;

/** Errors this many times too large are not examined further. */
const HOPELESS = 1e6;

/**
 * Measures an error e of a state y on constraints that close loops by what remains of it when y - e is projected onto
 * them as well: the part that they leave free. Near singular poses the accelerations of what is about to come free are
 * wrong at any length of the step, but the constraints undo their effect once the pose is passed. Judged by all of
 * the error, no step would be short enough there. The rest counts for a tenth: steps that rely on the constraints too
 * much lose energy (found on N-four-bars with random starts).
 */
export function bindFreeNorm(
  system: System,
  measure: (error: Address) => number,
): (t: number, error: Address) => number {
  const { workspace, state } = system;
  const { positions, velocities } = system.coordinates;
  const size = positions + velocities;
  const projector = bindProjector(system, { iterations: 10, tolerance: 1e-13 });
  const kept = workspace.vector("state kept while its error is judged", size);

  function keepFree(t: number, error: Address): void {
    const { kernels } = workspace;
    kernels.copyVector(size, state.q, kept);
    kernels.axpy(size, -1, error, kept, state.q);
    system.coordinates.normalise?.(state.q);
    projector.positions(t);
    projector.velocities(t);
    system.coordinates.normalise?.(state.q);
    kernels.axpy(size, -1, state.q, kept, error);
    kernels.copyVector(size, kept, state.q);
    system.load(t);
  }

  return (t, error) => {
    const all = measure(error);
    if (all <= 1 || !(all < HOPELESS)) return all;
    keepFree(t, error);
    // `all` bounds it: where y itself violates the constraints, the projection adds that violation, which is not part
    // of the error.
    return Math.min(all, Math.max(HELD * all, measure(error)));
  };
}
