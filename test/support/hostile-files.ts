// Model files damaged randomly or deliberately, and their allowed outcomes.

import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import * as fc from "fast-check";
import { NodriftError } from "nodrift";
import { ModelFileError, readDocument, readModel, readSystem, writeModel } from "nodrift/files";
import { solve } from "nodrift/solve";

/** A change of a text. */
type Mutation = (text: string) => string;

/** Values that are invalid nearly everywhere. */
const ODD: readonly unknown[] = [
  null,
  true,
  "",
  "ground",
  "no such thing",
  "1/0",
  "sin(",
  "z('ground')",
  -1,
  0,
  -0,
  1e308,
  5e-324,
  1e17,
  [],
  {},
  [0, 0, 0],
  [[1, 2], [3]],
  { type: "revolute" },
  { table: { x: [0, 1], y: [1, 0] } },
  "x".repeat(5000),
];
const TOKENS = [
  ",",
  "{",
  "}",
  "[",
  "]",
  '"',
  ":",
  "1e999",
  "NaN",
  "//",
  "\\u0000",
  '"__proto__":1,',
];

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** Flips, removes, repeats or inserts bytes. */
const byteMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 0, max: 6 })).map(([at, bit]) => (text: string) => {
    const i = Math.floor(at * text.length);
    const code = text.charCodeAt(i) ^ (1 << bit);
    return text.slice(0, i) + String.fromCharCode(code) + text.slice(i + 1);
  }),
  fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([at, length]) => (text: string) => {
    const i = Math.floor(at * text.length);
    return text.slice(0, i) + text.slice(i + length);
  }),
  fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([at, length]) => (text: string) => {
    const i = Math.floor(at * text.length);
    return text.slice(0, i + length) + text.slice(i);
  }),
  fc.tuple(place, fc.constantFrom(...TOKENS)).map(([at, token]) => (text: string) => {
    const i = Math.floor(at * text.length);
    return text.slice(0, i) + token + text.slice(i);
  }),
);

type Holder = Record<string | number, unknown>;

/** Every nested value, with its container. */
function placesIn(value: unknown): { holder: Holder; key: string | number }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Holder;
  return Object.keys(value).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Changes one value of the file; text that is not JSON stays unchanged. */
function valueMutation(
  at: number,
  change: (holder: Holder, key: string | number) => void,
): Mutation {
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    const places = placesIn(value);
    const found = places[Math.floor(at * places.length)];
    if (found) change(found.holder, found.key);
    return JSON.stringify(value);
  };
}

const valueMutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...ODD)).map(([at, odd]) =>
    valueMutation(at, (holder, key) => {
      holder[key] = odd;
    }),
  ),
  fc.tuple(place, fc.jsonValue()).map(([at, odd]) =>
    valueMutation(at, (holder, key) => {
      holder[key] = odd;
    }),
  ),
  place.map((at) =>
    valueMutation(at, (holder, key) => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    }),
  ),
  place.map((at) =>
    valueMutation(at, (holder, key) => {
      if (Array.isArray(holder)) holder.push(holder[Number(key)]);
      else {
        holder[`${key}s`] = holder[key];
        delete holder[key];
      }
    }),
  ),
  fc.tuple(place, fc.double({ noNaN: true })).map(([at, factor]) =>
    valueMutation(at, (holder, key) => {
      const value = holder[key];
      if (typeof value === "number") holder[key] = value * factor;
    }),
  ),
);

/** A number of damaged files made from valid ones, reproducible by seed. */
export function damagedFiles(texts: readonly string[], count: number, seed: number): string[] {
  const damaged = fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.oneof(byteMutation, valueMutations), { minLength: 1, maxLength: 4 }),
    )
    .map(([text, mutations]) => mutations.reduce((changed, mutation) => mutation(changed), text));
  return fc.sample(damaged, { numRuns: count, seed });
}

/** Outcome of a file. */
export interface Outcome {
  readonly kind: "refused" | "accepted" | "crash" | "nonsense";
  readonly text: string;
  /** Reason of a crash or a nonsensical result. */
  readonly why?: string;
  readonly seconds: number;
}

