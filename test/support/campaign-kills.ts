// Campaigns whose processes are killed at random moments: the final result must equal that of an undisturbed campaign.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { seeded } from "./random.js";

const CLI = "dist/cli.js";
/** Milliseconds after which a campaign counts as hanging, even on a busy machine. */
const LIMIT = 1_800_000;
const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A rod that falls briefly: a case takes a millisecond or two. */
const MODEL = {
  nodrift: 1,
  name: "rod",
  units: "SI",
  gravity: [0, 0, -9.81],
  bodies: [
    {
      name: "rod",
      mass: 1,
      shape: { type: "rod", length: 1, axis: [1, 0, 0] },
      position: [0.5, 0, 0],
    },
  ],
  joints: [
    { type: "revolute", name: "hinge", between: ["ground", "rod"], at: [0, 0, 0], axis: [0, 1, 0] },
  ],
  solve: { span: [0, 1], tolerance: 1e-8 },
};

/** Writes a campaign of `cases` cases. */
export function writeStudy(folder: string, cases: number, changes: object = {}): string {
  const path = join(folder, "study.json");
  const study = {
    campaign: 1,
    model: MODEL,
    seed: 2,
    parameters: [
      { name: "g", at: "/gravity/2", uniform: [-10, -9.6] },
      { name: "mass", at: "/bodies/rod/mass", normal: { mean: 1, deviation: 0.1 } },
    ],
    design: { type: "sobol", cases },
    outputs: [
      { name: "angle", end: "angle('hinge')" },
      { name: "rate", end: "angleRate('hinge')" },
    ],
    ...changes,
  };
  writeFileSync(path, JSON.stringify(study));
  return path;
}

/**
 * Writes a campaign of many cases: a module with a pendulum by equations, compiled once. A case takes some tenths of
 * a millisecond, so that ten thousand of them and two dozen kills take a minute.
 */
export function writeQuickStudy(folder: string, cases: number): string {
  const from = (entry: string) => JSON.stringify(pathToFileURL(`dist/${entry}.js`).href);
  writeFileSync(
    join(folder, "pendulum.mjs"),
    `import { equations } from ${from("index")};
import { solve } from ${from("solve")};
const gravity = { g: 0 };
const pendulum = equations({
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: (_q, _v, out) => {
    out[0] = 0;
    out[1] = gravity.g;
  },
  holonomic: {
    rows: 1,
    value: ([x, y], out) => {
      out[0] = x * x + y * y - 1;
    },
    jacobian: ([x, y], out) => {
      out[0] = 2 * x;
      out[1] = 2 * y;
    },
  },
});
export default ({ g, mass }) => {
  gravity.g = g / mass;
  const { end } = solve(pendulum, { span: [0, 0.3], q: [1, 0], tolerance: 1e-6, output: "ends" });
  return { outputs: { angle: end.q[1], rate: end.v[1] } };
};
`,
  );
  const outputs = [{ name: "angle" }, { name: "rate" }];
  const parameters = [
    { name: "g", uniform: [-10, -9.6] },
    { name: "mass", normal: { mean: 1, deviation: 0.1 } },
  ];
  return writeStudy(folder, cases, { model: "pendulum.mjs", parameters, outputs });
}

/** A command of the package in a separate process. */
export class CommandRun {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output = "";

  constructor(...args: readonly string[]) {
    const [program, ...rest] = this.line(args) as [string, ...string[]];
    this.child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.output += data;
      });
    }
    this.ended = new Promise((resolve) => this.child.on("exit", (code) => resolve(code)));
  }

  /** Arguments of the command. */
  protected line(args: readonly string[]): readonly string[] {
    return [process.execPath, CLI, ...args];
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Its child processes. */
  get children(): number[] {
    const folder = `/proc/${this.child.pid}/task`;
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((task) => {
      try {
        return readFileSync(join(folder, task, "children"), "utf8")
          .split(" ")
          .filter(Boolean)
          .map(Number);
      } catch {
        return [];
      }
    });
  }
}

