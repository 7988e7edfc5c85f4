import { Status } from "../../assembly/layout.js";
import { assemble } from "../assembling/assemble.js";
import { bindProjector, type Projector } from "../assembling/projector.js";
import type { System } from "../contracts.js";
import { NodriftError } from "../errors.js";
import type { Arena, Segment } from "../memory/arena.js";
import { type AssemblyAccount, Beginning } from "./assembly-account.js";
import { type BoundMethod, bindMethod } from "./bind.js";
import { ASSEMBLY } from "./held-start.js";
import { Inspection } from "./inspection.js";
import { checked, checkedStep, type SimulationOptions, type Snapshot } from "./options.js";
import { methodName, refuseOde } from "./pairs.js";
import { checkedState, type StateOptions } from "./state-options.js";

/** A system, a method and a state that moves in time. Made by `simulate`. */
export class Simulation extends Inspection {
  /** The positions: a live view. Copy it to keep it. */
  readonly q: Float64Array<ArrayBuffer>;
  /** The velocities: a live view. */
  readonly v: Float64Array<ArrayBuffer>;
  /** The method in words. */
  readonly method: string;

  protected readonly system: System;
  protected readonly bound: BoundMethod;
  readonly #projector: Projector;
  protected readonly arena: Arena;
  readonly #backup: Segment;
  protected readonly vector: Segment;
  protected readonly rows: Segment;
  readonly #beginning: Beginning;
  #origin: number;
  #steps = 0;
  #step: number;

  /** `given` is what the user gave, where the start of the options has been made from that. */
  constructor(
    system: System,
    options: SimulationOptions,
    given: Pick<SimulationOptions, "q" | "v"> = options,
  ) {
    super();
    const { method, step, q, v, time = 0, start = "assemble" } = options;
    this.system = system;
    refuseOde(system);
    this.bound = bindMethod(system, method);
    this.method = methodName(method);
    this.#projector = bindProjector(system, { ...ASSEMBLY, stoppable: false });
    const { workspace, positions, velocities, rows, state } = system;
    this.#backup = workspace.reserve("state before the step", positions + velocities + 1);
    this.vector = workspace.reserve("answer: coordinates", velocities);
    this.rows = workspace.reserve("answer: rows", rows);
    this.arena = workspace.seal();
    this.q = this.arena.floats({ name: "q", address: state, slots: positions });
    this.v = this.arena.floats({ name: "v", address: state + 8 * positions, slots: velocities });
    this.#beginning = new Beginning(system);
    this.#origin = checked("time", time);
    this.#step = checkedStep(step);
    this.setState(q, v ?? new Float64Array(velocities), start);
    if (given !== options) this.#beginning.note(given.q, given.v, this);
  }

  /** The time of the state. */
  get time(): number {
    return this.#origin + this.#steps * this.#step;
  }

  /**
   * How far the state that was last given, at the start or by {@link setState}, was moved to satisfy the constraints.
   *
   * @example
   * const { positions } = simulate(pendulum, { method, step: 1e-3, q: [1.1, 0] }).assembly;
   * console.log(positions.x);   // -0.1
   */
  get assembly(): AssemblyAccount {
    return this.#beginning.account();
  }

  /** Length of the coming steps. */
  get step(): number {
    return this.#step;
  }

