import { type Build, buildOf } from "../support/before.js";
import { median, race } from "../support/race.js";
import { atLeast, type Figure } from "./figure.js";

/** The last commit before src was regrouped. */
const BEFORE = "00f0e34";

/** One step of each model, of either build. */
const STEPS: Readonly<Record<string, (build: Build) => Promise<() => unknown>>> = {
  "chain of 10": (build) => chain(build, 10),
  "chain of 100": (build) => chain(build, 100),
  "slider-crank": async ({ core, mechanisms }) => {
    const { equations, q, v } = mechanisms.welchSliderCrank;
    const method = {
      formulation: core.udwadiaKalaba(),
      stabilisation: core.projection(),
      integrator: core.rk4(),
    };
    const simulation = core.simulate(equations, { method, step: 1e-5, q, v });
    return () => simulation.advance();
  },
  HMMWV: async ({ bodies, mechanisms, solve }) => {
    const system = await bodies.compile(mechanisms.hmmwv());
    const begin = () => solve.start(system, { span: [0, 10], tolerance: 1e-4 });
    let run = begin();
    return () => {
      if (!run.step()) run = begin();
    };
  },
};

async function chain({ bodies, mechanisms }: Build, rods: number): Promise<() => unknown> {
  const system = await bodies.compile(mechanisms.chain3d(rods, { start: "rest" }));
  const simulation = system.simulate({ step: 1e-5 });
  return () => simulation.advance();
}

/** Steps per second against those before src was regrouped, in one process, in turns. */
export async function* houseSpeedFigures(): AsyncGenerator<Figure> {
  const old = await buildOf(BEFORE);
  const now: Build = {
    core: await import("nodrift"),
    bodies: await import("nodrift/bodies"),
    mechanisms: await import("nodrift/mechanisms"),
    solve: await import("nodrift/solve"),
  };
  for (const [name, stepper] of Object.entries(STEPS)) {
    // What is made and compiled first has an advantage of some per cent: either build is first once.
    const first = await raced(
      () => stepper(old),
      () => stepper(now),
    );
    const second =
      1 /
      (await raced(
        () => stepper(now),
        () => stepper(old),
      ));
    yield atLeast(`${name}: steps per second over those before`, Math.sqrt(first * second), 0.98);
  }
}

type Made = () => Promise<() => unknown>;

/** Time of one over that of the other: the median of rounds in which they take turns. */
async function raced(one: Made, other: Made): Promise<number> {
  const [a, b] = race({ one: await one(), other: await other() }, { rounds: 41, time: 40 });
  return median(a.rounds.map((time, round) => time / b.rounds[round]));
}
