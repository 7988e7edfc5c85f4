// Speed of campaigns, compared with a plain loop.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { campaign } from "nodrift/campaign";
import { type ModelDocument, readDocument } from "nodrift/files";
import { solve } from "nodrift/solve";
import { CommandRun } from "../../test/support/campaign-kills.js";
import {
  findPostgres,
  findRedis,
  installServers,
  startPostgres,
  startRedis,
  type TestServer,
} from "../../test/support/databases.js";
import { type CoreTime, coreTime, ownChildren } from "../support/core-clock.js";
import { median } from "../support/race.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

/** The slider-crank for 1 s to a tolerance of 1e-6. */
function sliderCrank(): ModelDocument {
  const document = JSON.parse(readFileSync("examples/slider-crank.json", "utf8"));
  const { $schema: _, output: __, ...rest } = document;
  return { ...rest, solve: { span: [0, 1], tolerance: 1e-6 } };
}

const parameters = [
  { name: "crank", at: "/bodies/crank/mass", uniform: [0.9, 1.1] as const },
  { name: "rod", at: "/bodies/rod/mass", uniform: [0.9, 1.1] as const },
];
const outputs = [{ name: "slider", end: "x('rod:slider')" }];

/** The plain loop: a copy, two values, a run, a reading. Seconds for one case, on its own core. */
async function bareLoop(cases: number): Promise<number> {
  const document = sliderCrank();
  const began = coreTime().own;
  for (let i = 0; i < cases; i++) {
    const copy = structuredClone(document) as unknown as {
      bodies: { mass: number }[];
      output: object;
    };
    copy.bodies[0].mass = 0.9 + (0.2 * i) / cases;
    copy.bodies[1].mass = 1.1 - (0.2 * i) / cases;
    copy.output = { values: ["x('rod:slider')"] };
    const file = readDocument(copy);
    const system = await file.compile();
    const { end } = solve(system, file.solveOptions(system, { output: "ends" }));
    if (!Number.isFinite(file.columns[0].read(end))) throw new Error("no number");
  }
  return (coreTime().own - began) / cases;
}

/** All processes of a pool: this one, and the main threads of workers, which are idle or not. */
function poolTimes() {
  const workers = ownChildren().map((pid) => coreTime(pid));
  const sum = (of: (time: CoreTime) => number) => workers.reduce((all, one) => all + of(one), 0);
  return {
    busy: coreTime().busy + sum(({ busy }) => busy),
    idle: sum(({ own, main }) => own - main),
  };
}

/**
 * Seconds for one case of a running campaign, from the middle of it, to exclude start and warm-up. On dedicated cores
 * this is the sum of all CPU time of its processes, including collectors and compilers, and of the waiting time of
 * workers, divided by the number of cores. It is an upper bound: coordinator time while a worker waits counts twice.
 */
async function campaignSeconds(
  cases: number,
  workers: number,
  model = sliderCrank() as CampaignSource,
): Promise<number> {
  const run = campaign({ model, parameters, outputs, design: { type: "sobol", cases }, workers });
  const [first, last] = [Math.floor(cases / 2), Math.floor(0.9 * cases)];
  let [seen, began, ended] = [0, poolTimes(), poolTimes()];
  for await (const { status } of run) {
    if (status !== "done") throw new Error("a case failed");
    if (++seen === first) began = poolTimes();
    else if (seen === last) ended = poolTimes();
  }
  run.close();
  const seconds = ended.busy - began.busy + ended.idle - began.idle;
  return seconds / workers / (last - first);
}

type CampaignSource = Parameters<typeof campaign>[0]["model"];

export async function* campaignSpeedFigures(): AsyncGenerator<Figure> {
  const cores = availableParallelism();
  await bareLoop(400);
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    // Before and after, because the load of the machine changes.
    const before = await bareLoop(150);
    const pool = await campaignSeconds(1000 * cores, cores);
    ratios.push((before + (await bareLoop(150))) / 2 / pool);
  }
  yield atLeast(
    `campaigns: slider-cranks on the pool of ${cores} against a bare loop, per core`,
    median(ratios) / cores,
    0.9,
  );
  yield* overheads();
  yield* serverFigures();
}

