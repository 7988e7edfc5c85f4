import type { Arena } from "../../ground/memory/arena.js";
import type { PublicState, System, Turns } from "../../seam/index.js";
import type { StateView } from "./state-view.js";

/** A system, its memory, and what was reserved in it. */
export interface Bench<Parts> {
  readonly system: System;
  readonly arena: Arena;
  readonly parts: Parts;
}

/**
 * Where rows and velocities are those that users see: questions about a state are answered there, given states are
 * projected there, and impulses are found there. That is the system itself, unless methods integrate other
 * coordinates; then it is the maximal system, which is made when it is first needed. Nothing is remembered in it from
 * one use to the next, so that snapshots can do without its memory.
 */
export class Workbench<Parts> {
  readonly #system: System;
  readonly #view: StateView;
  readonly #make: (system: System) => Parts;
  readonly #other: PublicState<System> | undefined;
  #bench: Bench<Parts> | undefined;
  /** The state on another system: q, then v. */
  #state = new Float64Array(0);
  readonly #turns: Float64Array;

  /** `make` reserves memory: of the system itself before its memory is sealed. */
  constructor(system: System, view: StateView, make: (system: System) => Parts) {
    this.#system = system;
    this.#view = view;
    this.#make = make;
    this.#other = system.publicState;
    this.#turns = new Float64Array(system.continuation.turns?.count ?? 0);
    if (this.#other) return;
    const parts = make(system);
    system.workspace.whenSealed((arena) => {
      this.#bench = { system, arena, parts };
    });
  }

  /** The bench as it is. */
  get bench(): Bench<Parts> {
    this.#bench ??= this.#made((this.#other as PublicState<System>).maximal());
    return this.#bench;
  }

  /** The bench with the state that users see, at a time, as its accepted state. */
  open(t: number): Bench<Parts> {
    const { bench } = this;
    if (this.#other === undefined) return bench;
    const { continuation } = bench.system;
    this.#state.set(this.#view.q);
    this.#state.set(this.#view.v, this.#view.q.length);
    this.#carryTurns(this.#system.continuation.turns, continuation.turns);
    // Sets what depends on the length of the last step.
    continuation.beginStep?.(t, 0);
    return bench;
  }

  /** Users see what the state has become on the bench. */
  show(): void {
    if (this.#other === undefined) return;
    const { q, v } = this.#view;
    q.set(this.#state.subarray(0, q.length));
    v.set(this.#state.subarray(q.length));
  }

  /** The system counts turns, and holds offsets of couplings, as the bench does. */
  showTurns(): void {
    if (this.#other === undefined) return;
    this.#carryTurns(this.bench.system.continuation.turns, this.#system.continuation.turns);
  }

  #carryTurns(from: Turns | undefined, to: Turns | undefined): void {
    from?.read(this.#turns);
    to?.write(this.#turns);
  }

  #made(system: System): Bench<Parts> {
    const parts = this.#make(system);
    const arena = system.workspace.seal();
    const slots = this.#view.size;
    this.#state = arena.floats({ name: "state", address: system.state.q, slots });
    return { system, arena, parts };
  }
}
