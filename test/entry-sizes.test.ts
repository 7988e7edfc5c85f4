import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entrySizes } from "./support/entry-sizes.js";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | { types: string }>;
};

test("the table of sizes lists exactly the entry points of the package", () => {
  const entries = Object.keys(exports).filter((name) => typeof exports[name] === "object");
  expect(entries.length).toBeGreaterThan(5);
  expect(Object.keys(entrySizes).sort()).toEqual(entries.sort());
});

test("each line imports its entry point, alone or with those below it", () => {
  for (const [entry, { imports, budget }] of Object.entries(entrySizes)) {
    expect(Object.keys(imports)).toContain(entry.replace(/^\./, "nodrift"));
    expect(budget).toBeGreaterThan(0);
  }
});
