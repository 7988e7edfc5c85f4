// Everything a simulation knows, to be kept and put back.

import {
  finite,
  needed,
  notNegative,
  optionsOf,
  rule,
  type Shape,
  text,
  whole,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { checksumOf } from "../../ground/memory/checksum.js";
import type { System } from "../../seam/index.js";
import { stepLength } from "./options.js";

/** Everything a simulation knows; made by {@link Simulation.save}. Plain data: it can be cloned and stored. */
export interface Snapshot {
  /** The system and method it was made by. */
  readonly identity: string;
  /** The memory of system and method, byte by byte. */
  readonly memory: Uint8Array<ArrayBuffer>;
  /** Time from which steps are counted. */
  readonly origin: number;
  /** Steps since that time. */
  readonly steps: number;
  /** Length of a step. */
  readonly step: number;
  /** What had been set of the numbers of a mechanism, as JSON; missing where it has none. */
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

/** What a snapshot must be of: memory is laid out in the same way then. */
export function identityOf({ name, coordinates, constraints }: System, method: string): string {
  const sizes = `${coordinates.velocities} coordinates, ${constraints.rows} constraints`;
  return `"${name}" (${sizes}) with ${method}`;
}

/** A snapshot, sealed. */
export function sealed(snapshot: Omit<Snapshot, "checksum">): Snapshot {
  return { ...snapshot, checksum: sumOf(snapshot) };
}

function sumOf({ memory, origin, steps, step, settings }: Omit<Snapshot, "checksum">): number {
  const told = settings === undefined ? [] : [new TextEncoder().encode(settings)];
  return checksumOf([memory, ...told], [origin, steps, step]);
}

/** A snapshot that can be put back: of the same system and method, and undamaged. */
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
