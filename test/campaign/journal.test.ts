// Torn or damaged journals: only lines as written are accepted, and missing results are computed again.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CampaignOptions, type CaseResult, campaign } from "nodrift/campaign";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCampaign } from "../../campaign/definition/define.js";
import { damaged } from "../support/damaged-journal.js";
import { seeded } from "../support/random.js";
import { rod } from "./support/models.js";

const folder = mkdtempSync(join(tmpdir(), "nodrift-journal-"));
const journal = join(folder, "journal.ndjson");
afterAll(() => rmSync(folder, { recursive: true }));

let evaluations = 0;
const CASES = 30;
const options: CampaignOptions = {
  model: ({ x, y }) => {
    evaluations++;
    return { outputs: { sum: x + y, product: x * y } };
  },
  parameters: [
    { name: "x", uniform: [0, 1] },
    { name: "y", normal: { mean: 0, deviation: 1 } },
  ],
  design: { type: "sobol", cases: CASES },
  outputs: [{ name: "sum" }, { name: "product" }],
  journal,
};

async function run(changes: Partial<CampaignOptions> = {}) {
  evaluations = 0;
  const study = campaign({ ...options, ...changes });
  try {
    const results: CaseResult[] = [];
    for await (const result of study) results.push(result);
    return { table: tableOf(results), evaluations };
  } finally {
    study.close();
  }
}
const tableOf = (results: readonly CaseResult[]) =>
  JSON.stringify(
    [...results]
      .sort((a, b) => a.case - b.case)
      .map((one) => [
        one.case,
        one.id,
        one.status,
        one.parameters,
        one.status === "done" ? one.outputs : null,
      ]),
  );

let [whole, table] = [Buffer.alloc(0), ""];
beforeAll(async () => {
  table = (await run()).table;
  whole = readFileSync(journal);
});

test("a second run computes nothing", async () => {
  expect(await run()).toEqual({ table, evaluations: 0 });
  expect(readFileSync(journal).equals(whole)).toBe(true);
});

test("a larger campaign computes only the new cases", async () => {
  const { evaluations: more } = await run({ design: { type: "sobol", cases: CASES + 10 } });
  expect(more).toBe(10);
  writeFileSync(journal, whole);
});

test("a changed model reuses no results", async () => {
  const { evaluations: again } = await run({ outputs: [{ name: "product" }, { name: "sum" }] });
  expect(again).toBe(CASES);
  writeFileSync(journal, whole);
});

test("a torn last line is cut, whatever its length", async () => {
  const last = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (let end = last; end < whole.length; end += 7) {
    writeFileSync(journal, whole.subarray(0, end));
    expect(await run()).toEqual({ table, evaluations: 1 });
    expect(readFileSync(journal).equals(whole)).toBe(true);
  }
});

test("a torn line longer than its replacement is cut", async () => {
  const last = whole.lastIndexOf(10, whole.length - 2) + 1;
  writeFileSync(journal, Buffer.concat([whole.subarray(0, last), Buffer.alloc(5000, 120)]));
  expect(await run()).toEqual({ table, evaluations: 1 });
  expect(readFileSync(journal).equals(whole)).toBe(true);
});

test("300 damaged journals cause neither crashes nor wrong results", async () => {
  let again = 0;
  for (let seed = 1; seed <= 300; seed++) {
    writeFileSync(journal, damaged(whole, seed));
    try {
      const found = await run();
      expect(found.table).toBe(table);
      again += found.evaluations;
    } catch (error) {
      // Only a damaged head is rejected.
      expect((error as Error).message).toMatch(/is not a journal of this version/);
    }
  }
  expect(again).toBeGreaterThan(100);
  writeFileSync(journal, whole);
});

describe("campaign files", () => {
  const file = JSON.stringify({
    campaign: 1,
    model: rod,
    parameters: [
      { name: "g", at: "/gravity/2", normal: { mean: -9.8, deviation: 0.1 }, within: [-10, -9] },
      { name: "m", at: ["/bodies/0/mass"], range: { from: 1, to: 2, count: 3 } },
    ],
    design: { type: "latinHypercube", cases: 10 },
    seed: 4,
    outputs: ["angle('hinge')", { name: "s", samples: "angle('hinge')", times: [0, 0.1] }],
    limits: { maximumSeconds: 5 },
    stop: [{ output: "s", standardErrorBelow: 0.1 }],
  });

  test("describe valid campaigns", () => {
    expect(readCampaign(file, ".")).toMatchObject({
      name: "rod",
      seed: 4,
      outputs: [{ end: "angle('hinge')" }, { name: "s" }],
    });
  });

  test("cause an error with a reason, if at all, after damage (500 samples)", () => {
    let refused = 0;
    for (let seed = 1; seed <= 500; seed++) {
      const random = seeded(seed);
      const at = (most: number) => Math.floor(((random() + 1) / 2) * most);
      let text = file;
      for (let i = 0; i <= at(2); i++) {
        const from = at(text.length);
        const inserted = ["", "-", "9", '"', "{", "null", ",", "1e999", "[]", "x"][at(10)];
        text = text.slice(0, from) + inserted + text.slice(from + at(12));
      }
      try {
        readCampaign(text, ".");
      } catch (error) {
        refused++;
        expect((error as { code?: string }).code).toBe("DESCRIPTION");
        expect((error as Error).message.length).toBeGreaterThan(10);
      }
    }
    expect(refused).toBeGreaterThan(300);
  });
});
