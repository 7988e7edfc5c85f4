import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { compile, type Model } from "nodrift/bodies";
import { bennett } from "nodrift/mechanisms";
import { dop853, solve } from "nodrift/solve";
import { inlineFourBarModel } from "../../test/support/relative-loops.js";
import { hingeChain } from "../../test/support/relative-trees.js";
import { race, speedup } from "../support/race.js";
import { atLeast, atMost, type Figure } from "./figure.js";

const STEP = 1e-3;
const FOLDER = "bench/peers";

/** Linkages of many kinds: steps against MuJoCo, and calls of kernels in steps and attempts. */
export async function* speedLinkageFigures(): AsyncGenerator<Figure> {
  yield* againstMujoco();
  yield* calls();
  yield* forces();
}

interface PeerRow {
  readonly problem: string;
  readonly contestant: string;
  readonly microsecondsPerStep: number;
  readonly violation: number;
  readonly failure?: string;
}

const LINKAGES = [
  "four-bar",
  "four-bar in line once a revolution",
  "change-point four-bar",
  "Bennett",
  "slider-crank",
  "engine with four cylinders",
  "Stewart platform",
  "delta robot",
];

async function* againstMujoco(): AsyncGenerator<Figure> {
  if (!existsSync(`${FOLDER}/node_modules`)) {
    console.error(`the peers are not installed: npm ci --prefix ${FOLDER}`);
    yield { figure: "peers are installed", value: 0, target: "1", pass: false };
    return;
  }
  for (const linkage of LINKAGES) {
    const command = [`${FOLDER}/relative.mjs`, "--json", linkage];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    if (status !== 0) throw new Error(`the peers failed: ${stderr}`);
    const rows = (JSON.parse(stdout) as PeerRow[]).filter(({ problem }) => problem === linkage);
    const row = (name: string) => rows.find(({ contestant }) => contestant === name)!;
    const [own, rk4] = [row("nodrift relative"), row("MuJoCo RK4")];
    const faster = rk4.microsecondsPerStep / own.microsecondsPerStep;
    yield atLeast(`${linkage}, RK4 step, times faster than MuJoCo RK4`, faster, 3);
    yield atMost(`${linkage}, violation in m`, own.violation, 1e-12);
  }
}

/** Calls of kernels: what is left of them is the work of JavaScript between steps. */
async function* calls(): AsyncGenerator<Figure> {
  for (const [name, make] of [
    ["four-bar in line", inlineFourBarModel],
    ["Bennett", bennett],
  ] as const) {
    const count = await countedCalls(async () => {
      const simulation = (await compile(make())).simulate({ step: STEP });
      return () => simulation.advance(500);
    });
    yield atMost(`${name}, calls of kernels in a step of RK4`, count / 500, 4);
  }
  let attempts = 0;
  const count = await countedCalls(async () => {
    const compiled = await compile(inlineFourBarModel());
    const method = { integrator: dop853() };
    return () => {
      const options = { span: [0, 5], tolerance: 1e-6, method, output: "ends" } as const;
      const { statistics } = solve(compiled, options);
      attempts = statistics.steps + statistics.rejections;
    };
  });
  yield atMost("four-bar in line, calls of kernels in an attempt of dop853", count / attempts, 10);
}

/** Seven hinges with a spring to the last body. */
function sprung(force?: string | ((length: number, rate: number) => number)): Model {
  const m = hingeChain(7);
  if (force !== undefined) m.spring({ between: [m.ground, "rod 7"], force });
  return m;
}

async function* forces(): AsyncGenerator<Figure> {
  const stepper = async (made: Model) => {
    const simulation = (await compile(made)).simulate({ step: 1e-5 });
    return () => simulation.advance(8);
  };
  const timings = race(
    {
      wasm: await stepper(sprung()),
      formula: await stepper(sprung("3 * length + 0.1 * rate")),
      function: await stepper(sprung((length, rate) => 3 * length + 0.1 * rate)),
    },
    { rounds: 15, time: 30 },
  );
  const title = (kind: string) => `7 hinges with a force by ${kind}, times a step without`;
  yield atMost(title("formula"), speedup(timings, "formula"), 1.15);
  yield atMost(title("function"), speedup(timings, "function"), 1.6);
}

/** Number of calls of kernels in an action, for systems that are made by `prepare`. */
async function countedCalls(prepare: () => Promise<() => unknown>): Promise<number> {
  const { Instance } = WebAssembly;
  let count = 0;
  class Counted extends Instance {
    override readonly exports: WebAssembly.Exports;
    constructor(...given: ConstructorParameters<typeof Instance>) {
      super(...given);
      const counted = Object.entries(super.exports).map(([name, item]) => {
        if (typeof item !== "function") return [name, item];
        return [
          name,
          (...args: unknown[]) => {
            count++;
            return item(...args);
          },
        ];
      });
      this.exports = Object.fromEntries(counted);
    }
  }
  WebAssembly.Instance = Counted;
  try {
    const action = await prepare();
    count = 0;
    action();
    return count;
  } finally {
    WebAssembly.Instance = Instance;
  }
}
