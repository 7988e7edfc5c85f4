// Building blocks of the schemas of files: rules of JSON values, in which a parameter can replace a number.

import {
  choiceOf,
  finite,
  inside,
  isRecord,
  listOf,
  needed,
  notNegative,
  optionError,
  options,
  positive,
  type Rule,
  readPart,
  recordOf,
  rule,
  show,
  wrongValueError,
} from "../../base/checking/index.js";
import { advice } from "../../base/checking/suggest.js";
import { FORMAT, type JsonObject } from "../document/document.js";

/** Any rule. The type of a whole document is asserted once. */
export type Schema = Rule;

/** Rule for inputs that are wrong as a whole, with the reason. */
export const refused = (what: string): Schema => ({
  wants: "nothing",
  read(_, place) {
    throw optionError(place, what);
  },
});

/** Rule for inputs that match no alternative. */
export const wrong = (wants: string): Schema => rule(wants, () => false);

/** Largest lengths of names and of other texts. */
export const NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 20_000;

/** Characters that are invisible or change the direction of a line. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

/** Text of at most some length, without some problem. */
function limitedText(
  wants: string,
  most: number,
  problem: (text: string) => string | undefined = () => undefined,
): Rule<string> {
  return {
    wants,
    json: { type: "string" },
    read(value, place) {
      if (typeof value !== "string") throw wrongValueError(place, value, wants);
      const found = value.length > most ? `is longer than ${most} characters` : problem(value);
      if (found !== undefined) throw optionError(place, found);
      return value;
    },
  };
}

export const name = limitedText("a name", NAME_LENGTH, (text) => {
  if (text.trim() === "") return "is empty: enter a name";
  return UNSEEN.test(text) ? "contains control characters or unpaired surrogates" : undefined;
});
export const text = limitedText("text", MAX_TEXT_LENGTH);

/** An object with values by the names that users choose. */
export function byName(entry: Schema, wants = "an object of values by name"): Schema {
  const values = recordOf(entry, wants);
  return {
    ...values,
    read(value, place) {
      const keys = isObject(value) ? Object.keys(value) : [];
      for (const key of keys) readPart(place, () => name.read(key, inside(place, key)));
      return values.read(value, place);
    },
  };
}

/** A value that is the same in every file. */
export function literal(value: string | number, wants: string): Schema {
  return rule(wants, (given) => given === value, { const: value });
}

/** A list with at least `least` and at most `most` entries. */
export const list = (entry: Schema, most: number, least = 0) =>
  listOf(entry, "a list", least, most);

/** A list with `count` entries. */
export const exactly = (entry: Schema, count: number, wants: string) =>
  listOf(entry, wants, count, count);

export const numbers = (count: number) => exactly(finite, count, `a list of ${count} numbers`);
export const vector = numbers(3);
export const pair = numbers(2);

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  isRecord(input);

/** Whether a value is an object with a key. */
export const has = (input: unknown, key: string) => isObject(input) && Object.hasOwn(input, key);

/** An object with these entries and no others. */
export const record = (shape: Readonly<Record<string, Schema>>): Schema =>
  options<Record<string, unknown>>(shape, "an object");

/** A reference to a parameter of the file instead of a number. */
export const parameterReference = record({ parameter: needed(name) });

export const orParameter = (schema: Schema) =>
  choiceOf(
    [schema, parameterReference],
    (input) => (isObject(input) ? parameterReference : schema),
    schema.wants,
  );

/** A number of the mechanism, which may be a parameter. */
export const amount = orParameter(finite);
export const positiveAmount = orParameter(positive);
export const amountFromZero = orParameter(notNegative);
export const amounts = (count: number) => exactly(amount, count, `a list of ${count} numbers`);
export const place = amounts(3);

/** Union of objects distinguished by `type`. Types that belong elsewhere are rejected with a reason. */
export function typed(
  shapes: Readonly<Record<string, Readonly<Record<string, Schema>>>>,
  what: string,
  elsewhere: (type: string) => string | undefined = () => undefined,
): Schema {
  const names = Object.keys(shapes);
  const kinds = Object.fromEntries(
    Object.entries(shapes).map(([type, shape]) => [
      type,
      record({ type: needed(literal(type, `"${type}"`)), ...shape }),
    ]),
  );
  const notTyped = wrong(`an object with a "type": ${names.join(", ")}`);
  const type: Schema = {
    wants: `the type of ${what}: ${names.join(", ")}`,
    needed: true,
    read(value, place) {
      const problem =
        elsewhere(String(value)) ?? `is ${show(value)}${advice(String(value), names)}`;
      throw optionError(place, problem);
    },
  };
  // If the type is invalid, the other keys are not checked: they belong to the type that was meant.
  const wrongType: Schema = {
    wants: notTyped.wants,
    read: (value, place) => record({ type }).read({ type: (value as JsonObject).type }, place),
  };
  return choiceOf(Object.values(kinds), (input) => {
    if (!isObject(input)) return notTyped;
    const { type: given } = input;
    return typeof given === "string" && Object.hasOwn(kinds, given) ? kinds[given]! : wrongType;
  });
}

/** The version of the format. */
export const formatVersion = literal(
  FORMAT,
  `${FORMAT}, the version of the format that this version of nodrift reads`,
);
