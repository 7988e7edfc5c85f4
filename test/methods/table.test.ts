import { readFileSync } from "node:fs";
import { coupledMethods, formulations, stabilisations } from "nodrift";
import { expect, test } from "vitest";
import { methodsTable } from "../../bench/support/methods-table.js";

test("docs/methods.md is what the registries say; if not: npm run build, npm run docs", () => {
  expect(readFileSync("docs/methods.md", "utf8")).toBe(methodsTable());
});

test("docs/choosing.md names every kind of method", () => {
  const page = readFileSync("docs/choosing.md", "utf8");
  const kinds = [...formulations, ...stabilisations, ...coupledMethods].map(({ name }) =>
    name.replace(/\(.*/, ""),
  );
  for (const kind of new Set(kinds)) expect(page, kind).toContain(`${kind}(`);
});
