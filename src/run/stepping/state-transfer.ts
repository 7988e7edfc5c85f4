import type { Arena } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import type { GivenState } from "../public/given-state.js";
import type { StateView } from "../public/state-view.js";
import type { BoundMethod } from "./bind.js";
import { InitialMemory } from "./initial-memory.js";
import { turnsNow } from "./state-options.js";

/** The accepted state of a simulation, kept for when it is needed again. */
export interface KeptState {
  readonly numbers: Float64Array;
  readonly turns: Float64Array;
}

/** Numbers that a method integrates, where users see others. */
export interface OwnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Hands the accepted state of a simulation on, inside of a step: users are refused there. */
export class StateTransfer {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #view: StateView;
  readonly #given: GivenState;
  readonly #arena: Arena;
  readonly #numbers: Float64Array;
  /** Scratch: steps make nothing. */
  readonly #turns: Float64Array;

  constructor(
    system: System,
    bound: BoundMethod,
    { view, given, arena }: { view: StateView; given: GivenState; arena: Arena },
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#view = view;
    this.#given = given;
    this.#arena = arena;
    const { state, coordinates } = system;
    const slots = coordinates.positions + coordinates.velocities;
    this.#numbers = arena.floats({ name: "state", address: state.q, slots });
    this.#turns = this.turns;
  }

  /** A copy of it, with what belongs to it. */
  keep(): KeptState {
    return { numbers: this.#numbers.slice(), turns: this.turns };
  }

  /** The same into a copy that was made before: steps make nothing. */
  keepIn({ numbers, turns }: KeptState): void {
    numbers.set(this.#numbers);
    this.#system.continuation.turns?.read(turns);
  }

  /** Goes back to a copy. Methods that remember earlier steps begin anew. */
  putBack({ numbers, turns }: KeptState): void {
    this.#numbers.set(numbers);
    this.#system.continuation.turns?.write(turns);
    this.#bound.reset();
    this.#view.moved();
  }

  /** Numbers that are integrated become the accepted state; what users see of it keeps its signs. */
  take({ q, v }: OwnState): void {
    this.#numbers.set(q);
    this.#numbers.set(v, q.length);
    this.#view.takeSigns();
  }

  /** Positions as users see them. */
  get q(): Float64Array {
    return this.#view.q;
  }

  get turns(): Float64Array {
    return turnsNow(this.#system.continuation.turns);
  }

  /** Memory as it is, to be used again: what follows {@link renew} depends on nothing of before. */
  initialMemory(): InitialMemory {
    return new InitialMemory(this.#arena.memory.buffer as ArrayBuffer);
  }

  renew(memory: InitialMemory): void {
    memory.restore();
    this.#system.at(Number.NaN);
  }

  /**
   * Goes on from the state of another mechanism of the same bodies: from the nearest that fits the joints, from that state as it is seen by users,
   * or from the numbers that are integrated, if those of both mean the same. The last makes no objects.
   */
  continueFrom(
    other: StateTransfer,
    t: number,
    start: "assemble" | "asGiven" | "sameNumbers",
  ): void {
    const { continuation } = this.#system;
    this.#view.q.set(other.#view.q);
    this.#view.v.set(other.#view.v);
    other.#system.continuation.turns?.read(this.#turns);
    continuation.turns?.write(this.#turns);
    continuation.beginStep?.(t, 0);
    if (start === "sameNumbers") {
      this.#numbers.set(other.#numbers);
      this.#view.takeSigns();
    } else this.#given.take(t, start);
    continuation.finaliseState?.(t);
    this.jumped(t);
  }

  /** Velocities have jumped, or a part of a step has ended: methods that remember earlier steps begin anew. */
  jumped(t: number): void {
    this.#bound.reset();
    this.#system.load(t);
    this.#bound.restart(t);
    this.#view.moved();
  }
}
