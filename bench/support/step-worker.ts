// Steps of one build in its own thread. Two builds in one isolate disturb each other: the one compiled second ran at
// 0.8 of the speed of the first, but at the same speed in separate processes.

import { parentPort, workerData } from "node:worker_threads";
import { type Build, buildIn } from "./before.js";

/** Input of a thread: the build and the model. */
export interface StepWork {
  /** Folder of a build; undefined for the package itself. */
  readonly folder?: string;
  readonly model: string;
}

/** Steps of each model. */
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

export const steppedModels = Object.keys(STEPS);

async function chain({ bodies, mechanisms }: Build, rods: number): Promise<() => unknown> {
  const system = await bodies.compile(mechanisms.chain3d(rods, { start: "rest" }));
  const simulation = system.simulate({ step: 1e-5 });
  return () => simulation.advance();
}

/** Replies to a duration in milliseconds with the measured time of one step. */
async function serve(port: NonNullable<typeof parentPort>, { folder, model }: StepWork) {
  const step = await STEPS[model]!(await buildIn(folder));
  port.on("message", (time: number) => port.postMessage(timeOfStep(step, time)));
  port.postMessage("ready");
}

function timeOfStep(step: () => unknown, time: number): number {
  const begin = performance.now();
  let count = 0;
  let spent = 0;
  for (; spent < time; spent = performance.now() - begin) {
    for (let i = 0; i < 10; i++) step();
    count += 10;
  }
  return spent / count;
}

if (parentPort) await serve(parentPort, workerData as StepWork);
