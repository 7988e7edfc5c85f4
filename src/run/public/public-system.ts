import type { Arena } from "../../base/memory/arena.js";
import type { PublicState, System, UnwrappedAngles } from "../../interfaces/index.js";
import type { StateView } from "./state-view.js";

/** A system, its memory, and the parts reserved in it. */
export interface PublicParts<Parts> {
  readonly system: System;
  readonly arena: Arena;
  readonly parts: Parts;
}

/**
 * The system in public coordinates, used to answer queries, project given states and compute impulses. It is the
 * integrated system itself, unless the method integrates relative coordinates; then it is a maximal-coordinate system
 * created on first use. It keeps no state between uses, so snapshots exclude its memory.
 */
export class PublicSystem<Parts> {
  readonly #system: System;
  readonly #view: StateView;
  readonly #make: (system: System) => Parts;
  readonly #other: PublicState<System> | undefined;
  #bench: PublicParts<Parts> | undefined;
  /** State of the other system: q, then v. */
  #state = new Float64Array(0);
  readonly #unwrappedAngles: Float64Array;

  /** `make` reserves memory, in the system itself before its memory is sealed. */
  constructor(system: System, view: StateView, make: (system: System) => Parts) {
    this.#system = system;
    this.#view = view;
    this.#make = make;
    this.#other = system.publicState;
    this.#unwrappedAngles = new Float64Array(system.continuation.unwrappedAngles?.count ?? 0);
    if (this.#other) return;
    const parts = make(system);
    system.workspace.whenSealed((arena) => {
      this.#bench = { system, arena, parts };
    });
  }

  /** The public system with its present state. */
  get bench(): PublicParts<Parts> {
    this.#bench ??= this.#createParts((this.#other as PublicState<System>).maximal());
    return this.#bench;
  }

  /** Returns the public system with the public state at a time as its accepted state. */
  open(t: number): PublicParts<Parts> {
    const { bench } = this;
    if (this.#other === undefined) return bench;
    const { continuation } = bench.system;
    this.#state.set(this.#view.q);
    this.#state.set(this.#view.v, this.#view.q.length);
    this.#copyAngles(this.#system.continuation.unwrappedAngles, continuation.unwrappedAngles);
    // Sets values that depend on the length of the last step.
    continuation.beginStep?.(t, 0);
    return bench;
  }

  /** Copies the state of the public system to the view. */
  show(): void {
    if (this.#other === undefined) return;
    const { q, v } = this.#view;
    q.set(this.#state.subarray(0, q.length));
    v.set(this.#state.subarray(q.length));
  }

  /** Copies the unwrapped angles and coupling offsets of the public system to the integrated one. */
  showAngles(): void {
    if (this.#other === undefined) return;
    this.#copyAngles(
      this.bench.system.continuation.unwrappedAngles,
      this.#system.continuation.unwrappedAngles,
    );
  }

  #copyAngles(from: UnwrappedAngles | undefined, to: UnwrappedAngles | undefined): void {
    from?.read(this.#unwrappedAngles);
    to?.write(this.#unwrappedAngles);
  }

  #createParts(system: System): PublicParts<Parts> {
    const parts = this.#make(system);
    const arena = system.workspace.seal();
    const slots = this.#view.size;
    this.#state = arena.floats({ name: "state", address: system.state.q, slots });
    return { system, arena, parts };
  }
}
