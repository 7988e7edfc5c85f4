import type { Address, Arena } from "../../base/memory/arena.js";
import type { System } from "../../interfaces/index.js";
import {
  assemble,
  bindProjector,
  type Projector,
  type ProjectorOptions,
} from "../../interfaces/projection/projector.js";
import type { PublicSystem } from "./public-system.js";
import type { StateView } from "./state-view.js";

/** Parts of a public system that project given states. */
export interface ProjectorParts {
  readonly projector: Projector;
}

/**
 * Makes a public state the accepted state. If methods integrate other coordinates, the nearest state on the
 * constraints is found in public ones, so that it is the same as in maximal coordinates; only rounding then remains
 * to be removed from the rows of the integrated coordinates.
 */
export class GivenState {
  readonly #system: System;
  readonly #view: StateView;
  readonly #publicSystem: PublicSystem<ProjectorParts>;
  /** Projector of the integrated coordinates, if these are others. */
  readonly #own: Projector | undefined;
  #arena!: Arena;

  /** Reserves memory: call before the memory of the system is sealed. */
  constructor(
    system: System,
    view: StateView,
    publicSystem: PublicSystem<ProjectorParts>,
    options: ProjectorOptions,
  ) {
    this.#system = system;
    this.#view = view;
    this.#publicSystem = publicSystem;
    this.#own = system.publicState && bindProjector(system, options);
    system.workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Makes the state in view the accepted one as given, or the nearest one on the constraints. */
  take(t: number, start: "assemble" | "asGiven"): void {
    if (start === "asGiven") this.#view.acceptAll(t);
    else this.#assemble(t);
  }

  /** Separate from code that steps call: its closures would be allocated there. */
  #assemble(t: number): void {
    const { system, arena, parts } = this.#publicSystem.open(t);
    assemble(system, parts.projector, t, (rows) => rowsAt(arena, system, rows));
    if (this.#own === undefined) return;
    this.#publicSystem.show();
    this.#view.accept();
    assemble(this.#system, this.#own, t, (rows) => rowsAt(this.#arena, this.#system, rows));
  }

  /** Makes a state that was projected in the public system the accepted one. */
  takeProjected(t: number): void {
    if (this.#own === undefined) return;
    this.#publicSystem.show();
    this.#view.accept();
    this.#own.positions(t);
    this.#own.velocities(t);
  }
}

/** Returns one value for each row of constraints, in the arena. */
export function rowsAt(arena: Arena, system: System, address: Address): Float64Array {
  return arena.floats({ name: "rows", address, slots: system.constraints.rows });
}
