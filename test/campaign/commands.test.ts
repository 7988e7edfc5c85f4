// The commands of campaigns, each as its page says: what is written can be read back by others, and nothing else is touched.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandRun } from "../../bench/support/campaign-kills.js";

const folder = mkdtempSync(join(tmpdir(), "nodrift-commands-"));
const place = (name: string) => join(folder, name);
const [out, study] = [place("out"), place("study.json")];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const command = new CommandRun(...args);
  return { code: await command.ended, said: command.output };
}
const sweep = (...more: readonly string[]) =>
  run("sweep", study, "--out", out, "--workers", "1", ...more);
const rowsOf = (name: string) =>
  readFileSync(join(name, "cases.csv"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
const journal = () => readFileSync(join(out, "journal.ndjson"), "utf8");

/** A rod that falls; of three masses the second is none. The cases come from a table. */
beforeAll(async () => {
  copyFileSync("examples/pendulum.json", place("pendulum.json"));
  writeFileSync(place("cases.csv"), "mass,gravity\n1,-9.81\n-1,-9.81\n2,-1.62\n");
  writeFileSync(
    study,
    JSON.stringify({
      campaign: 1,
      model: "pendulum.json",
      parameters: [
        { name: "mass", at: "/bodies/rod/mass", unit: "kg" },
        { name: "gravity", at: "/gravity/2" },
      ],
      design: { type: "list", file: "cases.csv" },
      outputs: [
        { name: "lowest", minimum: "z('rod')" },
        { name: "height", samples: "z('rod')", times: [0, 0.5] },
      ],
    }),
  );
  const { code, said } = await sweep("--formats", "csv,json,parquet,html", "--reports", "1");
  // One case has failed, and the summary says why.
  expect(code, said).toBe(1);
  expect(said).toMatch(/2 done, 1 failed, of 3/);
  expect(said).toMatch(/failed +1: the model file has 1 problem: .*mass/);
  expect(said).toMatch(/1 report in .*; 1 failed case had nothing to show/);
});

test("the table is the same as CSV, JSON and Parquet, read back by another library", async () => {
  const [names, ...rows] = rowsOf(out);
  expect(names).toEqual("case,id,mass,gravity,lowest,height[0],height[1],status,reason".split(","));
  const json = JSON.parse(readFileSync(join(out, "cases.json"), "utf8"));
  const file = await asyncBufferFromFile(join(out, "cases.parquet"));
  const parquet = await parquetReadObjects({ file });
  expect(parquet).toHaveLength(3);
  for (const [i, row] of parquet.entries()) {
    expect(Object.keys(row)).toEqual(names);
    const result = json.results[i];
    const values = result.outputs ?? [null, null, null];
    // To the last bit: CSV has the shortest digits that give a number back, Parquet the number.
    expect(Object.values(row).slice(0, 8)).toEqual([
      i,
      result.id,
      ...result.parameters,
      ...values,
      result.status,
    ]);
    expect(rows[i].slice(2, 7).map((cell) => (cell === "" ? null : Number(cell)))).toEqual([
      ...result.parameters,
      ...values,
    ]);
    expect(row.reason).toBe(result.status === "failed" ? result.reason : null);
  }
});

test("the page opens the report of a case that has one, and says how to get the others", () => {
  const [report, ...others] = readdirSync(join(out, "cases"));
  expect(others).toEqual([]);
  expect(existsSync(join(out, "cases", report, "report.html"))).toBe(true);
  const page = readFileSync(join(out, "campaign.html"), "utf8");
  const [, data] = /<script[^>]*id="data"[^>]*>([^<]*)</.exec(page) as RegExpExecArray;
  const { rows } = JSON.parse(data) as { rows: Record<string, [number, string, boolean]> };
  const shown = Object.values(rows);
  expect(shown.map(([, id, hasReport]) => [id === report, hasReport])).toContainEqual([true, true]);
  expect(shown.filter(([, , hasReport]) => hasReport)).toHaveLength(1);
  expect(page).toContain("mass");
});

test("status and verify leave a journal as it is, also one that is being written", async () => {
  const before = journal();
  const torn = `${before}{"sum":"0123`;
  appendFileSync(join(out, "journal.ndjson"), `{"sum":"0123`);
  const { code, said } = await run("status", study, "--out", out);
  expect([code, said]).toEqual([0, expect.stringMatching(/2 done, 1 failed, of 3/)]);
  const verified = await run("verify", study, "--out", out, "--share", "1");
  expect(verified.said).toMatch(/^3 of 3 stored cases compared, 0 different/);
  expect(verified.code).toBe(0);
  expect(journal()).toBe(torn);
  writeFileSync(join(out, "journal.ndjson"), before);
});

test("verify exits with 1 if a line of the journal is damaged", async () => {
  const before = journal();
  const lines = before.split("\n");
  lines[1] = lines[1]!.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 1) % 10));
  writeFileSync(join(out, "journal.ndjson"), lines.join("\n"));
  const { code, said } = await run("verify", study, "--out", out, "--share", "1");
  writeFileSync(join(out, "journal.ndjson"), before);
  expect([code, said]).toEqual([1, expect.stringMatching(/1 lines? of the journal/)]);
});

