import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readModel, writeModel } from "nodrift/files";
import { bundleOf } from "../../test/support/entry-sizes.js";
import { digestFile } from "../../test/support/file-digest.js";
import { damagedFiles, judge, publishedSchema } from "../../test/support/hostile-files.js";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

const ROUNDS = 15;
const DAMAGED = 5000;
const SEED = 20_260_000;
/** Seconds after which a file counts as hanging. */
const TIMEOUT_S = 5;
/** Libraries bundled in the command line and the file reader. */
const LIBRARIES = /momoa|cli-progress|uPlot|tinybench|ml-matrix/i;

const examples = () =>
  readdirSync("examples")
    .filter((name) => !name.startsWith("equations-"))
    .map((name) => [name, readFileSync(`examples/${name}`, "utf8")] as const);

/** The command line and model files. */
export async function* cliFigures(): AsyncGenerator<Figure> {
  yield await startOfRun();
  yield* sizes();
  yield* roundTrips();
  yield* damaged();
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
  const inside = LIBRARIES.test(await bundleOf({ nodrift: "*" })) ? 1 : 0;
  yield atMost("libraries of the command line in the core entry", inside, 0);
  const files = await bundleOf({ "nodrift/files": "*" });
  if (!LIBRARIES.test(files)) throw new Error("they would not be seen");
}

/** File -> model -> file -> model, each solved: all positions and velocities at all times of the output. */
async function* roundTrips(): AsyncGenerator<Figure> {
  let different = 0;
  for (const [name, text] of examples()) {
    const file = readModel(text);
    const again = readModel(writeModel(file.model, file.settings));
    const [first, second] = await Promise.all([digestFile(file), digestFile(again)]);
    if (first !== second) different++;
    yield reported(`${name}: bits differ after a round trip`, first === second ? 0 : 1);
  }
  yield atMost("examples whose bits differ after file -> model -> file -> solve", different, 0);
}

async function* damaged(): AsyncGenerator<Figure> {
  const schema = publishedSchema();
  const texts = examples().map(([, text]) => text);
  const counts = { refused: 0, accepted: 0, crash: 0, nonsense: 0 };
  let [slow, longest] = [0, 0];
  for (const text of damagedFiles(texts, DAMAGED, SEED)) {
    const { kind, why, seconds } = await judge(text, schema);
    counts[kind]++;
    if (seconds > TIMEOUT_S) slow++;
    longest = Math.max(longest, seconds);
    if (why !== undefined) console.error(`${kind}: ${why}\n${text}`);
  }
  yield reported(`of ${DAMAGED} damaged model files: refused`, counts.refused);
  yield reported(`of ${DAMAGED} damaged model files: accepted, and run`, counts.accepted);
  yield reported("damaged model files: longest time of one, s", longest);
  const bad = counts.crash + counts.nonsense + slow;
  yield atMost(`of ${DAMAGED} damaged model files: crash, hang or nonsense`, bad, 0);
}
