import {
  listOf,
  needed,
  numbers,
  type Rule,
  type Shape,
  text,
  whole,
  word,
} from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";

/** Data of an explicit Runge-Kutta method. */
export interface Tableau {
  readonly name: string;
  readonly reference: string;
  readonly order: number;
  /** Row s: weights of the slopes before stage s. */
  readonly a: readonly (readonly number[])[];
  readonly b: readonly number[];
  readonly c: readonly number[];
}

/** The weights of an explicit method in memory. */
export interface TableauMemory {
  /** All rows of a, padded to the number of stages; then b. */
  readonly address: Address;
  /** Addresses of the rows of a, then of b. */
  readonly rows: readonly Address[];
  /** c. */
  readonly nodes: Address;
}

export function tableauMemory({ name, a, b, c }: Tableau, workspace: Workspace): TableauMemory {
  const stages = b.length;
  const filled = [...a, b].flatMap((row) => b.map((_, k) => row[k] ?? 0));
  const address = workspace.constants(`${name} tableau`, filled);
  const nodes = workspace.constants(`${name} nodes`, c);
  return { address, rows: [...a, b].map((_, row) => address + 8 * stages * row), nodes };
}

export const weights: Rule<readonly number[]> = {
  wants: "a list of numbers",
  read: (value, place) => Array.from(numbers.read(value, place)),
};

export const TABLEAU_SHAPE: Shape<Tableau> = {
  name: needed(word),
  reference: needed(text),
  order: needed(whole(1)),
  a: needed(listOf(weights)),
  b: needed(weights),
  c: needed(weights),
};

/** A part of a tableau, and the required lengths of it and of its rows. */
type Size = readonly [part: string, sizes: readonly (number | undefined)[]];

/** Throws if parts of a tableau have inconsistent sizes: unused or missing weights. */
export function requireSizes(where: string, tableau: object, sizes: readonly Size[]): void {
  for (const [part, [rows, columns]] of sizes) {
    const list = (tableau as Record<string, readonly unknown[]>)[part] as readonly unknown[];
    if (list.length !== rows) {
      throw new NodriftError("METHOD", `${where}: ${part} has ${list.length} entries, not ${rows}`);
    }
    if (columns === undefined) continue;
    const bad = list.findIndex((row) => (row as readonly number[]).length !== columns);
    if (bad < 0) continue;
    const { length } = list[bad] as readonly number[];
    throw new NodriftError(
      "METHOD",
      `${where}: ${part}[${bad}] has ${length} entries, not ${columns}`,
    );
  }
}

/** Throws unless the stages are explicit: row i of `a` has weights of the slopes before stage i. */
export function requireExplicit(where: string, { a, b, c }: Tableau): void {
  requireSizes(where, { a, c }, [
    ["a", [b.length]],
    ["c", [b.length]],
  ]);
  const bad = a.findIndex((row, i) => row.length > i);
  if (b.length > 0 && bad < 0) return;
  throw new NodriftError(
    "METHOD",
    bad < 0 ? `${where}: b is empty` : `${where}: a[${bad}] weighs slopes of later stages`,
  );
}
