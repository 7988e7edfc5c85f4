import { type CompiledModel, compile } from "nodrift/bodies";
import { hmmwv } from "nodrift/mechanisms";
import { sdirk4, solve } from "nodrift/solve";
import { cpuSeconds, HmmwvRaces, inStateSpace } from "#experiments";
import { median } from "../support/race.js";
import { atLeast, type Figure, reported } from "./figure.js";

/** Speed-ups of a second by tolerance, a little below those of the paper. */
const TARGETS = [
  [1e-2, 300],
  [1e-3, 150],
  [1e-4, 100],
  [1e-5, 60],
] as const;
const ROUNDS = 5;

/** Savings by an implicit method on the HMMWV, and cost of automatic switching. */
export async function* stiffSpeedFigures(): AsyncGenerator<Figure> {
  const source = await compile(hmmwv());
  const races = new HmmwvRaces(source);
  for (const [tolerance, target] of TARGETS) {
    const { entrants, best, implicit, ratio } = races.race(tolerance);
    const name = `HMMWV, 1 s at ${tolerance}`;
    yield atLeast(
      `${name}: CPU of the best explicit method (${best.name}, 1 s taken as 20 times 0.05 s) / CPU of sdirk4`,
      ratio,
      target,
    );
    yield reported(`${name}: CPU of sdirk4, s`, implicit);
    yield reported(`${name}: CPU of ${best.name}, s, from 0.05 s`, best.seconds);
    for (const entrant of entrants) {
      yield reported(`${name}: CPU of ${entrant.name}, s, from 0.005 s`, entrant.seconds);
    }
  }
  yield realTime(source);
  yield* byDefault(source);
}

function realTime(source: CompiledModel): Figure {
  const options = {
    span: [0, 5],
    tolerance: 1e-3,
    output: "ends",
    method: inStateSpace(sdirk4()),
  } as const;
  const times = Array.from({ length: ROUNDS }, () => cpuSeconds(() => solve(source, options)));
  return atLeast("HMMWV, 5 s at 1e-3, sdirk4: simulated time / CPU time", 5 / median(times), 20);
}

/** Without a given method the run begins with an explicit one, detects stiffness and switches. */
function* byDefault(source: CompiledModel): Generator<Figure> {
  const options = { span: [0, 1], tolerance: 1e-3, output: "ends" } as const;
  const method = inStateSpace(sdirk4());
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const given = cpuSeconds(() => solve(source, { ...options, method }));
    ratios.push(cpuSeconds(() => solve(source, options)) / given);
  }
  const { notes, statistics } = solve(source, options);
  const changes = notes.filter((note) => note.startsWith("the motion is stiff"));
  const name = "HMMWV, 1 s at 1e-3 without a method";
  yield atLeast(`${name}: notes that an implicit one took over`, changes.length, 1);
  yield reported(`${name}: steps`, statistics.steps);
  yield reported(`${name}: CPU / CPU of sdirk4 as given`, median(ratios));
}
