import type { Segment } from "../../ground/memory/arena.js";
import type { System } from "../../seam/methods.js";
import type { BoundMethod } from "./bind.js";

/** The state before a step, for when it fails. */
export class Backup {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #segment: Segment;

  constructor(system: System, bound: BoundMethod) {
    const { workspace, positions, velocities } = system;
    this.#system = system;
    this.#bound = bound;
    this.#segment = workspace.reserve("state before the step", positions + velocities + 1);
  }

  keep(): void {
    const { workspace, state, positions, velocities } = this.#system;
    workspace.kernels.copyVector(positions + velocities + 1, state, this.#segment.address);
  }

  goBack(): void {
    const { workspace, state, positions, velocities } = this.#system;
    workspace.kernels.copyVector(positions + velocities + 1, this.#segment.address, state);
    this.#bound.reset();
    // A step that failed between its stages leaves the factor of one of them in use.
    this.#system.solver("auto").thaw?.();
  }
}
