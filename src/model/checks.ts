// Checks of what users write. `where` begins every message: it names the thing, like `body "crank"`.

import { NodriftError } from "../errors.js";
import type { Vector } from "./description.js";
import { norm, unit, vectorOf } from "./vectors.js";

/** Three numbers as users may give them. */
export type VectorLike = Vector | Float64Array;

/** The error for a description that makes no sense. */
export function refusal(where: string, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${where}: ${what}`);
}

/** How a message names something: `body "crank"`, but `body 2` for one named by default. */
export function label(kind: string, name: string): string {
  return name === kind || name.startsWith(`${kind} `) ? name : `${kind} "${name}"`;
}

/** A value in a message. */
export function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (ArrayBuffer.isView(value)) return `[${Array.from(value as Float64Array).join(", ")}]`;
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "object" && value !== null) {
    const { kind, name } = value as { kind?: unknown; name?: unknown };
    const isHandle = typeof kind === "string" && typeof name === "string";
    return isHandle ? label(kind, name) : "an object";
  }
  return String(value);
}

export function checkObject(where: string, options: unknown): void {
  if (typeof options !== "object" || options === null || isList(options)) {
    throw refusal(where, `options must be an object, not ${show(options)}`);
  }
}

/** Options that are there must be known, and those that are needed must be there. */
export function checkKeys(
  where: string,
  options: unknown,
  needed: readonly string[],
  known: readonly string[],
): void {
  checkObject(where, options);
  const all = [...needed, ...known];
  for (const key of Object.keys(options as object)) {
    if (!all.includes(key)) throw refusal(where, `${key} is not an option${hint(key, all)}`);
  }
  for (const key of needed) {
    if ((options as Record<string, unknown>)[key] === undefined) {
      throw refusal(where, `${key} is missing`);
    }
  }
}

/** What to write instead of a name that is not known. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `: there are ${known.join(", ")}` : `: did you mean ${near}?`;
}

/** The known name that a wrong one is probably meant to be, if there is one. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) =>
    editDistance(name.toLowerCase(), candidate.toLowerCase()),
  );
  const least = Math.min(...distances);
  return least <= name.length / 3 ? known[distances.indexOf(least)] : undefined;
}

/** Insertions, deletions and replacements from one word to another: by rows of Levenshtein's table. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
  }
  return row[b.length]!;
}

export function finite(where: string, option: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw refusal(where, `${option} must be a finite number, not ${show(value)}`);
  }
  return value;
}

export function positive(where: string, option: string, value: unknown): number {
  if (!(finite(where, option, value) > 0)) {
    throw refusal(where, `${option} must be positive, not ${show(value)}`);
  }
  return value as number;
}

/** Zero or more; zero if it is not given. */
export function notNegative(where: string, option: string, value: unknown, advice = ""): number {
  if (value === undefined) return 0;
  if (!(finite(where, option, value) >= 0)) {
    throw refusal(where, `${option} must not be negative, but is ${show(value)}${advice}`);
  }
  return value as number;
}

/** A list of finite numbers of a certain length. */
export function numbers(
  where: string,
  option: string,
  value: unknown,
  length: number,
): readonly number[] {
  if (!isList(value) || value.length !== length) {
    const given = isList(value) ? `a list of ${value.length}` : show(value);
    throw refusal(where, `${option} must be ${length} numbers, not ${given}`);
  }
  const list = Array.from(value);
  const bad = list.findIndex((entry) => typeof entry !== "number" || !Number.isFinite(entry));
  if (bad >= 0) {
    throw refusal(where, `${option}[${bad}] must be a finite number, not ${show(list[bad])}`);
  }
  return list as number[];
}

export function vector(where: string, option: string, value: unknown): Vector {
  const list = numbers(where, option, value, 3);
  return vectorOf(list[0]!, list[1]!, list[2]!);
}

/** A unit vector along one that is not zero. */
export function direction(where: string, option: string, value: unknown): Vector {
  const given = vector(where, option, value);
  if (norm(given) === 0) {
    throw refusal(where, `${option} is zero and has no direction: give a vector like [0, 0, 1]`);
  }
  return unit(given);
}

export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** One of some words. */
export function oneOf<Word extends string>(
  where: string,
  option: string,
  value: unknown,
  words: readonly Word[],
): Word {
  if (words.includes(value as Word)) return value as Word;
  const choices = words.map((word) => `"${word}"`).join(" or ");
  throw refusal(where, `${option} must be ${choices}, not ${show(value)}`);
}

/** true or false; false if it is not given. */
export function flag(where: string, option: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw refusal(where, `${option} must be true or false, not ${show(value)}`);
}
