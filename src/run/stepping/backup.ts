import type { Segment } from "../../base/memory/arena.js";
import type { System } from "../../interfaces/index.js";
import type { BoundMethod } from "./bind.js";

/** Saves the state before a step, in case it fails. */
export class Backup {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #segment: Segment;

  constructor(system: System, bound: BoundMethod) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    this.#system = system;
    this.#bound = bound;
    this.#segment = workspace.reserve("state before the step", positions + velocities + 1);
  }

  save(): void {
    const { workspace, state } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    workspace.kernels.copyVector(positions + velocities + 1, state.q, this.#segment.address);
  }

  restore(): void {
    const { workspace, state } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    workspace.kernels.copyVector(positions + velocities + 1, this.#segment.address, state.q);
    this.#bound.reset();
  }
}
