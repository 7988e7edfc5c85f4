import { assemble } from "../assembling/assemble.js";
import { bindProjector, type Projector } from "../assembling/projector.js";
import type { Method, State, StateData, System, SystemSource } from "../contracts.js";
import type { Equations } from "../equations/equations.js";
import { EquationSystem } from "../equations/system.js";
import type { Address, Arena, Segment } from "../memory/arena.js";
import { FirstStep } from "./first-step.js";
import { Impulses } from "./impulses.js";
import { Interpolation, type Piece } from "./interpolation.js";
import { Motion } from "./motion.js";
import type { Source, Tolerance } from "./options.js";
import type { Tally } from "./statistics.js";

const ASSEMBLY = { iterations: 50, tolerance: 1e-13 } as const;

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
  readonly mode: string;
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
  readonly #look: Look;
  readonly #lookAddress: Address;
  readonly #spare: Address;
  readonly #rows: Segment;
  readonly #source: Source;

  constructor(mode: string, source: Source, method: Method, tolerance: Tolerance, system: System) {
    this.mode = mode;
    this.#source = source;
    this.system = system;
    this.motion = new Motion(this.system, method, tolerance);
    this.interpolation = new Interpolation(this.motion);
    this.firstStep = new FirstStep(this.motion, tolerance);
    this.impulses = new Impulses(system);
    this.projector = bindProjector(this.system, ASSEMBLY);
    const { workspace, positions, velocities, rows, state } = this.system;
    const size = positions + velocities + 1;
    const look = workspace.reserve("state that is looked at", size);
    this.#lookAddress = look.address;
    this.#spare = workspace.vector("state kept while others are projected", size);
    this.#rows = workspace.reserve("rows that are looked at", rows);
    this.arena = workspace.seal();
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

  /** Takes a state and brings it onto the constraints, or takes it as it is. */
  begin(t: number, start: "assemble" | "asGiven"): void {
    const { system } = this;
    if (start === "assemble") assemble(system, this.projector, t, (rows) => this.rowsAt(rows));
    system.settle?.(t);
    this.motion.restart(t);
  }

  /**
   * Goes on from a state that was changed: onto the constraints, with the impulses that takes. A system that
   * was left for another mode may have settings of its last step: it is told of the next one.
   */
  goOn(t: number, h: number): void {
    this.system.beginStep?.(t, h);
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
        this.projector.positions(t);
        this.projector.velocities(t);
        system.normalise?.(state);
        kernels.copyVector(size, state, this.#lookAddress);
      } finally {
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

/** A system with memory of its own. */
export function systemOf(source: Source): System {
  return "system" in source ? source.system() : new EquationSystem(source as Equations);
}
