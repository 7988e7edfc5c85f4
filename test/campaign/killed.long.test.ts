// Campaigns of the built package: processes are killed, servers restarted, disks full. No result is lost or duplicated, and the table
// has the bytes of an undisturbed run.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lineOf, recordOf } from "../../campaign/cases/result.js";
import { loadPostgres } from "../../campaign/queue/optional.js";
import { CommandRun, disturbed, undisturbed, writeStudy } from "../support/campaign-kills.js";
import {
  findPostgres,
  findRedis,
  installServers,
  startPostgres,
  startRedis,
} from "../support/databases.js";

// Enough cases to outlast the last kill; a case takes a millisecond or two.
const CASES = 1500;
/** Number of cases for tests without kills. */
const SHORT_CASES = 300;
const folder = mkdtempSync(join(tmpdir(), "nodrift-campaign-"));
const place = (name: string) => join(folder, name);
const study = writeStudy(folder, CASES);
installServers();
mkdirSync(place("short"));
const short = writeStudy(place("short"), SHORT_CASES);
let table = "";
let shortTable = "";

beforeAll(async () => {
  table = await undisturbed(study, place("calm"));
  shortTable = await undisturbed(short, place("calm-short"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the table has a row for each case", () => {
  expect(table.trimEnd().split("\n")).toHaveLength(CASES + 1);
  expect(table).not.toMatch(/failed/);
});

test("killed workers and coordinators of the pool lose nothing", async () => {
  const found = await disturbed(study, place("pool"), CASES, {
    workers: 3,
    coordinators: 2,
    seed: 1,
  });
  // Kills follow counts of results. On a busy machine the last may come after all results.
  expect(found.kills).toBeGreaterThan(1);
  expect(found).toMatchObject({ table, lines: CASES, repeated: 0 });
});

const SERVERS = [
  ["Redis", findRedis, startRedis],
  ["PostgreSQL", findPostgres, startPostgres],
] as const;

test.runIf(findRedis() !== undefined)(
  "a campaign is published again after a server has lost its data",
  async () => {
    const server = await startRedis({ isForgetful: true });
    try {
      const troubles = [() => server.restart(300)];
      const how = { workers: 0, coordinators: 0, seed: 5, url: server.url, troubles };
      const found = await disturbed(study, place("forgetful"), CASES, how);
      expect(found).toMatchObject({ table, lines: CASES, repeated: 0 });
      expect(found.output).toMatch(/has lost the campaign: publishing it again/);
    } finally {
      await server.stop();
    }
  },
);

describe.each(SERVERS)("%s", (name, find, start) => {
  const isThere = find() !== undefined;
  const isFailure = process.env.CI === "true" && !isThere;
  test.runIf(isFailure)(`${name} could not be installed`, () => {
    throw new Error(`${name} is missing: apt-get install redis-server postgresql`);
  });

  test.runIf(isThere)(
    "killed workers and coordinators, and a restart of the server, lose nothing",
    async () => {
      const server = await start();
      try {
        const troubles = [() => server.restart(300)];
        const how = { workers: 2, coordinators: 1, seed: 3, url: server.url, troubles };
        const found = await disturbed(study, place(name), CASES, how);
        expect(found.kills).toBeGreaterThan(0);
        expect(found).toMatchObject({ table, lines: CASES, repeated: 0 });
      } finally {
        await server.stop();
      }
    },
  );
});

test.runIf(findPostgres() !== undefined)(
  "connections that PostgreSQL cuts again and again, from the first one on, lose nothing",
  async () => {
    const server = await startPostgres();
    const { Pool, Client } = await loadPostgres("a test");
    const admin = new Pool({ Client, connectionString: server.url, max: 1 });
    admin.on("error", () => {});
    let isDone = false;
    let cuts = 0;
    const cutting = (async () => {
      for (let pause = 7; !isDone; pause = (pause * 5 + 11) % 211) {
        const { rows } = await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
        );
        cuts += rows.length;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    })();
    try {
      const how = { workers: 0, coordinators: 0, seed: 7, url: server.url };
      const found = await disturbed(short, place("cut"), SHORT_CASES, how);
      expect(cuts).toBeGreaterThan(20);
      expect(found).toMatchObject({ table: shortTable, lines: SHORT_CASES, repeated: 0 });
    } finally {
      isDone = true;
      await cutting;
      await admin.end();
      await server.stop();
    }
  },
);

test("a case that kills every worker is set aside, and all others are done", async () => {
  const module = place("deadly.mjs");
  writeFileSync(
    module,
    "export default ({ x }) => { if (x === 7) process.kill(process.pid, 'SIGKILL'); return { outputs: { y: x } }; };",
  );
  const path = place("deadly.json");
  const values = Array.from({ length: 12 }, (_, i) => i);
  writeFileSync(
    path,
    JSON.stringify({
      campaign: 1,
      model: "deadly.mjs",
      parameters: [{ name: "x", values }],
      design: { type: "grid" },
      outputs: [{ name: "y" }],
      limits: { attempts: 2 },
    }),
  );
  const out = place("deadly");
  const run = new CommandRun(
    "sweep",
    path,
    "--out",
    out,
    "--formats",
    "csv,html",
    "--workers",
    "1",
  );
  expect(await run.ended).toBe(1);
  const rows = readFileSync(join(out, "cases.csv"), "utf8").trimEnd().split("\n").slice(1);
  expect(rows).toHaveLength(12);
  expect(rows.filter((row) => row.includes("failed"))).toHaveLength(1);
  expect(rows[7]).toMatch(/failed,set aside: 2 workers were lost with this case/);
  expect(readFileSync(join(out, "campaign.html"), "utf8")).toContain("set aside: 2 workers");
});

test("a full disk is reported, results are kept, and the campaign can be resumed", async () => {
  // A small file system stands in for a full disk; if it cannot be created, a limit on file sizes does.
  const out = place("full");
  const limited = `ulimit -f 20; trap '' XFSZ; exec "${process.execPath}" dist/cli.js sweep "${short}" --out "${out}" --formats csv --workers 1`;
  let said = "";
  try {
    execFileSync("bash", ["-c", limited], { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    said = `${status} ${stderr}`;
  }
  expect(said).toMatch(/^4 .*the disk is full\. All results so far are kept/s);
  const kept = readFileSync(join(out, "journal.ndjson"), "utf8").split("\n").length - 2;
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(SHORT_CASES);
  const run = new CommandRun("sweep", short, "--out", out, "--formats", "csv", "--workers", "2");
  expect(await run.ended).toBe(0);
  expect(readFileSync(join(out, "cases.csv"), "utf8")).toBe(shortTable);
});

test("verify finds a wrong result", async () => {
  const calm = place("calm-short");
  const right = new CommandRun("verify", short, "--out", calm, "--share", "0.02");
  expect(await right.ended).toBe(0);
  expect(right.output).toMatch(
    new RegExp(`^${0.02 * SHORT_CASES} of ${SHORT_CASES} stored cases compared, 0 different`),
  );
  // A line with a valid checksum whose value differs in its last bit.
  const path = join(calm, "journal.ndjson");
  const lines = readFileSync(path, "utf8").split("\n");
  const { sum: _, ...record } = recordOf(lines[5]) as {
    sum?: string;
    case: number;
    outputs: number[];
  };
  const [angle, rate] = record.outputs;
  lines[5] = lineOf({ ...record, outputs: [angle * (1 + Number.EPSILON), rate] });
  writeFileSync(path, lines.join("\n"));
  const wrong = new CommandRun("verify", short, "--out", calm, "--share", "1");
  expect(await wrong.ended).toBe(1);
  expect(wrong.output).toMatch(
    new RegExp(`${SHORT_CASES} stored cases compared, 1 different\\n  case ${record.case} `),
  );
});
