// Rules for option values. Each rule describes the permitted values and returns the value to use.

import { functionProblem } from "./function-problem.js";
import { inside, type OptionLocation, optionError, wrongValueError } from "./option-location.js";
import {
  checkLength,
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
export function needed<T>(rule: Rule<T>): Rule<T> {
  return { ...rule, needed: true };
}

/** Creates a rule from a predicate. */
/* @__NO_SIDE_EFFECTS__ */
export function rule<T>(wants: string, is: (value: unknown) => boolean): Rule<T> {
  return {
    wants,
    read(value, place) {
      if (reading(place, () => is(value))) return value as T;
      throw wrongValueError(place, value, wants);
    },
  };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** A finite number that satisfies a further predicate. */
/* @__NO_SIDE_EFFECTS__ */
export function number(wants: string, is: (value: number) => boolean = () => true): Rule<number> {
  return rule(wants, (value) => isNumber(value) && is(value));
}

/** Any value; checked where it is used. */
export const anything = rule<never>("a value", () => true);

export const finite = number("a finite number");
export const positive = number("a positive number", (value) => value > 0);
export const notNegative = number("a number >= 0", (value) => value >= 0);
/** Relative sizes below which a value is treated as zero. */
export const rankTolerance = number("a number from 0 to 1", (value) => value >= 0 && value <= 1);
/** Positive; Infinity means no limit. */
export const limit = rule<number>(
  "a positive number",
  (value) => typeof value === "number" && value > 0,
);
export const flag = rule<boolean>("true or false", (value) => typeof value === "boolean");
export const text = rule<string>("text", (value) => typeof value === "string");
/** Text that is not blank. */
export const word = rule<string>(
  "non-blank text",
  (value) => typeof value === "string" && value.trim() !== "",
);

/** An integer from `least` on. */
/* @__NO_SIDE_EFFECTS__ */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Rule<number> {
  const wants =
    most === Number.MAX_SAFE_INTEGER
      ? `an integer >= ${least}`
      : `a whole number from ${least} to ${most}`;
  return number(wants, (value) => Number.isSafeInteger(value) && value >= least && value <= most);
}

/** One of some words. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<Word extends string>(...words: readonly Word[]): Rule<Word> {
  const choices = words.map((each) => `"${each}"`);
  const wants = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
  return {
    wants,
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

/** A list whose entries satisfy a rule. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(
  entry: Rule<T>,
  wants = `a list, each of them ${entry.wants}`,
): Rule<T[]> {
  return {
    wants,
    read(value, place) {
      const length = Array.isArray(value) ? lengthOf(place, value, wants) : undefined;
      if (length === undefined) throw wrongValueError(place, value, wants);
      return Array.from({ length }, (_, index) => {
        const at = inside(place, index);
        return entry.read(readValue(at, value as object, index), at);
      });
    },
  };
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
  return { wants, read: (value, place) => readOptions(place, value, shape) };
}

/** An object with the user's names as keys, all values of one kind. */
/* @__NO_SIDE_EFFECTS__ */
export function recordOf<T>(entry: Rule<T>, wants: string): Rule<Record<string, T>> {
  return {
    wants,
    read(value, place) {
      const pairs = Object.entries(readRecord(place, value, wants));
      return Object.fromEntries(
        pairs.map(([key, one]) => [key, entry.read(one, inside(place, key))]),
      );
    },
  };
}

/** A name, or an index. */
export const nameOrIndex = rule<string | number>(
  "a name or an index >= 0",
  (value) => typeof value === "string" || (Number.isSafeInteger(value) && (value as number) >= 0),
);
