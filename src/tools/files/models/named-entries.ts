// Entries of a list by their names, some of which could not be made. References to those are not reported as well: one
// mistake is one problem.

import { advice, similar } from "../../../ground/checking/name-suggestions.js";
import { isObject } from "../schema/values.js";

/** The name of an entry, also where its key is misspelt. */
function nameIn(entry: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(entry, "name")) return entry.name;
  const key = Object.keys(entry).find((one) => similar(one, ["name"]) !== undefined);
  return key === undefined ? undefined : entry[key];
}

/** Bodies, joints, forces or markers of a file. */
export class Entries<Made extends { readonly name: string }> {
  readonly #made = new Map<string, Made>();
  readonly #broken = new Set<string>();
  /** There are broken ones whose names are not known, or which would have got a number for a name. */
  #lacksNames = false;
  #lacksNumbers = false;

  add(made: Made): void {
    this.#made.set(made.name, made);
  }

  /** Notes an entry that could not be made; undefined: all of them. */
  lose(entry: unknown): void {
    const name = isObject(entry) ? nameIn(entry) : null;
    if (name === undefined) this.#lacksNumbers = true;
    // One with the name of another should have had one of its own.
    else if (typeof name !== "string" || this.has(name)) this.#lacksNames = true;
    else this.#broken.add(name);
  }

  get(name: string): Made | undefined {
    return this.#made.get(name);
  }

  get names(): readonly string[] {
    return [...this.#made.keys()];
  }

  /** Whether a name is that of something that could be made. */
  has(name: string): boolean {
    return this.#made.has(name);
  }

  /** Whether a name may be that of something broken: then nothing is said about it. */
  isLost(name: string): boolean {
    if (this.#broken.has(name) || this.#lacksNames) return true;
    return this.#lacksNumbers && /^\w+ \d+$/.test(name);
  }

  /** What to write instead of a name. */
  advice(name: string): string {
    const all = [...this.#made.keys(), ...this.#broken];
    return all.length === 0 ? ": there are none" : advice(name, all);
  }
}
