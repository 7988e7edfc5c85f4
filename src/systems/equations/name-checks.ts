import {
  isRecord,
  listOf,
  locationOf,
  number,
  type Rule,
  readValue,
  text,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";

/** Error for a description that is incomplete or contradicts itself. */
export function wrong(name: string, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${name}: ${what}`);
}

/** Returns the name of the described object, for messages; or that of the function that reads it. */
export function nameOf(where: string, given: unknown, usual: string): string {
  if (!isRecord(given)) return where;
  const name = readValue(locationOf(where, "DESCRIPTION", "name"), given, "name");
  return typeof name === "string" && name.trim() !== "" ? name : usual;
}

/** Returns given names, or names from a prefix and indices. */
export function namesOf(given: number | readonly string[], prefix: string): readonly string[] {
  if (typeof given !== "number") return [...given];
  return Array.from({ length: given }, (_, index) => `${prefix}${index}`);
}

export function requireUnique(system: string, field: string, names: readonly string[]): void {
  const twice = names.find((entry, index) => names.indexOf(entry) !== index);
  if (twice !== undefined) throw wrong(system, `${field} has the name "${twice}" twice`);
}

/** More names than this are taken for a mistake: their mass matrix would take 4 GiB. */
const MAX_NAMES = 23170;

const COUNT = "an integer >= 0 or a list of names";
const count = number(COUNT, (n) => Number.isSafeInteger(n) && n >= 0 && n <= MAX_NAMES);
const list = listOf(text, COUNT);

/** A number of names, or the names. */
export const nameList: Rule<number | readonly string[]> = {
  wants: COUNT,
  read: (value, place) => (Array.isArray(value) ? list : count).read(value, place),
};
