import type { BodySimulation, CompiledModel } from "nodrift/bodies";
import { compile } from "nodrift/bodies";
import { chain3d, chain3dReference10, type StateReference } from "nodrift/mechanisms";
import { solve, start } from "nodrift/solve";
import { projectedRk4 } from "#experiments";
import { stateError } from "../../test/support/mechanisms.js";
import { median } from "../support/race.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

const ROUNDS = 21;
/** Warm-up rounds, because engines compile frequently called code. */
const WARM = 20;

/** Savings by adaptive steps, and growth of their cost with the mechanism. */
export async function* solveSpeedFigures(): AsyncGenerator<Figure> {
  yield* againstFixedSteps();
  yield* growth();
}

/** Milliseconds of one call. */
function timed(run: () => unknown): number {
  const before = performance.now();
  run();
  return performance.now() - before;
}

/** Smallest sufficient value, if larger values are better. */
function least(from: number, to: number, good: (value: number) => boolean): number {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.round((low + high) / 2);
    if (good(middle)) high = middle;
    else low = middle;
  }
  return high;
}

async function* againstFixedSteps(): AsyncGenerator<Figure> {
  const source = await compile(chain3d(10));
  const reference = chain3dReference10.at(-1) as StateReference;
  const span = [0, reference.time] as const;
  const fixed = (steps: number): BodySimulation => {
    const simulation = source.simulate({ step: reference.time / steps, method: projectedRk4 });
    return simulation.advance(steps);
  };
  const steps = least(100, 2000, (count) => stateError(fixed(count), reference) <= 1e-5);
  const adaptive = (tenths: number) =>
    solve(source, { span, tolerance: 10 ** (-tenths / 10), output: "ends" });
  const tenths = least(30, 80, (count) => stateError(adaptive(count).end, reference) <= 1e-5);
  const ratios: number[] = [];
  for (let round = -WARM; round < ROUNDS; round++) {
    const slow = timed(() => fixed(steps));
    const ratio = slow / timed(() => adaptive(tenths));
    if (round >= 0) ratios.push(ratio);
  }
  const name = "chain of 10 rods, 2 s, error 1e-5";
  yield atLeast(`${name}: times less CPU than RK4 with fixed steps`, median(ratios), 4);
  yield reported(`${name}: evaluations of RK4`, 4 * steps);
  yield reported(`${name}: evaluations of solve`, adaptive(tenths).statistics.evaluations);
}

async function* growth(): AsyncGenerator<Figure> {
  const sources = [await compile(chain3d(10)), await compile(chain3d(100))] as const;
  const ratios: number[] = [];
  const speeds: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [small, large] = sources.map((source, i) => {
      const { perEvaluation, stepsPerSecond } = costOf(source, i === 0 ? 2 : 0.3);
      speeds[i].push(stepsPerSecond);
      return perEvaluation;
    });
    ratios.push(large / small);
  }
  const name = "chain at 1e-6";
  yield atMost(`${name}: CPU per rate evaluation, 10 -> 100 rods, grows`, median(ratios), 11);
  yield reported(`${name}: steps per second, 10 rods`, median(speeds[0]));
  yield reported(`${name}: steps per second, 100 rods`, median(speeds[1]));
}

/** Cost of a run without its set-up. */
function costOf(source: CompiledModel, until: number) {
  const run = start(source, { span: [0, until], tolerance: 1e-6, output: "ends" });
  const milliseconds = timed(() => run.finish());
  const { evaluations, steps } = run.solution().statistics;
  return {
    perEvaluation: milliseconds / evaluations,
    stepsPerSecond: (1000 * steps) / milliseconds,
  };
}
