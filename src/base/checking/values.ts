// Checks of user input. Every message begins with `where`, the name of the object, such as `body "crank"`.

import { norm, unit, type Vector, vectorOf } from "../algebra/vectors.js";
import { NodriftError } from "../errors.js";
import {
  functionProblem,
  isList,
  locationOf,
  plain,
  reading,
  readKeys,
  readRecord,
  refuseMore,
} from "./index.js";
import { show } from "./show.js";
import { british } from "./suggest.js";

export { isList } from "./index.js";
export { label, show } from "./show.js";
export { hint } from "./suggest.js";

/** Three numbers, as users may write them. */
export type VectorLike = Vector | Float64Array;

/** Error for an inconsistent description. */
export function descriptionError(where: string, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${where}: ${what}`);
}

/**
 * Copies options, including nested lists and objects. American spellings become British ones; null is rejected,
 * because it could be mistaken for an omitted option.
 */
export function ownOptions<Options extends object>(
  where: string,
  given: Options,
  more: readonly unknown[] = [],
): Options {
  const place = locationOf(where, "DESCRIPTION");
  refuseMore(where, "DESCRIPTION", more, "it takes one options object");
  const record = plain(place, readRecord(place, given)) as Record<string, unknown>;
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const name = british(key);
    if (value === null)
      throw descriptionError(where, `${key} is null: give a value, or leave it out`);
    if (Object.hasOwn(own, name))
      throw descriptionError(where, `${name} is given in two spellings`);
    own[name] = value;
  }
  return own as Options;
}

/** Requires that all options are known and that all required ones are present. */
export function checkKeys(
  where: string,
  options: unknown,
  needed: readonly string[],
  known: readonly string[],
): void {
  const given = readKeys(locationOf(where, "DESCRIPTION"), options, [...needed, ...known]);
  for (const key of needed) {
    if (given[key] === undefined) throw descriptionError(where, `${key} is missing`);
  }
}

export function finite(where: string, option: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw descriptionError(where, `${option} must be a finite number, not ${show(value)}`);
  }
  return value;
}

export function positive(where: string, option: string, value: unknown): number {
  if (!(finite(where, option, value) > 0)) {
    throw descriptionError(where, `${option} must be positive, not ${show(value)}`);
  }
  return value as number;
}

/** Returns a number that is zero or more; zero if omitted. */
export function notNegative(where: string, option: string, value: unknown): number {
  if (value === undefined) return 0;
  if (!(finite(where, option, value) >= 0)) {
    throw descriptionError(where, `${option} must not be negative, but is ${show(value)}`);
  }
  return value as number;
}

/** Reads a list of finite numbers of a certain length. */
export function numbers(
  where: string,
  option: string,
  value: unknown,
  length: number,
): readonly number[] {
  if (!isList(value) || value.length !== length) {
    const given = isList(value) ? `a list of ${value.length}` : show(value);
    throw descriptionError(where, `${option} must be ${length} numbers, not ${given}`);
  }
  const list = reading(locationOf(where, "DESCRIPTION", option), () => Array.from(value));
  const bad = list.findIndex((entry) => typeof entry !== "number" || !Number.isFinite(entry));
  if (bad >= 0) {
    throw descriptionError(
      where,
      `${option}[${bad}] must be a finite number, not ${show(list[bad])}`,
    );
  }
  return list as number[];
}

export function vector(where: string, option: string, value: unknown): Vector {
  const list = numbers(where, option, value, 3);
  return vectorOf(list[0]!, list[1]!, list[2]!);
}

/** Returns the unit vector along a nonzero vector. */
export function direction(where: string, option: string, value: unknown): Vector {
  const given = vector(where, option, value);
  if (norm(given) === 0) {
    throw descriptionError(
      where,
      `${option} is zero and has no direction: give a vector like [0, 0, 1]`,
    );
  }
  return unit(given);
}

/** Requires a synchronous function that can be called. */
export function callable<F>(
  where: string,
  option: string,
  value: unknown,
  wants = "a function",
): F {
  if (typeof value !== "function") {
    throw descriptionError(where, `${option} must be ${wants}, not ${show(value)}`);
  }
  const trouble = functionProblem(value);
  if (trouble !== undefined) throw descriptionError(where, `${option} ${trouble}`);
  return value as F;
}

/** Requires one of some words. */
export function oneOf<Word extends string>(
  where: string,
  option: string,
  value: unknown,
  words: readonly Word[],
): Word {
  if (words.includes(value as Word)) return value as Word;
  const choices = words.map((word) => `"${word}"`).join(" or ");
  throw descriptionError(where, `${option} must be ${choices}, not ${show(value)}`);
}

/** Reads a boolean; false if omitted. */
export function flag(where: string, option: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw descriptionError(where, `${option} must be true or false, not ${show(value)}`);
}

/** Creates the error for a user-given derivative that contradicts its function. */
export function wrongDerivative(
  where: string,
  option: string,
  t: number,
  given: number,
  found: number,
): NodriftError {
  return new NodriftError(
    "EVALUATION",
    `${where}: ${option} contradicts the function it is the derivative of: at t = ${t} it gives ${given}, where differences ` +
      `give ${found}. Correct it, leave it out, or switch comparisons off by model({ check: false })`,
  );
}