/** Cost of cases with negligible work: only the campaign's own work remains. */
async function* overheads(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-overhead-"));
  try {
    const path = join(folder, "nothing.mjs");
    writeFileSync(
      path,
      "export default ({ crank, rod }) => ({ outputs: { slider: crank - rod } });\n",
    );
    const times: number[] = [];
    for (let round = 0; round < 3; round++)
      times.push(1e6 * (await campaignSeconds(20_000, 1, path)));
    yield atMost("campaigns: overhead of a case on the pool, microseconds", median(times), 50);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * One worker with one process and jobs of 1 s: its work and waiting time in addition to cases, relative to the time
 * of cases.
 */
async function* serverFigures(): AsyncGenerator<Figure> {
  installServers();
  const servers = [
    ["Redis", findRedis, startRedis],
    ["PostgreSQL", findPostgres, startPostgres],
  ] as const;
  for (const [name, find, start] of servers) {
    if (find() === undefined) {
      yield reported(`campaigns: ${name} is not installed`, 1);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), "nodrift-server-"));
    const server = await start();
    try {
      const share = await overheadOfJobs(folder, server);
      yield atMost(
        `campaigns: overhead of a case by ${name}, jobs of 1 s, per cent`,
        100 * share,
        3,
      );
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Gives priority to processes that do little and are waited for, as if they had their own machines. */
function prioritise(pid: number | undefined, ...flags: readonly string[]): void {
  spawnSync("chrt", ["--all-tasks", ...flags, "--fifo", "--pid", "1", `${pid}`], {
    stdio: "ignore",
  });
}

/**
 * Seconds between the end of one job's cases and the beginning of the next, relative to the target duration of a job,
 * 1 s.
 */
async function overheadOfJobs(folder: string, server: TestServer): Promise<number> {
  const cases = 1200;
  const path = join(folder, "study.json");
  const study = { campaign: 1, model: sliderCrank(), parameters, outputs };
  writeFileSync(path, JSON.stringify({ ...study, design: { type: "sobol", cases } }));
  prioritise(server.pid);
  const on = ["--on", server.url];
  const out = join(folder, "out");
  const worker = new CommandRun("worker", ...on, "--workers", "1");
  const sweep = new CommandRun(
    "sweep",
    path,
    "--out",
    out,
    "--formats",
    "none",
    "--job",
    "1",
    ...on,
  );
  try {
    const after = async (share: number) => {
      await until(() => linesOf(join(out, "journal.ndjson")) > share * cases, sweep);
      const [child] = worker.children;
      return {
        child: coreTime(child),
        parent: coreTime(worker.child.pid),
        count: linesOf(join(out, "journal.ndjson")),
      };
    };
    await until(() => worker.children.length > 0, sweep);
    prioritise(worker.child.pid, "--reset-on-fork");
    const [from, to] = [await after(0.3), await after(0.85)];
    const status = new CommandRun("status", path, "--out", out, "--json", ...on);
    await status.ended;
    const { chunk } = JSON.parse(status.output).server.campaigns[0] as { chunk: number };
    const idle = to.child.own - from.child.own - (to.child.main - from.child.main);
    const jobs = (to.count - from.count) / chunk;
    return (idle + to.parent.busy - from.parent.busy) / jobs;
  } finally {
    for (const { child } of [worker, sweep]) child.kill("SIGKILL");
    await Promise.all([worker.ended, sweep.ended]);
  }
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path).filter((byte) => byte === 10).length - 1 : 0;
}

/** Polls until the campaign has ended. */
async function until(isSo: () => boolean, run: CommandRun): Promise<void> {
  while (!isSo()) {
    if (!run.isRunning) throw new Error(run.output);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
