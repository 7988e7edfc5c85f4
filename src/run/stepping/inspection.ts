import { listOf, locationOf, type ReentryGuard, text } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Segment } from "../../base/memory/arena.js";
import type { CoordinatePartition, RigidBodyInfo, System } from "../../interfaces/index.js";
import { rowsAt } from "../public/given-state.js";
import type { PublicParts, PublicSystem } from "../public/public-system.js";
import { publicCoordinates } from "../public/state-view.js";
import type { BoundMethod } from "./bind.js";
import { unwrappedAnglesNow } from "./state-options.js";

const NAMES = listOf(text, "a list of names of constraints");

/** Kinetic energy of a state, and potential energy of gravity and springs. */
export interface Energy {
  readonly kinetic: number;
  readonly potential: number;
  readonly total: number;
}

/** Constraint violation of a state: largest |Phi| and |dPhi/dt|. */
export interface ConstraintError {
  readonly position: number;
  readonly velocity: number;
}

/** Memory of answers in the public system. */
export interface AnswerMemory {
  readonly vector: Segment;
  readonly rows: Segment;
}

/** Reserves the memory of answers. */
export function answerMemory({ workspace, coordinates, constraints }: System): AnswerMemory {
  return {
    vector: workspace.reserve("answer: coordinates", coordinates.velocities),
    rows: workspace.reserve("answer: rows", constraints.rows),
  };
}

/** Answers queries about the accepted state of a system, in public coordinates and rows. */
export class Inspection {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #publicSystem: PublicSystem<AnswerMemory>;
  readonly #guard: ReentryGuard;
  /** Returns the time of the state. */
  readonly #now: () => number;

  constructor(
    system: System,
    bound: BoundMethod,
    publicSystem: PublicSystem<AnswerMemory>,
    guard: ReentryGuard,
    now: () => number,
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#publicSystem = publicSystem;
    this.#guard = guard;
    this.#now = now;
  }

