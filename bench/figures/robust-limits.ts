import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { box, compile, type Model, model, rod } from "nodrift/bodies";
import { writeModel } from "nodrift/files";
import {
  ode,
  radau5,
  type SolveOptions,
  type Source,
  solveAsync,
  start,
  stateSpace,
} from "nodrift/solve";
import { atMost, type Figure, reported } from "./figure.js";

/** Seconds by which a limit may be exceeded in addition to one step; allowed for a first signal, and a second. */
const SLACK = 0.2;
const FIRST = 1;
const SECOND = 0.2;

/** A situation: seconds beyond the allowance, positive if late; infinite if it ended otherwise. */
interface Situation {
  readonly name: string;
  late(): Promise<number>;
}

/** Limits of runs and compilations, and signals to commands, where the work is heavy. */
export async function* robustLimitFigures(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-limits-"));
  let missed = 0;
  try {
    const situations = [...limits(), ...signals(folder)];
    for (const { name, late } of situations) {
      const seconds = await late();
      if (!(seconds <= 0)) missed++;
      yield reported(`${name}: seconds beyond what is allowed`, seconds);
    }
    yield atMost(
      `limits and signals not kept, of ${situations.length} heavy situations`,
      missed,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const seconds = (since: number) => (performance.now() - since) / 1000;

/** Rods in a row on hinges; optionally closed to a ring with a small misfit. */
function chain(count: number, isRing = false): Model {
  const m = model({ name: `chain of ${count}` });
  const bodies = [m.ground];
  for (let i = 0; i < count; i++) {
    const turn = isRing ? (2 * Math.PI * i) / count : 0;
    const radius = count / (2 * Math.PI);
    const position: [number, number, number] = isRing
      ? [radius * Math.cos(turn), 0, 1.03 * radius * Math.sin(turn)]
      : [i + 0.5, 0, 0];
    const shape = rod({ length: 1, axis: [1, 0, 0] });
    bodies.push(m.body({ name: `rod ${i}`, mass: 1, shape, position }));
    const at: [number, number, number] = isRing ? position : [i, 0, 0];
    const between = [bodies[i]!, bodies[i + 1]!] as const;
    m.revolute({ name: `hinge ${i}`, between: [...between], at, axis: [0, 1, 0] });
  }
  if (isRing) {
    const between = [bodies[count]!, bodies[0]!] as const;
    m.spherical({
      name: "closing",
      between: [...between],
      at: [count / (2 * Math.PI) - 0.5, 0, 0.5],
    });
  }
  return m;
}

/** Blocks on strong bushings. */
function stiff(count: number): Model {
  const m = model({ name: `${count} blocks on bushings` });
  const bodies = [m.ground];
  for (let i = 0; i < count; i++) {
    const shape = box({ x: 1, y: 1, z: 1 });
    bodies.push(m.body({ name: `block ${i}`, mass: 1, shape, position: [i + 0.5, 0, 0] }));
    m.bushing({
      name: `bushing ${i}`,
      between: [bodies[i]!, bodies[i + 1]!],
      at: [i, 0, 0],
      stiffness: { translation: 1e7, rotation: 1e6 },
      damping: { translation: 1e5, rotation: 1e4 },
    });
  }
  return m;
}

function duplicates(count: number): Model {
  const m = model({ name: `${count} hinges on one body` });
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const body = m.body({ name: "rod", mass: 1, shape, position: [0.5, 0, 0] });
  for (let i = 0; i < count; i++) {
    m.revolute({ name: `hinge ${i}`, between: [m.ground, body], at: [0, 0, 0], axis: [0, 1, 0] });
  }
  return m;
}

const oscillator = ode({
  names: ["x", "v"],
  rate: (_t, [x, v], out) => {
    out[0] = v!;
    out[1] = -x!;
  },
  y: [1, 0],
});

/** Many unknowns, all coupled, stiff: df/dy is a full matrix, computed by finite differences. */
const coupled = ode({
  names: 400,
  rate: (_t, y, out) => {
    let mean = 0;
    for (let i = 0; i < 400; i++) mean += y[i]! / 400;
    for (let i = 0; i < 400; i++) out[i] = -1e5 * (i + 1) * (y[i]! - mean) + mean;
  },
  y: Array.from({ length: 400 }, (_, i) => i),
});

/** Runs step by step. The delay is the time beyond the limit, one step and the slack. */
async function lateRun<S extends Source>(
  source: S,
  options: SolveOptions<S>,
  limit: number,
  status: string,
) {
  const began = performance.now();
  const run = start(source, options);
  let longest = 0;
  for (let since = performance.now(); ; since = performance.now()) {
    const goesOn = run.step();
    longest = Math.max(longest, seconds(since));
    if (!goesOn) break;
  }
  const took = seconds(began);
  if (run.solution().status !== status) return Number.POSITIVE_INFINITY;
  return took - limit - longest - SLACK;
}

/** The same limit twice: by wall time. */
function timed<S extends Source>(
  name: string,
  make: () => Promise<S> | S,
  options: Omit<SolveOptions<S>, "maximumSeconds">,
  limit: number,
): Situation {
  const late = async () =>
    lateRun(
      await make(),
      { ...options, maximumSeconds: limit } as SolveOptions<S>,
      limit,
      "maximumSeconds",
    );
  return { name: `${name}, ${limit} s`, late };
}

/** A signal of the run's own thread, between steps. */
function aborted<S extends Source>(
  name: string,
  make: () => Promise<S> | S,
  options: SolveOptions<S>,
  limit: number,
): Situation {
  const late = async () => {
    const source = await make();
    const began = performance.now();
    const signal = AbortSignal.timeout(1000 * limit);
    const solution = await solveAsync(source, { ...options, signal });
    // Without the allowance of one step, whose duration is not known here.
    const late = seconds(began) - limit - SLACK;
    return solution.status === "aborted" ? late : Number.POSITIVE_INFINITY;
  };
  return { name: `${name}, AbortSignal after ${limit} s`, late };
}

/** A flag in shared memory, which another thread sets. */
function flagged(): Situation {
  const late = async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const script =
      'const { workerData } = require("node:worker_threads"); setTimeout(() => Atomics.store(workerData, 0, 1), 500);';
    const worker = new Worker(script, { eval: true, workerData: flag });
    await new Promise((ready) => worker.once("online", ready));
    const signal = {
      get aborted() {
        return Atomics.load(flag, 0) === 1;
      },
    };
    const found = await lateRun(
      oscillator,
      { span: [0, 1e9], output: "ends", signal },
      0.5,
      "aborted",
    );
    await worker.terminate();
    return found;
  };
  return { name: "a flag of another thread after 0.5 s, in a run that never yields", late };
}

/** Compilation ends with an error. */
function compiled(name: string, make: () => Model, limit: number): Situation {
  const late = async () => {
    const m = make();
    const began = performance.now();
    try {
      await compile(m, { maximumSeconds: limit });
    } catch (error) {
      // A ring that cannot be closed may be detected before.
      if (!/STOPPED|ASSEMBLY/.test((error as { code: string }).code))
        return Number.POSITIVE_INFINITY;
    }
    return seconds(began) - limit - SLACK;
  };
  return { name: `compile: ${name}, ${limit} s`, late };
}

function refused(): Situation {
  const late = async () => {
    const began = performance.now();
    try {
      start(oscillator, { span: [0, 1], output: { rate: 1e308 } });
    } catch {
      return seconds(began) - SLACK;
    }
    return Number.POSITIVE_INFINITY;
  };
  return { name: "output: { rate: 1e308 } is refused", late };
}

function limits(): readonly Situation[] {
  const ends = { span: [0, 1e6], output: "ends" } as const;
  const implicit = { ...ends, method: { formulation: stateSpace(), integrator: radau5() } };
  const events = Array.from({ length: 200 }, (_, i) => ({
    name: `event ${i}`,
    when: ({ q }: { q: Float64Array }) => q[2]! + i / 1e3,
  }));
  const steps = async () =>
    lateRun(await compile(chain(3000)), { ...ends, maximumSteps: 3 }, 60, "maximumSteps");
  return [
    timed("chain of 3000", () => compile(chain(3000)), ends, 1),
    { name: "chain of 3000, 3 steps", late: steps },
    aborted("chain of 3000", () => compile(chain(3000)), ends, 1),
    timed("stiff, 40 bodies", () => compile(stiff(40)), implicit, 0.5),
    timed("stiff, 300 bodies", () => compile(stiff(300)), implicit, 2),
    timed("stiff, 40 bodies, no method given", () => compile(stiff(40)), ends, 0.5),
    aborted("stiff, 40 bodies", () => compile(stiff(40)), implicit, 1),
    timed(
      "400 coupled equations, by differences",
      () => coupled,
      { ...ends, integrator: radau5() },
      0.5,
    ),
    timed(
      "a million million rows",
      () => oscillator,
      { span: [0, 1], output: { rate: 1e12 }, keep: false, each: () => {} },
      0.5,
    ),
    timed("200 events", () => compile(chain(60)), { ...ends, events }, 0.5),
    refused(),
    flagged(),
    compiled("200 duplicate hinges", () => duplicates(200), 0.5),
    compiled("a ring of 400 that does not close", () => chain(400, true), 0.3),
  ];
}

interface Sent {
  readonly args: readonly string[];
  /** Seconds until the first signal, and between it and the second. */
  readonly after: number;
  readonly again?: number;
  readonly signal?: NodeJS.Signals;
}

/** Sends signals to a command. The delay is the time from the last signal to the end. */
function signalled(
  name: string,
  folder: string,
  { args, after, again, signal = "SIGINT" }: Sent,
): Situation {
  const late = () =>
    new Promise<number>((done, failed) => {
      const program = [resolve("dist/cli.js"), ...args];
      const child = spawn(process.execPath, program, {
        cwd: folder,
        stdio: ["pipe", "ignore", "ignore"],
      });
      let sent = Number.NaN;
      const send = () => {
        sent = performance.now();
        child.kill(signal);
      };
      setTimeout(send, 1000 * after);
      if (again !== undefined) setTimeout(send, 1000 * (after + again));
      child.on("error", failed);
      child.on("close", (code, by) => {
        const allowed = again === undefined ? FIRST : SECOND;
        const isRight = code === 130 || by === signal;
        // It finished before the signal.
        if (Number.isNaN(sent)) return done(code === 0 ? 0 : Number.POSITIVE_INFINITY);
        done(isRight ? seconds(sent) - allowed : Number.POSITIVE_INFINITY);
      });
    });
  return {
    name: `${name}, ${again === undefined ? signal : `${signal} twice`} after ${after} s`,
    late,
  };
}

function signals(folder: string): readonly Situation[] {
  const solve = { span: [0, 1000] as const, tolerance: 1e-6 };
  const write = (name: string, m: Model) =>
    writeFileSync(join(folder, name), writeModel(m, { units: "SI", solve } as never));
  write("chain.json", chain(3000));
  write("stiff.json", stiff(300));
  write("duplicates.json", duplicates(200));
  const sent = (name: string, given: Sent) => signalled(name, folder, given);
  const run = (name: string, ...more: string[]) => ["run", `${name}.json`, "--out", name, ...more];
  return [
    sent("run, chain of 3000", { args: run("chain"), after: 1 }),
    sent("run, chain of 3000", { args: run("chain"), after: 6 }),
    sent("run, chain of 3000", { args: run("chain"), after: 4, signal: "SIGTERM" }),
    sent("run, chain of 3000, writing", { args: run("chain", "--max-seconds", "4"), after: 5.5 }),
    sent("run, chain of 3000", { args: run("chain"), after: 5, again: 0.05 }),
    sent("run, 300 stiff bodies", { args: run("stiff"), after: 4 }),
    sent("run, 300 stiff bodies", { args: run("stiff"), after: 4, again: 0.05, signal: "SIGTERM" }),
    sent("run, 200 duplicate hinges", { args: run("duplicates"), after: 2 }),
    sent("run, 60 rods, 1e6 rows", {
      args: ["run", "chain", "--rate", "1e6", "--out", "rows"],
      after: 4,
    }),
    sent("run, model from a terminal that says nothing", { args: ["run", "-"], after: 1 }),
    sent("check, chain of 60", { args: ["check", "chain"], after: 0.8 }),
    sent("compare, hmmwv", { args: ["compare", "hmmwv"], after: 4 }),
    sent("compare, chain of 3000", {
      args: ["compare", "chain.json"],
      after: 5,
      signal: "SIGTERM",
    }),
    sent("reproduce", { args: ["reproduce"], after: 6 }),
    sent("reproduce", { args: ["reproduce"], after: 3, again: 0.05 }),
    sent("bench", { args: ["bench"], after: 3 }),
  ];
}
