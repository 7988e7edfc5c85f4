import { cpuSeconds } from "#experiments";
import {
  type StiffnessProblem,
  stiffnessProblems,
  waysOf,
} from "../../test/support/stiffness-problems.js";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

const ROUNDS = 9;
/** Minimum duration of a sample in seconds: short runs are repeated. */
const SAMPLE = 0.004;
/** Warm-up time of each method in seconds. */
const WARM = 0.15;
/**
 * Explicit runs beyond this multiple of the default's time, plus the minimum timeout, are not measured, because they
 * cannot win.
 */
const HOPELESS = 10;
const MIN_TIMEOUT_S = 0.5;
const TARGET = 1.5;

type Runs = Record<"default" | "explicit" | "implicit", () => { readonly status: string }>;

/** Cost of `solve` with its own choice of method, relative to the better of both methods given explicitly. */
export async function* robustStiffnessFigures(): AsyncGenerator<Figure> {
  const ratios: number[] = [];
  for (const problem of await stiffnessProblems()) {
    const { ratio, better } = measure(problem);
    ratios.push(ratio);
    yield atMost(
      `${problem.name}: CPU by default / CPU of the better way (${better})`,
      ratio,
      TARGET,
    );
  }
  yield reported("stiffness, all problems: median of the ratios", median(ratios));
}

function measure(problem: StiffnessProblem): { ratio: number; better: string } {
  const runs = runsOf(problem);
  const names = (Object.keys(runs) as (keyof Runs)[]).filter((name) => isFit(runs[name]));
  if (!names.includes("default")) return { ratio: Number.POSITIVE_INFINITY, better: "none" };
  const repeats = Object.fromEntries(
    names.map((name) => [name, Math.ceil(SAMPLE / Math.max(cpuSeconds(runs[name]), 1e-5))]),
  );
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length];
      const count = Math.min(repeats[name], 20);
      const all = cpuSeconds(() => {
        for (let i = 0; i < count; i++) runs[name]();
      });
      times.get(name)?.push(all / count);
    }
  }
  const [own, ...ways] = names.map((name) => ({ name, time: median(times.get(name) as number[]) }));
  const better = ways.reduce((best, way) => (way.time < best.time ? way : best));
  return { ratio: own.time / better.time, better: better.name };
}

/** The three runs; the limit is in seconds of wall time, on a machine that may be busy. */
function runsOf(problem: StiffnessProblem): Runs {
  const { explicit, implicit } = waysOf(problem);
  for (let i = 0; i < 3; i++) problem.solve();
  const maximumSeconds = HOPELESS * cpuSeconds(() => problem.solve()) + MIN_TIMEOUT_S;
  return {
    default: () => problem.solve(),
    explicit: () => problem.solve({ ...explicit, maximumSeconds }),
    implicit: () => problem.solve(implicit),
  };
}

/** Whether a method finishes in time; also warms it up, because engines compile frequently called code. */
function isFit(run: () => { readonly status: string }): boolean {
  let seconds = 0;
  for (let i = 0; seconds < WARM && i < 100; i++) {
    let status = "";
    seconds += cpuSeconds(() => {
      status = run().status;
    });
    if (status !== "finished") return false;
  }
  return true;
}
