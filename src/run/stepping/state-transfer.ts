import type { Arena } from "../../base/memory/arena.js";
import type { System } from "../../interfaces/index.js";
import type { GivenState } from "../public/given-state.js";
import type { StateView } from "../public/state-view.js";
import type { BoundMethod } from "./bind.js";
import { InitialMemory } from "./initial-memory.js";
import { unwrappedAnglesNow } from "./state-options.js";

/** A saved state of a simulation. */
export interface SavedState {
  readonly numbers: Float64Array;
  readonly unwrappedAngles: Float64Array;
}

/** Integrated coordinates, if they are not the public ones. */
export interface OwnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Transfers the accepted state of a simulation within a step, when users have no access. */
export class StateTransfer {
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #view: StateView;
  readonly #given: GivenState;
  readonly #arena: Arena;
  readonly #numbers: Float64Array;
  /** Scratch memory: steps allocate nothing. */
  readonly #unwrappedAngles: Float64Array;

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
    this.#unwrappedAngles = this.unwrappedAngles;
  }

  /** Returns a copy of the accepted state with its unwrapped angles. */
  keep(): SavedState {
    return { numbers: this.#numbers.slice(), unwrappedAngles: this.unwrappedAngles };
  }

  /** Writes the accepted state to an existing copy, as steps allocate nothing. */
  saveTo({ numbers, unwrappedAngles }: SavedState): void {
    numbers.set(this.#numbers);
    this.#system.continuation.unwrappedAngles?.read(unwrappedAngles);
  }

  /** Restores a copy. Multistep methods restart. */
  restore({ numbers, unwrappedAngles }: SavedState): void {
    this.#numbers.set(numbers);
    this.#system.continuation.unwrappedAngles?.write(unwrappedAngles);
    this.#bound.reset();
    this.#view.moved();
  }

  /** Makes integrated coordinates the accepted state; the public state keeps its signs. */
  take({ q, v }: OwnState): void {
    this.#numbers.set(q);
    this.#numbers.set(v, q.length);
    this.#view.takeSigns();
  }

  /** Positions in public coordinates. */
  get q(): Float64Array {
    return this.#view.q;
  }

  get unwrappedAngles(): Float64Array {
    return unwrappedAnglesNow(this.#system.continuation.unwrappedAngles);
  }

  /** Returns a copy of the present memory for {@link renew}: what follows then does not depend on earlier use. */
  initialMemory(): InitialMemory {
    return new InitialMemory(this.#arena.memory.buffer as ArrayBuffer);
  }

  renew(memory: InitialMemory): void {
    memory.restore();
    this.#system.at(Number.NaN);
  }

  /**
   * Continues from the state of another mechanism of the same bodies: from the nearest state that fits the joints,
   * from its public state as it is, or from the integrated coordinates, if those of both mean the same. The last
   * allocates nothing.
   */
  continueFrom(
    other: StateTransfer,
    t: number,
    start: "assemble" | "asGiven" | "sameNumbers",
  ): void {
    const { continuation } = this.#system;
    this.#view.q.set(other.#view.q);
    this.#view.v.set(other.#view.v);
    other.#system.continuation.unwrappedAngles?.read(this.#unwrappedAngles);
    continuation.unwrappedAngles?.write(this.#unwrappedAngles);
    continuation.beginStep?.(t, 0);
    if (start === "sameNumbers") {
      this.#numbers.set(other.#numbers);
      this.#view.takeSigns();
    } else this.#given.take(t, start);
    continuation.finaliseState?.(t);
    this.jumped(t);
  }

  /** Restarts the method. Call after velocities have jumped, or a substep has ended: multistep methods restart. */
  jumped(t: number): void {
    this.#bound.reset();
    this.#system.load(t);
    this.#bound.restart(t);
    this.#view.moved();
  }
}
