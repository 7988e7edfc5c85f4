// Reads options from user input: every key is known, every value satisfies its rule, and everything is read once.
// Getters, proxies and objects that change later cannot do harm after that.

import { NodriftError } from "../errors.js";
import {
  inside,
  type OptionLocation,
  optionError,
  readPart,
  wrongValueError,
} from "./option-location.js";
import { show } from "./show.js";
import { british, hint } from "./suggest.js";

/** Rule for a value. */
export interface Rule<T = unknown> {
  /** Description of the permitted values, for messages: "a positive number". */
  readonly wants: string;
  /** True if the option is required. */
  readonly needed?: boolean;
  /** JSON schema of the value, unless it follows from `parts`. */
  readonly json?: JsonSchema;
  /** Rules of the parts of the value, for its JSON schema. */
  readonly parts?: RuleParts;
  /** Returns the validated value or throws. Not called for undefined. */
  read(value: unknown, place: OptionLocation): T;
}

/** A JSON schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Rules of the entries of a list, of the options of an object, of the values of a record, or of alternatives. */
export type RuleParts =
  | { readonly entry: Rule; readonly least?: number; readonly most?: number }
  | { readonly shape: Readonly<Record<string, Rule>> }
  | { readonly values: Rule }
  | { readonly either: readonly Rule[] };

/**
 * A rule for each option. Written with `satisfies` or as a type next to the options themselves, so that an option
 * without a rule, and a rule with another type, do not compile.
 */
export type Shape<Options> = {
  readonly [Key in keyof Options]-?: Rule<Exclude<Options[Key], undefined>>;
};

/** Reads options by their shape. Omitted options are absent from the result. */
export function readOptions<Options extends object>(
  place: OptionLocation,
  given: unknown,
  shape: Shape<Options>,
): Options {
  const known = Object.keys(shape);
  const record = readKeys(place, given, known);
  const read: Record<string, unknown> = {};
  for (const key of known) {
    const rule = (shape as Readonly<Record<string, Rule>>)[key]!;
    const value = record[key];
    if (value === undefined && !rule.needed) continue;
    readPart(place, () => {
      if (value === undefined) throw wrongValueError(inside(place, key), undefined, rule.wants);
      read[key] = rule.read(value, inside(place, key));
    });
  }
  return read as Options;
}

/**
 * A copy of an object whose keys are all known. American spellings become British ones, but not in documents, whose
 * keys are read again later.
 */
export function readKeys(
  place: OptionLocation,
  given: unknown,
  known: readonly string[],
): Record<string, unknown> {
  const record = readRecord(place, given);
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const name = known.includes(key) || place.report ? key : british(key);
    if (!known.includes(name)) {
      readPart(place, () => {
        throw unknownKeyError(place, key, known);
      });
      continue;
    }
    if (Object.hasOwn(read, name)) {
      throw optionError(
        { ...place, path: "" },
        `${key} is another spelling of ${name}: give only one`,
      );
    }
    read[name] = value;
  }
  return read;
}

function unknownKeyError(place: OptionLocation, key: string, known: readonly string[]) {
  const at = inside(place, key);
  if (place.report) return optionError(at, "is not known", undefined, { known });
  return optionError({ ...place, path: "" }, `${at.path} is not an option${hint(key, known)}`);
}

/** A copy of an object, one level deep. Rejects lists, functions, maps and the like, which have no options. */
export function readRecord(
  place: OptionLocation,
  given: unknown,
  wants = "an object",
): Record<string, unknown> {
  if (!isRecord(given)) {
    if (place.path !== "" || place.report) throw wrongValueError(place, given, wants);
    throw optionError(place, `options must be an object, not ${show(given)}`);
  }
  const read: Record<string, unknown> = {};
  for (const key of keysOf(place, given)) read[key] = readValue(inside(place, key), given, key);
  return read;
}

/**
 * Returns whether a value is a plain object or an instance of a class, of any realm; not a list, function, map or
 * promise.
 */
