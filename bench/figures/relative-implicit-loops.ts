import { loopClassNames } from "../../test/reference/loops.js";
import { implicitLoopRuns } from "../../test/support/implicit-loops.js";
import { atMost, type Figure, reported } from "./figure.js";

const EACH = 12;
const TOLERANCE = 1e-6;
/** Errors beyond this many tolerances are defects, as among random stiff mechanisms. */
const ALLOWED = 100;

/** Loops, redundant and overconstrained ones among them, by every implicit integrator in relative coordinates. */
export async function* relativeImplicitLoopFigures(): AsyncGenerator<Figure> {
  let [runs, unfinished, wrong, worst] = [0, 0, 0, 0];
  for (const loopClass of loopClassNames) {
    for await (const { status, error } of implicitLoopRuns(loopClass, EACH, TOLERANCE)) {
      runs++;
      if (status !== "finished") unfinished++;
      else if (!(error <= ALLOWED)) wrong++;
      worst = Math.max(worst, error);
    }
  }
  const name = `${runs} implicit runs of random loops in relative coordinates, at ${TOLERANCE}`;
  yield atMost(`${name}: runs that do not finish`, unfinished, 0);
  yield atMost(`${name}: ends further off than ${ALLOWED} tolerances`, wrong, 0);
  yield reported(`${name}: largest error at the end, in tolerances`, worst);
}
