import { assemble } from "../assembling/assemble.js";
import { bindProjector, type Projector } from "../assembling/projector.js";
import type { State, StateData, System, SystemSource } from "../contracts.js";
import type { Address, Arena, Segment } from "../memory/arena.js";
import type { Choice } from "./choice.js";
import { FirstStep } from "./first-step.js";
import { Impulses } from "./impulses.js";
import { Interpolation, type Piece } from "./interpolation.js";
import { Motion } from "./motion.js";
import type { Tolerance } from "./options.js";
import type { Source } from "./source.js";
import type { Tally } from "./statistics.js";

const ASSEMBLY = { iterations: 50, tolerance: 1e-13 } as const;
/** States between the ends of steps are off by what the tolerance allows. */
const SHOWN = { iterations: 4, tolerance: 1e-14, near: true } as const;

/** Constraint error that needs no further assembling. */
const CLOSED = 1e-10;

/** What is looked at: numbers that change. */
interface Look {
  time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly turns: Float64Array;
}

/** One set of constraints and forces with its memory: a part of a run, or all of it. */
export class Leg<T extends State> {
  /** Name of its constraints and forces in the run. */
  mode: string;
  readonly choice: Choice;
  readonly system: System;
  readonly motion: Motion;
  readonly interpolation: Interpolation;
  readonly firstStep: FirstStep;
  readonly impulses: Impulses;
  readonly arena: Arena;
  readonly projector: Projector;
  /** The accepted state. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** The state that is looked at: read by users, moved by {@link glance}, {@link show} and {@link here}. */
  readonly view: T;
  readonly #shown: Projector;
  readonly #look: Look;
  readonly #lookAddress: Address;
  readonly #spare: Address;
  readonly #rows: Segment;
  readonly #source: Source;
  readonly #fresh: Uint8Array<ArrayBuffer>;

  constructor(mode: string, source: Source, choice: Choice, tolerance: Tolerance, system: System) {
    this.mode = mode;
    this.choice = choice;
    this.#source = source;
    this.system = system;
    this.motion = new Motion(this.system, choice.method, tolerance);
    this.interpolation = new Interpolation(this.motion);
    this.firstStep = new FirstStep(this.motion);
    this.impulses = new Impulses(system);
    this.projector = bindProjector(this.system, ASSEMBLY);
    this.#shown = bindProjector(this.system, SHOWN);
    const { workspace, positions, velocities, rows, state } = this.system;
    const size = positions + velocities + 1;
    const look = workspace.reserve("state that is looked at", size);
    this.#lookAddress = look.address;
    this.#spare = workspace.vector("state kept while others are projected", size);
    this.#rows = workspace.reserve("rows that are looked at", rows);
    this.arena = workspace.seal();
    this.#fresh = this.#bytes().slice();
    const views = (address: Address) => ({
      q: this.arena.floats({ name: "q", address, slots: positions }),
      v: this.arena.floats({ name: "v", address: address + 8 * positions, slots: velocities }),
    });
    const { q, v } = views(state);
    this.q = q;
    this.v = v;
    const turns = new Float64Array(this.system.turns?.count ?? 0);
    this.#look = { time: 0, ...views(look.address), turns };
    this.view = this.#read(this.#look);
  }

  /** As it was when it was made: for another run. */
  renew(mode: string, tolerance: Tolerance): void {
    this.mode = mode;
    this.motion.tolerance = tolerance;
    this.motion.countAnew();
    this.#bytes().set(this.#fresh);
    this.system.at(Number.NaN);
  }

  /** Takes a state and brings it onto the constraints, or takes it as it is. */
  begin(t: number, start: "assemble" | "asGiven"): void {
    const { system } = this;
    // What systems find out for each step must not depend on what they did before.
    system.beginStep?.(t, 0);
    if (start === "assemble") assemble(system, this.projector, t, (rows) => this.rowsAt(rows));
    system.settle?.(t);
    this.motion.restart(t);
  }

  /** Goes on from a state that was changed: onto the constraints, with the impulses that takes. */
  goOn(t: number): void {
    this.system.beginStep?.(t, 0);
    const position = this.projector.positions(t);
    if (!(position <= CLOSED))
      assemble(this.system, this.projector, t, (rows) => this.rowsAt(rows));
    this.impulses.bringOn(t);
    this.system.settle?.(t);
    this.motion.restart(t);
  }

