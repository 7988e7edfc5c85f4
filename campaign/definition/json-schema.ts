// The JSON Schema of campaign files, for editors. It is written by hand; tests compare it with the reader.

import { MAX_CASES, OUTPUT_KINDS } from "./checks.js";
import { CAMPAIGN_FORMAT } from "./options.js";

const number = { type: "number" };
const positive = { type: "number", exclusiveMinimum: 0 };
const text = { type: "string", minLength: 1 };
const pair = { type: "array", items: number, minItems: 2, maxItems: 2 };
const cases = { type: "integer", minimum: 1, maximum: MAX_CASES };

function record(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): object {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

const design = (
  type: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
) => record({ type: { const: type }, ...properties }, ["type", ...required]);

const parameter = record(
  {
    name: { ...text, description: "Name and column heading" },
    at: {
      anyOf: [text, { type: "array", items: text, minItems: 1 }],
      description:
        'JSON pointer to the value it replaces: "/bodies/crank/mass". Default: the model parameter with its name',
    },
    uniform: { ...pair, description: "Uniform distribution between two bounds" },
    normal: record({ mean: number, deviation: positive }, ["mean", "deviation"]),
    logNormal: record({ meanOfLog: number, deviationOfLog: positive }, [
      "meanOfLog",
      "deviationOfLog",
    ]),
    within: { ...pair, description: "Bounds of a normal or log-normal distribution" },
    values: { type: "array", items: number, minItems: 1 },
    range: record(
      {
        from: number,
        to: number,
        count: { type: "integer", minimum: 1 },
        spacing: { enum: ["linear", "log"] },
      },
      ["from", "to", "count"],
    ),
    formula: { ...text, description: "Formula of the preceding parameters" },
    unit: text,
  },
  ["name"],
);

const output = record(
  {
    name: text,
    ...Object.fromEntries(OUTPUT_KINDS.map((kind) => [kind, text])),
    times: { type: "array", items: number, minItems: 1 },
    occurrence: { type: "integer", minimum: 1 },
    unit: text,
  },
  ["name"],
);

/** The schema as plain data. */
export function campaignSchema(): object {
  const file = record(
    {
      $schema: { type: "string" },
      campaign: { const: CAMPAIGN_FORMAT, description: "Version of the format" },
      name: text,
      model: {
        anyOf: [text, { type: "object" }],
        description: "Path of a model file or of a module, or a model document",
      },
      parameters: {
        type: "array",
        items: parameter,
        minItems: 1,
        description: "Parameters that vary",
      },
      correlations: {
        type: "array",
        items: record(
          {
            between: { type: "array", items: text, minItems: 2, maxItems: 2 },
            value: { type: "number", exclusiveMinimum: -1, exclusiveMaximum: 1 },
          },
          ["between", "value"],
        ),
      },
      design: {
        anyOf: [
          design("grid", {}),
          design("random", { cases }, ["cases"]),
          design("latinHypercube", { cases }, ["cases"]),
          design("sobol", { cases }, ["cases"]),
          design("sensitivity", { base: { ...cases, minimum: 2 } }, ["base"]),
          design("list", { file: text, columns: { type: "object" } }),
        ],
        description: "Design of the cases",
      },
      seed: { type: "integer", minimum: 0, description: "Seed of random numbers" },
      outputs: {
        type: "array",
        items: { anyOf: [text, output] },
        description: "Outputs of each case",
      },
      limits: record({
        maximumSeconds: positive,
        maximumSteps: { type: "integer", minimum: 1 },
        attempts: { type: "integer", minimum: 1, maximum: 100 },
      }),
      stop: {
        type: "array",
        items: record(
          {
            output: text,
            standardErrorBelow: positive,
            relativeErrorBelow: positive,
            failuresAbove: { type: "number", minimum: 0 },
            minimumCases: { type: "integer", minimum: 2 },
          },
          ["output"],
        ),
      },
    },
    ["campaign", "model", "parameters", "design", "outputs"],
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...file,
    title: `nodrift campaign, version ${CAMPAIGN_FORMAT}`,
    description:
      "Many runs of a model: the parameters that vary, their distributions, and the outputs of each run.",
  };
}
