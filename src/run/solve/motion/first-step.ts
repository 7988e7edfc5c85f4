import { power } from "../../../ground/algebra/portable-power.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Motion } from "./motion.js";

/** Part of the span that a first step may be at most. */
const MOST = 0.1;

/**
 * A first step: such that a step of Euler's method would change the state by one part in a hundred, and its
 * second derivative suggests an error of one part in a hundred of the tolerance (Hairer, Norsett & Wanner,
 * Solving ODEs I, section II.4). Costs two evaluations.
 */
export class FirstStep {
  readonly #motion: Motion;
  readonly #probe: Address;
  readonly #change: Address;

  constructor(motion: Motion) {
    const { workspace } = motion.system;
    const { positions, velocities } = motion.system.coordinates;
    this.#motion = motion;
    this.#probe = workspace.vector("state of a first step", positions + velocities);
    this.#change = workspace.vector("change of slopes in a first step", positions + velocities);
  }

  /** The length of a step from t towards the end of the span. */
  find(t: number, end: number): number {
    const { system, ends } = this.#motion;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const size = positions + velocities;
    const span = Math.abs(end - t);
    const slopes = ends.requireBefore(t, state.q);
    const [d0, d1] = [this.#motion.sizeOfState(), this.#motion.sizeOfRate(slopes)];
    const least = 1e-6 * Math.min(1, span);
    const guess = Math.min(d0 < 1e-5 || d1 < 1e-5 ? least : (0.01 * d0) / d1, MOST * span);
    const h = Math.sign(end - t) * guess;
    kernels.axpy(size, h, slopes, state.q, this.#probe);
    const other = ends.requireAfter(t + h, this.#probe);
    kernels.axpy(size, -1, slopes, other, this.#change);
    ends.forgetAfter();
    const d2 = this.#motion.sizeOfRate(this.#change) / guess;
    const largest = Math.max(d1, d2);
    const wanted =
      largest <= 1e-15
        ? Math.max(least, guess * 1e-3)
        : power(0.01 / largest, 1 / this.#motion.errorOrder);
    return Math.min(100 * guess, wanted, MOST * span);
  }
}