  /**
   * Replaces the state; methods with a memory start anew. When no state can be assembled the old one stays.
   *
   * @example
   * const { q, v, time, turns } = solution.at(2);
   * simulation.setState(q, v, { time, turns, start: "asGiven" });
   */
  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
  ): void {
    const { start, time, turns } = checkedState(this.system, q, v, this.time, options);
    const held = this.turns;
    this.#keep();
    try {
      this.q.set(q);
      this.v.set(v);
      if (turns) this.system.turns?.write(turns);
      this.system.beginStep?.(time, 0);
      if (start === "assemble") {
        assemble(this.system, this.#projector, time, (rows) => this.rowsAt(rows));
      }
      this.system.settle?.(time);
    } catch (error) {
      this.#goBack();
      this.system.turns?.write(held);
      throw error;
    }
    this.#beginning.note(q, v, this);
    this.bound.reset();
    this.#restart(time);
    this.load();
    this.bound.restart(time);
  }

  /**
   * Takes steps. When one fails the error says why, and the state is that before the failed step.
   *
   * @example
   * simulation.advance();      // one step
   * simulation.advance(1000);
   */
  advance(count = 1): this {
    if (!Number.isInteger(count) || count < 0) {
      throw new NodriftError("STEP", `advance takes a whole number of steps, not ${count}`);
    }
    for (let i = 0; i < count; i++) this.#one(this.#step);
    return this;
  }

  /**
   * Goes on to a time: whole steps, and a shorter last one if need be. `each` is called after every
   * step.
   *
   * @example
   * simulation.runTo(10, ({ time, q }) => console.log(time, q[0]));
   */
  runTo(until: number, each?: (simulation: this) => void): this {
    checked("runTo: the time", until);
    const span = until - this.time;
    if (span < 0) {
      throw new NodriftError("STEP", `runTo(${until}) lies before the present time ${this.time}`);
    }
    const whole = Math.floor(span / this.#step + 1e-9);
    for (let i = 0; i < whole; i++) {
      this.#one(this.#step);
      each?.(this);
    }
    const rest = until - this.time;
    if (rest > 1e-9 * this.#step) {
      this.bound.reset();
      this.#one(rest);
      this.bound.reset();
      this.#restart(until);
      each?.(this);
    }
    return this;
  }

  /** Changes the length of the coming steps. */
  setStep(step: number): void {
    const length = checkedStep(step);
    this.#restart(this.time);
    this.bound.reset();
    this.#step = length;
  }

  /** A copy of everything: {@link restore} continues with the same bits. */
  save(): Snapshot {
    return {
      of: this.#identity,
      memory: new Uint8Array(this.arena.memory.buffer as ArrayBuffer).slice(),
      origin: this.#origin,
      steps: this.#steps,
      step: this.#step,
    };
  }

  /** Goes back to a saved state, of this simulation or of one made in the same way. */
  restore({ of, memory, origin, steps, step }: Snapshot): void {
    const own = new Uint8Array(this.arena.memory.buffer as ArrayBuffer);
    if (of !== this.#identity || memory.length !== own.length) {
      throw new NodriftError("STEP", `this snapshot is of ${of}, not of ${this.#identity}`);
    }
    own.set(memory);
    this.#origin = origin;
    this.#steps = steps;
    this.#step = step;
  }

  /** What a snapshot must be of: memory is laid out in the same way then. */
  get #identity(): string {
    const { name, coordinateNames, rowNames } = this.system;
    const sizes = `${coordinateNames.length} coordinates, ${rowNames.length} constraints`;
    return `"${name}" (${sizes}) with ${this.method}`;
  }

  #one(h: number): void {
    this.#keep();
    try {
      this.bound.step(this.time, h);
      this.#requireFinite(this.time + h);
      this.bound.commit(this.time, h);
    } catch (error) {
      this.#goBack();
      throw error;
    }
    this.#steps++;
  }

  /** The last combination of a step can overflow though all slopes were finite. */
  #requireFinite(t: number): void {
    const { state, trial, positions, velocities } = this.system;
    const { kernels } = this.arena;
    const size = positions + velocities;
    if (kernels.largestMagnitude(size, state) < Number.POSITIVE_INFINITY) return;
    kernels.copyVector(size, state, trial);
    this.system.at(t);
    throw this.system.blame(Status.NON_FINITE, "");
  }

  /** Keeps the state for {@link #goBack}. */
  #keep(): void {
    const { state, positions, velocities } = this.system;
    this.arena.kernels.copyVector(positions + velocities + 1, state, this.#backup.address);
  }

  #goBack(): void {
    const { state, positions, velocities } = this.system;
    this.arena.kernels.copyVector(positions + velocities + 1, this.#backup.address, state);
    this.bound.reset();
    // A step that failed between its stages leaves the factor of one of them in use.
    this.system.solver("auto").thaw?.();
  }

  /** Counts steps from a time. */
  #restart(time: number): void {
    this.#origin = time;
    this.#steps = 0;
  }
}
