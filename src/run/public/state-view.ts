import { NodriftError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import type { PublicCoordinates, PublicState, System } from "../../seam/index.js";
import { EulerSigns } from "./euler-signs.js";

/** What does not fit the joints counts from this part of the largest number of a state: less is rounding. */
const FITS = 1e-9;

const NO_SIGNS = new Float64Array(0);

/** Names and numbers of what users see of a state. */
export function shownCoordinates(system: System): PublicCoordinates {
  return system.publicState?.coordinates ?? system.coordinates;
}

/**
 * What users see of the accepted state: q, then v. It is the accepted state itself, unless methods integrate other
 * coordinates; then it is a copy in memory of its own, which {@link refresh} brings up to date and {@link accept} takes
 * over. Rejected: to write it in every step. That costs kinematics of all bodies, for numbers nobody reads: until
 * somebody has been {@link shown} it, and may hold it, it waits until it is read.
 */
export class StateView {
  readonly coordinates: PublicCoordinates;
  /** Where q begins. */
  readonly address: Address;
  /** Numbers in q and v together. */
  readonly size: number;
  readonly #system: System;
  readonly #other: PublicState<System> | undefined;
  readonly #signs: EulerSigns | undefined;
  #q = new Float64Array(0);
  #v = new Float64Array(0);
  #isShown = false;
  #isOld = false;

  /** Reserves memory: before the system's is sealed. */
  constructor(system: System) {
    const { workspace, publicState } = system;
    const coordinates = shownCoordinates(system);
    const { positions, velocities } = coordinates;
    this.#system = system;
    this.#other = publicState;
    this.coordinates = coordinates;
    this.size = positions + velocities;
    this.#signs = publicState && new EulerSigns(system, publicState);
    const address = publicState
      ? workspace.vector("state that users see", this.size)
      : system.state.q;
    this.address = address;
    workspace.whenSealed((arena) => {
      this.#q = arena.floats({ name: "q", address, slots: positions });
      this.#v = arena.floats({ name: "v", address: address + 8 * positions, slots: velocities });
    });
  }

  get q(): Float64Array<ArrayBuffer> {
    if (this.#isOld) this.refresh();
    return this.#q;
  }

  get v(): Float64Array<ArrayBuffer> {
    if (this.#isOld) this.refresh();
    return this.#v;
  }

  /** The same for users, who may hold what they get: from now on it follows the motion. */
  get shown(): this {
    this.#isShown = true;
    return this;
  }

  /** The accepted state has moved. */
  moved(): void {
    if (this.#isShown) this.refresh();
    else this.#isOld = true;
  }

  /** What users see of a state of the system: at `out`, for that at `from`. */
  write(from: Address, out: Address): void {
    if (this.#signs) this.#signs.write(from, out);
    else this.#system.workspace.kernels.copyVector(this.size, from, out);
  }

  /** The accepted state has changed. */
  refresh(): void {
    this.#isOld = false;
    this.#signs?.write(this.#system.state.q, this.address);
  }

  /** Signs of Euler parameters: a copy, for states that are looked at later. */
  signs(): Float64Array {
    return this.#signs?.copy() ?? NO_SIGNS;
  }

  /** Uses such a copy. */
  useSigns(signs: Float64Array): void {
    this.#signs?.use(signs);
  }

  /** The numbers here become the accepted state; what the joints do not allow is left out. */
  accept(): void {
    if (this.#other) this.#read(this.#other);
  }

  /** The same; throws where something would be left out. */
  acceptAll(t: number): void {
    if (this.#other === undefined) return;
    const { kernels } = this.#system.workspace;
    const left = this.#read(this.#other);
    const allowed = FITS * kernels.largestMagnitude(this.size, this.address);
    if (left <= Math.max(allowed, this.#other.misfit ?? 0)) return;
    throw new NodriftError(
      "ASSEMBLY",
      `${this.#system.name}: the given state does not fit the joints at t = ${t}: it is off by up to ` +
        `${left.toExponential(2)}. Use start: "assemble", which moves it to the nearest one that does; or ` +
        'compile(model, { coordinates: "maximal" }), where joints may be open',
    );
  }

  /** Gives what is left out. */
  #read(other: PublicState<System>): number {
    const left = other.read(this.address, this.#system.state.q);
    this.takeSigns();
    return left;
  }

  /** The numbers here have become the accepted state: it is seen with their signs. */
  takeSigns(): void {
    this.#signs?.take(this.#system.state.q, this.address);
  }
}