  /** The rigid bodies in q, in order; undefined if q contains other coordinates. */
  get rigidBodies(): readonly RigidBodyInfo[] | undefined {
    return publicCoordinates(this.#system).rigidBodies;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState`. */
  get unwrappedAngles(): Float64Array {
    return unwrappedAnglesNow(this.#system.continuation.unwrappedAngles);
  }

  /**
   * Returns the accelerations of the formulation; in relative coordinates those of the constraints alone, without the
   * terms of stabilisations.
   */
  accelerations(): Float64Array {
    return this.#evaluate("accelerations", () => {
      const { system, arena, parts } = this.#load();
      const { address } = parts.vector;
      if (system === this.#system) {
        this.#bound.accelerations(address);
        this.#bound.correctAccelerations(address);
      } else system.dynamics.solver("auto").accelerate(system.constraints.gamma(), address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Returns the multipliers lambda in M a = Q + J^T lambda; those of minimum norm if they are not unique. */
  multipliers(): Float64Array {
    return this.#evaluate("multipliers", () => {
      const { arena, parts } = this.#findMultipliers();
      return arena.floats(parts.rows).slice();
    });
  }

  /**
   * The independent coordinates of methods that choose some, such as `coordinatePartitioning()` and `stateSpace()`,
   * with the number and times of changes. Undefined for other methods, and before the first step.
   *
   * @example
   * const simulation = simulate(pendulum, { method: parseMethod("coordinatePartitioning + rk4"), step: 0.01, q: [1, 0] }).runTo(2);
   * simulation.partition;   // { positions: ["x"], velocities: ["x"], changes: 3, times: [0.43, ...] }
   */
  get partition(): CoordinatePartition | undefined {
    return this.#bound.partition();
  }

  /**
   * Returns the multipliers of the last step, in M a = Q + J^T lambda, for coupled methods. They belong to the time
   * at which the method last solved: to the middle of the step for `welch()`, to its beginning for `hong()`.
   */
  stepMultipliers(): Float64Array {
    const { multipliers } = this.#bound;
    if (!multipliers) {
      throw new NodriftError(
        "METHOD",
        "this method has no multipliers per step: use multipliers()",
      );
    }
    return this.#evaluate("stepMultipliers", () => {
      const { arena, parts } = this.#publicSystem.bench;
      multipliers(parts.rows.address);
      return arena.floats(parts.rows).slice();
    });
  }

  /**
   * Returns the generalised constraint forces J^T lambda: unique even if the multipliers are not. With `names`, those
   * of these rows only.
   */
  constraintForces(names?: readonly string[]): Float64Array {
    const kept =
      names === undefined
        ? names
        : NAMES.read(names, locationOf("constraintForces", "STEP", "names"));
    return this.#evaluate("constraintForces", () => {
      const bench = this.#findMultipliers();
      const { system, arena, parts } = bench;
      if (kept) keepRows(bench, kept);
      system.constraints.jacobianTransposeTimes(parts.rows.address, parts.vector.address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Returns the constraint values Phi; zero for velocity constraints. */
  phi(): Float64Array {
    return this.#evaluate("phi", () => {
      const { system, arena } = this.#load();
      return rowsAt(arena, system, system.constraints.phi()).slice();
    });
  }

  /** Returns the velocity residuals: dPhi/dt, and Pi for velocity constraints. */
  phiDot(): Float64Array {
    return this.#evaluate("phiDot", () => {
      const { system, arena } = this.#load();
      return rowsAt(arena, system, system.constraints.phiDot()).slice();
    });
  }

  /** Returns the largest constraint violations |Phi| and |dPhi/dt|. Allocates only the result. */
  constraintError(): ConstraintError {
    return this.#evaluate("constraintError", () => {
      const { system, arena } = this.#load();
      const { rows } = system.constraints;
      return {
        position: arena.kernels.largestMagnitude(rows, system.constraints.phi()),
        velocity: arena.kernels.largestMagnitude(rows, system.constraints.phiDot()),
      };
    });
  }

  /** Returns kinetic, potential and total energy. Potential energy is zero if the system defines none. */
  energy(): Energy {
    return this.#evaluate("energy", () => {
      const { system } = this.#load();
      const kinetic = system.energy.kinetic();
      const potential = system.energy.potential();
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Returns the number of independent constraints at the present state. */
  rank(): number {
    return this.#evaluate("rank", () => {
      return this.#load().system.dynamics.solver("auto").rank();
    });
  }

  /** Returns the number of coordinates minus independent constraints. */
  degreesOfFreedom(): number {
    const { states } = publicCoordinates(this.#system);
    return states.firstVelocity - states.idle - this.rank();
  }

  /** Evaluates while user functions cannot make requests of their own. */
  #evaluate<T>(what: string, find: () => T): T {
    this.#guard.enter(what);
    try {
      return find();
    } finally {
      this.#guard.leave();
    }
  }

  /** Loads the accepted state into the public system and returns it. */
  #load(): PublicParts<AnswerMemory> {
    const bench = this.#publicSystem.open(this.#now());
    bench.system.load(this.#now());
    return bench;
  }

  #findMultipliers(): PublicParts<AnswerMemory> {
    const bench = this.#load();
    const { system, parts } = bench;
    system.dynamics.solver("auto").multipliers(system.constraints.gamma(), parts.rows.address);
    return bench;
  }
}

/** Sets the multipliers of all other rows to zero. */
function keepRows(
  { system, arena, parts }: PublicParts<AnswerMemory>,
  names: readonly string[],
): void {
  const { rowNames } = system.constraints;
  const unknown = names.find((name) => !rowNames.includes(name));
  if (unknown !== undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      `no constraint is named "${unknown}"; there are: ${rowNames.join(", ")}`,
    );
  }
  const multipliers = arena.floats(parts.rows);
  for (const [row, name] of rowNames.entries()) if (!names.includes(name)) multipliers[row] = 0;
}
