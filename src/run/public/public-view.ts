import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import { NodriftError } from "../../base/errors.js";
import type { Address, Arena } from "../../base/memory/arena.js";
import type {
  PublicCoordinates,
  PublicState,
  System,
  UnwrappedAngles,
} from "../../interfaces/index.js";
import {
  assemble,
  bindProjector,
  type Projector,
  type ProjectorOptions,
} from "../../interfaces/projection/projector.js";

/** Offset of the Euler parameters in the coordinates of a body, and their count. */
const [EULER_OFFSET, EULER_COUNT] = [3, 4];
const EMPTY = new Float64Array(0);

/**
 * Signs of the public Euler parameters: e and -e are the same rotation. A system in joint coordinates writes one of
 * them, which follows the motion without a jump, but need not be the given one. These signs restore that one, so that
 * a given state is read back as given. They belong to the state and lie in its memory.
 */
class EulerSigns {
  readonly #other: PublicState<System>;
  readonly #bodies: number;
  readonly #seen: Address;
  /** Number of signs that are -1; then one sign for each body, 0 before a state is given. */
  #signs = EMPTY;
  /** All memory of the system. */
  #memory = EMPTY;

  /** Reserves memory: call before the memory of the system is sealed. */
  constructor(system: System, other: PublicState<System>) {
    const { workspace } = system;
    const { positions, velocities, rigidBodies = [] } = other.coordinates;
    this.#other = other;
    this.#bodies = rigidBodies.length;
    this.#seen = workspace.vector("state with other signs", positions + velocities);
    const signs = workspace.reserve("signs of Euler parameters", 1 + this.#bodies);
    workspace.whenSealed((arena) => {
      this.#signs = arena.floats(signs);
      this.#memory = new Float64Array(arena.memory.buffer as ArrayBuffer);
    });
  }

  /** Writes the public state for the system's q and v at `from`. */
  write(from: Address, out: Address): void {
    this.#other.write(from, out);
    if (this.#signs[0] === 0) return;
    for (let body = 0; body < this.#bodies; body++) {
      if (this.#signs[1 + body]! >= 0) continue;
      const index = eulerIndexOf(out, body);
      for (let i = 0; i < EULER_COUNT; i++) this.#memory[index + i] = -this.#memory[index + i]!;
    }
  }

  /** Stores the signs of the state given at `given`, which is that of the system at `from`. */
  take(from: Address, given: Address): void {
    this.#other.write(from, this.#seen);
    const signs = this.#signs.fill(0);
    for (let body = 0; body < this.#bodies; body++) {
      const a = eulerIndexOf(given, body);
      const b = eulerIndexOf(this.#seen, body);
      let product = 0;
      for (let i = 0; i < EULER_COUNT; i++) product += this.#memory[a + i]! * this.#memory[b + i]!;
      if (product >= 0) continue;
      signs[1 + body] = -1;
      signs[0]! += 1;
    }
  }

  copy(): Float64Array {
    return this.#signs[0] === 0 ? EMPTY : this.#signs.slice();
  }

  use(signs: Float64Array): void {
    this.#signs.fill(0);
    this.#signs.set(signs);
  }
}

/** Returns the index of the Euler parameters of a body in memory. */
function eulerIndexOf(state: Address, body: number): number {
  return state / 8 + BODY_POSITIONS * body + EULER_OFFSET;
}

/** Projection of an initial state onto the constraints by Newton's iteration. */
export const ASSEMBLY = { iterations: 50, tolerance: 1e-13, stoppable: true } as const;

/** Misfits of a given state to the joints below this fraction of its largest value are rounding. */
const MISFIT_TOLERANCE = 1e-9;

/** Returns the public coordinates of a system. */
export function publicCoordinates(system: System): PublicCoordinates {
  return system.publicState?.coordinates ?? system.coordinates;
}

/** Returns one value for each row of constraints, in the arena. */
export function rowsAt(arena: Arena, system: System, address: Address): Float64Array {
  return arena.floats({ name: "rows", address, slots: system.constraints.rows });
}

/** A system in public coordinates, its memory, and the parts reserved in it. */
export interface PublicSystem<Parts> {
  readonly system: System;
  readonly arena: Arena;
  readonly parts: Parts;
}

/** Parts of a public system that project given states. */
interface ProjectorParts {
  readonly projector: Projector;
}

/**
 * The accepted state in public coordinates: q, then v. It is the accepted state itself, unless the method integrates
 * other coordinates; then it is a copy that {@link refresh} updates and {@link accept} writes back. Rejected:
 * updating it in every step, which costs the kinematics of all bodies. Until a caller holds it ({@link shown}), it is
 * updated only when read.
 */
export class PublicView<Parts extends ProjectorParts = ProjectorParts> {
  readonly coordinates: PublicCoordinates;
  /** Address of q. */
  readonly address: Address;
  /** Length of q and v together. */
  readonly size: number;
  readonly #system: System;
  readonly #other: PublicState<System> | undefined;
  readonly #signs: EulerSigns | undefined;
  /** Projector of the integrated coordinates, if these are others. */
  readonly #own: Projector | undefined;
  readonly #createParts: (system: System) => Parts;
  #arena!: Arena;
  #q = EMPTY;
  #v = EMPTY;
  #isShown = false;
  #isOutdated = false;
  #public: PublicSystem<Parts> | undefined;
  /** State of the public system, if it is another one: q, then v. */
  #publicNumbers = EMPTY;
  readonly #unwrappedAngles: Float64Array;

  /**
   * Reserves memory: call before the memory of the system is sealed. `createParts` reserves memory in the public
   * system, which may be the system itself.
   */
  constructor(system: System, options: ProjectorOptions, createParts: (system: System) => Parts) {
    const { workspace, publicState } = system;
    const coordinates = publicCoordinates(system);
    const { positions, velocities } = coordinates;
    this.#system = system;
    this.#other = publicState;
    this.#createParts = createParts;
    this.coordinates = coordinates;
    this.size = positions + velocities;
    this.#signs = publicState && new EulerSigns(system, publicState);
    this.#own = publicState && bindProjector(system, options);
    this.#unwrappedAngles = new Float64Array(system.continuation.unwrappedAngles?.count ?? 0);
    const address = publicState
      ? workspace.vector("state that users see", this.size)
      : system.state.q;
    this.address = address;
    const parts = publicState ? undefined : createParts(system);
    workspace.whenSealed((arena) => {
      this.#arena = arena;
      this.#q = arena.floats({ name: "q", address, slots: positions });
      this.#v = arena.floats({ name: "v", address: address + 8 * positions, slots: velocities });
      if (parts) this.#public = { system, arena, parts };
    });
  }

  get q(): Float64Array<ArrayBuffer> {
    if (this.#isOutdated) this.refresh();
    return this.#q;
  }

  get v(): Float64Array<ArrayBuffer> {
    if (this.#isOutdated) this.refresh();
    return this.#v;
  }

  /** The view for users, who may hold its arrays: from now on it follows the motion. */
  get shown(): this {
    this.#isShown = true;
    return this;
  }

  /** Updates the view, or marks it as outdated. Call after the accepted state has moved. */
  moved(): void {
    if (this.#isShown) this.refresh();
    else this.#isOutdated = true;
  }

  /** Writes the public state at `out` for the state of the system at `from`. */
  write(from: Address, out: Address): void {
    if (this.#signs) this.#signs.write(from, out);
    else this.#system.workspace.kernels.copyVector(this.size, from, out);
  }

  /** Updates the view. Call after the accepted state has changed. */
  refresh(): void {
    this.#isOutdated = false;
    this.#signs?.write(this.#system.state.q, this.address);
  }

  /** Returns a copy of the signs of Euler parameters, for states that are viewed later. */
  signs(): Float64Array {
    return this.#signs?.copy() ?? EMPTY;
  }

  /** Restores a copy of the signs. */
  useSigns(signs: Float64Array): void {
    this.#signs?.use(signs);
  }

  /** Stores the signs of the state in view, which has become the accepted one. */
  takeSigns(): void {
    this.#signs?.take(this.#system.state.q, this.address);
  }

  /**
   * The system in public coordinates, used to answer queries, project given states and compute impulses. It is the
   * integrated system itself, unless the method integrates relative coordinates; then it is a maximal-coordinate system
   * created on first use. It keeps no state between uses, so snapshots exclude its memory.
   */
  get publicSystem(): PublicSystem<Parts> {
    if (this.#public) return this.#public;
    const system = (this.#other as PublicState<System>).maximal();
    const parts = this.#createParts(system);
    const arena = system.workspace.seal();
    const state = { name: "state", address: system.state.q, slots: this.size };
    this.#publicNumbers = arena.floats(state);
    this.#public = { system, arena, parts };
    return this.#public;
  }

  /** Returns the public system with the public state at a time as its accepted state. */
  open(t: number): PublicSystem<Parts> {
    const { publicSystem } = this;
    if (this.#other === undefined) return publicSystem;
    const { continuation } = publicSystem.system;
    this.#publicNumbers.set(this.q);
    this.#publicNumbers.set(this.v, this.#q.length);
    this.#copyAngles(this.#system.continuation.unwrappedAngles, continuation.unwrappedAngles);
    // Sets values that depend on the length of the last step.
    continuation.beginStep?.(t, 0);
    return publicSystem;
  }

  /** Copies the state of the public system to the view. */
  show(): void {
    if (this.#other === undefined) return;
    const { q, v } = this;
    q.set(this.#publicNumbers.subarray(0, q.length));
    v.set(this.#publicNumbers.subarray(q.length));
  }

  /** Copies the unwrapped angles and coupling offsets of the public system to the integrated one. */
  showAngles(): void {
    if (this.#other === undefined) return;
    this.#copyAngles(
      this.publicSystem.system.continuation.unwrappedAngles,
      this.#system.continuation.unwrappedAngles,
    );
  }

  /**
   * Makes the state in view the accepted one as given, or the nearest one on the constraints. If methods integrate other
   * coordinates, that state is found in public ones, so that it is the same as in maximal coordinates; only rounding then
   * remains to be removed from the rows of the integrated coordinates.
   */
  take(t: number, start: "assemble" | "asGiven"): void {
    if (start === "asGiven") this.#takeAsGiven(t);
    else this.#assemble(t);
  }

  /** Makes the state in view the accepted one, without the components that the joints do not allow. */
  accept(): number {
    const left = this.#other?.read(this.address, this.#system.state.q) ?? 0;
    this.takeSigns();
    return left;
  }

  /** Makes a state that was projected in the public system the accepted one. */
  takeProjected(t: number): void {
    if (this.#own === undefined) return;
    this.show();
    this.accept();
    this.#own.positions(t);
    this.#own.velocities(t);
  }

  /** Throws if the joints do not allow the state in view. */
  #takeAsGiven(t: number): void {
    if (this.#other === undefined) return;
    const { kernels } = this.#system.workspace;
    const left = this.accept();
    const allowed = MISFIT_TOLERANCE * kernels.largestMagnitude(this.size, this.address);
    if (left <= Math.max(allowed, this.#other.misfit ?? 0)) return;
    throw new NodriftError(
      "ASSEMBLY",
      `${this.#system.name}: the given state does not fit the joints at t = ${t}: it is off by up to ` +
        `${left.toExponential(2)}. Use start: "assemble", which moves it to the nearest one that does; or ` +
        'compile(model, { coordinates: "maximal" }), where joints may be open',
    );
  }

  /** Separate from code that steps call: its closures would be allocated there. */
  #assemble(t: number): void {
    const { system, arena, parts } = this.open(t);
    assemble(system, parts.projector, t, (rows) => rowsAt(arena, system, rows));
    if (this.#own === undefined) return;
    this.show();
    this.accept();
    assemble(this.#system, this.#own, t, (rows) => rowsAt(this.#arena, this.#system, rows));
  }

  #copyAngles(from: UnwrappedAngles | undefined, to: UnwrappedAngles | undefined): void {
    from?.read(this.#unwrappedAngles);
    to?.write(this.#unwrappedAngles);
  }
}
