import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Method, projection } from "nodrift";
import { type CompileOptions, compile, defaultMethod, type Model } from "nodrift/bodies";
import { chain3d } from "nodrift/mechanisms";
import { ladder } from "../../test/support/relative-loops.js";
import { MAXIMAL, RELATIVE } from "../../test/support/relative-options.js";
import { hingeChain, hingeTree, humanoid } from "../../test/support/relative-trees.js";
import { plainTree } from "../baseline/models.js";
import { median, race, speedup, type Timing } from "../support/race.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

// Short, so that a race ends before chains whip.
const STEP = 1e-5;

/** A step of RK4 in joint coordinates: comparison with maximal ones, JavaScript and MuJoCo, and its growth. */
export async function* relativeSpeedFigures(): AsyncGenerator<Figure> {
  yield* againstMaximal();
  yield* againstJavaScript();
  yield* againstMujoco();
  yield* growth();
}

async function stepper(
  model: Model,
  options: CompileOptions,
  method: Method = defaultMethod(),
): Promise<() => unknown> {
  const simulation = (await compile(model, options)).simulate({ step: STEP, method });
  return () => simulation.advance();
}

const AGAINST_MAXIMAL: readonly (readonly [name: string, make: () => Model, times: number])[] = [
  ["7 hinges", () => hingeChain(7), 6.5],
  ["30 hinges", () => hingeChain(30), 6.5],
  ["100 hinges", () => hingeChain(100), 6.5],
  ["humanoid", humanoid, 6.5],
  ["3 balls", () => chain3d(3), 2.7],
  ["10 balls", () => chain3d(10), 2.5],
  ["100 balls", () => chain3d(100), 2.6],
];

/**
 * Our default method, which in maximal coordinates projects in every stage. The target refers to one projection per
 * step, which costs less; the ratio to the default is reported as well.
 */
async function* againstMaximal(): AsyncGenerator<Figure> {
  const once = { ...defaultMethod(), stabilisation: projection() };
  for (const [name, make, times] of AGAINST_MAXIMAL) {
    const timings = race(
      {
        wasm: await stepper(make(), RELATIVE),
        "projected once": await stepper(make(), MAXIMAL, once),
        default: await stepper(make(), MAXIMAL),
      },
      { rounds: 15, time: 30 },
    );
    const figure = `${name}, RK4 step, times faster than in maximal coordinates`;
    yield atLeast(`${figure}, projected once`, speedup(timings, "projected once"), times);
    yield reported(`${figure}, projected in each stage`, speedup(timings, "default"));
    yield reported(`${name}, RK4 step, microseconds`, timings[0].median);
  }
}

async function* againstJavaScript(): AsyncGenerator<Figure> {
  for (const n of [7, 100]) {
    const model = hingeChain(n);
    const tree = plainTree(model);
    const timings = race(
      { wasm: await stepper(model, RELATIVE), "plain js": () => tree.step(STEP) },
      { rounds: 15, time: 30 },
    );
    const figure = `${n} hinges, RK4 step, times faster than the same recursion in plain js`;
    yield atLeast(figure, speedup(timings, "plain js"), 1.6);
  }
}

const FOLDER = "bench/peers";

/** Output of bench/peers/relative.mjs. */
interface PeerRow {
  readonly problem: string;
  readonly contestant: string;
  readonly microsecondsPerStep: number;
  readonly violation: number;
  readonly failure?: string;
}

const AGAINST_MUJOCO: Readonly<Record<string, number>> = {
  "7 hinges": 2.8,
  "30 hinges": 3.3,
  "100 hinges": 10,
  humanoid: 2.8,
  "N-four-bar 2": 3.5,
  "N-four-bar 10": 3,
  "N-four-bar 40": 2.3,
};

/** The peers are installed in a separate folder. */
async function* againstMujoco(): AsyncGenerator<Figure> {
  if (!existsSync(`${FOLDER}/node_modules`)) {
    console.error(`the peers are not installed: npm ci --prefix ${FOLDER}`);
    yield { figure: "peers are installed", value: 0, target: "1", pass: false };
    return;
  }
  const command = [`${FOLDER}/relative.mjs`, "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the peers failed: ${stderr}`);
  const rows = JSON.parse(stdout) as PeerRow[];
  for (const [problem, times] of Object.entries(AGAINST_MUJOCO)) {
    const find = (contestant: string) => {
      const row = rows.find((each) => each.problem === problem && each.contestant === contestant);
      if (!row || row.failure) throw new Error(`${contestant} on ${problem}: ${row?.failure}`);
      return row;
    };
    const [own, rk4, euler] = ["nodrift relative", "MuJoCo RK4", "MuJoCo Euler"].map(find);
    const faster = (row: PeerRow) => row.microsecondsPerStep / own.microsecondsPerStep;
    yield atLeast(`${problem}, RK4 step, times faster than MuJoCo RK4`, faster(rk4), times);
    yield reported(`${problem}, RK4 step, times faster than MuJoCo Euler`, faster(euler));
    yield atMost(`${problem}, violation in m`, own.violation, 1e-10);
  }
}

/** Median over rounds of the time of the longer over that of the shorter, as a power of their sizes' ratio. */
function exponent([short, long]: readonly Timing[], ratio: number): number {
  const times = median(long.rounds.map((time, round) => time / short.rounds[round]));
  return Math.log(times) / Math.log(ratio);
}

const GROWTH: readonly {
  readonly name: string;
  readonly make: (n: number) => Model;
  readonly sizes: readonly [number, number];
  readonly most: number;
}[] = [
  {
    name: "chain of hinges",
    make: (n) => hingeChain(n, { rate: 0 }),
    sizes: [30, 3000],
    most: 1.08,
  },
  { name: "balanced tree of hinges", make: hingeTree, sizes: [30, 3000], most: 1.08 },
  { name: "ladder, cells", make: ladder, sizes: [20, 180], most: 1.2 },
];

async function* growth(): AsyncGenerator<Figure> {
  for (const { name, make, sizes, most } of GROWTH) {
    const [few, many] = sizes;
    const timings = race(
      { short: await stepper(make(few), RELATIVE), long: await stepper(make(many), RELATIVE) },
      { rounds: 15, time: 60 },
    );
    const figure = `${name}, RK4 step, growth exponent ${few} -> ${many}`;
    yield atMost(figure, exponent(timings, many / few), most);
  }
}
