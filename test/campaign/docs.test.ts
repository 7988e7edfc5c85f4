// The examples of docs/campaigns.md: the file is read and fits the schema, the program runs.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, expect, test } from "vitest";
import { campaignSchema } from "../../campaign/definition/checks.js";
import { readCampaign } from "../../campaign/definition/define.js";

const page = readFileSync("docs/campaigns.md", "utf8");
const parts = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => text,
  );
// Inside the package, so that it resolves its own name.
const folder = "build/docs-campaigns";
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

const fits = new Ajv({ strict: false }).compile(campaignSchema());

test("the file of the page is readable and matches the schema", () => {
  const [file, ...others] = parts("json");
  expect(others).toEqual([]);
  expect(fits(JSON.parse(file))).toBe(true);
  const { design, outputs } = readCampaign(file, "examples");
  expect(design).toEqual({ type: "sobol", cases: 1024 });
  expect(outputs).toHaveLength(2);
});

test("every design and output of the page is readable and matches the schema", () => {
  const [file] = parts("json");
  const study = JSON.parse(file);
  const designs = [...page.matchAll(/`(\{ "type"[^`]*\})`/g)].map(([, text]) =>
    JSON.parse(
      text
        .replaceAll(": n", ": 8")
        .replace('"file": "cases.csv"', '"columns": { "mass": [1], "gravity": [-9] }'),
    ),
  );
  expect(designs).toHaveLength(6);
  for (const design of designs) {
    const parameters =
      design.type === "grid"
        ? study.parameters.map(({ name, at }: { name: string; at: string }) => ({
            name,
            at,
            values: [1],
          }))
        : study.parameters;
    const text = JSON.stringify({ ...study, parameters, design });
    expect(fits(JSON.parse(text))).toBe(true);
    expect(readCampaign(text, "examples").design).toEqual(design);
  }
});

test("the schema rejects the structural mistakes that the reader rejects", () => {
  const study = JSON.parse(parts("json")[0]);
  const wrong = [
    { ...study, campaign: 2 },
    { ...study, outputz: [] },
    { ...study, parameters: [] },
    { ...study, design: { type: "sobol" } },
    { ...study, design: { type: "sobols", cases: 3 } },
    { ...study, parameters: [{ name: "m", normal: { mean: 1 } }] },
    { ...study, stop: [{ relativeErrorBelow: 1 }] },
  ];
  for (const one of wrong) {
    expect(fits(one)).toBe(false);
    expect(() => readCampaign(JSON.stringify(one), "examples")).toThrow();
  }
});

test("the program of the page runs with worker processes", () => {
  const [program] = parts("js");
  copyFileSync("examples/pendulum.json", join(folder, "pendulum.json"));
  writeFileSync(join(folder, "study.mjs"), program);
  const said = execFileSync(process.execPath, ["study.mjs"], { cwd: folder, encoding: "utf8" });
  const [lowest, done] = said.trim().split(" ").map(Number);
  expect(done).toBe(20);
  // The middle of a hanging rod of length 1 is at -1/2, whatever the mass.
  expect(lowest).toBeCloseTo(-0.5, 2);
});
