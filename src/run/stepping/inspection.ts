import { listOf, placeOf, type Turn, text } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import type { FrameOfBody, System } from "../../seam/index.js";
import type { BoundMethod } from "./bind.js";
import { turnsNow } from "./state-options.js";

const NAMES = listOf(text, "a list of names of constraints");

/** Answers questions about the accepted state of a system. */
export abstract class Inspection {
  protected abstract readonly system: System;
  protected abstract readonly bound: BoundMethod;
  protected abstract readonly turn: Turn;
  protected abstract readonly arena: Arena;
  protected abstract readonly vector: Segment;
  protected abstract readonly rows: Segment;
  /** The time of the state. */
  protected abstract readonly now: number;

  /** The rigid bodies that q is made of, in this order; undefined where it is made otherwise. */
  get frames(): readonly FrameOfBody[] | undefined {
    return this.system.coordinates.frames;
  }

  /** On which turn angles are, and what couplings hold: a copy, for `setState`. */
  get turns(): Float64Array {
    return turnsNow(this.system.continuation.turns);
  }

  /** Accelerations, as the formulation finds them. */
  accelerations(): Float64Array {
    return this.ask("accelerations", () => {
      this.load();
      this.bound.accelerations(this.vector.address);
      return this.arena.floats(this.vector).slice();
    });
  }

  /** Multipliers lambda in M a = Q + J^T lambda; those of least norm when they are not unique. */
  multipliers(): Float64Array {
    return this.ask("multipliers", () => {
      this.#findMultipliers();
      return this.arena.floats(this.rows).slice();
    });
  }

  /**
   * The multipliers the last step was taken with, in M a = Q + J^T lambda: coupled methods
   * have them. They belong to the time where the method solved last: to the middle of the step for
   * `welch()`, to its beginning for `hong()`.
   */
  stepMultipliers(): Float64Array {
    const { multipliers } = this.bound;
    if (!multipliers) {
      throw new NodriftError(
        "METHOD",
        "this method finds multipliers at each stage and has none of a step: use multipliers()",
      );
    }
    return this.ask("stepMultipliers", () => {
      multipliers(this.rows.address);
      return this.arena.floats(this.rows).slice();
    });
  }

  /**
   * Generalised forces of constraint J^T lambda: unique even when the multipliers are not. Those of some
   * rows alone, if their names are given.
   */
  constraintForces(names?: readonly string[]): Float64Array {
    const kept =
      names === undefined ? names : NAMES.read(names, placeOf("constraintForces", "STEP", "names"));
    return this.ask("constraintForces", () => {
      this.#findMultipliers();
      if (kept) this.#keepRows(kept);
      this.system.constraints.jacobianTransposeTimes(this.rows.address, this.vector.address);
      return this.arena.floats(this.vector).slice();
    });
  }

  /** Constraint values Phi; zero for velocity constraints. */
  phi(): Float64Array {
    return this.ask("phi", () => {
      this.load();
      return this.rowsAt(this.system.constraints.phi()).slice();
    });
  }

  /** Velocity residuals: dPhi/dt, and Pi for velocity constraints. */
  phiDot(): Float64Array {
    return this.ask("phiDot", () => {
      this.load();
      return this.rowsAt(this.system.constraints.phiDot()).slice();
    });
  }

  /** How far off the constraints are: largest |Phi| and |dPhi/dt|. No allocation but the answer. */
  constraintError(): { position: number; velocity: number } {
    return this.ask("constraintError", () => {
      this.load();
      const { kernels } = this.arena;
      const { rows } = this.system.constraints;
      return {
        position: kernels.largestMagnitude(rows, this.system.constraints.phi()),
        velocity: kernels.largestMagnitude(rows, this.system.constraints.phiDot()),
      };
    });
  }

  /** Kinetic, potential and total energy. Potential energy is zero when the system gives none. */
  energy(): { kinetic: number; potential: number; total: number } {
    return this.ask("energy", () => {
      this.load();
      const kinetic = this.system.energy.kinetic();
      const potential = this.system.energy.potential();
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Independent constraints at the present state. */
  rank(): number {
    return this.ask("rank", () => {
      this.load();
      return this.system.dynamics.solver("auto").rank();
    });
  }

  /** Coordinates less independent constraints. */
  degreesOfFreedom(): number {
    return this.system.coordinates.velocities - this.rank();
  }

  /** Finds something while no function of the user can ask in turn. */
  protected ask<T>(what: string, find: () => T): T {
    this.turn.take(what);
    try {
      return find();
    } finally {
      this.turn.give();
    }
  }

  /** One number for each row, in the arena. */
  protected rowsAt(address: Address): Float64Array {
    return this.arena.floats({ name: "rows", address, slots: this.system.constraints.rows });
  }

  /** Evaluates at the accepted state from now on. */
  protected load(): void {
    this.system.load(this.now);
  }

  /** Sets the multipliers of all other rows to zero. */
  #keepRows(names: readonly string[]): void {
    const { rowNames } = this.system.constraints;
    const unknown = names.find((name) => !rowNames.includes(name));
    if (unknown !== undefined) {
      throw new NodriftError(
        "DESCRIPTION",
        `no constraint is named "${unknown}"; there are: ${rowNames.join(", ")}`,
      );
    }
    const multipliers = this.arena.floats(this.rows);
    for (const [row, name] of rowNames.entries()) if (!names.includes(name)) multipliers[row] = 0;
  }

  #findMultipliers(): void {
    this.load();
    this.system.dynamics
      .solver("auto")
      .multipliers(this.system.constraints.gamma(), this.rows.address);
  }
}
