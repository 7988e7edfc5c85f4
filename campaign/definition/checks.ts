// Checks the description of a campaign from a file or a call. Every value is validated before anything runs.

import {
  choiceOf,
  finite,
  inside,
  isRecord,
  type JsonSchema,
  jsonSchemaOf,
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
  text,
  whole,
  word,
} from "../../src/base/checking/index.js";
import {
  CAMPAIGN_FORMAT,
  type CampaignDescription,
  type CampaignModel,
  type CaseLimits,
  type CorrelationOptions,
  type DesignOptions,
  type OutputOptions,
  type ParameterOptions,
  type StopRule,
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
  { type: "string", minLength: 1 },
);

const pair: Rule<readonly [number, number]> = {
  wants: "two numbers, the smaller first",
  parts: { entry: finite, least: 2, most: 2 },
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
  { type: "string", minLength: 1 },
);
const pointerList = nonEmpty(pointer);
const pointers = choiceOf<string | readonly string[]>(
  [pointer, pointerList],
  (value) => (Array.isArray(value) ? pointerList : pointer),
  "a JSON pointer, or a list of them",
);

function nonEmpty<T>(entry: Rule<T>, most = MAX_COLUMNS): Rule<T[]> {
  return listOf(entry, `a list, each of them ${entry.wants}, at least one`, 1, most);
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
  values: nonEmpty(finite, 1_000_000),
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
  parts: { shape: PARAMETER },
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
  between: needed(nonEmpty(columnName) as Rule<unknown> as Rule<readonly [string, string]>),
  value: needed(
    number("a number between -1 and 1", (value) => Math.abs(value) < 1, {
      exclusiveMinimum: -1,
      exclusiveMaximum: 1,
    }),
  ),
});

const cases = needed(whole(1, MAX_CASES));
const DESIGNS: Readonly<Record<DesignOptions["type"], Shape<Record<string, unknown>>>> = {
  grid: {},
  random: { cases },
  latinHypercube: { cases },
  sobol: { cases },
  sensitivity: { base: needed(whole(2, MAX_CASES)) },
  list: {
    columns: recordOf(nonEmpty(finite, MAX_CASES), "columns of numbers by name"),
    file: word,
  },
};
const designType = oneOf(...(Object.keys(DESIGNS) as DesignOptions["type"][]));

const design: Rule<DesignOptions> = {
  wants: '{ type: "sobol", cases: 1024 }',
  parts: {
    either: Object.entries(DESIGNS).map(([type, shape]) =>
      options<Record<string, unknown>>({ type: needed(oneOf(type)), ...shape }),
    ),
  },
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
  times: nonEmpty(finite),
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
  parts: { either: [word, options(OUTPUT)] },
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

const STOP: Shape<StopRule> = {
  output: needed(columnName),
  standardErrorBelow: positive,
  relativeErrorBelow: positive,
  failuresAbove: notNegative,
  minimumCases: whole(2),
};

const stop: Rule<StopRule> = {
  wants: '{ output: "height", relativeErrorBelow: 0.01 }',
  parts: { shape: STOP },
  read(value, location) {
    const read = readOptions(location, value, STOP);
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
  parameters: needed(nonEmpty(parameter, MAX_PARAMETERS)),
  correlations: listOf(correlation),
  design: needed(design),
  seed: whole(0),
  outputs: listOf(output),
  limits,
  stop: listOf(stop),
};

const WANTED_MODEL = "the path of a model file or of a module, or a model document";

/** A campaign file. The model is read on its own. */
export const FILE = {
  $schema: text,
  campaign: needed(
    rule<number>(
      `${CAMPAIGN_FORMAT}: the version of the format`,
      (value) => value === CAMPAIGN_FORMAT,
      { const: CAMPAIGN_FORMAT },
    ),
  ),
  model: needed(
    rule<CampaignModel>(WANTED_MODEL, (value) => typeof value === "string" || isRecord(value), {
      type: ["string", "object"],
    }),
  ),
  ...DESCRIPTION,
  outputs: needed(listOf(output)),
};

/** Descriptions of keys for editors. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  campaign: "Version of the format",
  model: "Path of a model file or of a module, or a model document",
  parameters: "Parameters that vary",
  name: "Name and column heading",
  at: 'JSON pointer to the value it replaces: "/bodies/crank/mass". Default: the model parameter with its name',
  uniform: "Uniform distribution between two bounds",
  within: "Bounds of a normal or log-normal distribution",
  formula: "Formula of the preceding parameters",
  design: "Design of the cases",
  seed: "Seed of random numbers",
  outputs: "Outputs of each case",
};

/** The JSON Schema of campaign files, for editors. */
export function campaignSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...jsonSchemaOf(options<Record<string, unknown>>(FILE), DESCRIPTIONS),
    title: `nodrift campaign, version ${CAMPAIGN_FORMAT}`,
    description:
      "Many runs of a model: the parameters that vary, their distributions, and the outputs of each run.",
  };
}

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
