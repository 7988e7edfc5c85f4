import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { folderOf } from "../support/before.js";
import { median } from "../support/race.js";
import { type StepWork, steppedModels } from "../support/step-worker.js";
import { atLeast, type Figure } from "./figure.js";

/** The last commit before src was made lighter. */
const BEFORE = "611f4c4b";
const ROUNDS = 41;
const MILLISECONDS = 40;

/** Steps per second compared with those before src was rearranged, in turns, each build in its own thread. */
export async function* structureSpeedFigures(): AsyncGenerator<Figure> {
  const folder = folderOf(BEFORE);
  for (const model of steppedModels) {
    const ratio = await raced({ folder, model }, { model });
    yield atLeast(`${model}: steps per second over those before`, ratio, 0.98);
  }
}

/** Ratio of two times: the median of rounds in which they take turns. */
async function raced(one: StepWork, other: StepWork): Promise<number> {
  const threads = await Promise.all([begun(one), begun(other)]);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await timed(threads[0]), await timed(threads[1])];
    ratios.push(a / b);
  }
  for (const thread of threads) await thread.terminate();
  // The first rounds compile.
  return median(ratios.slice(ROUNDS >> 2));
}

async function begun(work: StepWork): Promise<Worker> {
  const thread = new Worker(new URL("../support/step-worker.js", import.meta.url), {
    workerData: work,
  });
  await once(thread, "message");
  return thread;
}

async function timed(thread: Worker): Promise<number> {
  thread.postMessage(MILLISECONDS);
  const [time] = (await once(thread, "message")) as [number];
  return time;
}