/** Reads a damaged file, and compiles and runs it for some steps if it is accepted. */
export async function judge(text: string, schema: ValidateFunction): Promise<Outcome> {
  const began = performance.now();
  const outcome = await judged(text, schema).catch((error: unknown) => ({
    kind: "crash" as const,
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  return { ...outcome, text, seconds: (performance.now() - began) / 1000 };
}

/** The published schema. */
export function publishedSchema(path = "dist/model-1.schema.json"): ValidateFunction {
  return new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path, "utf8")));
}

async function judged(
  text: string,
  schema: ValidateFunction,
): Promise<Pick<Outcome, "kind" | "why">> {
  let file: ReturnType<typeof readModel>;
  try {
    file = readModel(text);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    if (error.problems.length === 0) return nonsense("refused without a problem");
    const unclear = error.problems.find(({ message }) => UNCLEAR.test(message));
    return unclear ? nonsense(`refused with "${unclear.message}"`) : { kind: "refused" };
  }
  const value: unknown = JSON.parse(text);
  if (!schema(value)) return nonsense(`the schema refuses it: ${JSON.stringify(schema.errors)}`);
  const bodies = file.model.data().bodies;
  if (!bodies.every(({ mass }) => mass > 0 && Number.isFinite(mass))) return nonsense("a mass");
  const written = writeModel(file.model, file.settings);
  const again = readDocument(JSON.parse(written));
  if (writeModel(again.model, again.settings) !== written) return nonsense("written differently");
  try {
    const system = await file.compile();
    const limits = { span: [0, 1] as const, maximumSteps: 20, maximumSeconds: 2 };
    const { span = limits.span } = file.settings.solve ?? {};
    const { status, end } = solve(system, file.solveOptions(system, { ...limits, span }));
    const isSound = [...end.q, ...end.v].every(Number.isFinite);
    return isSound ? { kind: "accepted" } : nonsense(`${status}, with a state that is not finite`);
  } catch (error) {
    if (!(error instanceof NodriftError)) throw error;
    return { kind: "refused" };
  }
}

/** Reads a damaged file of equations, and runs it for some steps if it is accepted. */
export function judgeEquations(text: string, schema: ValidateFunction): Outcome {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  try {
    return { ...judgedEquations(text, schema), text, seconds: seconds() };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "crash", why, text, seconds: seconds() };
  }
}

function judgedEquations(text: string, schema: ValidateFunction): Pick<Outcome, "kind" | "why"> {
  let file: ReturnType<typeof readSystem>;
  try {
    file = readSystem(text);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    if (error.problems.length === 0) return nonsense("refused without a problem");
    const unclear = error.problems.find(({ message }) => UNCLEAR.test(message));
    return unclear ? nonsense(`refused with "${unclear.message}"`) : { kind: "refused" };
  }
  if (!("system" in file)) return { kind: "accepted" };
  if (!schema(JSON.parse(text))) {
    return nonsense(`the schema refuses it: ${JSON.stringify(schema.errors)}`);
  }
  const { system, settings } = file;
  if (!Object.values(system.parameters).every(Number.isFinite)) return nonsense("a parameter");
  const [from] = settings.solve?.span ?? [0];
  try {
    const limits = { span: [from, from + 1e-3], maximumSteps: 10, maximumSeconds: 0.5 } as const;
    const { status, end } = solve(system, file.solveOptions(limits));
    const isSound = [...end.q, ...end.v].every(Number.isFinite);
    if (!isSound) return nonsense(`${status}, with a state that is not finite`);
    if (status === "finished" && end.time !== from + 1e-3) return nonsense(`ends at ${end.time}`);
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof NodriftError)) throw error;
    return UNCLEAR.test(error.message)
      ? nonsense(`refused with "${error.message}"`)
      : { kind: "refused" };
  }
}

/** Text that no message may contain, unless it was given. */
export const UNCLEAR = /(?<!not |is )undefined|\[object/;

function nonsense(why: string): Pick<Outcome, "kind" | "why"> {
  return { kind: "nonsense", why };
}
