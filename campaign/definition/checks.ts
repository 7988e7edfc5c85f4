// Checks the description of a campaign from a file or a call. Every value is validated before anything runs.

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
} from "../../src/base/checking/index.js";
import type {
  CampaignDescription,
  CaseLimits,
  CorrelationOptions,
  DesignOptions,
  OutputOptions,
  ParameterOptions,
  StopRule,
} from "./options.js";

/** Largest numbers of cases, parameters and output columns. */
export const MAX_CASES = 5_000_000;
const MAX_PARAMETERS = 1000;
const MAX_COLUMNS = 10_000;

/** Name of a column. Names are used as table headings and as object keys. */
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
  read(value, location) {
    const read = listOf(finite).read(value, location);
    if (read.length === 2 && read[0]! < read[1]!) return read as unknown as [number, number];
    throw optionError(location, "must be two numbers, the smaller first");
  },
};

const pointer = rule<string>(
  'a JSON pointer like "/bodies/crank/mass"',
  (value) =>
    typeof value === "string" && /^(\/([^/~]|~[01])+)+$/.test(value) && value.length < 1000,
);
const pointers: Rule<string | readonly string[]> = {
  wants: "a JSON pointer, or a list of them",
  read: (value, location) =>
    Array.isArray(value)
      ? nonEmpty(listOf(pointer)).read(value, location)
      : pointer.read(value, location),
};

function nonEmpty<T>(entries: Rule<T[]>, maximum = MAX_COLUMNS): Rule<T[]> {
  return {
    wants: `${entries.wants}, at least one`,
    read(value, location) {
      const read = entries.read(value, location);
      if (read.length === 0) throw optionError(location, "is empty");
      if (read.length > maximum) throw optionError(location, `has more than ${maximum} entries`);
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

/** Requires at least `minimum` and at most one of some keys. */
function only(location: OptionLocation, given: object, keys: readonly string[], minimum = 1): void {
  const found = keys.filter((key) => Object.hasOwn(given, key));
  if (found.length > 1)
    throw optionError(location, `has ${found.join(" and ")}: use only one of them`);
  if (found.length < minimum) throw optionError(location, `needs one of ${keys.join(", ")}`);
}

const parameter: Rule<ParameterOptions> = {
  wants: '{ name: "mass", at: "/bodies/0/mass", uniform: [1, 2] }',
  read(value, location) {
    const read = readOptions(location, value, PARAMETER);
    // A parameter of a list design needs no kind.
    only(location, read, KINDS, 0);
    const { within, normal, logNormal, range } = read;
    if (within && !normal && !logNormal) {
      throw optionError(inside(location, "within"), "requires normal or logNormal");
    }
    if (within && logNormal && within[1] <= 0) {
      throw optionError(
        inside(location, "within"),
        "contains no positive number, as logNormal requires",
      );
    }
    if (range?.spacing === "log" && !(range.from > 0 && range.to > 0)) {
      throw optionError(inside(location, "range"), "must be positive for logarithmic spacing");
    }
    return read;
  },
};

const correlation: Rule<CorrelationOptions> = options({
  between: needed(nonEmpty(listOf(columnName)) as Rule<unknown> as Rule<readonly [string, string]>),
  value: needed(number("a number between -1 and 1", (value) => Math.abs(value) < 1)),
});

const cases = needed(whole(1, MAX_CASES));
const DESIGNS: Readonly<Record<DesignOptions["type"], Shape<Record<string, unknown>>>> = {
  grid: {},
  random: { cases },
  latinHypercube: { cases },
  sobol: { cases },
  sensitivity: { base: needed(whole(2, MAX_CASES)) },
  list: {
    columns: recordOf(nonEmpty(listOf(finite), MAX_CASES), "columns of numbers by name"),
    file: word,
  },
};
const designType = oneOf(...(Object.keys(DESIGNS) as DesignOptions["type"][]));

const design: Rule<DesignOptions> = {
  wants: '{ type: "sobol", cases: 1024 }',
  read(value, location) {
    const all = [...new Set(Object.values(DESIGNS).flatMap(Object.keys))];
    const { type: given, ...rest } = readKeys(location, value, ["type", ...all]);
    const type = needed(designType).read(given, inside(location, "type"));
    const read = { type, ...readOptions(location, rest, DESIGNS[type]) } as DesignOptions;
    if (read.type === "list") only(location, read, ["columns", "file"]);
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

/** Kinds of outputs. */
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
  read(value, location) {
    if (typeof value === "string")
      return { name: columnName.read(value, location), end: word.read(value, location) };
    const read = readOptions(location, value, OUTPUT);
    // If a module returns outputs itself, a name suffices.
    only(location, read, OUTPUT_KINDS, 0);
    if ((read.samples === undefined) !== (read.times === undefined)) {
      throw optionError(location, "samples and times require each other");
    }
    return read;
  },
};

const stop: Rule<StopRule> = {
  wants: '{ output: "height", relativeErrorBelow: 0.01 }',
  read(value, location) {
    const read = readOptions<StopRule>(location, value, {
      output: needed(columnName),
      standardErrorBelow: positive,
      relativeErrorBelow: positive,
      failuresAbove: notNegative,
      minimumCases: whole(2),
    });
    only(location, read, ["standardErrorBelow", "relativeErrorBelow", "failuresAbove"]);
    return read;
  },
};

export const limits: Rule<CaseLimits> = options<CaseLimits>({
  maximumSeconds: positive,
  maximumSteps: whole(1),
  attempts: whole(1, 100),
});

export const DESCRIPTION: Shape<CampaignDescription> = {
  name: columnName,
  parameters: needed(nonEmpty(listOf(parameter), MAX_PARAMETERS)),
  correlations: listOf(correlation),
  design: needed(design),
  seed: whole(0),
  outputs: listOf(output),
  limits,
  stop: listOf(stop),
};

/** Checks the consistency of the parts of a description. */
export function checkTogether(description: CampaignDescription, where: string): void {
  const location = locationOf(where, "DESCRIPTION");
  const { parameters, correlations = [], outputs = [], stop: rules = [] } = description;
  const names = parameters.map(({ name }) => name);
  const columns = (outputs as readonly OutputOptions[]).map(({ name }) => name);
  unique([...names, ...columns, ...RESERVED], location);
  for (const [i, { between }] of correlations.entries()) {
    const at = inside(inside(location, "correlations"), i);
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
    const why = "require a random design: random, latinHypercube or sobol";
    throw optionError(inside(location, "correlations"), why);
  }
  for (const [i, { output: name, failuresAbove }] of rules.entries()) {
    if (failuresAbove !== undefined || columns.length === 0 || columns.includes(name)) continue;
    throw optionError(
      inside(inside(location, "stop"), i),
      `names "${name}", which is not an output`,
    );
  }
}

/** Names of the columns that every table has. */
export const RESERVED = ["case", "id", "status", "reason"] as const;

function unique(names: readonly string[], location: OptionLocation): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw optionError(
        location,
        `the name "${name}" occurs twice, or is one of ${RESERVED.join(", ")}`,
      );
    seen.add(name);
  }
}
