import { listOf, locationOf, type ReentryGuard, text } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Segment } from "../../ground/memory/arena.js";
import type { CoordinatePartition, RigidBodyInfo, System } from "../../seam/index.js";
import { rowsAt } from "../public/given-state.js";
import { shownCoordinates } from "../public/state-view.js";
import type { Bench, Workbench } from "../public/workbench.js";
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

/** Where answers are written on the bench. */
export interface AnswerMemory {
  readonly vector: Segment;
  readonly rows: Segment;
}

/** Reserves it. */
export function answerMemory({ workspace, coordinates, constraints }: System): AnswerMemory {
  return {
    vector: workspace.reserve("answer: coordinates", coordinates.velocities),
    rows: workspace.reserve("answer: rows", constraints.rows),
  };
}

/** Answers questions about the accepted state of a system, in the coordinates and by the rows that users see. */
export class Inspection {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #workbench: Workbench<AnswerMemory>;
  readonly #turn: ReentryGuard;
  /** The time of the state. */
  readonly #now: () => number;

  constructor(
    system: System,
    bound: BoundMethod,
    workbench: Workbench<AnswerMemory>,
    turn: ReentryGuard,
    now: () => number,
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#workbench = workbench;
    this.#turn = turn;
    this.#now = now;
  }

  /** The rigid bodies that q is made of, in this order; undefined where it is made otherwise. */
  get rigidBodies(): readonly RigidBodyInfo[] | undefined {
    return shownCoordinates(this.#system).rigidBodies;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState`. */
  get turns(): Float64Array {
    return turnsNow(this.#system.continuation.turns);
  }

  /**
   * Accelerations, as the formulation finds them; in relative coordinates those of the constraints alone, without what
   * stabilisations add.
   */
  accelerations(): Float64Array {
    return this.#ask("accelerations", () => {
      const { system, arena, parts } = this.#load();
      const { address } = parts.vector;
      if (system === this.#system) {
        this.#bound.accelerations(address);
        this.#bound.correctAccelerations?.(address);
      } else system.dynamics.solver("auto").accelerate(system.constraints.gamma(), address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Multipliers lambda in M a = Q + J^T lambda; those of least norm when they are not unique. */
  multipliers(): Float64Array {
    return this.#ask("multipliers", () => {
      const { arena, parts } = this.#findMultipliers();
      return arena.floats(parts.rows).slice();
    });
  }

  /**
   * The independent coordinates of `coordinatePartitioning()`, `stateSpace()` and others that choose some, and how often and when
   * others were chosen. Undefined for other methods, and before the first step.
   *
   * @example
   * const simulation = simulate(pendulum, { method: "coordinatePartitioning + rk4", step: 0.01, q: [1, 0] }).runTo(2);
   * simulation.partition;   // { positions: ["x"], velocities: ["x"], changes: 3, times: [0.43, ...] }
   */
  get partition(): CoordinatePartition | undefined {
    return this.#bound.partition?.();
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
      const { arena, parts } = this.#workbench.bench;
      multipliers(parts.rows.address);
      return arena.floats(parts.rows).slice();
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
      const bench = this.#findMultipliers();
      const { system, arena, parts } = bench;
      if (kept) keepRows(bench, kept);
      system.constraints.jacobianTransposeTimes(parts.rows.address, parts.vector.address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Constraint values Phi; zero for velocity constraints. */
  phi(): Float64Array {
    return this.#ask("phi", () => {
      const { system, arena } = this.#load();
      return rowsAt(arena, system, system.constraints.phi()).slice();
    });
  }

  /** Velocity residuals: dPhi/dt, and Pi for velocity constraints. */
  phiDot(): Float64Array {
    return this.#ask("phiDot", () => {
      const { system, arena } = this.#load();
      return rowsAt(arena, system, system.constraints.phiDot()).slice();
    });
  }

  /** Largest constraint violations |Phi| and |dPhi/dt|. Allocates nothing but the result. */
  constraintError(): ConstraintError {
    return this.#ask("constraintError", () => {
      const { system, arena } = this.#load();
      const { rows } = system.constraints;
      return {
        position: arena.kernels.largestMagnitude(rows, system.constraints.phi()),
        velocity: arena.kernels.largestMagnitude(rows, system.constraints.phiDot()),
      };
    });
  }

  /** Kinetic, potential and total energy. Potential energy is zero when the system gives none. */
  energy(): Energy {
    return this.#ask("energy", () => {
      const { system } = this.#load();
      const kinetic = system.energy.kinetic();
      const potential = system.energy.potential();
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Independent constraints at the present state. */
  rank(): number {
    return this.#ask("rank", () => {
      return this.#load().system.dynamics.solver("auto").rank();
    });
  }

  /** Coordinates less independent constraints. */
  degreesOfFreedom(): number {
    const { velocities, states } = shownCoordinates(this.#system);
    const moving = states === undefined ? velocities : states.firstVelocity - states.idle;
    return moving - this.rank();
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
  #load(): Bench<AnswerMemory> {
    const bench = this.#workbench.open(this.#now());
    bench.system.load(this.#now());
    return bench;
  }

  #findMultipliers(): Bench<AnswerMemory> {
    const bench = this.#load();
    const { system, parts } = bench;
    system.dynamics.solver("auto").multipliers(system.constraints.gamma(), parts.rows.address);
    return bench;
  }
}

/** Sets the multipliers of all other rows to zero. */
function keepRows({ system, arena, parts }: Bench<AnswerMemory>, names: readonly string[]): void {
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
