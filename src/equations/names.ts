import { NodriftError } from "../errors.js";

/** The error for a description that is incomplete or contradicts itself. */
export function wrong(name: string, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${name}: ${what}`);
}

/** Names that are given, or made of a prefix and numbers. */
export function namesOf(
  system: string,
  field: string,
  given: number | readonly string[],
  prefix: string,
): readonly string[] {
  if (typeof given === "number") {
    if (!Number.isInteger(given) || given < 0) {
      throw wrong(system, `${field} is ${given}; give an integer >= 0 or a list of names`);
    }
    return Array.from({ length: given }, (_, index) => `${prefix}${index}`);
  }
  if (!Array.isArray(given) || given.some((entry) => typeof entry !== "string")) {
    throw wrong(system, `${field} must be an integer or a list of names`);
  }
  return [...given];
}

export function requireUnique(system: string, field: string, names: readonly string[]): void {
  const twice = names.find((entry, index) => names.indexOf(entry) !== index);
  if (twice !== undefined) throw wrong(system, `${field} has the name "${twice}" twice`);
}
