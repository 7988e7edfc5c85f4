// Rules for option values. Each rule describes the permitted values and returns the value to use.

import {
  inside,
  type OptionLocation,
  optionError,
  readPart,
  wrongValueError,
} from "./option-location.js";
import {
  checkLength,
  functionProblem,
  type JsonSchema,
  MAX_LIST_LENGTH,
  type Rule,
  reading,
  readOptions,
  readRecord,
  readValue,
  type Shape,
} from "./read.js";
import { meant } from "./suggest.js";

/** The rule, for an option that is required. */
/* @__NO_SIDE_EFFECTS__ */
export function needed<R extends Rule>(rule: R): R & { readonly needed: true } {
  return { ...rule, needed: true };
}

/** Creates a rule from a predicate. */
/* @__NO_SIDE_EFFECTS__ */
export function rule<T>(
  wants: string,
  is: (value: unknown) => boolean,
  json: JsonSchema = {},
): Rule<T> {
  return {
    wants,
    json,
    read(value, place) {
      if (reading(place, () => is(value))) return value as T;
      throw wrongValueError(place, value, wants);
    },
  };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** A finite number that satisfies a further predicate. */
/* @__NO_SIDE_EFFECTS__ */
export function number(
  wants: string,
  is: (value: number) => boolean = () => true,
  json: JsonSchema = {},
): Rule<number> {
  return rule(wants, (value) => isNumber(value) && is(value), { type: "number", ...json });
}

/** Any value; checked where it is used. */
export const anything = rule<never>("a value", () => true);

export const finite = number("a finite number");
export const positive = number("a positive number", (value) => value > 0, { exclusiveMinimum: 0 });
export const notNegative = number("a number >= 0", (value) => value >= 0, { minimum: 0 });
/** Relative sizes below which a value is treated as zero. */
export const rankTolerance = number("a number from 0 to 1", (value) => value >= 0 && value <= 1);
/** Positive; Infinity means no limit. */
export const limit = rule<number>(
  "a positive number",
  (value) => typeof value === "number" && value > 0,
);
export const flag = rule<boolean>("true or false", (value) => typeof value === "boolean", {
  type: "boolean",
});
export const text = rule<string>("text", (value) => typeof value === "string", { type: "string" });
/** Text that is not blank. */
export const word = rule<string>(
  "non-blank text",
  (value) => typeof value === "string" && value.trim() !== "",
  { type: "string", minLength: 1 },
);

/** An integer from `least` on. */
/* @__NO_SIDE_EFFECTS__ */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Rule<number> {
  const wants =
    most === Number.MAX_SAFE_INTEGER
      ? `an integer >= ${least}`
      : `a whole number from ${least} to ${most}`;
  const is = (value: number) => Number.isSafeInteger(value) && value >= least && value <= most;
  const maximum = most === Number.MAX_SAFE_INTEGER ? {} : { maximum: most };
  return number(wants, is, { type: "integer", minimum: least, ...maximum });
}

/** One of some words. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<Word extends string>(...words: readonly Word[]): Rule<Word> {
  const choices = words.map((each) => `"${each}"`);
  const wants = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
  return {
    wants,
    json: { enum: words },
    read(value, place) {
      if (words.includes(value as Word)) return value as Word;
      const near = typeof value === "string" ? meant(value, words) : undefined;
      throw near === undefined
        ? wrongValueError(place, value, wants)
        : optionError(place, `is "${value}"; did you mean "${near}"? Give ${wants}`);
    },
  };
}

/** A synchronous function that can be called without `new`. */
/* @__NO_SIDE_EFFECTS__ */
export function callback<F>(wants = "a function"): Rule<F> {
  return {
    wants,
    read(value, place) {
      if (typeof value !== "function") throw wrongValueError(place, value, wants);
      const trouble = functionProblem(value as () => unknown);
      if (trouble !== undefined) throw optionError(place, trouble);
      return value as F;
    },
  };
}

/** A copy of a list or typed array of finite numbers. */
export const numbers: Rule<Float64Array> = {
  wants: "a list of numbers",
  read(value, place) {
    const length = lengthOf(place, value, "a list of numbers");
    return Float64Array.from({ length }, (_, index) => {
      const entry = readValue(inside(place, index), value as object, index);
      if (!isNumber(entry))
        throw wrongValueError(inside(place, index), entry ?? null, "a finite number");
      return entry;
    });
  },
};

/** A list whose entries satisfy a rule, with a least and a greatest length. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(
  entry: Rule<T>,
  wants = `a list, each of them ${entry.wants}`,
  least = 0,
  most = MAX_LIST_LENGTH,
): Rule<T[]> {
  return {
    wants,
    parts: { entry, least, most },
    read(value, place) {
      const length = Array.isArray(value) ? lengthOf(place, value, wants) : undefined;
      if (length === undefined || (least === most && length !== least)) {
        throw wrongValueError(place, value, wants);
      }
      if (length < least) throw optionError(place, lengthProblem(length, "at least", least));
      if (length > most) throw optionError(place, lengthProblem(length, "at most", most));
      return Array.from({ length }, (_, index) => {
        const at = inside(place, index);
        return readPart(place, () => entry.read(readValue(at, value as object, index), at)) as T;
      });
    },
  };
}

function lengthProblem(length: number, bound: string, limit: number): string {
  return `has ${length} entries; give ${bound} ${limit}`;
}

/** Lists and typed arrays. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** Returns the length of a list; throws if the value is not a list. */
export function lengthOf(place: OptionLocation, value: unknown, wants: string): number {
  const length = isList(value) ? reading(place, () => value.length) : undefined;
  if (length === undefined) throw wrongValueError(place, value, wants);
  return checkLength(place, length);
}

/** An object with options of its own. */
/* @__NO_SIDE_EFFECTS__ */
export function options<Options extends object>(
  shape: Shape<Options>,
  wants = `{ ${Object.keys(shape).join(", ")} }`,
): Rule<Options> {
  return { wants, parts: { shape }, read: (value, place) => readOptions(place, value, shape) };
}

/** An object with the user's names as keys, all values of one kind. */
/* @__NO_SIDE_EFFECTS__ */
export function recordOf<T>(entry: Rule<T>, wants: string): Rule<Record<string, T>> {
  return {
    wants,
    parts: { values: entry },
    read(value, place) {
      const pairs = Object.entries(readRecord(place, value, wants));
      const read = ([key, one]: [string, unknown]): [string, T] => [
        key,
        readPart(place, () => entry.read(one, inside(place, key))) as T,
      ];
      return Object.fromEntries(pairs.map(read));
    },
  };
}

/** A name, or an index. */
export const nameOrIndex = rule<string | number>(
  "a name or an index >= 0",
  (value) => typeof value === "string" || (Number.isSafeInteger(value) && (value as number) >= 0),
);

/** One of several rules, chosen by the form of the value: messages are about the chosen one, not about all of them. */
/* @__NO_SIDE_EFFECTS__ */
export function choiceOf<T = unknown>(
  either: readonly Rule[],
  choose: (value: unknown) => Rule,
  wants: string = either.map((one) => one.wants).join(", or "),
): Rule<T> {
  return {
    wants,
    parts: { either },
    read: (value, place) => choose(value).read(value, place) as T,
  };
}
