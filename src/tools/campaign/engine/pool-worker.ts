// What a process of the pool does: gets a campaign once, then numbers of cases.

import { Worker } from "node:worker_threads";
import { CaseRunner } from "../cases/case-runner.js";
import { Plan } from "../cases/plan.js";
import type { Definition } from "../definition/options.js";
import { runCases, type Work } from "./seat.js";

let runner: CaseRunner | undefined;

// Nobody waits for results any more: who started this process is gone.
process.on("disconnect", () => process.exit());
// Ctrl-C reaches all processes of a terminal; the one that started this decides.
process.on("SIGINT", () => {});

/** The same while code of a module never gives control back, when this process hears nothing: a thread of its own watches. */
const WATCH = `const { ppid, pid } = process;
setInterval(() => {
  try {
    if (process.ppid === ppid) return process.kill(ppid, 0);
  } catch {}
  process.kill(pid, "SIGKILL");
}, 500);`;

/** The campaign. Gives its digest, to be compared. */
export async function begin({ definition }: { readonly definition: Definition }): Promise<string> {
  if (definition.model.kind === "module") new Worker(WATCH, { eval: true }).unref();
  const plan = new Plan(definition);
  runner = await CaseRunner.of(plan);
  return plan.digest;
}

/** Runs cases. */
export async function work({ indices }: { readonly indices: readonly number[] }): Promise<Work> {
  if (!runner) throw new Error("no campaign has begun");
  return runCases(runner, indices);
}
