import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import type { Address } from "../../ground/memory/arena.js";
import type { PublicState, System } from "../../seam/index.js";

/** Where the Euler parameters are among the numbers of a body, and how many there are. */
const [FIRST, COUNT] = [3, 4];
const NONE = new Float64Array(0);

/**
 * Signs of the Euler parameters that users see: e and -e are the same rotation. A system in joint coordinates writes one of
 * them, which follows the motion without a jump, but need not be the one that was given. These signs make it that one: the
 * given state is seen as it was given. They belong to the state and lie in its memory.
 */
export class EulerSigns {
  readonly #other: PublicState<System>;
  readonly #bodies: number;
  readonly #seen: Address;
  /** How many are -1; then one for each body: 0 where none has been taken. */
  #signs = NONE;
  /** All memory of the system. */
  #memory = NONE;

  /** Reserves memory: before the system's is sealed. */
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

  /** What users see of the system's q and v at `from`. */
  write(from: Address, out: Address): void {
    this.#other.write(from, out);
    if (this.#signs[0] === 0) return;
    for (let body = 0; body < this.#bodies; body++) {
      if (this.#signs[1 + body]! >= 0) continue;
      const place = placeOf(out, body);
      for (let i = 0; i < COUNT; i++) this.#memory[place + i] = -this.#memory[place + i]!;
    }
  }

  /** Takes the signs of a state as it was given, at `given`, which has become that of the system at `from`. */
  take(from: Address, given: Address): void {
    this.#other.write(from, this.#seen);
    const signs = this.#signs.fill(0);
    for (let body = 0; body < this.#bodies; body++) {
      const a = placeOf(given, body);
      const b = placeOf(this.#seen, body);
      let product = 0;
      for (let i = 0; i < COUNT; i++) product += this.#memory[a + i]! * this.#memory[b + i]!;
      if (product >= 0) continue;
      signs[1 + body] = -1;
      signs[0]! += 1;
    }
  }

  copy(): Float64Array {
    return this.#signs[0] === 0 ? NONE : this.#signs.slice();
  }

  use(signs: Float64Array): void {
    this.#signs.fill(0);
    this.#signs.set(signs);
  }
}

/** The number of a slot. */
function placeOf(state: Address, body: number): number {
  return state / 8 + BODY_POSITIONS * body + FIRST;
}
