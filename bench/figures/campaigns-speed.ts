// How fast campaigns are, against the bare loop that a program would write.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { campaign } from "nodrift/campaign";
import { type ModelDocument, readDocument } from "nodrift/files";
import { solve } from "nodrift/solve";
import { CommandRun } from "../support/campaign-kills.js";
import { median } from "../support/race.js";
import {
  findPostgres,
  findRedis,
  installServers,
  startPostgres,
  startRedis,
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

/** What a program would write: a copy, two numbers, a run, a reading. Seconds for one case. */
async function bareLoop(cases: number): Promise<number> {
  const document = sliderCrank();
  const began = performance.now();
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
  return (performance.now() - began) / 1000 / cases;
}

/** Seconds for one case of a running campaign: over its second half, so that starting and warming up count apart. */
async function campaignSeconds(
  cases: number,
  workers: number,
  model = sliderCrank() as CampaignSource,
): Promise<number> {
  const run = campaign({ model, parameters, outputs, design: { type: "sobol", cases }, workers });
  const skipped = Math.floor(cases / 2);
  let [seen, began] = [0, 0];
  for await (const { status } of run) {
    if (status !== "done") throw new Error("a case failed");
    if (++seen === skipped) began = performance.now();
  }
  run.close();
  return (performance.now() - began) / 1000 / (cases - skipped);
}

type CampaignSource = Parameters<typeof campaign>[0]["model"];

export async function* campaignSpeedFigures(): AsyncGenerator<Figure> {
  const cores = availableParallelism();
  await bareLoop(400);
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const bare = await bareLoop(300);
    ratios.push(bare / (await campaignSeconds(1500 * cores, cores)));
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

/** One worker of one process on a server, against the same on the pool. */
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
      const path = join(folder, "study.json");
      const design = { type: "sobol", cases: 2000 };
      writeFileSync(
        path,
        JSON.stringify({ campaign: 1, model: sliderCrank(), parameters, outputs, design }),
      );
      const pool = await timed(path, join(folder, "pool"), []);
      const worker = new CommandRun("worker", "--on", server.url, "--workers", "1");
      const there = await timed(path, join(folder, "server"), ["--on", server.url]);
      worker.child.kill("SIGKILL");
      await worker.ended;
      yield atMost(
        `campaigns: overhead of a case by ${name}, jobs of 2 s, per cent`,
        100 * (there / pool - 1),
        3,
      );
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Seconds from the first quarter of the results in a journal to the last, as it grows. */
async function timed(path: string, out: string, on: readonly string[]): Promise<number> {
  const run = new CommandRun(
    "sweep",
    path,
    "--out",
    out,
    "--formats",
    "none",
    "--workers",
    "1",
    ...on,
  );
  const journal = join(out, "journal.ndjson");
  const size = () => {
    try {
      return readFileSync(journal).filter((byte) => byte === 10).length - 1;
    } catch {
      return 0;
    }
  };
  const seen: [count: number, at: number][] = [];
  while (run.isRunning) {
    const count = size();
    if (count > 600 && count !== seen.at(-1)?.[0]) seen.push([count, performance.now()]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if ((await run.ended) !== 0) throw new Error(run.output);
  const [first, last] = [seen[0], seen.at(-1) as [number, number]];
  return (last[1] - first[1]) / (last[0] - first[0]);
}