export interface Disturbance {
  readonly workers: number;
  readonly coordinators: number;
  readonly seed: number;
  /** A server; undefined for the pool of one machine. */
  readonly url?: string;
  /** Additional actions on the server, each after a random number of results. */
  readonly troubles?: readonly (() => Promise<void>)[];
}

export interface Outcome {
  /** The table, byte by byte. */
  readonly table: string;
  /** Results in the journal, and how many of them repeat a case. */
  readonly lines: number;
  readonly repeated: number;
  readonly kills: number;
  readonly output: string;
}

function kill(pid: number | undefined): boolean {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    return pid !== undefined;
  } catch {
    return false;
  }
}

/** Runs a campaign and kills its processes during the run. A killed coordinator is restarted by the same command. */
export async function disturbed(
  study: string,
  out: string,
  cases: number,
  how: Disturbance,
): Promise<Outcome> {
  const { url, seed } = how;
  const random = seeded(seed);
  const on = url === undefined ? [] : ["--on", url];
  const begin = () =>
    new CommandRun("sweep", study, "--out", out, "--formats", "csv", "--workers", "2", ...on);
  const work = () => new CommandRun("worker", "--on", url!, "--workers", "1", "--lease", "2");
  let coordinator = begin();
  const workers = url === undefined ? [] : [work(), work()];
  const journal = join(out, "journal.ndjson");
  const known = () =>
    existsSync(journal) ? readFileSync(journal).filter((byte) => byte === 10).length - 1 : 0;
  // Kills come after random numbers of results, so that they hit the work at any speed.
  const marks = [
    ...Array.from({ length: how.workers }, () => ({ kind: "worker" as const })),
    ...Array.from({ length: how.coordinators }, () => ({ kind: "coordinator" as const })),
    ...(how.troubles ?? []).map((act) => ({ kind: "trouble" as const, act })),
  ]
    .map((mark) => ({ ...mark, at: Math.floor(((random() + 1) / 2) * 0.5 * cases) }))
    .sort((a, b) => a.at - b.at);
  let [kills, output] = [0, ""];
  const limit = Date.now() + LIMIT;
  while (coordinator.isRunning || marks.length > 0) {
    if (Date.now() > limit) throw new Error(`not done in time:\n${output}${coordinator.output}`);
    await pause(15);
    if (!coordinator.isRunning) break;
    const [next] = marks;
    if (!next || known() < next.at) continue;
    if (next.kind === "trouble") await next.act();
    else if (next.kind === "coordinator") {
      if (kill(coordinator.child.pid)) kills++;
      await coordinator.ended;
      output += coordinator.output;
      coordinator = begin();
    } else if (url === undefined) {
      const { children } = coordinator;
      const chosen = children[Math.floor(((random() + 1) / 2) * children.length)];
      if (!kill(chosen)) continue;
      kills++;
    } else {
      const i = Math.floor(((random() + 1) / 2) * workers.length);
      if (kill(workers[i].child.pid)) kills++;
      await workers[i].ended;
      workers[i] = work();
    }
    marks.shift();
  }
  const code = await coordinator.ended;
  output += coordinator.output;
  for (const worker of workers) kill(worker.child.pid);
  await Promise.all(workers.map(({ ended }) => ended));
  if (code !== 0) throw new Error(`the campaign ended with ${code}:\n${output}`);
  return { ...read(out), kills, output };
}

function read(out: string): Pick<Outcome, "table" | "lines" | "repeated"> {
  const lines = readFileSync(join(out, "journal.ndjson"), "utf8").trimEnd().split("\n").slice(1);
  const ids = new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id));
  const table = readFileSync(join(out, "cases.csv"), "utf8");
  return { table, lines: lines.length, repeated: lines.length - ids.size };
}

/** The campaign without disturbances. */
export async function undisturbed(study: string, out: string): Promise<string> {
  rmSync(out, { recursive: true, force: true });
  const run = new CommandRun("sweep", study, "--out", out, "--formats", "csv", "--workers", "2");
  if ((await run.ended) !== 0) throw new Error(run.output);
  return read(out).table;
}
