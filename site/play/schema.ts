// Editing help from the schema of model files: allowed keys and values at a location, and their descriptions.

import type { Path } from "./json-locations.js";

/** The supported subset of JSON Schema. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Returns all alternatives, including nested ones. */
function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}

/**
 * Returns the schemas of the value at a path. If an entry may be of several kinds, `typeAt` returns its "type" in the
 * text, and only that kind counts.
 */
export function schemasAt(
  schema: Schema,
  path: Path,
  typeAt: (path: Path) => string | undefined,
): readonly Schema[] {
  let found = alternatives(schema);
  for (const [depth, key] of path.entries()) {
    const type = typeAt(path.slice(0, depth));
    const fitting = type === undefined || key === "type" ? found : ofType(found, type);
    found = fitting.flatMap((one) => inside(one, key)).flatMap(alternatives);
  }
  const type = typeAt(path);
  return type === undefined ? found : ofType(found, type);
}

function ofType(schemas: readonly Schema[], type: string): readonly Schema[] {
  const fitting = schemas.filter(({ properties }) => properties?.type?.const === type);
  return fitting.length > 0 ? fitting : schemas;
}

function inside(schema: Schema, key: string | number): readonly Schema[] {
  if (typeof key === "number") return schema.items ? [schema.items] : [];
  const { properties, additionalProperties: other } = schema;
  if (properties && Object.hasOwn(properties, key)) return [properties[key]!];
  return typeof other === "object" ? [other] : [];
}

/** Returns the enumerable values: constants, choices, true and false. */
export function valuesOf(schemas: readonly Schema[]): readonly unknown[] {
  const all = schemas.flatMap((one) => {
    if (one.const !== undefined) return [one.const];
    if (one.enum) return one.enum;
    return one.type === "boolean" ? [true, false] : [];
  });
  return [...new Set(all)];
}

/** Returns the allowed keys of an object with their help. */
export function keysOf(schemas: readonly Schema[]): ReadonlyMap<string, KeyHelp> {
  const keys = new Map<string, KeyHelp>();
  for (const { properties = {}, required = [] } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (keys.has(name)) continue;
      const help = { schema, isRequired: required.includes(name) };
      keys.set(name, help);
    }
  }
  return keys;
}

export interface KeyHelp {
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Describes a schema, such as `[3 × (number)]` or `"a" | "b"`. */
export function wordsOf(schema: Schema): string {
  const all = alternatives(schema);
  const listed = valuesOf(all).map((value) => JSON.stringify(value));
  const others = all
    .filter((one) => one.const === undefined && !one.enum)
    .map((one) => shapeOf(one));
  const words = [...new Set([...listed, ...others])];
  return words.length > 8 ? `${words.slice(0, 8).join(" | ")} | …` : words.join(" | ");
}

function shapeOf(schema: Schema): string {
  const { type, items, minItems, maxItems, minimum, exclusiveMinimum } = schema;
  if (type === "array") {
    const inner = items ? wordsOf(items) : "value";
    const counted = minItems !== undefined && minItems === maxItems;
    return counted ? `[${minItems} × (${inner})]` : `[${inner}, …]`;
  }
  if (type === "number" && exclusiveMinimum !== undefined) return `number > ${exclusiveMinimum}`;
  if (type === "number" && minimum !== undefined) return `number ≥ ${minimum}`;
  if (type === "object" && schema.properties) {
    return `{ ${Object.keys(schema.properties).slice(0, 4).join(", ")} … }`;
  }
  return type ?? "value";
}

/** Returns the description of a key, if the schema has one. */
export function descriptionOf(schema: Schema): string {
  return (
    schema.description ?? schema.anyOf?.find(({ description }) => description)?.description ?? ""
  );
}
