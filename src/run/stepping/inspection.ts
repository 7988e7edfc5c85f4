import { listOf, locationOf, type ReentryGuard, text } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import type { RigidBodyInfo, System } from "../../seam/index.js";
import type { BoundMethod } from "./bind.js";
import { turnsNow } from "./state-options.js";

const NAMES = listOf(text, "a list of names of constraints");

/** Energy of a state: of motion, and of gravity and springs. */
export interface Energy {
  readonly kinetic: number;
  readonly potential: number;
  readonly total: number;
}

/** How far off the constraints a state is: largest |Phi| and |dPhi/dt|. */
export interface ConstraintError {
  readonly position: number;
  readonly velocity: number;
}

/** Answers questions about the accepted state of a system. */
export class Inspection {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #turn: ReentryGuard;
  /** The time of the state. */
  readonly #now: () => number;
  readonly #vector: Segment;
  readonly #rows: Segment;
  #arena!: Arena;

  constructor(system: System, bound: BoundMethod, turn: ReentryGuard, now: () => number) {
    this.#system = system;
    this.#bound = bound;
    this.#turn = turn;
    this.#now = now;
    const { workspace } = system;
    this.#vector = workspace.reserve("answer: coordinates", system.coordinates.velocities);
    this.#rows = workspace.reserve("answer: rows", system.constraints.rows);
    workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** The rigid bodies that q is made of, in this order; undefined where it is made otherwise. */
  get rigidBodies(): readonly RigidBodyInfo[] | undefined {
    return this.#system.coordinates.rigidBodies;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState`. */
  get turns(): Float64Array {
    return turnsNow(this.#system.continuation.turns);
  }

  /** Accelerations, as the formulation finds them. */
  accelerations(): Float64Array {
    return this.#ask("accelerations", () => {
      this.#load();
      this.#bound.accelerations(this.#vector.address);
      return this.#arena.floats(this.#vector).slice();
    });
  }

  /** Multipliers lambda in M a = Q + J^T lambda; those of least norm when they are not unique. */
  multipliers(): Float64Array {
    return this.#ask("multipliers", () => {
      this.#findMultipliers();
      return this.#arena.floats(this.#rows).slice();
    });
  }

  /**
   * The multipliers the last step was taken with, in M a = Q + J^T lambda: coupled methods
   * have them. They belong to the time where the method solved last: to the middle of the step for
   * `welch()`, to its beginning for `hong()`.
   */
  stepMultipliers(): Float64Array {
    const { multipliers } = this.#bound;
    if (!multipliers) {
      throw new NodriftError(
        "METHOD",
        "this method has no multipliers per step: use multipliers()",
      );
    }
    return this.#ask("stepMultipliers", () => {
      multipliers(this.#rows.address);
      return this.#arena.floats(this.#rows).slice();
    });
  }

  /**
   * Generalised forces of constraint J^T lambda: unique even when the multipliers are not. Those of some
   * rows alone, if their names are given.
   */
  constraintForces(names?: readonly string[]): Float64Array {
    const kept =
      names === undefined
        ? names
        : NAMES.read(names, locationOf("constraintForces", "STEP", "names"));
    return this.#ask("constraintForces", () => {
      this.#findMultipliers();
      if (kept) this.#keepRows(kept);
      this.#system.constraints.jacobianTransposeTimes(this.#rows.address, this.#vector.address);
      return this.#arena.floats(this.#vector).slice();
    });
  }

  /** Constraint values Phi; zero for velocity constraints. */
  phi(): Float64Array {
    return this.#ask("phi", () => {
      this.#load();
      return rowsAt(this.#arena, this.#system, this.#system.constraints.phi()).slice();
    });
  }

  /** Velocity residuals: dPhi/dt, and Pi for velocity constraints. */
  phiDot(): Float64Array {
    return this.#ask("phiDot", () => {
      this.#load();
      return rowsAt(this.#arena, this.#system, this.#system.constraints.phiDot()).slice();
    });
  }

  /** Largest constraint violations |Phi| and |dPhi/dt|. Allocates nothing but the result. */
  constraintError(): ConstraintError {
    return this.#ask("constraintError", () => {
      this.#load();
      const { kernels } = this.#arena;
      const { rows } = this.#system.constraints;
      return {
        position: kernels.largestMagnitude(rows, this.#system.constraints.phi()),
        velocity: kernels.largestMagnitude(rows, this.#system.constraints.phiDot()),
      };
    });
  }

  /** Kinetic, potential and total energy. Potential energy is zero when the system gives none. */
  energy(): Energy {
    return this.#ask("energy", () => {
      this.#load();
      const kinetic = this.#system.energy.kinetic();
      const potential = this.#system.energy.potential();
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Independent constraints at the present state. */
  rank(): number {
    return this.#ask("rank", () => {
      this.#load();
      return this.#system.dynamics.solver("auto").rank();
    });
  }

  /** Coordinates less independent constraints. */
  degreesOfFreedom(): number {
    return this.#system.coordinates.velocities - this.rank();
  }

  /** Evaluates something while user functions cannot make requests of their own. */
  #ask<T>(what: string, find: () => T): T {
    this.#turn.enter(what);
    try {
      return find();
    } finally {
      this.#turn.leave();
    }
  }

  /** Evaluates at the accepted state from now on. */
  #load(): void {
    this.#system.load(this.#now());
  }

  /** Sets the multipliers of all other rows to zero. */
  #keepRows(names: readonly string[]): void {
    const { rowNames } = this.#system.constraints;
    const unknown = names.find((name) => !rowNames.includes(name));
    if (unknown !== undefined) {
      throw new NodriftError(
        "DESCRIPTION",
        `no constraint is named "${unknown}"; there are: ${rowNames.join(", ")}`,
      );
    }
    const multipliers = this.#arena.floats(this.#rows);
    for (const [row, name] of rowNames.entries()) if (!names.includes(name)) multipliers[row] = 0;
  }

  #findMultipliers(): void {
    this.#load();
    this.#system.dynamics
      .solver("auto")
      .multipliers(this.#system.constraints.gamma(), this.#rows.address);
  }
}

/** One number for each row of constraints, in the arena. */
export function rowsAt(arena: Arena, system: System, address: Address): Float64Array {
  return arena.floats({ name: "rows", address, slots: system.constraints.rows });
}