  /** The memory has been replaced by that of a snapshot. */
  resume(t: number): void {
    this.system.at(t);
    this.motion.thaw();
  }

  /** Looks at the accepted state. */
  here(t: number): T {
    const { workspace, positions, velocities, state } = this.system;
    workspace.kernels.copyVector(positions + velocities, state, this.#lookAddress);
    return this.#looking(t);
  }

  /** Looks at the state before the present step, or before an action. */
  behind(t: number, state: Address): T {
    const { workspace, positions, velocities } = this.system;
    workspace.kernels.copyVector(positions + velocities, state, this.#lookAddress);
    return this.#looking(t);
  }

  /** Looks a little ahead of the accepted state, along its slopes. */
  ahead(t: number, h: number): T {
    const { workspace, positions, velocities, state } = this.system;
    const slopes = this.motion.ends.requireBefore(t, state);
    workspace.kernels.axpy(positions + velocities, h, slopes, state, this.#lookAddress);
    return this.#looking(t + h);
  }

  /** Looks at a state within the step, on its polynomial. */
  glance(t: number): T {
    this.interpolation.at(t, this.#lookAddress);
    return this.#looking(t);
  }

  /** The same, brought onto the constraints. */
  show(t: number): T {
    const { system } = this;
    const { workspace, positions, velocities, state, rows } = system;
    const { kernels } = workspace;
    const size = positions + velocities;
    this.interpolation.at(t, this.#lookAddress);
    system.normalise?.(this.#lookAddress);
    if (rows > 0) {
      kernels.copyVector(size, state, this.#spare);
      kernels.copyVector(size, this.#lookAddress, state);
      try {
        this.#shown.positions(t);
        this.#shown.velocities(t);
        system.normalise?.(state);
        kernels.copyVector(size, state, this.#lookAddress);
      } finally {
        this.motion.thaw();
        kernels.copyVector(size, this.#spare, state);
      }
    }
    return this.#looking(t);
  }

  /** A state within a step that was kept, also long after it: angles are on the turns they were on then. */
  recall({ turns, ...piece }: Piece & { readonly turns: Float64Array }, t: number): T {
    const present = this.readTurns(new Float64Array(turns.length));
    this.interpolation.load(piece);
    this.system.turns?.write(turns);
    try {
      this.show(t);
      return this.snapshot();
    } finally {
      this.system.turns?.write(present);
    }
  }

  /** On which turn angles of the accepted state are. */
  readTurns(out: Float64Array): Float64Array {
    this.system.turns?.read(out);
    return out;
  }

  /** A copy of the state that is looked at. */
  snapshot(): T {
    const { time, q, v, turns } = this.#look;
    return this.restored({ time, q: q.slice(), v: v.slice(), turns: turns.slice() });
  }

  /** A state made of its numbers. */
  restored(data: StateData): T {
    return this.#read(data);
  }

  get turns(): Float64Array {
    return this.#look.turns;
  }

  /** Notes how far off the accepted state is. Native methods have announced it when they judged it. */
  measure(t: number, tally: Tally): void {
    const { system } = this;
    const { workspace, rows, positions, velocities, state, trial } = system;
    const { kernels } = workspace;
    if (!this.motion.native) {
      kernels.copyVector(positions + velocities, state, trial);
      system.at(t);
    }
    tally.drift(
      kernels.largestMagnitude(rows, system.phi()),
      kernels.largestMagnitude(rows, system.phiDot()),
    );
    if (system.hasPotential) tally.energy(system.kineticEnergy() + system.potential());
  }

  /** Constraint values at the accepted state. */
  phi(t: number): Float64Array {
    const { workspace, positions, velocities, state, trial } = this.system;
    workspace.kernels.copyVector(positions + velocities, state, trial);
    this.system.at(t);
    return this.rowsAt(this.system.phi());
  }

  rowsAt(address: Address): Float64Array {
    return this.arena.floats({ ...this.#rows, address });
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.arena.memory.buffer as ArrayBuffer);
  }

  #looking(t: number): T {
    this.#look.time = t;
    this.system.turns?.read(this.#look.turns);
    return this.view;
  }

  #read(data: StateData): T {
    const source = this.#source as Partial<SystemSource<T>>;
    return source.state?.(data) ?? (data as State as T);
  }
}
