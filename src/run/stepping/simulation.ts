import { Status } from "../../../assembly/layout.js";
import { argument, callback, Turn, whole } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Arena, Segment } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import { assemble } from "../../seam/projection/assemble.js";
import { bindProjector, type Projector } from "../../seam/projection/projector.js";
import { type AssemblyAccount, Beginning } from "./assembly-account.js";
import { Backup } from "./backup.js";
import { type BoundMethod, bindMethod } from "./bind.js";
import { ASSEMBLY } from "./held-start.js";
import { Inspection } from "./inspection.js";
import { type CheckedOptions, checked, checkedStep } from "./options.js";
import { methodName, refuseOde } from "./pairs.js";
import { checkedSnapshot, identityOf, type Snapshot, sealed } from "./snapshot.js";
import { checkedState, type StateOptions } from "./state-options.js";

/** A system, a method and a state that moves in time. Made by `simulate`. */
export class Simulation extends Inspection {
  /** The method in words. */
  readonly method: string;

  protected readonly system: System;
  protected readonly bound: BoundMethod;
  /** Taken while functions of the user are called. */
  protected readonly turn = new Turn("the simulation");
  readonly #q: Float64Array<ArrayBuffer>;
  readonly #v: Float64Array<ArrayBuffer>;
  readonly #projector: Projector;
  protected readonly arena: Arena;
  readonly #backup: Backup;
  protected readonly vector: Segment;
  protected readonly rows: Segment;
  readonly #beginning: Beginning;
  #origin: number;
  #steps = 0;
  readonly #telling = new Turn("runTo");
  #step: number;

  /** `given` is what the user gave, where the start of the options has been made from that. */
  constructor(
    system: System,
    options: CheckedOptions,
    given: Pick<CheckedOptions, "q" | "v"> = options,
  ) {
    super();
    const { method, step, q, v, time = 0, start = "assemble" } = options;
    this.system = system;
    refuseOde(system);
    this.bound = bindMethod(system, method);
    this.method = methodName(method);
    this.#projector = bindProjector(system, { ...ASSEMBLY, stoppable: false });
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#backup = new Backup(system, this.bound);
    this.vector = workspace.reserve("answer: coordinates", velocities);
    this.rows = workspace.reserve("answer: rows", rows);
    this.arena = workspace.seal();
    this.#q = this.arena.floats({ name: "q", address: state.q, slots: positions });
    this.#v = this.arena.floats({ name: "v", address: state.v, slots: velocities });
    this.#beginning = new Beginning(system);
    this.#origin = time;
    this.#step = step;
    this.setState(q, v ?? new Float64Array(velocities), start);
    if (given !== options) this.#beginning.note(given.q, given.v, { q: this.#q, v: this.#v });
  }

  /** The positions: a live view. Copy it to keep it. */
  get q(): Float64Array<ArrayBuffer> {
    this.turn.refuse("q");
    return this.#q;
  }

  /** The velocities: a live view. */
  get v(): Float64Array<ArrayBuffer> {
    this.turn.refuse("v");
    return this.#v;
  }

  /** The time of the state. */
  get time(): number {
    this.turn.refuse("time");
    return this.now;
  }

  protected get now(): number {
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
    this.turn.take("setState");
    this.#backup.keep();
    try {
      this.#q.set(q);
      this.#v.set(v);
      if (turns) this.system.continuation.turns?.write(turns);
      this.system.continuation.beginStep?.(time, 0);
      if (start === "assemble") {
        assemble(this.system, this.#projector, time, (rows) => this.rowsAt(rows));
      }
      this.system.continuation.settle?.(time);
      this.bound.reset();
      this.#restart(time);
      this.load();
      this.bound.restart(time);
      this.#beginning.note(q, v, { q: this.#q, v: this.#v });
    } catch (error) {
      this.#backup.goBack();
      this.system.continuation.turns?.write(held);
      throw error;
    } finally {
      this.turn.give();
    }
  }

  /**
   * Takes steps. When one fails the error says why, and the state is that before the failed step.
   *
   * @example
   * simulation.advance();      // one step
   * simulation.advance(1000);
   */
  advance(count = 1): this {
    argument("advance", "STEP", "the number of steps", count, whole(0));
    this.#telling.refuse("advance");
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
    if (each !== undefined) argument("runTo", "STEP", "each", each, callback());
    this.turn.refuse("runTo");
    this.#telling.refuse("runTo");
    const span = until - this.time;
    if (span < 0) {
      throw new NodriftError("STEP", `runTo(${until}) lies before the present time ${this.time}`);
    }
    const count = Math.floor(span / this.#step + 1e-9);
    for (let i = 0; i < count; i++) {
      this.#one(this.#step);
      this.#tell(each);
    }
    const rest = until - this.now;
    if (rest > 1e-9 * this.#step) {
      this.bound.reset();
      this.#one(rest);
      this.bound.reset();
      this.#restart(until);
      this.#tell(each);
    }
    return this;
  }

  /** Calls a function of the user after a step. It may set the state, but must leave the steps to runTo. */
  #tell(each: ((simulation: this) => void) | undefined): void {
    if (each === undefined) return;
    this.#telling.take("runTo");
    try {
      each(this);
    } finally {
      this.#telling.give();
    }
  }

  /** Changes the length of the coming steps. */
  setStep(step: number): void {
    const length = checkedStep(step);
    this.turn.refuse("setStep");
    this.#telling.refuse("setStep");
    this.#restart(this.now);
    this.bound.reset();
    this.#step = length;
  }

  /** A copy of everything: {@link restore} continues with the same bits. */
  save(): Snapshot {
    this.turn.refuse("save");
    return sealed({
      of: identityOf(this.system, this.method),
      memory: new Uint8Array(this.arena.memory.buffer as ArrayBuffer).slice(),
      origin: this.#origin,
      steps: this.#steps,
      step: this.#step,
    });
  }

  /** Goes back to a saved state, of this simulation or of one made in the same way. */
  restore(snapshot: Snapshot): void {
    this.turn.refuse("restore");
    this.#telling.refuse("restore");
    const own = new Uint8Array(this.arena.memory.buffer as ArrayBuffer);
    const { memory, origin, steps, step } = checkedSnapshot(
      snapshot,
      identityOf(this.system, this.method),
      own.length,
    );
    own.set(memory);
    this.#origin = origin;
    this.#steps = steps;
    this.#step = step;
  }

  #one(h: number): void {
    this.turn.take("advance");
    this.#backup.keep();
    try {
      this.bound.step(this.now, h);
      this.#requireFinite(this.now + h);
      this.bound.commit(this.now, h);
    } catch (error) {
      this.#backup.goBack();
      throw error;
    } finally {
      this.turn.give();
    }
    this.#steps++;
  }

  /** The last combination of a step can overflow though all slopes were finite. */
  #requireFinite(t: number): void {
    const { state } = this.system;
    const { positions, velocities } = this.system.coordinates;
    const { kernels } = this.arena;
    const size = positions + velocities;
    if (kernels.largestMagnitude(size, state.q) < Number.POSITIVE_INFINITY) return;
    this.system.load(t);
    throw this.system.blame(Status.NON_FINITE, "");
  }

  /** Counts steps from a time. */
  #restart(time: number): void {
    this.#origin = time;
    this.#steps = 0;
  }
}
