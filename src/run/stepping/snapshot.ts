// Snapshots of the complete state of a simulation.

import {
  finite,
  needed,
  notNegative,
  optionsOf,
  rule,
  type Shape,
  text,
  whole,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { checksumOf } from "../../base/memory/checksum.js";
import type { System } from "../../interfaces/index.js";
import { stepLength } from "./options.js";

/** The complete state of a simulation; made by {@link Simulation.save}. Plain data: it can be cloned and stored. */
export interface Snapshot {
  /** Identity of its system and method. */
  readonly identity: string;
  /** The memory of system and method, byte by byte. */
  readonly memory: Uint8Array<ArrayBuffer>;
  /** Time from which steps are counted. */
  readonly origin: number;
  /** Steps since that time. */
  readonly steps: number;
  /** Length of a step. */
  readonly step: number;
  /** Changed values of a mechanism, as JSON; absent if it has none. */
  readonly settings?: string;
  /** Checksum of all other fields. */
  readonly checksum: number;
}

const SHAPE: Shape<Snapshot> = {
  identity: needed(text),
  memory: needed(rule("bytes", (value) => value instanceof Uint8Array)),
  origin: needed(finite),
  steps: needed(whole(0)),
  step: needed(stepLength),
  settings: text,
  checksum: needed(notNegative),
};

/** Identity that a snapshot must match: memory is then laid out in the same way. */
export function identityOf({ name, coordinates, constraints }: System, method: string): string {
  const sizes = `${coordinates.velocities} coordinates, ${constraints.rows} constraints`;
  return `"${name}" (${sizes}) with ${method}`;
}

/** Returns a snapshot with its checksum. */
export function sealed(snapshot: Omit<Snapshot, "checksum">): Snapshot {
  return { ...snapshot, checksum: sumOf(snapshot) };
}

function sumOf({ memory, origin, steps, step, settings }: Omit<Snapshot, "checksum">): number {
  const settingsBytes = settings === undefined ? [] : [new TextEncoder().encode(settings)];
  return checksumOf([memory, ...settingsBytes], [origin, steps, step]);
}

/** Returns a snapshot that can be restored: of the same system and method, and undamaged. Throws for others. */
export function checkedSnapshot(given: unknown, identity: string, bytes: number): Snapshot {
  const snapshot = optionsOf("restore", "STEP", given, SHAPE);
  const { identity: of, memory, checksum } = snapshot;
  if (of !== identity) {
    throw new NodriftError("STEP", `restore: this snapshot is of ${of}, not of ${identity}`);
  }
  if (memory.length === bytes && sumOf(snapshot) === checksum) return snapshot;
  throw new NodriftError(
    "STEP",
    "restore: checksum mismatch: this snapshot is corrupt, or from another version of the package",
  );
}

/** Size of a piece of memory that is stored or skipped, in integers: 64 kB. */
const PIECE_LENGTH = 16_384;

/**
 * The initial memory of a system, for another run. Only pieces that are not zero are stored: the scratch memory of
 * large systems is hundreds of megabytes of zeros, and copying it took longer than some runs.
 */
export class InitialMemory {
  readonly #all: Int32Array;
  readonly #pieces: readonly { readonly at: number; readonly values: Int32Array }[];

  constructor(buffer: ArrayBuffer) {
    const all = new Int32Array(buffer);
    this.#all = all;
    const pieces: { at: number; values: Int32Array }[] = [];
    for (let at = 0; at < all.length; at += PIECE_LENGTH) {
      // A single piece is faster to copy than to search.
      if (all.length <= PIECE_LENGTH || !isZero(all, at, Math.min(at + PIECE_LENGTH, all.length))) {
        pieces.push({ at, values: all.slice(at, at + PIECE_LENGTH) });
      }
    }
    this.#pieces = pieces;
  }

  /** Restores the initial bytes. */
  restore(): void {
    this.#all.fill(0);
    for (let i = 0; i < this.#pieces.length; i++) {
      const { at, values } = this.#pieces[i]!;
      this.#all.set(values, at);
    }
  }
}

/** Compares integers, because the floating-point -0 equals zero. */
function isZero(values: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}
