import { ARENA_BASE, PAGE_BYTES, SEGMENT_SLOTS, SLOT_BYTES } from "../../../assembly/layout.js";
import { argument, locationOf, reading, show, text } from "../checking/index.js";
import { type ErrorCode, NodriftError } from "../errors.js";
import type { Kernels } from "../wasm/generated.js";

/** A byte address in the memory of one system. */
export type Address = number;

/** Numbers in such memory. */
export type Floats = Float64Array<ArrayBuffer>;

/** A named piece of a system's memory. Its address is final from the moment it is reserved. */
export interface Segment {
  /** Name, for messages. */
  readonly name: string;
  /** Address of the first byte. */
  readonly address: Address;
  /** Length in slots of eight bytes. */
  readonly slots: number;
}

const MAXIMUM_PAGES = 65536;

/** The memory of a system before it exists: reserve everything, then seal. Only here do lengths become addresses. */
export class MemoryPlan {
  #end = ARENA_BASE;
  #sealed = false;

  /** Reserves slots of eight bytes under a name (used in messages only). */
  reserve(name: string, slots: number): Segment {
    argument("reserve", "MEMORY", "the name", name, text);
    if (this.#sealed) {
      throw new NodriftError("MEMORY", `cannot reserve "${name}": the arena is already sealed`);
    }
    if (!Number.isSafeInteger(slots) || slots < 0) {
      throw new NodriftError(
        "MEMORY",
        `"${name}" asks for ${show(slots)} slots; give an integer >= 0`,
      );
    }
    const address = this.#end;
    const end = address + Math.ceil(slots / SEGMENT_SLOTS) * SEGMENT_SLOTS * SLOT_BYTES;
    if (end > MAXIMUM_PAGES * PAGE_BYTES) {
      throw new NodriftError(
        "MEMORY",
        `"${name}" (${slots} slots) does not fit: one system can hold 4 GiB. Use a sparse method`,
      );
    }
    this.#end = end;
    return Object.freeze({ name, address, slots });
  }

  /** Allocates the memory, exactly as large as reserved, and instantiates a module in it, whose kernels are `K`. */
  seal<K>(module: WebAssembly.Module): Arena<K> {
    if (this.#sealed) throw new NodriftError("MEMORY", "this arena has been sealed before");
    const arena = new Arena<K>(module, Math.ceil(this.#end / PAGE_BYTES));
    this.#sealed = true;
    return arena;
  }
}

/**
 * The memory of one system and the kernels that work in it. The memory's maximum is its size: it
 * cannot grow, so views stay valid for its whole life. Nothing is freed by hand: when the arena is
 * no longer referenced, memory and kernels go with it.
 */
export class Arena<K = Kernels> {
  /** The memory of the kernels. */
  readonly memory: WebAssembly.Memory;
  /** The kernels that work in it. */
  readonly kernels: K;

  /** Called by {@link MemoryPlan.seal}. */
  constructor(module: WebAssembly.Module, pages: number) {
    if (!(Number.isInteger(pages) && pages >= 0 && pages <= MAXIMUM_PAGES)) {
      throw new NodriftError(
        "MEMORY",
        `an arena of ${show(pages)} pages is not possible: use ArenaPlan`,
      );
    }
    const megabytes = (pages * PAGE_BYTES) / 2 ** 20;
    this.memory = attempt(
      "MEMORY",
      `could not allocate ${megabytes} MiB of memory`,
      () => new WebAssembly.Memory({ initial: pages, maximum: pages }),
    );
    this.kernels = this.instantiate<K>(module);
  }

  /** Instantiates another module of kernels in the same memory. */
  instantiate<T>(module: WebAssembly.Module): T {
    // Without the loader of AssemblyScript, whose copies of the exports would wrap each call.
    const { exports } = attempt(
      "LOAD",
      "the kernels did not start",
      () => new WebAssembly.Instance(module, { env: { memory: this.memory } }),
    );
    return exports as unknown as T;
  }

  /** Returns a view of a segment as numbers. Create views once and keep them. */
  floats(segment: Segment): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#bufferOf(segment), segment.address, segment.slots);
  }

  /** Returns a view of a segment as 32-bit integers, two in each slot. */
  integers(segment: Segment): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#bufferOf(segment), segment.address, 2 * segment.slots);
  }

  #bufferOf(segment: Segment): ArrayBuffer {
    const place = locationOf("arena", "MEMORY", "the segment");
    const { name, address, slots } = reading(place, () => ({ ...segment }));
    if (!(isSlot(address) && address % SLOT_BYTES === 0 && isSlot(slots))) {
      throw new NodriftError(
        "MEMORY",
        `${show(segment)} is not a segment: give what reserve() returned`,
      );
    }
    const buffer = this.memory.buffer as ArrayBuffer;
    if (address + slots * SLOT_BYTES <= buffer.byteLength) return buffer;
    throw new NodriftError("MEMORY", `"${name}" belongs to another arena`);
  }
}

function isSlot(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function attempt<T>(code: ErrorCode, failure: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError(code, `${failure}: ${reason}`, { cause });
  }
}

/** Makes functions of other modules callable by kernels that export their table. Returns the index of the first. */
export function placeInTable(
  table: WebAssembly.Table,
  functions: readonly CallableFunction[],
): number {
  const first = table.grow(functions.length);
  for (const [i, each] of functions.entries()) table.set(first + i, each);
  return first;
}
