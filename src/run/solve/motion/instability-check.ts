import type { Address } from "../../../ground/memory/arena.js";
import type { Motion } from "./motion.js";

/** Check a step if the rate at its end exceeds that of the step itself by this factor. */
const FASTER = 1;
/** Length of a difference, relative to the state. */
const DIFFERENCE = 1e-7;

/**
 * Growth rate of the fast component at the end of a step. Implicit methods step over fast components, whether they
 * decay or grow: the equations of a step can have a second solution, nearer than the tolerance, from which the motion
 * runs away. There f is large along a growing component, with the rate
 *
 *   lambda = f . (df/dy f) / f . f,
 *
 * while near the solution it is large along a decaying one, if at all. Rejected: the sign of det(I - alpha df/dy),
 * which is equivalent, but needs a df/dy at the end of each step.
 */
export class InstabilityCheck {
  readonly #motion: Motion;
  readonly #change: Address;
  readonly #probe: Address;
  readonly #other: Address;

  constructor(motion: Motion) {
    const { workspace } = motion.system;
    const { positions, velocities } = motion.system.coordinates;
    const size = positions + velocities;
    this.#motion = motion;
    this.#change = workspace.vector("change in a step", size);
    this.#probe = workspace.vector("state beyond a step", size);
    this.#other = workspace.vector("slopes beyond a step", size);
  }

  /** h lambda at the end of a step that has been judged; 0 where nothing there is fast. */
  growthOver(t: number, h: number): number {
    const motion = this.#motion;
    const { system, ends, before } = motion;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const size = positions + velocities;
    const slopes = ends.requireAfter(t + h, state.q);
    kernels.axpy(size, -1, before, state.q, this.#change);
    const faster = Math.abs(h) * motion.sizeOfRate(slopes);
    if (!(faster > FASTER * motion.sizeOfRate(this.#change))) return 0;
    const largest = kernels.largestMagnitude(size, slopes);
    const part = (DIFFERENCE * (1 + kernels.largestMagnitude(size, state.q))) / largest;
    kernels.axpy(size, part, slopes, state.q, this.#probe);
    ends.evaluate(t + h, this.#probe, this.#other);
    kernels.axpy(size, -1, slopes, this.#other, this.#other);
    motion.announceEnd(t + h);
    const quotient = kernels.dot(size, slopes, this.#other) / kernels.dot(size, slopes, slopes);
    return (h * quotient) / part;
  }
}
