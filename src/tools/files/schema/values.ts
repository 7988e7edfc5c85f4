// What entries of a file are made of. Messages say what must be there and what is; the location is reported separately.

import * as v from "valibot";
import { similar } from "../../../ground/checking/name-suggestions.js";

/** Any schema. Files are described by JSON Schema, not by types: outputs are typed once, for a whole document. */
export type Schema = v.GenericSchema;

/** Schemas that stand for one of several: for the JSON Schema, which lists them. */
export const alternatives = new WeakMap<object, readonly Schema[]>();

/**
 * One of several schemas, picked by what the input looks like: messages then tell about that one, instead of
 * about none of many.
 */
export function oneOf(options: readonly Schema[], pick: (input: unknown) => Schema): Schema {
  const schema = v.lazy(pick);
  alternatives.set(schema, options);
  return schema;
}

/** What was given, as text. Texts may be long. */
function given(received: string): string {
  if (received === "Object") return "an object";
  if (received === "Array") return "a list";
  return received.length > 80 ? `${received.slice(0, 77)}..."` : received;
}

const must = (what: string) => (issue: { received: string }) =>
  `must be ${what}, not ${given(issue.received)}`;

/** For inputs that look like none of several. */
export const wrong = (what: string): Schema => v.never(must(what));

export const number = v.pipe(
  v.number(must("a number")),
  v.finite("is too large for a number in double precision"),
);
export const positive = v.pipe(number, v.gtValue(0, must("positive")));
export const notNegative = v.pipe(number, v.minValue(0, must("zero or more")));
export const flag = v.boolean(must("true or false"));

/** How long texts may be: names, and everything else. */
export const NAME_LENGTH = 200;
const TEXT_LENGTH = 20_000;

/** What cannot be shown in a line, or turns the rest of it round. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

export const name = v.pipe(
  v.string(must("a name")),
  v.maxLength(NAME_LENGTH, `is longer than ${NAME_LENGTH} characters`),
  v.check((text) => text.trim() !== "", "is empty: give a name"),
  v.check((text) => !UNSEEN.test(text), "contains control characters or unpaired surrogates"),
);
export const text = v.pipe(
  v.string(must("text")),
  v.maxLength(TEXT_LENGTH, `is longer than ${TEXT_LENGTH} characters`),
);

/** One of some words. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, (issue) => {
    const quoted = words.map((one) => `"${one}"`);
    const choices = [quoted.slice(0, -1).join(", "), quoted.at(-1)].join(" or ");
    return near(issue.input, words) ?? must(choices)(issue);
  });

/** A suggestion, where there is a good one. */
function near(input: unknown, words: readonly string[]): string | undefined {
  const meant = typeof input === "string" ? similar(input, words) : undefined;
  return meant === undefined ? undefined : `is "${input}": did you mean "${meant}"?`;
}

export function list(entry: Schema, most: number, least = 0): Schema {
  const entries = least === 1 ? "1 entry" : `${least} entries`;
  return v.pipe(
    v.array(entry, must("a list")),
    v.minLength(least, (issue) => `must have at least ${entries}, not ${issue.received}`),
    v.maxLength(most, (issue) => `must have at most ${most} entries, not ${issue.received}`),
  );
}

/** A list with this many entries. */
export function exactly(entry: Schema, count: number, what: string): Schema {
  return v.pipe(
    v.array(entry, must(what)),
    v.length(count, (issue) => `must be ${what}, but has ${issue.received}`),
  );
}

export const numbers = (count: number) => exactly(number, count, `a list of ${count} numbers`);
export const vector = numbers(3);
export const pair = numbers(2);

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

/** Whether something is an object with a key. */
export const has = (input: unknown, key: string) => isObject(input) && Object.hasOwn(input, key);

/** Keys that are known where one is not: by the issue, which does not know its own key while it is made. */
export const knownKeys = new WeakMap<object, readonly string[]>();

/** Of keys that must be there. */
export const MISSING = "is missing";

/** An object with these entries and no others. */
export function record(entries: v.ObjectEntries): Schema {
  const keys = Object.keys(entries);
  const isNot = must("an object");
  const object = v.objectWithRest(
    entries,
    v.never((issue) => {
      knownKeys.set(issue, keys);
      return "is not known";
    }),
    (issue) => (issue.path === undefined ? isNot(issue) : MISSING),
  );
  return oneOf([object], (input) => (isObject(input) ? object : v.never(isNot)));
}

/** A parameter of the file, in place of a number. */
export const parameterReference = record({ parameter: name });

const orParameter = (schema: Schema) =>
  oneOf([schema, parameterReference], (input) => (isObject(input) ? parameterReference : schema));

/** Numbers of the mechanism, which may be parameters. */
export const amount = orParameter(number);
export const positiveAmount = orParameter(positive);
export const amountFromZero = orParameter(notNegative);
export const amounts = (count: number) => exactly(amount, count, `a list of ${count} numbers`);
export const place = amounts(3);

/** Objects that say by their `type` which they are. Types that belong elsewhere are refused with a reason. */
export function typed(
  kinds: Readonly<Record<string, Schema>>,
  what: string,
  elsewhere: (type: string) => string | undefined = () => undefined,
): Schema {
  const names = Object.keys(kinds);
  const isNot = must(`an object with a "type": ${names.join(", ")}`);
  // Where only the type is wrong nothing is said about the other keys: they are those of what was meant.
  const wrongType = v.looseObject(
    { type: oneOf([], (type) => v.never(elsewhere(String(type)) ?? typeProblem(type, names))) },
    (issue) =>
      issue.path === undefined
        ? isNot(issue)
        : `is missing: which ${what} is it? There are ${names.join(", ")}`,
  );
  return oneOf(Object.values(kinds), (input) => {
    if (!isObject(input)) return v.never(isNot);
    const { type } = input;
    const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    return kind ?? wrongType;
  });
}

function typeProblem(type: unknown, names: readonly string[]) {
  return (issue: { received: string }) =>
    near(type, names) ?? `is ${given(issue.received)}: there are ${names.join(", ")}`;
}
