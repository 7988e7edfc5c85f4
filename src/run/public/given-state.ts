import type { Address, Arena } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import { assemble } from "../../seam/projection/assemble-start.js";
import {
  bindProjector,
  type Projector,
  type ProjectorOptions,
} from "../../seam/projection/projector.js";
import type { StateView } from "./state-view.js";
import type { Workbench } from "./workbench.js";

/** What a bench needs to take given states. */
export interface ProjectorParts {
  readonly projector: Projector;
}

/**
 * Makes the numbers that users see the accepted state. Where methods integrate other coordinates the nearest state on
 * the constraints is found in those of the user, so that it is the same as in maximal coordinates; of the rows that
 * remain in the others only rounding is left to be removed.
 */
export class GivenState {
  readonly #system: System;
  readonly #view: StateView;
  readonly #workbench: Workbench<ProjectorParts>;
  /** Of the other coordinates, where there are any. */
  readonly #own: Projector | undefined;
  #arena!: Arena;

  /** Reserves memory: before the system's is sealed. */
  constructor(
    system: System,
    view: StateView,
    workbench: Workbench<ProjectorParts>,
    options: ProjectorOptions,
  ) {
    this.#system = system;
    this.#view = view;
    this.#workbench = workbench;
    this.#own = system.publicState && bindProjector(system, options);
    system.workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Takes a state as it is given, or the nearest one on the constraints. */
  take(t: number, start: "assemble" | "asGiven"): void {
    if (start === "asGiven") this.#view.acceptAll(t);
    else this.#assemble(t);
  }

  /** Apart from what steps call: its closures would be allocated there. */
  #assemble(t: number): void {
    const { system, arena, parts } = this.#workbench.open(t);
    assemble(system, parts.projector, t, (rows) => rowsAt(arena, system, rows));
    if (this.#own === undefined) return;
    this.#workbench.show();
    this.#view.accept();
    assemble(this.#system, this.#own, t, (rows) => rowsAt(this.#arena, this.#system, rows));
  }

  /** Takes a state that has been projected on the bench. */
  takeProjected(t: number): void {
    if (this.#own === undefined) return;
    this.#workbench.show();
    this.#view.accept();
    this.#own.positions(t);
    this.#own.velocities(t);
  }
}

/** One number for each row of constraints, in the arena. */
export function rowsAt(arena: Arena, system: System, address: Address): Float64Array {
  return arena.floats({ name: "rows", address, slots: system.constraints.rows });
}
