// Entry point of a pool process: receives a campaign once, then indices of cases.

import { Worker } from "node:worker_threads";
import { CaseRunner } from "../cases/case-runner.js";
import { Plan } from "../cases/plan.js";
import type { Definition } from "../definition/options.js";
import { runCases, type Work } from "./case-worker.js";

let runner: CaseRunner | undefined;

// The parent is gone: nothing waits for results any more.
process.on("disconnect", () => process.exit());
// Ctrl-C reaches all processes of a terminal; the parent decides.
process.on("SIGINT", () => {});

/**
 * A watchdog thread kills this process if its parent has ended, since a module that never returns blocks the main thread.
 * The parent's id is read here, at the start: a thread that starts after the parent's end would read, and watch, the id of
 * the process that adopted this one.
 */
const PARENT = process.ppid;
const WATCH = `const { workerData: parent } = require("node:worker_threads");
setInterval(() => {
  try {
    if (process.ppid === parent) return process.kill(parent, 0);
  } catch {}
  process.kill(process.pid, "SIGKILL");
}, 500);`;

/** Receives the campaign. Returns its digest for comparison. */
export async function begin({ definition }: { readonly definition: Definition }): Promise<string> {
  if (definition.model.kind === "module")
    new Worker(WATCH, { eval: true, workerData: PARENT }).unref();
  const plan = new Plan(definition);
  runner = await CaseRunner.of(plan);
  return plan.digest;
}

/** Runs cases. */
export async function work({ indices }: { readonly indices: readonly number[] }): Promise<Work> {
  if (!runner) throw new Error("work: call begin first");
  return runCases(runner, indices);
}
