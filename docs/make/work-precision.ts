// npm run work-precision: runs our test problems with all integrators, and stores errors and evaluations for
// docs/work-precision.md.

import { writeFileSync } from "node:fs";
import { OWN_RUNS } from "./work-precision-page.js";
import { OWN_PROBLEMS, type OwnRun, ownRuns } from "./work-precision-runs.js";

const runs: OwnRun[] = [];
for (const problem of OWN_PROBLEMS) {
  for await (const run of ownRuns(problem)) runs.push(run);
  console.log(`${problem.name}: ${runs.filter((run) => run.problem === problem.name).length} runs`);
}
writeFileSync(OWN_RUNS, `[\n${runs.map((run) => `  ${JSON.stringify(run)}`).join(",\n")}\n]\n`);
console.log(`${OWN_RUNS} written; now: npm run docs`);
