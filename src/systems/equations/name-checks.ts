import {
  isRecord,
  listOf,
  locationOf,
  number,
  type Rule,
  readValue,
  text,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";

/** The error for a description that is incomplete or contradicts itself. */
export function wrong(name: string, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${name}: ${what}`);
}

/** The name of what is described, for messages; or that of the function that reads it. */
export function nameOf(where: string, given: unknown, usual: string): string {
  if (!isRecord(given)) return where;
  const name = readValue(locationOf(where, "DESCRIPTION", "name"), given, "name");
  return typeof name === "string" && name.trim() !== "" ? name : usual;
}

/** Names that are given, or made of a prefix and numbers. */
export function namesOf(given: number | readonly string[], prefix: string): readonly string[] {
  if (typeof given !== "number") return [...given];
  return Array.from({ length: given }, (_, index) => `${prefix}${index}`);
}

export function requireUnique(system: string, field: string, names: readonly string[]): void {
  const twice = names.find((entry, index) => names.indexOf(entry) !== index);
  if (twice !== undefined) throw wrong(system, `${field} has the name "${twice}" twice`);
}

/** More names than this are taken for a mistake: their mass matrix would take 4 GiB. */
const MOST = 23170;

const COUNT = "an integer >= 0 or a list of names";
const count = number(COUNT, (n) => Number.isSafeInteger(n) && n >= 0 && n <= MOST);
const list = listOf(text, COUNT);

/** How many there are, or their names. */
export const nameList: Rule<number | readonly string[]> = {
  wants: COUNT,
  read: (value, place) => (Array.isArray(value) ? list : count).read(value, place),
};
