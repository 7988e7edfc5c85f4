import { argument, callback, locationOf, numbers } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import type { Kernels } from "../wasm/generated.js";
import { type Address, type Arena, MemoryPlan, type Segment } from "./arena.js";

/**
 * The memory of a system while its parts are put together. Parts reserve what they need and keep the
 * addresses; kernels and views exist once everybody has reserved and the workspace is sealed. It is told where its
 * module comes from, so that those who have kernels of their own do not load the core's beside them.
 *
 * @example
 * const workspace = new Workspace(initSync);
 */
export class Workspace {
  readonly #plan = new MemoryPlan();
  readonly #load: () => WebAssembly.Module;
  readonly #whenSealed: ((arena: Arena) => void)[] = [];
  #arena: Arena | undefined;

  /** The kernels. Read them when they are called, not when parts are put together. */
  kernels: Kernels = unsealed;

  /** `load` gives the compiled kernels when the workspace is sealed: `initSync` of `nodrift` or of `nodrift/kernels`. */
  constructor(load: () => WebAssembly.Module) {
    argument("Workspace", "MEMORY", "load", load, callback());
    this.#load = load;
  }

  /** Reserves numbers under a name. */
  reserve(name: string, count: number): Segment {
    return this.#plan.reserve(name, count);
  }

  /** Reserves numbers and gives their address. */
  vector(name: string, count: number): Address {
    return this.reserve(name, count).address;
  }

  /** Numbers that are written when the workspace is sealed. */
  constants(name: string, values: readonly number[]): Address {
    numbers.read(values, locationOf("constants", "MEMORY", "values"));
    const segment = this.reserve(name, values.length);
    this.whenSealed((arena) => arena.floats(segment).set(values));
    return segment.address;
  }

  /** Calls back with the arena, where views can be made. */
  whenSealed(action: (arena: Arena) => void): void {
    argument("whenSealed", "MEMORY", "the action", action, callback());
    this.#whenSealed.push(action);
  }

  /** Makes the memory; reserving is over. */
  seal(): Arena {
    this.#arena = this.#plan.seal<Kernels>(this.#load());
    this.kernels = this.#arena.kernels;
    for (const action of this.#whenSealed) action(this.#arena);
    return this.#arena;
  }
}

/** Placeholder until the workspace is sealed. */
const unsealed = new Proxy({} as Kernels, {
  get(_, name) {
    throw new NodriftError(
      "MEMORY",
      `kernel ${String(name)} was called before the memory was sealed`,
    );
  },
});
