import { readFileSync } from "node:fs";
import { coupledMethods, formulations, stabilisations } from "nodrift";
import { expect, test } from "vitest";
import { integratorsPage } from "../../docs/make/integrators-page.js";
import { jointsPage } from "../../docs/make/joints-page.js";
import { methodsTable } from "../../docs/make/methods-table.js";
import { workPrecisionPage } from "../../docs/make/work-precision-page.js";

test.each([
  ["docs/methods.md", methodsTable],
  ["docs/joints.md", jointsPage],
  ["docs/theory/integrators.md", integratorsPage],
  ["docs/work-precision.md", workPrecisionPage],
])("%s matches the registries; if not: npm run build, npm run docs", (path, page) => {
  expect(readFileSync(path, "utf8")).toBe(page());
});

test("docs/choosing.md names every kind of method", () => {
  const page = readFileSync("docs/choosing.md", "utf8");
  const kinds = [...formulations, ...stabilisations, ...coupledMethods].map(({ name }) =>
    name.replace(/\(.*/, ""),
  );
  for (const kind of new Set(kinds)) expect(page, kind).toContain(`${kind}(`);
});
