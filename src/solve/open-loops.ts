import type { System } from "../contracts.js";

/** Constraint errors that steps may leave, and the error in tolerances they count as beyond. */
const OPEN = 1e-10;
const TOO_OPEN = 10;
/** What was open at the start may be so much more open later. */
const MORE = 4;

/**
 * Where loops close, corrections may not get all the way back from a long step past a singular pose: what
 * they leave open counts as an error, unless the mechanism closes no better.
 */
export class OpenLoops {
  readonly #system: System;
  /** Constraint error where the motion began. In the arena, as steps depend on it. */
  #start = new Float64Array(1);

  constructor(system: System) {
    const { workspace } = system;
    this.#system = system;
    const start = workspace.reserve("constraint error at the start", 1);
    workspace.whenSealed((arena) => {
      this.#start = arena.floats(start);
    });
  }

  /** The motion begins at the state announced. */
  begin(): void {
    this.#start[0] = this.#residual();
  }

  /** Error of the step whose end has been announced. */
  error(): number {
    const allowed = Math.max(OPEN, MORE * (this.#start[0] as number));
    return this.#residual() <= allowed ? 0 : TOO_OPEN;
  }

  #residual(): number {
    const { workspace, rows } = this.#system;
    return workspace.kernels.largestMagnitude(rows, this.#system.phi());
  }
}
