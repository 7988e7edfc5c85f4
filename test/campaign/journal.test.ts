// Journals that were torn or damaged: nothing that is not what was written is taken, and what is missing is computed again.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CampaignOptions, type CaseResult, campaign } from "nodrift/campaign";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { damaged } from "../../bench/support/damaged-journal.js";
import { seeded } from "../../bench/support/random.js";
import { readCampaign } from "../../src/tools/campaign/definition/define.js";
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

test("a campaign that grows computes what is new", async () => {
  const { evaluations: more } = await run({ design: { type: "sobol", cases: CASES + 10 } });
  expect(more).toBe(10);
  writeFileSync(journal, whole);
});

test("another model takes nothing of it", async () => {
  const { evaluations: again } = await run({ outputs: [{ name: "product" }, { name: "sum" }] });
  expect(again).toBe(CASES);
  writeFileSync(journal, whole);
});

test("a torn end is cut, at every byte of the last line", async () => {
  const last = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (let end = last; end < whole.length; end += 7) {
    writeFileSync(journal, whole.subarray(0, end));
    expect(await run()).toEqual({ table, evaluations: 1 });
    expect(readFileSync(journal).equals(whole)).toBe(true);
  }
});

test("so is an end that is longer than what comes in its place", async () => {
  const last = whole.lastIndexOf(10, whole.length - 2) + 1;
  writeFileSync(journal, Buffer.concat([whole.subarray(0, last), Buffer.alloc(5000, 120)]));
  expect(await run()).toEqual({ table, evaluations: 1 });
  expect(readFileSync(journal).equals(whole)).toBe(true);
});

test("300 damaged journals: no crash, no wrong result", async () => {
  let again = 0;
  for (let seed = 1; seed <= 300; seed++) {
    writeFileSync(journal, damaged(whole, seed));
    try {
      const found = await run();
      expect(found.table).toBe(table);
      again += found.evaluations;
    } catch (error) {
      // Only a head that is no longer one is refused.
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

  test("are read", () => {
    expect(readCampaign(file, ".")).toMatchObject({
      name: "rod",
      seed: 4,
      outputs: [{ end: "angle('hinge')" }, { name: "s" }],
    });
  });

  test("500 damaged ones are read or refused with a reason", () => {
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
