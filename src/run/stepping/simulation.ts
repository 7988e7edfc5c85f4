import {
  argument,
  callback,
  finite,
  listOf,
  locationOf,
  ReentryGuard,
  reading,
  text,
  whole,
} from "../../base/checking/index.js";
import { NodriftError, SimulationError, StepFailure } from "../../base/errors.js";
import type { CoordinatePartition, RigidBodyInfo } from "../../interfaces/index.js";
import { type PublicSystem, publicCoordinates, rowsAt } from "../public/public-view.js";
import { stepLength } from "./options.js";
import { checkedSnapshot, identityOf, type Snapshot, sealed } from "./snapshot.js";
import type { StateCorrection, StateOptions } from "./state-options.js";
import type { AnswerParts, DividedSteps, SteppedSystem } from "./stepped-system.js";

/** Rule for a number of steps. */
const STEP_COUNT = whole(0);
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

/** Observes the steps of a simulation. */
export interface StepObserver {
  /** Called after a full step. */
  stepped(): void;
  /** Called before the shorter last step of a run to a time. */
  lastStep(until: number): void;
}

/**
 * A system, a method and a state that advances in time. Made by `simulate`. Simulations of compiled models also read
 * bodies and joints by name.
 */
export abstract class Simulation {
  /** Name of the method. */
  readonly method: string;
  /** @internal The system that takes the steps. */
  protected stepped: SteppedSystem;
  /** @internal Observes the steps, if anything does. */
  protected observer: StepObserver | undefined;
  #origin: number;
  #steps = 0;
  #step: number;
  readonly #eachGuard = new ReentryGuard("runTo");

  constructor(stepped: SteppedSystem, step: number) {
    this.stepped = stepped;
    this.method = stepped.method;
    this.#origin = stepped.time;
    this.#step = step;
  }

  /** @internal The system that answers queries: the one that takes the steps, or one with other constraints. */
  protected abstract get shown(): SteppedSystem;

  /** @internal Data of snapshots beyond the memory, as text. */
  protected abstract get carried(): string | undefined;

  /** The positions: a live view. Copy it to keep it. */
  get q(): Float64Array<ArrayBuffer> {
    return this.stepped.q;
  }

  /** The velocities: a live view. */
  get v(): Float64Array<ArrayBuffer> {
    return this.stepped.v;
  }

  /** The time of the state. */
  get time(): number {
    this.stepped.guard.refuse("time");
    return this.#now;
  }

