// The commands of campaigns as documented: other libraries can read the output, and nothing else is touched.

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
import { pathToFileURL } from "node:url";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Plan } from "../../campaign/cases/plan.js";
import { recordOf } from "../../campaign/cases/result.js";
import { define } from "../../campaign/definition/define.js";
import { WorkerLost } from "../../campaign/engine/case-worker.js";
import { linesOf } from "../../campaign/engine/chunks.js";
import { CommandRun } from "../support/campaign-kills.js";

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

/** A rod that falls; the second of three masses is zero. The cases come from a table. */
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
  expect(said).toMatch(/1 report in .*; 1 failed case without a report/);
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

test("the page links existing reports of cases, and names the command for the others", () => {
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
  expect([code, said]).toEqual([1, expect.stringMatching(/1 damaged lines? of the journal/)]);
});

test("--only-failed runs the failed cases, --case one, resume what is left", async () => {
  const lines = () => journal().trimEnd().split("\n").length;
  const table = readFileSync(join(out, "cases.csv"), "utf8");
  const before = lines();
  expect((await sweep("--only-failed")).code).toBe(1);
  expect(lines()).toBe(before + 1);
  expect((await sweep("--case", "2")).said).toMatch(/report\.html/);
  expect(lines()).toBe(before + 2);
  expect((await sweep("--case", "7")).said).toMatch(
    /--case 7: unknown case; use an index from 0 to 2 or an id/,
  );
  // Only the first result is left.
  writeFileSync(join(out, "journal.ndjson"), `${journal().split("\n").slice(0, 2).join("\n")}\n`);
  const resumed = await run("resume", study, "--out", out, "--workers", "1");
  expect(resumed.said).toMatch(/1 result of 3 already in the journal/);
  expect(lines()).toBe(4);
  expect(readFileSync(join(out, "cases.csv"), "utf8")).toBe(table);
});

