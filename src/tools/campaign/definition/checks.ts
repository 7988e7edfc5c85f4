// Checks of a campaign's description, whether it comes from a file or a call. Every number is judged before anything runs.

import {
  finite,
  inside,
  listOf,
  locationOf,
  needed,
  notNegative,
  number,
  type OptionLocation,
  oneOf,
  optionError,
  options,
  positive,
  type Rule,
  readKeys,
  readOptions,
  recordOf,
  rule,
  type Shape,
  whole,
  word,
} from "../../../ground/checking/index.js";
import type {
  CampaignDescription,
  CaseLimits,
  CorrelationOptions,
  DesignOptions,
  OutputOptions,
  ParameterOptions,
  StopRule,
} from "./options.js";

/** Most cases, parameters and outputs: more are a mistake. */
export const MOST_CASES = 5_000_000;
const MOST_PARAMETERS = 1000;
const MOST_COLUMNS = 10_000;

/** Names become headings of tables and keys of objects. */
export const columnName = rule<string>(
  "a name of letters, digits and most signs, at most 100 long",
  (value) =>
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= 100 &&
    !/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069"\\]/u.test(value) &&
    !["__proto__", "prototype", "constructor"].includes(value),
);

const pair: Rule<readonly [number, number]> = {
  wants: "two numbers, the smaller first",
  read(value, place) {
    const read = listOf(finite).read(value, place);
    if (read.length === 2 && read[0]! < read[1]!) return read as unknown as [number, number];
    throw optionError(place, "must be two numbers, the smaller first");
  },
};

const pointer = rule<string>(
  'a JSON pointer like "/bodies/crank/mass"',
  (value) =>
    typeof value === "string" && /^(\/([^/~]|~[01])+)+$/.test(value) && value.length < 1000,
);
const pointers: Rule<string | readonly string[]> = {
  wants: "a JSON pointer, or a list of them",
  read: (value, place) =>
    Array.isArray(value)
      ? nonEmpty(listOf(pointer)).read(value, place)
      : pointer.read(value, place),
};

function nonEmpty<T>(entries: Rule<T[]>, most = MOST_COLUMNS): Rule<T[]> {
  return {
    wants: `${entries.wants}, at least one`,
    read(value, place) {
      const read = entries.read(value, place);
      if (read.length === 0) throw optionError(place, "is empty");
      if (read.length > most) throw optionError(place, `has more than ${most} entries`);
      return read;
    },
  };
}

const RANGE: Shape<NonNullable<ParameterOptions["range"]>> = {
  from: needed(finite),
  to: needed(finite),
  count: needed(whole(1, 1_000_000)),
  spacing: oneOf("linear", "log"),
};

const PARAMETER: Shape<ParameterOptions> = {
  name: needed(columnName),
  at: pointers,
  uniform: pair,
  normal: options({ mean: needed(finite), deviation: needed(positive) }),
  logNormal: options({ meanOfLog: needed(finite), deviationOfLog: needed(positive) }),
  within: pair,
  values: nonEmpty(listOf(finite), 1_000_000),
  range: options(RANGE),
  formula: word,
  unit: word,
};

const KINDS = ["uniform", "normal", "logNormal", "values", "range", "formula"] as const;

/** One of some keys, and no other of them. */
function only(place: OptionLocation, given: object, keys: readonly string[], least = 1): void {
  const found = keys.filter((key) => Object.hasOwn(given, key));
  if (found.length > 1) throw optionError(place, `has ${found.join(" and ")}: give one of them`);
  if (found.length < least) throw optionError(place, `needs one of ${keys.join(", ")}`);
}

const parameter: Rule<ParameterOptions> = {
  wants: '{ name: "mass", at: "/bodies/0/mass", uniform: [1, 2] }',
  read(value, place) {
    const read = readOptions(place, value, PARAMETER);
    // What a listed parameter is, the list says.
    only(place, read, KINDS, 0);
    const { within, normal, logNormal, range } = read;
    if (within && !normal && !logNormal) {
      throw optionError(inside(place, "within"), "goes with normal or logNormal");
    }
    if (within && logNormal && within[1] <= 0) {
      throw optionError(
        inside(place, "within"),
        "has no positive number, but logNormal gives only these",
      );
    }
    if (range?.spacing === "log" && !(range.from > 0 && range.to > 0)) {
      throw optionError(inside(place, "range"), "must be positive for even steps of the logarithm");
    }
    return read;
  },
};

const correlation: Rule<CorrelationOptions> = options({
  between: needed(nonEmpty(listOf(columnName)) as Rule<unknown> as Rule<readonly [string, string]>),
  value: needed(number("a number between -1 and 1", (value) => Math.abs(value) < 1)),
});

