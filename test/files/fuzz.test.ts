// Files that were changed at random are read or refused with words, never anything else.

import { Ajv, type SchemaObject } from "ajv";
import { type Json, ModelFileError, modelOf, readModel, writeModel } from "nodrift/files";
import { expect, test } from "vitest";
import { type Random, seeded } from "../../bench/support/random.js";
import { jsonSchema } from "../../src/files/schema/json-schema.js";
import { allCases, documentWith } from "./support/all-types.js";
import { edited } from "./support/mistakes.js";

const accepts = new Ajv().compile(jsonSchema() as SchemaObject);

/** What may stand in the place of anything. */
const junk: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "ground",
  "a",
  "t",
  "x('crank')",
  [],
  [0, 0, 0],
  [1, 2],
  ["ground", "crank"],
  {},
  { table: { x: [0, 1], y: [1, 1] } },
  { type: "revolute" },
  { name: "crank" },
  { marker: "tip", of: "crank" },
];

type Branch = Record<string, unknown> | unknown[];

/** All places of a document: what is in what, by which key. */
function placesIn(value: unknown): [Branch, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [value as Branch, key] as [Branch, string],
    ...placesIn(inner),
  ]);
}

/** Changes, removes, doubles or moves something. */
function spoil(document: Json, random: Random): void {
  const whole = (below: number) => Math.min(below - 1, Math.floor(((random() + 1) / 2) * below));
  const places = placesIn(document);
  const [parent, key] = places[whole(places.length)];
  const other = places[whole(places.length)];
  const branch = parent as Record<string, unknown>;
  const ways = [
    () => {
      branch[key] = junk[whole(junk.length)];
    },
    () => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete branch[key];
    },
    () => {
      if (Array.isArray(parent)) parent.push(structuredClone(branch[key]));
      else branch[`${key}x`] = branch[key];
    },
    () => {
      branch[key] = structuredClone((other[0] as Record<string, unknown>)[other[1]]);
    },
  ];
  ways[whole(ways.length)]();
}

const documents: [string, number, () => Json][] = [
  ["a little of everything", 200, () => edited({})],
  ["all types", 20, () => structuredClone(documentWith(allCases)) as unknown as Json],
];

test.each(documents)("a file with %s, spoilt %i times", (_, runs, make) => {
  const random = seeded(7);
  const counts = { read: 0, refused: 0 };
  for (let run = 0; run < runs; run++) {
    const document = make();
    for (let change = 0; change <= run % 3; change++) spoil(document, random);
    try {
      const { model, settings } = readModel(JSON.stringify(document));
      counts.read++;
      // What can be read is right for editors, too, and can be written and read again.
      expect(accepts(document)).toBe(true);
      const text = writeModel(model, settings);
      const again = readModel(text);
      expect(writeModel(again.model, again.settings)).toBe(text);
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error;
      counts.refused++;
      expect(error.problems.length).toBeGreaterThan(0);
      for (const { message } of error.problems) expect(message).not.toMatch(/undefined|\[object/);
      expect(() => modelOf(document)).toThrow(ModelFileError);
    }
  }
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(0);
});
