import { compile, type Model } from "nodrift/bodies";
import { bennett, chain3d, chain3dReference10, type StateReference } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { stateError, watch } from "../../test/support/mechanisms.js";
import { worstFourBar } from "../../test/support/mechanisms-four-bar.js";
import { randomLoop, randomTree } from "../../test/support/random-mechanisms.js";
import { accelerationDifference } from "../../test/support/relative-accelerations.js";
import { inlineFourBarModel } from "../../test/support/relative-loops.js";
import { MAXIMAL, RELATIVE } from "../../test/support/relative-options.js";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

const CASES = 300;
const KINDS = ["spatial", "planar", "repeated"] as const;

/** Relative coordinates compared with maximal ones and known motions, and the cost of accuracy. */
export async function* relativeAccuracyFigures(): AsyncGenerator<Figure> {
  yield* accelerations();
  yield* linkages();
  yield* reactions();
  yield* chain();
}

async function* accelerations(): AsyncGenerator<Figure> {
  const trees = Array.from({ length: CASES }, (_, seed) => randomTree(seed).model);
  const loops = Array.from({ length: CASES }, (_, i) => randomLoop(i, KINDS[i % 3]!).model);
  for (const [name, models] of [
    ["trees", trees],
    ["loops", loops],
  ] as const) {
    let worst = 0;
    for (const model of models) worst = Math.max(worst, await accelerationDifference(model));
    const figure = `accelerations at ${CASES} random ${name} of all joints, relative difference`;
    yield atMost(figure, worst, 1e-11);
  }
}

async function* linkages(): AsyncGenerator<Figure> {
  for (const [n, starts] of [
    [2, 20],
    [10, 6],
    [40, 4],
  ] as const) {
    const { violation, energy, position } = await worstFourBar(n, starts, RELATIVE);
    const name = `N-four-bar ${n}, 1e-3, 10 s, worst of ${starts} starts`;
    yield atMost(`${name}, position in m`, position, 1e-6);
    yield atMost(`${name}, energy in J`, energy, 2e-5);
    yield atMost(`${name}, violation in m`, violation, 1e-10);
  }
  const loop = await followed(bennett());
  yield atMost("Bennett, 1e-3, 10 s, position against h / 8 in m", loop.position, 1e-6);
  yield atMost("Bennett, 1e-3, 10 s, energy in J", loop.energy, 1e-8);
  yield atMost("Bennett, 1e-3, 10 s, violation in m", loop.violation, 1e-10);
  let [position, energy, violation] = [0, 0, 0];
  for (let i = 0; i < 12; i++) {
    const found = await followed(inlineFourBarModel(2 + 0.05 * i));
    position = Math.max(position, found.position);
    energy = Math.max(energy, found.energy);
    violation = Math.max(violation, found.violation);
  }
  const name = "four-bar in line each turn, 1e-3, 10 s, worst of 12 starts";
  yield atMost(`${name}, position against h / 8 in m`, position, 1e-6);
  yield atMost(`${name}, energy in J`, energy, 2e-5);
  yield atMost(`${name}, violation in m`, violation, 1e-10);
}

/** A run of 10 s against one with an eighth of the step. */
async function followed(model: Model) {
  const compiled = await compile(model, RELATIVE);
  const simulation = compiled.simulate({ step: 1e-3 });
  const errors = watch(simulation, 10);
  const fine = compiled.simulate({ step: 1e-3 / 8 }).runTo(10);
  let position = 0;
  for (let i = 0; i < fine.q.length; i += 7) {
    for (let k = i; k < i + 3; k++) {
      position = Math.max(position, Math.abs(fine.q[k]! - simulation.q[k]!));
    }
  }
  return { ...errors, position };
}

/** Forces of all joints in runs of both kinds, at the same state. */
async function* reactions(): AsyncGenerator<Figure> {
  let worst = 0;
  let differently = 0;
  for (let seed = 0; seed < 60; seed++) {
    const { model } = seed % 2 === 0 ? randomTree(seed) : randomLoop(seed, KINDS[seed % 3]!);
    const [one, other] = await Promise.all(
      [RELATIVE, MAXIMAL].map(async (options) =>
        (await compile(model, { ...options, start: "asGiven" })).simulate({ step: 1e-4 }),
      ),
    );
    one!.advance(100);
    const { time, unwrappedAngles } = one!;
    other!.setState(one!.q, one!.v, { time, unwrappedAngles, start: "asGiven" });
    for (const name of one!.joints) {
      const [a, b] = [one!.joint(name), other!.joint(name)];
      if (a.unique !== b.unique) differently++;
      const [f, g] = [a.force(), b.force()];
      const size = Math.max(1, ...g.map(Math.abs));
      for (let i = 0; i < 3; i++) worst = Math.max(worst, Math.abs(f[i]! - g[i]!) / size);
    }
  }
  yield atMost("reactions of all joints, relative difference", worst, 1e-9);
  yield atMost("joints whose uniqueness is told differently", differently, 0);
}

const [WARM, ROUNDS] = [20, 21];

async function* chain(): AsyncGenerator<Figure> {
  const reference = chain3dReference10.at(-1) as StateReference;
  const run = (source: Awaited<ReturnType<typeof compile>>, tenths: number) =>
    solve(source, {
      span: [0, reference.time],
      tolerance: 10 ** (-tenths / 10),
      output: "ends",
    });
  const runs = await Promise.all(
    [RELATIVE, MAXIMAL].map(async (options) => {
      const source = await compile(chain3d(10), options);
      let tenths = 30;
      while (stateError(run(source, tenths).end, reference) > 1e-5) tenths++;
      return () => run(source, tenths);
    }),
  );
  const times: [number[], number[]] = [[], []];
  for (let round = -WARM; round < ROUNDS; round++) {
    runs.forEach((each, i) => {
      const before = performance.now();
      each();
      if (round >= 0) times[i]!.push(performance.now() - before);
    });
  }
  const ratios = times[0].map((time, i) => time / times[1][i]!);
  const name = "chain of 10 rods, 2 s, error 1e-5";
  yield atMost(`${name}: CPU in parts of that in maximal coordinates`, median(ratios), 0.5);
  yield reported(`${name}: milliseconds`, median(times[0]));
}