const cases = needed(whole(1, MOST_CASES));
const DESIGNS: Readonly<Record<DesignOptions["type"], Shape<Record<string, unknown>>>> = {
  grid: {},
  random: { cases },
  latinHypercube: { cases },
  sobol: { cases },
  sensitivity: { base: needed(whole(2, MOST_CASES)) },
  list: {
    columns: recordOf(nonEmpty(listOf(finite), MOST_CASES), "columns of numbers by name"),
    file: word,
  },
};
const designType = oneOf(...(Object.keys(DESIGNS) as DesignOptions["type"][]));

const design: Rule<DesignOptions> = {
  wants: '{ type: "sobol", cases: 1024 }',
  read(value, place) {
    const all = [...new Set(Object.values(DESIGNS).flatMap(Object.keys))];
    const { type: given, ...rest } = readKeys(place, value, ["type", ...all]);
    const type = needed(designType).read(given, inside(place, "type"));
    const read = { type, ...readOptions(place, rest, DESIGNS[type]) } as DesignOptions;
    if (read.type === "list") only(place, read, ["columns", "file"]);
    return read;
  },
};

const OUTPUT: Shape<OutputOptions> = {
  name: needed(columnName),
  end: word,
  maximum: word,
  minimum: word,
  timeOfMaximum: word,
  timeOfMinimum: word,
  integral: word,
  mean: word,
  rms: word,
  timeOf: word,
  countOf: word,
  samples: word,
  times: nonEmpty(listOf(finite)),
  occurrence: whole(1),
  unit: word,
};

/** What an output can be. */
export const OUTPUT_KINDS = [
  "end",
  "maximum",
  "minimum",
  "timeOfMaximum",
  "timeOfMinimum",
  "integral",
  "mean",
  "rms",
  "timeOf",
  "countOf",
  "samples",
] as const;

const output: Rule<OutputOptions> = {
  wants: `a formula, or { name: "height", maximum: "z('ball')" }`,
  read(value, place) {
    if (typeof value === "string")
      return { name: columnName.read(value, place), end: word.read(value, place) };
    const read = readOptions(place, value, OUTPUT);
    // A module may give outputs itself: then a name is all there is to say.
    only(place, read, OUTPUT_KINDS, 0);
    if ((read.samples === undefined) !== (read.times === undefined)) {
      throw optionError(place, "samples and times go together");
    }
    return read;
  },
};

const stop: Rule<StopRule> = {
  wants: '{ output: "height", relativeErrorBelow: 0.01 }',
  read(value, place) {
    const read = readOptions<StopRule>(place, value, {
      output: needed(columnName),
      standardErrorBelow: positive,
      relativeErrorBelow: positive,
      failuresAbove: notNegative,
      least: whole(2),
    });
    only(place, read, ["standardErrorBelow", "relativeErrorBelow", "failuresAbove"]);
    return read;
  },
};

export const limits: Rule<CaseLimits> = options<CaseLimits>({
  maximumSeconds: positive,
  maximumSteps: whole(1),
  tries: whole(1, 100),
});

export const DESCRIPTION: Shape<CampaignDescription> = {
  name: columnName,
  parameters: needed(nonEmpty(listOf(parameter), MOST_PARAMETERS)),
  correlations: listOf(correlation),
  design: needed(design),
  seed: whole(0),
  outputs: listOf(output),
  limits,
  stop: listOf(stop),
};

/** What parts of a description say of each other. */
export function checkTogether(description: CampaignDescription, where: string): void {
  const place = locationOf(where, "DESCRIPTION");
  const { parameters, correlations = [], outputs = [], stop: rules = [] } = description;
  const names = parameters.map(({ name }) => name);
  const columns = (outputs as readonly OutputOptions[]).map(({ name }) => name);
  unique([...names, ...columns, ...RESERVED], place);
  for (const [i, { between }] of correlations.entries()) {
    const at = inside(inside(place, "correlations"), i);
    const drawn = parameters.filter((one) => one.uniform ?? one.normal ?? one.logNormal);
    const fits = between.length === 2 && between[0] !== between[1];
    if (!fits) throw optionError(at, "must be between two different parameters");
    for (const name of between) {
      if (!drawn.some((one) => one.name === name)) {
        throw optionError(at, `names "${name}", which is not a parameter with a distribution`);
      }
    }
  }
  if (
    correlations.length > 0 &&
    ["grid", "list", "sensitivity"].includes(description.design.type)
  ) {
    const why = "need a design of random numbers: random, latinHypercube or sobol";
    throw optionError(inside(place, "correlations"), why);
  }
  for (const [i, { output: name, failuresAbove }] of rules.entries()) {
    if (failuresAbove !== undefined || columns.length === 0 || columns.includes(name)) continue;
    throw optionError(inside(inside(place, "stop"), i), `names "${name}", which is no output`);
  }
}

/** Columns that every table has. */
export const RESERVED = ["case", "id", "status", "reason"] as const;

function unique(names: readonly string[], place: OptionLocation): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw optionError(
        place,
        `the name "${name}" occurs twice, or is one of ${RESERVED.join(", ")}`,
      );
    seen.add(name);
  }
}
