import { spawnSync } from "node:child_process";
import { median } from "../support/race.js";
import { atMost, type Figure } from "./figure.js";

const FIRST_RESULT = `
  import { ArenaPlan, choleskySlots } from "nodrift/kernels";
  const plan = new ArenaPlan();
  const a = plan.reserve("a", 1), factor = plan.reserve("factor", choleskySlots(1));
  const arena = plan.seal();
  arena.floats(a)[0] = 4;
  arena.kernels.choleskyFactor(1, a.address, 1, factor.address);
  if (arena.floats(factor)[0] !== 2) process.exit(1);
`;

const FIRST_STEP = `
  import { compile, model, rod } from "nodrift/bodies";
  const m = model();
  const arm = m.body({ mass: 1, shape: rod({ length: 1 }) });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0.5], axis: [0, 1, 0] });
  (await compile(m)).simulate({ step: 1e-3 }).advance();
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1000);
`;

/** CPU from the start of a process to the first step of a pendulum. */
export function* firstStepFigures(): Generator<Figure> {
  const times = Array.from({ length: 21 }, () => {
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", FIRST_STEP]);
    return Number(stdout.toString());
  });
  yield atMost("process start to the first step of a pendulum, CPU ms", median(times), 90);
}

/** Milliseconds from the start of a process to its end. */
function timeOf(script: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  if (status !== 0) throw new Error(`the script failed: ${stderr}`);
  return performance.now() - start;
}

/** From import to the first kernel result, minus the time of an empty script; processes take turns. */
export function* startFigures(): Generator<Figure> {
  const differences: number[] = [];
  for (let round = 0; round < 21; round++) differences.push(timeOf(FIRST_RESULT) - timeOf(""));
  yield atMost("import to first kernel result, ms above an empty script", median(differences), 20);
}
