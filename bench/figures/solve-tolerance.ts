import { median } from "../support/race.js";
import {
  chaplyginSleighProblem,
  type SolveProblem,
  solveProblems,
} from "../support/solve-problems.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

const TOLERANCES = [3, 4, 5, 6, 7, 8, 9, 10].map((digits) => 10 ** -digits);

/** Accuracy of tolerances: the error at the end divided by the tolerance, default method. */
export async function* solveToleranceFigures(): AsyncGenerator<Figure> {
  const ratios = (await solveProblems()).flatMap(ratiosOf);
  const name = "global error / tolerance, smooth problems, 1e-3 .. 1e-10";
  yield atLeast(`${name}: least`, Math.min(...ratios), 1e-3);
  yield atMost(`${name}: most`, Math.max(...ratios), 1e2);
  yield atLeast(`${name}: median`, median(ratios), 0.05);
  yield atMost(`${name}: median`, median(ratios), 20);
  // Two velocities tend to constants and are solved far better than requested, so the rule does not apply.
  const easy = ratiosOf(chaplyginSleighProblem());
  yield reported("global error / tolerance, Chaplygin's sleigh: least", Math.min(...easy));
  yield reported("global error / tolerance, Chaplygin's sleigh: most", Math.max(...easy));
}

function ratiosOf(problem: SolveProblem): number[] {
  return TOLERANCES.map((tolerance) => {
    const ending = problem.solve({ tolerance });
    return ending.status === "finished" ? problem.error(ending) / tolerance : Number.NaN;
  });
}
