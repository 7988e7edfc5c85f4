import { spawnSync } from "node:child_process";
import { stepContest } from "../contests/step.js";
import { race, speedup } from "../support/race.js";
import { atLeast, atMost, type Figure } from "./figure.js";

/**
 * A million RK4 steps of the pendulum in one call; prints the growth of the heap in bytes. Collected before and
 * after: a step leaves some 240 bytes of garbage, from calls of user functions, and without the second collection the
 * figure would depend on the time of the last one.
 */
const MILLION_STEPS = `
  import { driftElimination, rk4, simulate, udwadiaKalaba } from "nodrift";
  import { braunPendulum } from "nodrift/mechanisms";
  const { equations, q, v } = braunPendulum;
  const method = { formulation: udwadiaKalaba(), stabilisation: driftElimination(), integrator: rk4() };
  const simulation = simulate(equations, { method, step: 1e-3, q, v });
  const used = () => {
    for (let i = 0; i < 4; i++) globalThis.gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  simulation.runTo(20);
  const before = used();
  simulation.runTo(1020);
  console.log(used() - before);
`;

/** Cost of a step compared with JavaScript, and heap growth of a long run. */
export function* equationSpeedFigures(): Generator<Figure> {
  const runs = Object.entries(stepContest.entrants).map(
    ([name, make]) => [name, make(4, 3)] as const,
  );
  const timings = race(Object.fromEntries(runs), { rounds: 21, time: 30 });
  for (const [opponent, times] of [
    ["plain js", 1.5],
    ["ml-matrix", 5],
  ] as const) {
    yield atLeast(
      `${stepContest.name}, times faster than ${opponent}`,
      speedup(timings, opponent),
      times,
    );
  }
  const options = ["--expose-gc", "--input-type=module", "-e", MILLION_STEPS];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a million steps failed: ${stderr}`);
  const megabytes = Number(stdout) / 1e6;
  yield atMost("pendulum 1000 s, 10^6 RK4 steps in one call, heap growth in MB", megabytes, 1);
}
