import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lonelyFiles, optionalMembers, ratchets, twinTypes } from "./support/ratchets.js";
import { walk } from "./support/walk.js";

const stored = JSON.parse(
  readFileSync(new URL("./ratchets.json", import.meta.url), "utf8"),
) as Record<string, number>;

describe("counters of the sources", async () => {
  const counted = { ...ratchets(), ...(await walk()) };

  test("the names of counters equal those in test/ratchets.json", () => {
    expect(Object.keys(counted)).toEqual(Object.keys(stored));
  });

  test.each(Object.keys(stored))(
    "%s: no more than in test/ratchets.json, which is lowered if they fall",
    (name) => {
      expect(counted[name]).toBeLessThanOrEqual(stored[name] as number);
    },
  );
});

describe("a counter", () => {
  test("finds type names that two files declare, and none that one declares twice", () => {
    const texts = [
      "interface A {}\nexport type B = 1;",
      "export class A {}",
      "type C = 1;\ntype C = 2;",
    ];
    expect(twinTypes(texts)).toEqual(["A"]);
  });

  test("finds optional members of interfaces, with and without readonly, and of no other type", () => {
    const text =
      "export interface A {\n  readonly a?: 1;\n  b?(): void;\n  c: 1;\n}\ntype T = {\n  d?: 1;\n};\n";
    expect(optionalMembers([text])).toBe(2);
  });

  test("finds no short file with one importer among files that import nothing", () => {
    expect(lonelyFiles(["src/base/errors.ts"])).toEqual([]);
  });
});
