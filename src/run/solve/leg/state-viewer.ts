import type { Address } from "../../../ground/memory/arena.js";
import type { State, StateData, System, SystemSource } from "../../../seam/index.js";
import { bindProjector, type Projector } from "../../../seam/projection/projector.js";
import { type Equations, equationParts } from "../../../systems/equations/made.js";
import type { StateView } from "../../public/state-view.js";
import { Interpolation, type Piece } from "../motion/interpolation.js";
import type { Motion } from "../motion/motion.js";
import type { Source } from "../setup/source.js";

/** Interpolated states violate the constraints by up to the tolerance. */
const SHOWN = { iterations: 4, tolerance: 1e-14, near: true } as const;

/** The viewed state, overwritten by the next one. */
interface Look {
  time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly turns: Float64Array;
}

/** A step, with what users see of its states. */
export interface ShownPiece extends Piece {
  /** Signs of Euler parameters. */
  readonly signs: Float64Array;
}

/** A state of a source, made of its numbers. */
export function stateOf<T extends State>(source: Equations | SystemSource, data: StateData): T {
  if (!("system" in source)) return source[equationParts].state(source, data) as T;
  return (source as SystemSource<T>).state?.(data) ?? (data as State as T);
}

/** Gives user functions and output access to accepted and interpolated states. */
export class StateViewer<T extends State> {
  readonly interpolation: Interpolation;
  #source: Source;
  readonly #system: System;
  readonly #motion: Motion;
  readonly #users: StateView;
  readonly #shown: Projector;
  /** What is looked at: as users see it. */
  readonly #address: Address;
  /** A state between, in the coordinates of the system: the same place where these are those of the users. */
  readonly #between: Address;
  readonly #spare: Address;
  readonly #turnsNow: Float64Array;
  #look!: Look;
  /** The viewed state, always the same object. */
  #view!: T;

  constructor(source: Source, system: System, motion: Motion, view: StateView) {
    this.#source = source;
    this.#system = system;
    this.#motion = motion;
    this.#users = view;
    this.interpolation = new Interpolation(motion);
    this.#shown = bindProjector(system, SHOWN);
    const { workspace } = system;
    const { positions, velocities } = view.coordinates;
    const size = system.coordinates.positions + system.coordinates.velocities + 1;
    const look = workspace.reserve("state that is looked at", view.size + 1);
    this.#address = look.address;
    this.#between = system.publicState
      ? workspace.vector("state between that is looked at", size)
      : look.address;
    this.#spare = workspace.vector("state kept while others are projected", size);
    const turns = new Float64Array(system.continuation.turns?.count ?? 0);
    this.#turnsNow = turns.slice();
    workspace.whenSealed((arena) => {
      const q = arena.floats({ ...look, slots: positions });
      const address = look.address + 8 * positions;
      const v = arena.floats({ ...look, address, slots: velocities });
      this.#look = { time: 0, q, v, turns };
      this.#view = this.restored(this.#look);
    });
  }

  /** States are those of this source from now on. */
  use(source: Source): void {
    if (source === this.#source) return;
    this.#source = source;
    this.#view = this.restored(this.#look);
  }

  /** Views the accepted state. */
  atAccepted(t: number): T {
    return this.atBefore(t, this.#system.state.q);
  }

  /** Views the numbers that users see, which an action may have changed. */
  atShown(t: number): T {
    const { size, address } = this.#users;
    this.#system.workspace.kernels.copyVector(size, address, this.#address);
    return this.#looking(t);
  }

  /** Views the state before the present step, or before an action. */
  atBefore(t: number, state: Address): T {
    this.#users.write(state, this.#address);
    return this.#looking(t);
  }

  /** Views a state slightly ahead of the accepted one, along its slopes. */
  atExtrapolated(t: number, h: number): T {
    const { workspace, state } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const slopes = this.#motion.ends.requireBefore(t, state.q);
    workspace.kernels.axpy(positions + velocities, h, slopes, state.q, this.#between);
    this.#showBetween();
    return this.#looking(t + h);
  }

  /** Views a state within the step, on its polynomial. */
  atInterpolated(t: number): T {
    this.interpolation.at(t, this.#between);
    this.#showBetween();
    return this.#lookingBetween(t);
  }

  /** The same, projected onto the constraints. */
  atProjected(t: number): T {
    const system = this.#system;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    const size = positions + velocities;
    this.interpolation.at(t, this.#between);
    system.coordinates.normalise?.(this.#between);
    if (rows > 0) {
      kernels.copyVector(size, state.q, this.#spare);
      kernels.copyVector(size, this.#between, state.q);
      try {
        this.#project(t);
        system.coordinates.normalise?.(state.q);
        kernels.copyVector(size, state.q, this.#between);
      } finally {
        kernels.copyVector(size, this.#spare, state.q);
      }
    }
    this.#showBetween();
    return this.#lookingBetween(t);
  }

  /** A copy of the step that is being interpolated. */
  copyPiece(): ShownPiece {
    return { ...this.interpolation.copy(), signs: this.#users.signs() };
  }

  /** Interpolates a step that was copied from now on. */
  loadPiece(piece: ShownPiece): void {
    this.interpolation.load(piece);
    this.#users.useSigns(piece.signs);
  }

  /** A copy of the viewed state. */
  snapshot(): T {
    const { time, q, v, turns } = this.#look;
    return this.restored({ time, q: q.slice(), v: v.slice(), turns: turns.slice() });
  }

  /** A state made of its numbers. */
  restored(data: StateData): T {
    return stateOf(this.#source, data);
  }

  get turns(): Float64Array {
    return this.#look.turns;
  }

  /** What users see of the state between. */
  #showBetween(): void {
    if (this.#between === this.#address) return;
    this.#system.coordinates.normalise?.(this.#between);
    this.#users.write(this.#between, this.#address);
  }

  #looking(t: number): T {
    this.#look.time = t;
    this.#system.continuation.turns?.read(this.#look.turns);
    return this.#view;
  }

  /** Constraints on angles hold on the turn they were on at a time within the step. */
  #project(t: number): void {
    const { turns } = this.#system.continuation;
    turns?.read(this.#turnsNow);
    this.interpolation.turnsAt(t, this.#look.turns);
    turns?.write(this.#look.turns);
    try {
      this.#shown.positions(t);
      this.#shown.velocities(t);
    } finally {
      turns?.write(this.#turnsNow);
    }
  }

  #lookingBetween(t: number): T {
    this.#look.time = t;
    this.interpolation.turnsAt(t, this.#look.turns);
    return this.#view;
  }
}
