import type { Size } from "../contests/contest.js";
import { newtonContest } from "../contests/newton.js";
import { race, speedup } from "../support/race.js";
import { atLeast, type Figure, reported } from "./figure.js";

const BASELINE = "plain js";
/** The size that has a target: the degrees of freedom of the vehicle on bushings. */
const JUDGED = 18;
const TARGET = 3;

/** Speed-up of a Newton solve of an SDIRK stage over JavaScript. */
export async function* relativeContestsNewtonFigures(): AsyncGenerator<Figure> {
  for (const [n] of newtonContest.sizes) {
    const name = `${newtonContest.name} of ${n} unknowns (form, factor, solve): times faster than ${BASELINE}`;
    const found = timesFaster([n, n]);
    yield n === JUDGED ? atLeast(name, found, TARGET) : reported(name, found);
  }
}

function timesFaster([m, n]: Size): number {
  const { entrants } = newtonContest;
  const runs = ["wasm", BASELINE].map((name) => [name, entrants[name](m, n)] as const);
  return speedup(race(Object.fromEntries(runs), { rounds: 15, time: 30 }), BASELINE);
}
