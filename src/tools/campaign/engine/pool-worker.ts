// What a process of the pool does: gets a campaign once, then numbers of cases.

import { CaseRunner } from "../cases/case-runner.js";
import { Plan } from "../cases/plan.js";
import type { Definition } from "../definition/options.js";
import { runCases, type Work } from "./seat.js";

let runner: CaseRunner | undefined;

// Nobody waits for results any more: who started this process is gone.
process.on("disconnect", () => process.exit());
// Ctrl-C reaches all processes of a terminal; the one that started this decides.
process.on("SIGINT", () => {});

/** The campaign. Gives its digest, to be compared. */
export async function begin({ definition }: { readonly definition: Definition }): Promise<string> {
  const plan = new Plan(definition);
  runner = await CaseRunner.of(plan);
  return plan.digest;
}

/** Runs cases. */
export async function work({ indices }: { readonly indices: readonly number[] }): Promise<Work> {
  if (!runner) throw new Error("no campaign has begun");
  return runCases(runner, indices);
}
