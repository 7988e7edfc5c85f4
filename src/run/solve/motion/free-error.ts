import type { Address } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import { bindProjector } from "../../../seam/projection/projector.js";

/** Part of an error that counts where the constraints do not leave it free. */
const HELD = 0.1;

/** Errors so many times too large need no closer look. */
const HOPELESS = 1e6;

/**
 * Measures an error e of a state y on constraints that close loops by what is left of it when y - e is brought
 * onto them as well: the part that they leave free. Near singular poses the accelerations of what is
 * about to come free are wrong at any length of the step, but the constraints take back what they do once
 * the pose is passed. Judged by all of the error, no step would be short enough there. The rest counts for a
 * tenth: steps that rely on the constraints too much lose energy (found on N-four-bars with random starts).
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
    // A state that is not on the constraints itself shows how far it is off, too: that is not meant.
    return Math.min(all, Math.max(HELD * all, measure(error)));
  };
}
