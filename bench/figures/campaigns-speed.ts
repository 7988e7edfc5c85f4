// How fast campaigns are, against the bare loop that a program would write.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { campaign } from "nodrift/campaign";
import { type ModelDocument, readDocument } from "nodrift/files";
import { solve } from "nodrift/solve";
import { CommandRun } from "../support/campaign-kills.js";
import { type CoreTime, coreTime, ownChildren } from "../support/core-clock.js";
import { median } from "../support/race.js";
import {
  findPostgres,
  findRedis,
  installServers,
  startPostgres,
  startRedis,
  type TestServer,
} from "../support/servers.js";
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

/** What a program would write: a copy, two numbers, a run, a reading. Seconds for one case, on a core of its own. */
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
 * Seconds for one case of a running campaign, from the middle of it, so that starting and warming up count apart. On cores of its own
 * these would be all that its processes do, collectors and compilers beside the main threads too, and all that workers wait for work,
 * by the number of cores. That is an upper bound: what the coordinator does while a worker waits for it counts twice.
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
    // Before and after: what else the machine does changes.
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

/** Of cases that cost next to nothing: all that is left is the campaign's own work. */
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

/** One worker of one process, with jobs of 1 s: what it does and waits for besides running cases, by what cases take. */
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

/** Those that do little and are waited for answer at once, as they would on machines of their own. */
function prioritise(pid: number | undefined, ...flags: readonly string[]): void {
  spawnSync("chrt", ["--all-tasks", ...flags, "--fifo", "--pid", "1", `${pid}`], {
    stdio: "ignore",
  });
}

/** Seconds between the ends of a job's cases and the beginnings of the next one's, by the second that a job is to take. */
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

/** Looks again and again; a campaign that has ended is not waited for. */
async function until(isSo: () => boolean, run: CommandRun): Promise<void> {
  while (!isSo()) {
    if (!run.isRunning) throw new Error(run.output);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