  get #now(): number {
    return this.#origin + this.#steps * this.#step;
  }

  /**
   * Change of the last given state (initial state or {@link setState}) by projection onto the constraints.
   *
   * @example
   * const { positions } = simulate(pendulum, { method, step: 1e-3, q: [1.1, 0] }).correction;
   * console.log(positions.x);   // -0.1
   */
  get correction(): StateCorrection {
    return this.stepped.correction.correction();
  }

  /**
   * Counts of steps divided by a method that does so, such as `ros3`, and of the shortest pieces that were damped.
   *
   * @example
   * if (simulation.division.damped > 0) console.log("contacts are stiffer than these steps resolve");
   */
  get division(): Readonly<DividedSteps> {
    return this.stepped.division;
  }

  /** Length of the coming steps. */
  get step(): number {
    return this.#step;
  }

  /**
   * Replaces the state and restarts multistep methods. If projection fails, the old state is kept.
   *
   * @example
   * const { q, v, time, unwrappedAngles } = solution.at(2);
   * simulation.setState(q, v, { time, unwrappedAngles, start: "asGiven" });
   */
  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
  ): void {
    this.stepped.setState(q, v, options);
    this.restartCount(this.stepped.time);
  }

  /**
   * Takes `count` steps. If one fails, throws and leaves the state before that step.
   *
   * @example
   * simulation.advance();      // one step
   * simulation.advance(1000);
   */
  advance(count = 1): this {
    // A valid count allocates nothing: live loops call this for every step.
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      argument("advance", "STEP", "the number of steps", count, STEP_COUNT);
    }
    this.#eachGuard.refuse("advance");
    try {
      this.#takeSteps(count);
    } finally {
      this.stepped.view.moved();
    }
    return this;
  }

  /**
   * Runs to a time in full steps plus one shorter last step if needed. `each` is called after every step.
   *
   * @example
   * simulation.runTo(10, ({ time, q }) => console.log(time, q[0]));
   */
  runTo(until: number, each?: (simulation: this) => void): this {
    finite.read(until, locationOf("", "STEP", "runTo: the time"));
    if (each !== undefined) argument("runTo", "STEP", "each", each, callback());
    this.stepped.guard.refuse("runTo");
    this.#eachGuard.refuse("runTo");
    const [now, step] = [this.#now, this.#step];
    const refusal = `runTo(${until})`;
    if (until < now)
      throw new NodriftError("STEP", `${refusal} lies before the present time ${now}`);
    if (until > now && until - step === until) {
      const why = `steps of ${step} do not move the time there, by rounding: give longer steps`;
      throw new NodriftError("STEP", `${refusal}: ${why}`);
    }
    try {
      this.#run(until, each);
    } finally {
      this.stepped.view.moved();
    }
    return this;
  }

  #run(until: number, each?: (simulation: this) => void): void {
    const count = Math.floor((until - this.#now) / this.#step + 1e-9);
    if (each === undefined) this.#takeSteps(count);
    else {
      for (let i = 0; i < count; i++) {
        this.#takeSteps(1);
        this.#callEach(each);
      }
    }
    this.observer?.lastStep(until);
    const rest = until - this.#now;
    if (rest > 1e-9 * this.#step) {
      this.stepped.bound.reset();
      this.#takeSteps(1, rest);
      this.stepped.bound.reset();
      this.restartCount(until);
      this.#callEach(each);
    }
  }

  /** Calls a user function after a step. It may set the state, but must leave stepping to runTo. */
  #callEach(each: ((simulation: this) => void) | undefined): void {
    if (each === undefined) return;
    this.stepped.view.moved();
    this.#eachGuard.enter("runTo");
    try {
      each(this);
    } finally {
      this.#eachGuard.leave();
    }
  }

  /** Changes the length of the coming steps. */
  setStep(step: number): void {
    const length = stepLength.read(step, locationOf("", "STEP", "step"));
    this.stepped.guard.refuse("setStep");
    this.#eachGuard.refuse("setStep");
    this.restartCount(this.#now);
    this.stepped.bound.reset();
    this.#step = length;
  }

  /** Returns a copy of everything: {@link restore} continues from it bitwise identically. */
  save(): Snapshot {
    const { stepped, carried } = this;
    stepped.guard.refuse("save");
    return sealed({
      ...(carried !== undefined && { settings: carried }),
      identity: identityOf(stepped.system, this.method),
      memory: new Uint8Array(stepped.arena.memory.buffer as ArrayBuffer).slice(),
      origin: this.#origin,
      steps: this.#steps,
      step: this.#step,
    });
  }

  /** Restores a saved state of this simulation, or of one created in the same way. */
  restore(snapshot: Snapshot): void {
    const { memory, origin, steps, step } = this.checkSnapshot(snapshot);
    const { stepped } = this;
    new Uint8Array(stepped.arena.memory.buffer as ArrayBuffer).set(memory);
    this.#origin = origin;
    this.#steps = steps;
    this.#step = step;
    stepped.time = this.#now;
    stepped.view.moved();
  }

  /** The rigid bodies in q, in order; undefined if q contains other coordinates. */
  get rigidBodies(): readonly RigidBodyInfo[] | undefined {
    return publicCoordinates(this.stepped.system).rigidBodies;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState`. */
  get unwrappedAngles(): Float64Array {
    return this.stepped.unwrappedAngles;
  }

  /**
   * Returns the accelerations of the formulation; in relative coordinates those of the constraints alone, without the
   * terms of stabilisations.
   */
  accelerations(): Float64Array {
    return this.#evaluate("accelerations", ({ system, arena, parts }) => {
      const { bound, system: own } = this.shown;
      const { address } = parts.vector;
      if (system === own) {
        bound.accelerations(address);
        bound.correctAccelerations(address);
      } else system.dynamics.solver("auto").accelerate(system.constraints.gamma(), address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Returns the multipliers lambda in M a = Q + J^T lambda; those of minimum norm if they are not unique. */
  multipliers(): Float64Array {
    return this.#evaluate("multipliers", (shown) => findMultipliers(shown).slice());
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
    return this.stepped.bound.partition();
  }

  /**
   * Returns the multipliers of the last step, in M a = Q + J^T lambda, for coupled methods. They belong to the time
   * at which the method last solved: to the middle of the step for `welch()`, to its beginning for `hong()`.
   */
  stepMultipliers(): Float64Array {
    const { bound, guard, view } = this.shown;
    if (!bound.multipliers) {
      throw new NodriftError(
        "METHOD",
        "this method has no multipliers per step: use multipliers()",
      );
    }
    guard.enter("stepMultipliers");
    try {
      const { arena, parts } = view.publicSystem;
      bound.multipliers(parts.rows.address);
      return arena.floats(parts.rows).slice();
    } finally {
      guard.leave();
    }
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
    return this.#evaluate("constraintForces", (shown) => {
      const { system, arena, parts } = shown;
      const multipliers = findMultipliers(shown);
      if (kept) keepRows(system.constraints.rowNames, multipliers, kept);
      system.constraints.jacobianTransposeTimes(parts.rows.address, parts.vector.address);
      return arena.floats(parts.vector).slice();
    });
  }

  /** Returns the constraint values Phi; zero for velocity constraints. */
  phi(): Float64Array {
    return this.#evaluate("phi", ({ system, arena }) =>
      rowsAt(arena, system, system.constraints.phi()).slice(),
    );
  }

  /** Returns the velocity residuals: dPhi/dt, and Pi for velocity constraints. */
  phiDot(): Float64Array {
    return this.#evaluate("phiDot", ({ system, arena }) =>
      rowsAt(arena, system, system.constraints.phiDot()).slice(),
    );
  }

  /** Returns the largest constraint violations |Phi| and |dPhi/dt|. Allocates only the result. */
  constraintError(): ConstraintError {
    return this.#evaluate("constraintError", ({ system, arena }) => {
      const { rows } = system.constraints;
      return {
        position: arena.kernels.largestMagnitude(rows, system.constraints.phi()),
        velocity: arena.kernels.largestMagnitude(rows, system.constraints.phiDot()),
      };
    });
  }

  /** Returns kinetic, potential and total energy. Potential energy is zero if the system defines none. */
  energy(): Energy {
    return this.#evaluate("energy", ({ system }) => {
      const kinetic = system.energy.kinetic();
      const potential = system.energy.potential();
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Returns the number of independent constraints at the present state. */
  rank(): number {
    return this.#evaluate("rank", ({ system }) => system.dynamics.solver("auto").rank());
  }

  /** Returns the number of coordinates minus independent constraints. */
  degreesOfFreedom(): number {
    const { states } = publicCoordinates(this.shown.system);
    return states.firstVelocity - states.idle - this.rank();
  }

  /** @internal Throws if a snapshot cannot be restored, or no snapshot can be at present. */
  protected checkSnapshot(snapshot: Snapshot): Snapshot {
    const { guard, arena, system } = this.stepped;
    guard.refuse("restore");
    this.#eachGuard.refuse("restore");
    const { byteLength } = arena.memory.buffer;
    return checkedSnapshot(snapshot, identityOf(system, this.method), byteLength);
  }

  /** @internal Starts counting steps from a time, or continues after some steps. */
  protected restartCount(time: number, steps = 0): void {
    this.#origin = time;
    this.#steps = steps;
    this.stepped.time = this.#now;
  }

  /** @internal Number of steps since counting started. */
  protected get counted(): number {
    return this.#steps;
  }

  /** @internal Returns a function that returns to the present count of steps. */
  protected keepCount(): () => void {
    const [origin, steps, step] = [this.#origin, this.#steps, this.#step];
    return () => {
      this.#origin = origin;
      this.#steps = steps;
      this.#step = step;
    };
  }

  /** Takes `count` steps, several in one call if possible; `rest` is the length of a last step that is shorter. */
  #takeSteps(count: number, rest?: number): void {
    const { stepped } = this;
    const { span, system, guard } = stepped;
    for (let left = count; left > 0; left--) {
      span[0] = this.#now;
      span[1] = rest ?? this.#step;
      const done = rest === undefined && !this.observer ? stepped.several(left) : 0;
      if (done > 0) {
        this.#steps += done;
        left -= done;
        stepped.time = this.#now;
        if (left === 0) return;
      }
      guard.enter("advance");
      stepped.backUp();
      stepped.interceptor?.keep();
      try {
        span[0] = this.#now;
        stepped.take();
      } catch (error) {
        stepped.undo();
        stepped.interceptor?.restoreStep();
        system.continuation.beginStep(this.#now, 0);
        if (!(error instanceof StepFailure)) throw error;
        throw new SimulationError("STEP", this.#now, `at t = ${this.#now}: ${error.message}`);
      } finally {
        guard.leave();
      }
      this.#steps++;
      stepped.time = this.#now;
      stepped.endLoads();
      if (this.observer && rest === undefined) this.#observe(this.observer);
    }
  }

  #observe(observer: StepObserver): void {
    this.stepped.view.moved();
    observer.stepped();
  }

  /** Evaluates the present state while user functions cannot make requests of their own. */
  #evaluate<T>(what: string, find: (shown: PublicSystem<AnswerParts>) => T): T {
    const { guard, view, time } = this.shown;
    guard.enter(what);
    try {
      const shown = view.open(time);
      shown.system.load(time);
      return find(shown);
    } finally {
      guard.leave();
    }
  }
}

