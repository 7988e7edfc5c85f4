import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sizes } from "./support/entry-sizes.js";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | { types: string }>;
};

test("the table of sizes lists exactly the entry points of the package", () => {
  const entries = Object.keys(exports).filter((name) => typeof exports[name] === "object");
  expect(entries.length).toBeGreaterThan(5);
  const listed = Object.keys(sizes).filter((name) => /^nodrift(\/|$)/.test(name));
  expect(listed.sort()).toEqual(entries.map((entry) => entry.replace(/^\./, "nodrift")).sort());
});

test("a line is a program, a file or an entry point, and no aim is above its budget", () => {
  for (const [name, { program, file, budget, aim = 0 }] of Object.entries(sizes)) {
    const kinds = [program !== undefined, file !== undefined, name.startsWith("nodrift")];
    expect(kinds.filter(Boolean), name).toHaveLength(1);
    expect(budget).toBeGreaterThan(aim);
  }
});
