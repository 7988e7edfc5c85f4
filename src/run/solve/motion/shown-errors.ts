import type { Address } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import type { StateView } from "../../public/state-view.js";

/** Part of the state by which it is moved to find how what users see changes with it: a root of the rounding. */
const PART = 2 ** -24;

/**
 * Errors of states in the numbers that users see, where methods integrate others: x becomes w(y) - w(y - x), w what
 * users see of a state y. So a tolerance means the same in all coordinates: an error of an angle counts by how far it
 * moves what hangs on it, and not by how often it has turned. Rejected: tolerances of the other coordinates themselves;
 * a relative one would grow with every turn of a wheel.
 */
export class ShownErrors {
  /** What users see of the state before the attempt, and of its end. */
  readonly before: Address;
  readonly after: Address;
  readonly #system: System;
  readonly #view: StateView;
  readonly #moved: Address;
  readonly #difference: Address;
  readonly #size: number;
  #isKnown = false;

  /** Reserves memory: before the system's is sealed. */
  constructor(system: System, view: StateView) {
    const { workspace, coordinates } = system;
    this.#system = system;
    this.#view = view;
    this.#size = coordinates.positions + coordinates.velocities;
    this.before = workspace.vector("seen before an attempt", view.size);
    this.after = workspace.vector("seen after an attempt", view.size);
    this.#difference = workspace.vector("seen of an error", view.size);
    this.#moved = workspace.vector("state without its error", this.#size);
  }

  /** The accepted state has changed: what is seen of it is found anew when it is needed. */
  forget(): void {
    this.#isKnown = false;
  }

  /** An error of the accepted state; `before` is where the step began. */
  ofError(error: Address, before: Address): Address {
    if (!this.#isKnown) {
      this.#view.write(before, this.before);
      this.#view.write(this.#system.state.q, this.after);
      this.#isKnown = true;
    }
    this.#change(error, 1);
    return this.#difference;
  }

  /** The accepted state itself. */
  ofState(): Address {
    this.#isKnown = false;
    this.#view.write(this.#system.state.q, this.after);
    return this.after;
  }

  /** A rate of change at the accepted state, by a difference: its size is all that is asked for. */
  ofRate(rate: Address): Address {
    const { kernels } = this.#system.workspace;
    const { q } = this.#system.state;
    const size = kernels.largestMagnitude(this.#size, rate);
    this.ofState();
    const part = size > 0 ? (PART * (1 + kernels.largestMagnitude(this.#size, q))) / size : 1;
    this.#change(rate, part);
    kernels.axpy(
      this.#view.size,
      1 / part - 1,
      this.#difference,
      this.#difference,
      this.#difference,
    );
    return this.#difference;
  }

  #change(x: Address, part: number): void {
    const { workspace, coordinates, state } = this.#system;
    const { kernels } = workspace;
    kernels.axpy(this.#size, -part, x, state.q, this.#moved);
    coordinates.normalise?.(this.#moved);
    this.#view.write(this.#moved, this.#difference);
    kernels.axpy(this.#view.size, -1, this.#difference, this.after, this.#difference);
  }
}
