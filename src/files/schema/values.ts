// Building blocks of schemas. Messages state the expected and the actual value; the location is reported separately.

import * as v from "valibot";
import { similar } from "../../base/checking/suggest.js";

/** Any schema. Its output is untyped; the type of a whole document is asserted once. */
export type Schema = v.GenericSchema;

/** Alternatives of union schemas, for the JSON Schema, which lists them. */
export const alternatives = new WeakMap<object, readonly Schema[]>();

/**
 * One of several schemas, selected by the form of the input. So messages refer to the selected one instead of to all
 * alternatives.
 */
export function oneOf(options: readonly Schema[], pick: (input: unknown) => Schema): Schema {
  const schema = v.lazy(pick);
  alternatives.set(schema, options);
  return schema;
}

/** The received value as text, truncated if long. */
function receivedText(received: string): string {
  if (received === "Object") return "an object";
  if (received === "Array") return "a list";
  return received.length > 80 ? `${received.slice(0, 77)}..."` : received;
}

const must = (what: string) => (issue: { received: string }) =>
  `must be ${what}, not ${receivedText(issue.received)}`;

/** Schema for inputs that match no alternative. */
export const wrong = (what: string): Schema => v.never(must(what));

export const number = v.pipe(
  v.number(must("a number")),
  v.finite("is too large for a number in double precision"),
);
export const positive = v.pipe(number, v.gtValue(0, must("positive")));
export const notNegative = v.pipe(number, v.minValue(0, must("zero or more")));
export const flag = v.boolean(must("true or false"));

/** Largest lengths of names and of other texts. */
export const NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 20_000;

/** Characters that are invisible or change the direction of a line. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

export const name = v.pipe(
  v.string(must("a name")),
  v.maxLength(NAME_LENGTH, `is longer than ${NAME_LENGTH} characters`),
  v.check((text) => text.trim() !== "", "is empty: enter a name"),
  v.check((text) => !UNSEEN.test(text), "contains control characters or unpaired surrogates"),
);
export const text = v.pipe(
  v.string(must("text")),
  v.maxLength(MAX_TEXT_LENGTH, `is longer than ${MAX_TEXT_LENGTH} characters`),
);

/** One of several words. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, (issue) => {
    const quoted = words.map((one) => `"${one}"`);
    const choices = [quoted.slice(0, -1).join(", "), quoted.at(-1)].join(" or ");
    return near(issue.input, words) ?? must(choices)(issue);
  });

/** Suggestion for a misspelt word, if there is a close one. */
function near(input: unknown, words: readonly string[]): string | undefined {
  const meant = typeof input === "string" ? similar(input, words) : undefined;
  return meant === undefined ? undefined : `is "${input}": did you mean "${meant}"?`;
}

export function list(entry: Schema, maximum: number, minimum = 0): Schema {
  const entries = minimum === 1 ? "1 entry" : `${minimum} entries`;
  return v.pipe(
    v.array(entry, must("a list")),
    v.minLength(minimum, (issue) => `must have at least ${entries}, not ${issue.received}`),
    v.maxLength(maximum, (issue) => `must have at most ${maximum} entries, not ${issue.received}`),
  );
}

/** A list with `count` entries. */
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

/** Whether a value is an object with a key. */
export const has = (input: unknown, key: string) => isObject(input) && Object.hasOwn(input, key);

/** Known keys by issue, for suggestions. An issue does not contain its own key while it is created. */
export const knownKeys = new WeakMap<object, readonly string[]>();

/** Message for a missing required key. */
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

/** A reference to a parameter of the file instead of a number. */
export const parameterReference = record({ parameter: name });

const orParameter = (schema: Schema) =>
  oneOf([schema, parameterReference], (input) => (isObject(input) ? parameterReference : schema));

/** A number of the mechanism, which may be a parameter. */
export const amount = orParameter(number);
export const positiveAmount = orParameter(positive);
export const amountFromZero = orParameter(notNegative);
export const amounts = (count: number) => exactly(amount, count, `a list of ${count} numbers`);
export const place = amounts(3);

/** Union of objects distinguished by `type`. Types that belong elsewhere are rejected with a reason. */
export function typed(
  kinds: Readonly<Record<string, Schema>>,
  what: string,
  elsewhere: (type: string) => string | undefined = () => undefined,
): Schema {
  const names = Object.keys(kinds);
  const isNot = must(`an object with a "type": ${names.join(", ")}`);
  // If the type is invalid, the other keys are not checked: they belong to the type that was meant.
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
    near(type, names) ?? `is ${receivedText(issue.received)}: there are ${names.join(", ")}`;
}