test("--only-failed runs the failed cases, --case one, resume what is left", async () => {
  const lines = () => journal().trimEnd().split("\n").length;
  const table = readFileSync(join(out, "cases.csv"), "utf8");
  const before = lines();
  expect((await sweep("--only-failed")).code).toBe(1);
  expect(lines()).toBe(before + 1);
  expect((await sweep("--case", "2")).said).toMatch(/report\.html/);
  expect(lines()).toBe(before + 2);
  expect((await sweep("--case", "7")).said).toMatch(/--case 7: there are cases 0 to 2/);
  // The first result alone is left.
  writeFileSync(join(out, "journal.ndjson"), `${journal().split("\n").slice(0, 2).join("\n")}\n`);
  const resumed = await run("resume", study, "--out", out, "--workers", "1");
  expect(resumed.said).toMatch(/1 result of 3 there already/);
  expect(lines()).toBe(4);
  expect(readFileSync(join(out, "cases.csv"), "utf8")).toBe(table);
});

describe("messages", () => {
  test.each([
    [["cancel", "STUDY"], /no server: give --on redis:/],
    [["status"], /give a campaign, or a server with --on/],
    [["sweep", "STUDY", "--on", "redis://me:secret@server"], /put it into NODRIFT_QUEUE_PASSWORD/],
    [["sweep", "STUDY", "--on", "http://server"], /http:\/\/ is neither redis:\/\/ nor postgres/],
    [["sweep", "STUDY", "--job", "60"], /--job must be from 1 to 10 seconds/],
    [["sweep", "STUDY", "--case", "1", "--only-failed"], /exclude each other/],
    [["verify", "STUDY", "--out", "nowhere"], /there is no journal .*run nodrift sweep first/],
  ])("%j", async (args, message) => {
    const { code, said } = await run(...args.map((word) => (word === "STUDY" ? study : word)));
    expect(code).toBeGreaterThan(1);
    expect(said).toMatch(message);
    expect(said).not.toContain("secret");
  });

  test("a library that is missing is named with the line that installs it", () => {
    // The package alone, in a folder without any other.
    const installed = place("user/node_modules/nodrift");
    mkdirSync(installed, { recursive: true });
    cpSync("dist", join(installed, "dist"), { recursive: true });
    copyFileSync("package.json", join(installed, "package.json"));
    const say = (...args: readonly string[]) => {
      try {
        return execFileSync(process.execPath, [join(installed, "dist/cli.js"), ...args], {
          encoding: "utf8",
          stdio: "pipe",
        });
      } catch (error) {
        return (error as { stderr: string }).stderr;
      }
    };
    const where = ["--out", place("missing")];
    expect(say("sweep", study, ...where, "--formats", "parquet")).toMatch(
      /a table as Parquet needs the package hyparquet-writer: npm install hyparquet-writer/,
    );
    expect(say("worker", "--on", "redis://127.0.0.1:1")).toMatch(
      /a campaign on Redis needs the package ioredis: npm install ioredis/,
    );
    expect(say("worker", "--on", "postgres://127.0.0.1:1/x")).toMatch(
      /a campaign on PostgreSQL needs the package pg: npm install pg/,
    );
  });
});

test("a module whose promise never settles fails by the limit, and the other cases run", async () => {
  writeFileSync(
    place("slow.mjs"),
    "export default ({ a }) => a === 1 ? new Promise(() => {}) : a === 2 ? null : { outputs: { b: a } };",
  );
  const slow = place("slow.json");
  writeFileSync(
    slow,
    JSON.stringify({
      campaign: 1,
      model: "slow.mjs",
      parameters: [{ name: "a" }],
      design: { type: "list", columns: { a: [1, 2, 3] } },
      outputs: [{ name: "b" }],
      limits: { maximumSeconds: 0.5 },
    }),
  );
  const { code, said } = await run("sweep", slow, "--out", place("slow"), "--workers", "1");
  expect(code, said).toBe(1);
  const rows = rowsOf(place("slow"));
  expect(rows.slice(1).map((row) => row[row.length - 2])).toEqual(["failed", "failed", "done"]);
  const reasons = readFileSync(join(place("slow"), "cases.csv"), "utf8");
  expect(reasons).toMatch(/maximumSeconds: the module gave nothing within 0\.5 s/);
  expect(reasons).toMatch(/gave neither a model nor outputs/);
});
