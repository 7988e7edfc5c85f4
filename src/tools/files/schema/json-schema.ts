// The JSON Schema of model files, for editors.

import { toJsonSchema } from "@valibot/to-json-schema";
import { FORMAT } from "../document/document.js";
import { descriptions } from "./descriptions.js";
import { documentSchema } from "./document.js";
import { equationsSchema } from "./equations.js";
import { alternatives, type Schema } from "./values.js";

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Bounds on texts and checks by functions are left to the reader of files: editors need the structure. */
function convert(schema: Schema): JsonSchema {
  const made = toJsonSchema(schema, {
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const options = alternatives.get(valibotSchema);
      if (options) return eitherOf(options.map((one) => plain(convert(one))));
      if (valibotSchema.type === "object_with_rest") {
        return { ...jsonSchema, ...told(jsonSchema.properties), additionalProperties: false };
      }
      return undefined;
    },
  });
  return made;
}

function eitherOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: [...schemas] };
}

/** Properties with what editors show about them. */
function told(properties: JsonSchema["properties"] = {}): Pick<JsonSchema, "properties"> {
  const entries = Object.entries(properties).map(([key, value]) => {
    const description = Object.hasOwn(descriptions, key) ? descriptions[key] : undefined;
    const isPlain = typeof value === "object" && description !== undefined;
    return [key, isPlain ? { ...value, description } : value] as const;
  });
  return { properties: Object.fromEntries(entries) };
}

/** Only the outermost schema names its dialect; definitions are written where they are used. */
function plain({ $schema: _, $defs = {}, ...rest }: JsonSchema): JsonSchema {
  return inlined(rest, $defs) as JsonSchema;
}

function inlined(part: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((one) => inlined(one, definitions));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...rest } = part as { readonly $ref?: string };
  const meant = $ref === undefined ? {} : inlined(definitions[nameOf($ref)], definitions);
  const entries = Object.entries(rest).map(([key, one]) => [key, inlined(one, definitions)]);
  return { ...(meant as object), ...Object.fromEntries(entries) };
}

/** What "#/$defs/0" refers to. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The schema of files of equations as plain data. */
export function equationsJsonSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...plain(convert(equationsSchema)),
    title: `nodrift equations, version ${FORMAT}`,
    description: "A system by equations, how it is solved and what is shown of it.",
  };
}

/** The schema as plain data. */
export function jsonSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...plain(convert(documentSchema)),
    title: `nodrift model, version ${FORMAT}`,
    description: "A mechanism of rigid bodies, how it is solved and what is shown of it.",
  };
}
