// Entries of a list by their names, some of which could not be made. References to those are not reported as well: one
// mistake is one problem.

import { advice } from "../../../ground/checking/name-suggestions.js";
import { isObject } from "../schema/values.js";

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
    if (!isObject(entry)) this.#lacksNames = true;
    // One with the name of another should have had one of its own.
    else if (typeof entry.name === "string" && this.has(entry.name)) this.#lacksNames = true;
    else if (typeof entry.name === "string") this.#broken.add(entry.name);
    else if (entry.name === undefined) this.#lacksNumbers = true;
    else this.#lacksNames = true;
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
    return this.#made.size === 0 ? ": there are none" : advice(name, this.names);
  }
}
