// Entries of a list by name, some of which are invalid. References to invalid ones are not reported: one
// mistake is one problem.

import { advice, similar } from "../../base/checking/suggest.js";
import { isObject } from "../schema/values.js";

/** Name of an entry, even if its key is misspelt. */
function nameIn(entry: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(entry, "name")) return entry.name;
  const key = Object.keys(entry).find((one) => similar(one, ["name"]) !== undefined);
  return key === undefined ? undefined : entry[key];
}

/** Bodies, joints, forces or markers of a file. */
export class Entries<Made extends { readonly name: string }> {
  readonly #made = new Map<string, Made>();
  readonly #broken = new Set<string>();
  /** Whether there are invalid entries with unknown or automatic names. */
  #hasUnnamed = false;
  #lacksNumbers = false;

  add(made: Made): void {
    this.#made.set(made.name, made);
  }

  /** Records an invalid entry; undefined for all entries. */
  lose(entry: unknown): void {
    const name = isObject(entry) ? nameIn(entry) : null;
    if (name === undefined) this.#lacksNumbers = true;
    // An entry with a duplicate name was meant to have another one.
    else if (typeof name !== "string" || this.has(name)) this.#hasUnnamed = true;
    else this.#broken.add(name);
  }

  get(name: string): Made | undefined {
    return this.#made.get(name);
  }

  get names(): readonly string[] {
    return [...this.#made.keys()];
  }

  /** Whether a valid entry has this name. */
  has(name: string): boolean {
    return this.#made.has(name);
  }

  /** Whether an invalid entry may have this name, so that nothing is reported about it. */
  isLost(name: string): boolean {
    if (this.#broken.has(name) || this.#hasUnnamed) return true;
    return this.#lacksNumbers && /^\w+ \d+$/.test(name);
  }

  /** Suggestion to replace an unknown name. */
  advice(name: string): string {
    const all = [...this.#made.keys(), ...this.#broken];
    return all.length === 0 ? ": there are none" : advice(name, all);
  }
}
