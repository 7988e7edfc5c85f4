import { spawn, spawnSync } from "node:child_process";
import { bundleOf } from "../../test/support/entry-sizes.js";
import { median } from "../support/race.js";
import { atMost, type Figure } from "./figure.js";

const ROUNDS = 15;
/** Libraries bundled in the command line and the file reader. */
const LIBRARIES = /momoa|cli-progress|uPlot|tinybench|ml-matrix/i;

/** The command line and model files. */
export async function* cliFigures(): AsyncGenerator<Figure> {
  yield await startOfRun();
  yield* sizes();
}

/** Milliseconds until a program prints or exits. */
function firstOutput(args: readonly string[]): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const resolveTime = () => resolve(performance.now() - began);
    child.stdout.once("data", resolveTime);
    child.on("error", reject);
    child.on("exit", resolveTime);
  });
}

async function startOfRun(): Promise<Figure> {
  const run = ["dist/cli.js", "run", "pendulum", "--formats", "none"];
  const { status } = spawnSync(process.execPath, run);
  if (status !== 0) throw new Error("the pendulum does not run");
  const differences: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    differences.push((await firstOutput(run)) - (await firstOutput(["-e", ""])));
  }
  const name = "first output of `run pendulum`, ms above an empty script";
  return atMost(name, median(differences), 300);
}

async function* sizes(): AsyncGenerator<Figure> {
  const inside = LIBRARIES.test(await bundleOf("nodrift")) ? 1 : 0;
  yield atMost("libraries of the command line in the core entry", inside, 0);
  const files = await bundleOf("nodrift/files");
  if (!LIBRARIES.test(files)) throw new Error("they would not be seen");
}
