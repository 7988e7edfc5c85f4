import { argument, callback, locationOf, numbers } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import type { Kernels } from "../wasm/generated.js";
import { type Address, type Arena, MemoryPlan, type Segment } from "./arena.js";

/**
 * The memory of a system under construction. Components reserve what they need and keep the addresses; kernels and
 * views exist once everything is reserved and the workspace is sealed. The caller supplies the module, so that programs
 * with their own kernels need not load those of the core too.
 *
 * @example
 * const workspace = new Workspace(initSync);
 */
export class Workspace {
  readonly #plan = new MemoryPlan();
  readonly #load: () => WebAssembly.Module;
  readonly #whenSealed: ((arena: Arena) => void)[] = [];
  #arena: Arena | undefined;

  /** The kernels. Read them at each call, not during construction. */
  kernels: Kernels = unsealed;

  /**
   * `load` returns the compiled kernels when the workspace is sealed: `initSync` of `nodrift` or of `nodrift/kernels`.
   */
  constructor(load: () => WebAssembly.Module) {
    argument("Workspace", "MEMORY", "load", load, callback());
    this.#load = load;
  }

  /** Reserves a named segment. */
  reserve(name: string, count: number): Segment {
    return this.#plan.reserve(name, count);
  }

  /** Reserves a named segment and returns its address. */
  vector(name: string, count: number): Address {
    return this.reserve(name, count).address;
  }

  /** Reserves a segment whose values are written when the workspace is sealed. */
  constants(name: string, values: readonly number[]): Address {
    numbers.read(values, locationOf("constants", "MEMORY", "values"));
    const segment = this.reserve(name, values.length);
    this.whenSealed((arena) => arena.floats(segment).set(values));
    return segment.address;
  }

  /** Adds a callback with the arena, in which views can be created. */
  whenSealed(action: (arena: Arena) => void): void {
    argument("whenSealed", "MEMORY", "the action", action, callback());
    this.#whenSealed.push(action);
  }

  /** Allocates the memory; nothing can be reserved afterwards. */
  seal(): Arena {
    this.#arena = this.#plan.seal<Kernels>(this.#load());
    this.kernels = this.#arena.kernels;
    for (const action of this.#whenSealed) action(this.#arena);
    return this.#arena;
  }
}

/**
 * Returns a function of a workspace that gives the kernels of another module in its memory: one instance, shared by all
 * callers. Read them at each call.
 */
export function kernelsBeside<Beside>(
  load: () => WebAssembly.Module,
): (workspace: Workspace) => { readonly kernels: Beside } {
  const instances = new WeakMap<Workspace, { kernels: Beside }>();
  return (workspace) => {
    const known = instances.get(workspace);
    if (known) return known;
    const made = {} as { kernels: Beside };
    instances.set(workspace, made);
    workspace.whenSealed((arena) => {
      made.kernels = arena.instantiate(load());
    });
    return made;
  };
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
