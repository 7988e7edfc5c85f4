import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entrySizes } from "../bench/support/entry-sizes.js";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | { types: string }>;
};

test("every entry of the package has its line in the table of sizes, and the other way round", () => {
  const entries = Object.keys(exports).filter((name) => typeof exports[name] === "object");
  expect(entries.length).toBeGreaterThan(5);
  expect(Object.keys(entrySizes).sort()).toEqual(entries.sort());
});

test("what a line imports is the entry it stands for, or that with those below it", () => {
  for (const [entry, { imports, budget }] of Object.entries(entrySizes)) {
    expect(Object.keys(imports)).toContain(entry.replace(/^\./, "nodrift"));
    expect(budget).toBeGreaterThan(0);
  }
});
