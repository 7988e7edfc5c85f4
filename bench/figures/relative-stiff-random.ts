import { stiffRuns } from "../../test/support/random-stiff.js";
import { atMost, type Figure, reported } from "./figure.js";

const SEEDS = 40;
const TOLERANCES = [1e-3, 1e-6] as const;
/** Errors beyond this many tolerances are defects. */
const ALLOWED = 100;

/** Random stiff mechanisms in automatic, relative and maximal coordinates. */
export async function* relativeStiffRandomFigures(): AsyncGenerator<Figure> {
  let [runs, unfinished, wrong, worst] = [0, 0, 0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    for await (const { status, error } of stiffRuns(seed, TOLERANCES)) {
      runs++;
      if (status !== "finished") unfinished++;
      else if (!(error <= ALLOWED)) wrong++;
      worst = Math.max(worst, error);
    }
  }
  const name = `${SEEDS} random stiff mechanisms, at ${TOLERANCES.join(" and ")}, ${runs} runs`;
  yield atMost(`${name}: runs that do not finish`, unfinished, 0);
  yield atMost(`${name}: ends further off than ${ALLOWED} tolerances`, wrong, 0);
  yield reported(`${name}: largest error at the end, in tolerances`, worst);
}