describe("messages", () => {
  test.each([
    [["cancel", "STUDY"], /no server: use --on redis:/],
    [["status"], /CAMPAIGN is missing; or name a server with --on/],
    [["sweep", "STUDY", "--on", "redis://me:secret@server"], /put it into NODRIFT_QUEUE_PASSWORD/],
    [
      ["sweep", "STUDY", "--on", "http://server"],
      /http:\/\/ is not supported: use redis:\/\/ or postgres/,
    ],
    [["sweep", "STUDY", "--job", "60"], /--job must be from 1 to 10 seconds/],
    [["sweep", "STUDY", "--case", "1", "--only-failed"], /mutually exclusive/],
    [["verify", "STUDY", "--out", "nowhere"], /journal .* not found: run nodrift sweep first/],
  ])("%j", async (args, message) => {
    const { code, said } = await run(...args.map((word) => (word === "STUDY" ? study : word)));
    expect(code).toBeGreaterThan(1);
    expect(said).toMatch(message);
    expect(said).not.toContain("secret");
  });

  test("the error for a missing library contains the command that installs it", () => {
    // Only this package, in a folder without any other.
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

test("the error for a campaign file lists all its problems", async () => {
  const wrong = {
    campaign: 1,
    model: "pendulum.json",
    paramters: 1,
    seed: -3,
    parameters: [
      { name: "a", at: "/bodies/rod/mass", unifrom: [1, 2] },
      { name: "b", at: "/gravity/2", uniform: [1, 2] },
      { name: "c", at: "/gravity/1", uniform: [2, 1] },
    ],
    design: { type: "sobl", cases: 4 },
    outputs: [{ name: "x", maximum: 3 }, "z('rod')"],
    limits: { maximumSeconds: -1 },
  };
  writeFileSync(place("wrong.json"), JSON.stringify(wrong));
  const { code, said } = await run("sweep", place("wrong.json"));
  expect(code).toBe(3);
  expect(said).toContain("the file has 7 problems");
  for (const where of [
    "paramters",
    "seed",
    "parameters[0].unifrom",
    "parameters[2].uniform",
    "design.type",
    "outputs[0].maximum",
    "limits.maximumSeconds",
  ]) {
    expect(said).toContain(`campaign: ${where} `);
  }
});

test("modules that never settle or loop without end fail by the limit, and the other cases run", async () => {
  writeFileSync(
    place("slow.mjs"),
    `export default ({ a }) => {
      if (a === 1) return new Promise(() => {});
      if (a === 4 || a === 5) for (;;);
      return a === 2 ? null : { outputs: { b: a } };
    };`,
  );
  const slow = place("slow.json");
  writeFileSync(
    slow,
    JSON.stringify({
      campaign: 1,
      model: "slow.mjs",
      parameters: [{ name: "a" }],
      design: { type: "list", columns: { a: [1, 2, 3, 4, 5, 6] } },
      outputs: [{ name: "b" }],
      limits: { maximumSeconds: 0.5 },
    }),
  );
  const { code, said } = await run("sweep", slow, "--out", place("slow"), "--workers", "1");
  expect(code, said).toBe(1);
  const rows = rowsOf(place("slow"));
  expect(rows.slice(1).map((row) => row[row.length - 2])).toEqual([
    "failed",
    "failed",
    "done",
    "failed",
    "failed",
    "done",
  ]);
  const reasons = readFileSync(join(place("slow"), "cases.csv"), "utf8");
  expect(reasons.match(/maximumSeconds: the module did not return within 0\.5 s/g)?.length).toBe(3);
  expect(reasons).toMatch(/returned neither a model nor outputs/);
});

describe("a module that never returns", () => {
  beforeAll(() => {
    writeFileSync(
      place("endless.mjs"),
      `import { appendFileSync } from "node:fs";
      export default ({ a }) => {
        appendFileSync(${JSON.stringify(place("pids"))}, \`\${process.pid} \`);
        if (a === 2) for (;;);
        return { outputs: { b: a } };
      };`,
    );
  });
  const endless = (maximumSeconds: number) => ({
    model: place("endless.mjs"),
    parameters: [{ name: "a" }],
    design: { type: "list", columns: { a: [1, 2, 3] } } as const,
    outputs: [{ name: "b" }],
    limits: { maximumSeconds },
  });
  /** A process that has ended stays listed in state Z until its parent has waited for it. */
  const isAlive = (pid: number) => {
    try {
      if (process.platform === "linux")
        return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const processes = () => readFileSync(place("pids"), "utf8").trim().split(" ").map(Number);

  test("fails by the time limit in programs with workers: 0, too", async () => {
    const program = `import { campaign } from ${JSON.stringify(pathToFileURL("dist/campaign.js").href)};
      const study = campaign({ ...${JSON.stringify(endless(0.2))}, workers: 0 });
      for await (const { status } of study) console.log(status);
      study.close();`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(`${said}`.trim().split("\n")).toEqual(["done", "failed", "done"]);
    expect(processes().filter(isAlive)).toEqual([]);
  });

  test("does not outlive a program that is killed", async () => {
    rmSync(place("pids"));
    writeFileSync(place("endless.json"), JSON.stringify({ campaign: 1, ...endless(1000) }));
    const run = new CommandRun(
      "sweep",
      place("endless.json"),
      "--out",
      place("endless"),
      "-w",
      "1",
    );
    await vi.waitFor(() => expect(processes()).toHaveLength(2), { timeout: 60_000, interval: 50 });
    run.child.kill("SIGKILL");
    await run.ended;
    await vi.waitFor(() => expect(processes().filter(isAlive)).toEqual([]), {
      timeout: 60_000,
      interval: 50,
    });
  });

  test("late cases are retried one by one, and fail if they are late again", async () => {
    const plan = new Plan(define(endless(7), place("endless.mjs"), folder));
    const tried: (readonly number[])[] = [];
    const worker = {
      run: async (indices: readonly number[]) => {
        tried.push(indices);
        if (indices.includes(1)) throw new WorkerLost("no result", true);
        return { lines: indices.map((index) => `line ${index}`), seconds: 0 };
      },
      close: async () => {},
    };
    const lines: string[] = [];
    for await (const some of linesOf(worker, plan, [0, 1, 2], { aborted: false }))
      lines.push(...some);
    expect(tried).toEqual([[0, 1, 2], [0], [1], [2]]);
    expect(lines[0]).toBe("line 0");
    expect(recordOf(lines[1])).toMatchObject({
      case: 1,
      status: "failed",
      reason: expect.stringMatching(/within 7 s/),
    });
    expect(lines[2]).toBe("line 2");
  });
});