export function isRecord(given: unknown): given is object {
  if (typeof given !== "object" || given === null) return false;
  try {
    return Object.prototype.toString.call(given) === "[object Object]";
  } catch {
    return false;
  }
}

/** Names of all readable properties, including inherited ones and getters of classes. */
function keysOf(place: OptionLocation, given: object): Iterable<string> {
  return reading(place, () => {
    const keys = new Set<string>();
    for (const key in given) keys.add(key);
    const symbol = Object.getOwnPropertySymbols(given)[0];
    if (symbol) throw optionError(place, `${String(symbol)} is a symbol; options have names`);
    for (
      let prototype: object | null = Object.getPrototypeOf(given);
      prototype !== null && Object.getPrototypeOf(prototype) !== null;
      prototype = Object.getPrototypeOf(prototype)
    ) {
      const described = Object.getOwnPropertyDescriptors(prototype);
      for (const [key, { get }] of Object.entries(described)) if (get) keys.add(key);
    }
    return keys;
  });
}

/** Reads a property, which may be a getter that fails. */
export function readValue(place: OptionLocation, given: object, key: string | number): unknown {
  return reading(place, () => (given as Record<string | number, unknown>)[key]);
}

/** Reads user input; user code may run and fail. */
export function reading<T>(place: OptionLocation, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof NodriftError) throw cause;
    const reason = cause instanceof Error ? cause.message : show(cause);
    throw optionError(place, `cannot be read: ${reason}`, cause);
  }
}

/** Returns the reason why a function cannot be called for a number; undefined if it can. */
export function functionProblem(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value);
  if (/Async/.test(tag)) return "is async; give a synchronous function";
  if (/Generator/.test(tag)) return "is a generator; give an ordinary function";
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? "is a class; give a function that can be called" : undefined;
}

/** Depth to which objects are copied; deeper objects are not options, or contain themselves. */
const MAX_DEPTH = 8;

/**
 * Returns a deep copy of plain objects and lists, unaffected by later changes, getters and proxies. Frozen objects,
 * typed arrays, functions and instances of classes are not copied. Functions must be synchronous.
 */
export function plain(place: OptionLocation, given: unknown, depth = 0): unknown {
  const trouble = typeof given === "function" ? functionProblem(given) : undefined;
  if (trouble !== undefined) throw optionError(place, trouble);
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given)) return given;
  if (depth > MAX_DEPTH) throw optionError(place, "is circular or nested too deeply");
  return reading(place, () => {
    if (Array.isArray(given)) {
      checkLength(place, given.length);
      return list(given, (entry, i) => plain(inside(place, i), entry, depth + 1));
    }
    const prototype = Object.getPrototypeOf(given);
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
    if (!isPlain || Object.isFrozen(given) || !isRecord(given)) return given;
    const record = readRecord(place, given);
    const copied = Object.entries(record).map(([key, value]): [string, unknown] => [
      key,
      plain(inside(place, key), value, depth + 1),
    ]);
    // Functions that belong together are identified by their object: a drive of a file is remembered by it.
    const isLaw = depth > 0 && Object.values(record).some((value) => typeof value === "function");
    return isLaw ? given : Object.fromEntries(copied);
  });
}

/** Longer lists are taken for mistakes: they would fill the memory before an error could be reported. */
export const MAX_LIST_LENGTH = 1e7;

/** Rejects lists that are far too long. */
export function checkLength(place: OptionLocation, length: number): number {
  if (length <= MAX_LIST_LENGTH) return length;
  throw optionError(place, `has ${length} entries; the limit is ${MAX_LIST_LENGTH}`);
}

/** Reads entries by index: holes are undefined, and methods of the list are not called. */
export function list<T>(
  given: ArrayLike<unknown>,
  make: (entry: unknown, index: number) => T,
): T[] {
  return Array.from({ length: given.length }, (_, index) => make(given[index], index));
}
