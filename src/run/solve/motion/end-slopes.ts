import type { Address } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import type { BoundMethod } from "../../stepping/bind.js";

/**
 * (q', v') at both ends of a step, evaluated on demand, once. Known slopes are kept in the arena: evaluated again, at
 * another length of the step, they could differ in the last bit.
 */
export class EndSlopes {
  readonly before: Address;
  readonly after: Address;
  /** Evaluations made here. */
  evaluations = 0;
  readonly #system: System;
  readonly #bound: () => BoundMethod;
  #known = new Float64Array(2);

  constructor(system: System, bound: () => BoundMethod) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    this.#system = system;
    this.#bound = bound;
    this.before = workspace.vector("slopes before a step", positions + velocities);
    this.after = workspace.vector("slopes after a step", positions + velocities);
    const flags = workspace.reserve("slopes that are known", 2);
    workspace.whenSealed((arena) => {
      this.#known = arena.floats(flags);
    });
  }

  requireBefore(t: number, state: Address): Address {
    return this.#require(0, t, state, this.before);
  }

  requireAfter(t: number, state: Address): Address {
    return this.#require(1, t, state, this.after);
  }

  /** Invalidates the end slope. */
  forgetAfter(): void {
    this.#known[1] = 0;
  }

  /** The end becomes the beginning. */
  commit(): void {
    const { workspace } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    if (this.#known[1] === 1) {
      workspace.kernels.copyVector(positions + velocities, this.after, this.before);
    }
    this.#known[0] = this.#known[1] as number;
    this.#known[1] = 0;
  }

  reset(): void {
    this.#known.fill(0);
  }

  #require(index: 0 | 1, t: number, state: Address, out: Address): Address {
    if (this.#known[index] === 1) return out;
    this.evaluate(t, state, out);
    this.#known[index] = 1;
    return out;
  }

  /** out = (q', v') at a state, which becomes the trial. */
  evaluate(t: number, state: Address, out: Address): void {
    const system = this.#system;
    const { workspace, trial } = system;
    const { positions, velocities } = system.coordinates;
    workspace.kernels.copyVector(positions + velocities, state, trial.q);
    system.at(t);
    this.#bound().accelerations(out + 8 * positions);
    const v = trial.v;
    system.coordinates.positionRate(v, 0, v, out);
    this.evaluations++;
  }
}
