// The JSON Schema of files, as editors use it.

import { readdirSync, readFileSync } from "node:fs";
import { Ajv, type SchemaObject } from "ajv";
import type { Json } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { descriptions, jsonSchema } from "../../src/files/schema/json-schema.js";
import { allCases, documentWith } from "./support/all-types.js";
import { edited } from "./support/mistakes.js";
import { bodies, entries, file, misspelt } from "./support/structure-mistakes.js";

const schema = jsonSchema();
const accepts = new Ajv({ allErrors: true }).compile(schema as SchemaObject);

/** Pointers of the problems of a document. */
function complaints(document: Json): string[] {
  return accepts(document) ? [] : (accepts.errors ?? []).map(({ instancePath }) => instancePath);
}

type Part = {
  readonly [key: string]: unknown;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
};

/** All objects of the schema that have properties. */
function objectsIn(part: unknown): Part[] {
  if (typeof part !== "object" || part === null) return [];
  const inner = Object.values(part).flatMap(objectsIn);
  return "properties" in part ? [part as Part, ...inner] : inner;
}

const objects = objectsIn(schema);

test("the schema names its dialect once", () => {
  expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
  expect(JSON.stringify(schema).match(/"\$schema":"http/g)).toHaveLength(1);
  expect(JSON.stringify(schema)).not.toContain("$ref");
  expect(schema.title).toBe("nodrift model, version 1");
});

describe("the schema accepts", () => {
  const examples = readdirSync("examples").filter((name) => !name.startsWith("equations-"));

  test.each(examples)("%s", (name) => {
    expect(complaints(JSON.parse(readFileSync(`examples/${name}`, "utf8")))).toEqual([]);
  });

  test("a file with a little of everything", () => {
    expect(complaints(edited({}))).toEqual([]);
  });

  test.each(allCases.map((one) => [one.title, one] as const))("%s", (_, one) => {
    expect(complaints(documentWith([one]) as unknown as Json)).toEqual([]);
  });
});

describe("the schema rejects", () => {
  // Blank names are checked only by the reader.
  const unseen = ["an empty name"];
  const mistakes = [...file, ...misspelt, ...bodies, ...entries].filter(
    ([what]) => !unseen.includes(what),
  );

  test.each(mistakes)("%s", (_, edits, pointer) => {
    const found = complaints(edited(edits));
    expect(found.length).toBeGreaterThan(0);
    // At the location itself, or at its parent if no alternative matches.
    expect(found.some((place) => pointer.startsWith(place))).toBe(true);
  });
});

describe("objects", () => {
  test("reject unknown keys", () => {
    expect(objects.length).toBeGreaterThan(50);
    expect(objects.filter((part) => part.additionalProperties !== false)).toEqual([]);
  });

  test("describe each key", () => {
    const untold = objects.flatMap(({ properties = {} }) =>
      Object.entries(properties).filter(
        ([key, part]) => key in descriptions && part.description !== descriptions[key],
      ),
    );
    expect(untold).toEqual([]);
    const keys = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
    expect(Object.keys(descriptions).filter((key) => !keys.has(key))).toEqual([]);
  });

  test("for joints and forces have only options covered by these tests", () => {
    const typeOf = ({ properties }: Part) => properties?.type?.const as string | undefined;
    const tried = (type: string) =>
      new Set(
        allCases
          .filter((one) => one.type === type)
          .flatMap(({ given }) => Object.keys(given.entry)),
      );
    const types = new Set(allCases.map(({ type }) => type));
    const parts = objects.filter((part) => types.has(typeOf(part) ?? ""));
    expect(new Set(parts.map(typeOf)).size).toBe(types.size);
    for (const part of parts) {
      const known = tried(typeOf(part)!);
      const untried = Object.keys(part.properties!).filter(
        (key) => !["type", "name"].includes(key) && !known.has(key),
      );
      expect([typeOf(part), untried]).toEqual([typeOf(part), []]);
    }
  });
});
