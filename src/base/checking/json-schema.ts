// JSON schemas of rules, for editors. They are in their own file because programs do not need them.

import type { JsonSchema, Rule } from "./read.js";
import { MAX_LIST_LENGTH } from "./read.js";

/** Returns the JSON schema of a rule. Keys of objects get the descriptions by their names. */
export function jsonSchemaOf(
  { json, parts }: Rule,
  descriptions: Readonly<Record<string, string>> = {},
): JsonSchema {
  const of = (rule: Rule) => jsonSchemaOf(rule, descriptions);
  if (json || !parts) return json ?? {};
  if ("either" in parts) {
    const [only, ...others] = parts.either.map(of);
    return others.length === 0 ? only! : { anyOf: [only, ...others] };
  }
  if ("values" in parts) return { type: "object", additionalProperties: of(parts.values) };
  if ("entry" in parts) {
    const { entry, least = 0, most = MAX_LIST_LENGTH } = parts;
    return {
      type: "array",
      items: of(entry),
      ...(least > 0 && { minItems: least }),
      ...(most < MAX_LIST_LENGTH && { maxItems: most }),
    };
  }
  const rules = Object.entries(parts.shape);
  return {
    type: "object",
    properties: Object.fromEntries(
      rules.map(([key, rule]) => {
        const description = Object.hasOwn(descriptions, key) ? descriptions[key] : undefined;
        return [key, { ...of(rule), ...(description !== undefined && { description }) }];
      }),
    ),
    required: rules.filter(([, rule]) => rule.needed).map(([key]) => key),
    additionalProperties: false,
  };
}
