import { readFileSync } from "node:fs";
import { radau5, rodas, ros3, type SolveOptions, sdirk4 } from "nodrift/solve";
import { endingStiffness, familyNames } from "../../test/support/stiff-ends.js";
import { type Counts, type StiffCosts, stiffCosts } from "../support/stiff-cost.js";
import { atMost, type Figure, reported } from "./figure.js";

const PROBLEMS = 1000;
const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
/** Below this tolerance a method of order 3 takes too long. */
const FINEST_OF_ROS3 = 1e-6;
/** Tolerances by which an end may be wrong. */
const ALLOWED = 1000;
/** Percentage of runs with bursts that no stage can detect (docs/stiff.md). */
const UNSEEN = 0.3;

const methods: Record<string, Partial<SolveOptions>> = {
  default: {},
  radau5: { integrator: radau5() },
  sdirk4: { integrator: sdirk4() },
  rodas: { integrator: rodas() },
  ros3: { integrator: ros3() },
};

/** Stiffness that ends, begins or comes in bursts inside a step, and the cost of the check without it. */
export async function* silentStiffEndFigures(): AsyncGenerator<Figure> {
  const names = Object.keys(methods);
  const [runs, wrong, unfinished] = [counter(names), counter(names), counter(names)];
  let problems = 0;
  for (let seed = 1; problems < PROBLEMS; seed++) {
    for (const family of familyNames) {
      const problem = problems < PROBLEMS ? endingStiffness(family, 1000 + seed) : undefined;
      if (problem === undefined) continue;
      const tolerance = TOLERANCES[problems++ % TOLERANCES.length] as number;
      for (const [name, options] of Object.entries(methods)) {
        if (name === "ros3" && tolerance < FINEST_OF_ROS3) continue;
        const { status, error } = await problem.solve(tolerance, options);
        runs[name] = (runs[name] as number) + 1;
        if (status !== "finished") unfinished[name] = (unfinished[name] as number) + 1;
        else if (!(error <= ALLOWED)) {
          wrong[name] = (wrong[name] as number) + 1;
          console.error(`${problem.name}, ${name} at ${tolerance}: off by ${error} tolerances`);
        }
      }
    }
  }
  for (const name of names) {
    const [all, off] = [runs[name] as number, wrong[name] as number];
    yield atMost(
      `${name}: % of ${all} runs with stiffness that changes, finished and off by > ${ALLOWED} tolerances`,
      (100 * off) / all,
      UNSEEN,
    );
    yield reported(`${name}: of these not finished`, unfinished[name] as number);
  }
  yield* costFigures();
}

/** Counts compared with those of 0.2.0, which did not check the ends of steps. */
async function* costFigures(): AsyncGenerator<Figure> {
  const place = new URL("../../../bench/results/stiff-cost-0.2.0.json", import.meta.url);
  const before = JSON.parse(readFileSync(place, "utf8")) as StiffCosts;
  const now = await stiffCosts();
  for (const [group, problems] of Object.entries(now)) {
    for (const method of Object.keys(methods)) {
      for (const [what, target] of Object.entries(TARGETS)) {
        const sum = (costs: StiffCosts) =>
          Object.keys(problems).reduce(
            (total, name) => total + (costs[group]?.[name]?.[method]?.[what as keyof Counts] ?? 0),
            0,
          );
        const ratio = sum(now) / sum(before);
        yield atMost(`${group}, ${method}: ${what} against 0.2.0`, ratio, target);
      }
    }
  }
}

const TARGETS: Record<keyof Counts, number> = {
  steps: 1.01,
  factorisations: 1.01,
  evaluations: 1.04,
};

function counter(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}
