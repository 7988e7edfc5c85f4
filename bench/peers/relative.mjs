// node relative.mjs [--json] [part of a name]: a step of RK4 in joint coordinates against MuJoCo's, on the same models with the same step.

import { parseArgs } from "node:util";
import { contestants as mujoco } from "./adapters/mujoco.mjs";
import { contestants as nodrift } from "./adapters/nodrift-relative.mjs";
import { trees } from "./nodrift.mjs";
import { linkages } from "./problems/linkages.mjs";
import { nFourBar } from "./problems/n-four-bar.mjs";
import { problemOf } from "./problems/of-model.mjs";
import { measure } from "./support/measure.mjs";

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [only = ""] = positionals;
const { hingeChain, humanoid } = await trees();

const ROUNDS = 7;
const STEP = 1e-3;
/** Measured duration of the trees, in seconds. */
const UNTIL = 0.5;
/** Approximate number of timed steps in one run, fewer for larger mechanisms. */
const TIMED = 6000;

const tree = (name, model) => problemOf(model, { name, until: UNTIL, steps: [STEP] });
const hinges = (n) => tree(`${n} hinges`, hingeChain(n));
const fourBar = (n) => ({ ...nFourBar(n), name: `N-four-bar ${n}` });
const problems = [
  hinges(7),
  hinges(30),
  hinges(100),
  tree("humanoid", humanoid()),
  fourBar(2),
  fourBar(10),
  fourBar(40),
  ...linkages,
];

const rows = [];
for (const problem of problems.filter(({ name }) => name.includes(only))) {
  const timed = STEP * Math.max(50, Math.round(TIMED / problem.bodies.length));
  const measured = await measure(problem, [...nodrift, ...mujoco], {
    rounds: ROUNDS,
    settings: () => [STEP],
    until: Math.min(problem.until, timed),
    timeout: Number.POSITIVE_INFINITY,
  });
  for (const { contestant, microsecondsPerStep, violation, error, failure } of measured) {
    const row = {
      problem: problem.name,
      contestant,
      microsecondsPerStep,
      violation,
      error,
      failure,
    };
    rows.push(row);
    if (values.json) continue;
    const numbers = `${microsecondsPerStep.toFixed(2)} us a step, open by ${violation.toExponential(1)} m`;
    console.log(`${problem.name}, ${contestant}: ${failure ?? numbers}`);
  }
}
if (values.json) console.log(JSON.stringify(rows));
// Engines may keep threads or timers that would prevent exit.
process.exit(0);
