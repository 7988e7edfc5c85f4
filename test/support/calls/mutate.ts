// Ways to make a call invalid, each with its allowed outcomes.

import type { Random } from "../random.js";

/** Change of the arguments of a call. */
export interface Mutation {
  readonly what: string;
  /** Names of which the error must contain one: keys of the path, and the key itself. */
  readonly names: readonly string[];
  /** Whether it must be rejected, because it has no sensible meaning. */
  readonly mustFail: boolean;
  readonly given: unknown[];
}

type Path = readonly (string | number)[];

/** Values that are invalid for every argument. */
export const NEVER: readonly (readonly [string, () => unknown])[] = [
  ["NaN", () => Number.NaN],
  ["null", () => null],
  ["a symbol", () => Symbol("wrong")],
  ["a promise", () => Promise.resolve("wrong")],
  ["an async function", () => async () => 0],
  ["a class", () => class Wrong {}],
  ["a map", () => new Map([["step", 1]])],
  ["a proxy that throws", throwingProxy],
  ["a date", () => new Date(0)],
  ["a bigint", () => 3n],
];

/** Values that are valid for some arguments. */
export const SOMETIMES: readonly (readonly [string, () => unknown])[] = [
  ["text", () => "wrong"],
  ["empty text", () => ""],
  ["minus one", () => -1],
  ["a half", () => 0.5],
  ["1e308", () => 1e308],
  ["1e-300", () => 1e-300],
  ["2^31", () => 2 ** 31],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ["true", () => true],
  ["an empty object", () => ({})],
  ["an empty list", () => []],
  ["a sparse list", () => new Array(3)],
  ["a huge list", () => new Array(2 ** 32 - 1)],
  ["a list of texts", () => ["a", "b"]],
  ["a list of NaN", () => [Number.NaN, Number.NaN]],
  ["an object with a getter that throws", () => throwing("x")],
  ["an object without a prototype", () => Object.create(null)],
  ["a function", () => () => undefined],
  ["a function of NaN", () => () => Number.NaN],
  ["a typed array", () => new Float64Array(2)],
  ["an object that contains itself", circular],
];

function throwingProxy(): object {
  const fail = () => {
    throw new TypeError("trap");
  };
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
}

function throwing(key: string): object {
  return Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw new TypeError("getter");
    },
  });
}

function circular(): object {
  const one: Record<string, unknown> = {};
  one.self = one;
  return one;
}

/** Keys of options only: handles, models and other objects with methods are not changed. */
function isOptions(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Every location in the arguments: the arguments themselves, keys of options, entries of lists. */
function placesIn(value: unknown, path: Path): Path[] {
  const inner = isOptions(value)
    ? Object.entries(value)
    : Array.isArray(value) && !Object.isFrozen(value)
      ? [...value.entries()]
      : [];
  return [path, ...inner.flatMap(([key, entry]) => placesIn(entry, [...path, key]))];
}

function at(given: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Record<string | number, unknown>)[key], given);
}

function put(given: unknown[], path: Path, value: unknown): void {
  const owner = at(given, path.slice(0, -1)) as Record<string | number, unknown>;
  owner[path.at(-1) as string | number] = value;
}

/** A random index below `count`. */
function below(count: number, random: Random): number {
  return Math.floor(((random() + 1) / 2) * count);
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[below(list.length, random)] as T;
}

const words = (path: Path): string[] =>
  path.filter((key): key is string => typeof key === "string");

/** Makes a call invalid in one way. Undefined if that way does not apply to the call. */
export function mutate(
  given: unknown[],
  random: Random,
  refusesMore: boolean,
  others: readonly (readonly [string, () => unknown])[],
): Mutation | undefined {
  const places = given.flatMap((value, i) => placesIn(value, [i]));
  const options = places.filter((path) => isOptions(at(given, path)));
  const way = below(8, random);
  if (way === 0 && options.length > 0) return misspelt(given, pick(options, random), random);
  if (way === 1 && options.length > 0) return extraKey(given, pick(options, random), random);
  if (way === 2 && places.length > 0) return missing(given, pick(places, random));
  if (way === 3 && options.length > 0) return getter(given, pick(options, random), random);
  if (way === 4) return refusesMore ? extra(given, random) : undefined;
  if (places.length === 0) return undefined;
  const path = pick(places, random);
  const [what, make] = pick(way === 5 ? NEVER : way === 6 ? others : SOMETIMES, random);
  put(given, path, make());
  return { what: `${path.join(".")} is ${what}`, names: words(path), mustFail: way === 5, given };
}

function misspelt(given: unknown[], path: Path, random: Random): Mutation | undefined {
  const owner = at(given, path) as Record<string, unknown>;
  const keys = Object.keys(owner);
  if (keys.length === 0) return undefined;
  const key = pick(keys, random);
  const place = below(key.length, random);
  const changed = pick(
    [
      key.slice(0, place) + key.slice(place + 1),
      key.slice(0, place) + key.charAt(place) + key.slice(place),
      `${key.slice(0, place)}x${key.slice(place + 1)}`,
      `${key}s`,
      key.toUpperCase(),
      `_${key}`,
    ],
    random,
  );
  if (changed === key || changed === "" || changed in owner) return undefined;
  owner[changed] = owner[key];
  delete owner[key];
  const names = [changed, key];
  return { what: `${key} is misspelt ${changed}`, names, mustFail: true, given };
}

function extraKey(given: unknown[], path: Path, random: Random): Mutation {
  const key = pick(
    ["colour", "zzz", "tol", "dt", "options", "stabilizations", "0", "toString"],
    random,
  );
  (at(given, path) as Record<string, unknown>)[key] = 1;
  return { what: `a key ${key}`, names: [key], mustFail: true, given };
}

function missing(given: unknown[], path: Path): Mutation {
  if (path.length === 1) {
    const cut = given.slice(0, path[0] as number);
    return { what: `without argument ${path[0]}`, names: [], mustFail: false, given: cut };
  }
  const owner = at(given, path.slice(0, -1));
  const key = path.at(-1) as string | number;
  if (Array.isArray(owner)) owner.splice(key as number, 1);
  else delete (owner as Record<string, unknown>)[key as string];
  return { what: `without ${path.join(".")}`, names: words(path), mustFail: false, given };
}

function getter(given: unknown[], path: Path, random: Random): Mutation | undefined {
  const owner = at(given, path) as Record<string, unknown>;
  const keys = Object.keys(owner);
  if (keys.length === 0) return undefined;
  const key = pick(keys, random);
  const { [key]: _, ...rest } = owner;
  put(given, path, Object.assign(throwing(key), rest));
  return { what: `a getter ${key} that throws`, names: [key], mustFail: true, given };
}

/** Catalogues list all arguments, so that this one is an extra argument. */
function extra(given: unknown[], random: Random): Mutation {
  const [what, make] = pick(NEVER, random);
  const more = [...given, make()];
  return { what: `${what} behind the last argument`, names: [], mustFail: true, given: more };
}