/** Finds the multipliers at the state that is loaded; returns a view of them. */
function findMultipliers({ system, arena, parts }: PublicSystem<AnswerParts>): Float64Array {
  system.dynamics.solver("auto").multipliers(system.constraints.gamma(), parts.rows.address);
  return arena.floats(parts.rows);
}

/** Sets the multipliers of all other rows to zero. */
function keepRows(
  rowNames: readonly string[],
  multipliers: Float64Array,
  names: readonly string[],
): void {
  const unknown = names.find((name) => !rowNames.includes(name));
  if (unknown !== undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      `no constraint is named "${unknown}"; there are: ${rowNames.join(", ")}`,
    );
  }
  for (const [row, name] of rowNames.entries()) if (!names.includes(name)) multipliers[row] = 0;
}

/** Throws unless the value is a simulation (duck-typed). */
export function requireSimulation(where: string, given: unknown): void {
  const location = locationOf(where, "STEP", "the simulation");
  if (reading(location, () => isSimulationLike(given))) return;
  throw new NodriftError("STEP", `${where} takes a simulation: what simulate(...) returns`);
}

function isSimulationLike(given: unknown): boolean {
  const { q, v, time, step, advance } = (given ?? {}) as Partial<Simulation>;
  return (
    ArrayBuffer.isView(q) &&
    ArrayBuffer.isView(v) &&
    Number.isFinite(time) &&
    Number.isFinite(step) &&
    typeof advance === "function"
  );
}
