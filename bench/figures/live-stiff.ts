import type { Integrator } from "nodrift";
import { type CompiledModel, compile } from "nodrift/bodies";
import { hmmwv } from "nodrift/mechanisms";
import { ode, radau5, ros3, solve, start, stateSpace } from "nodrift/solve";
import { median } from "../support/race.js";
import { atLeast, atMost, type Figure, near } from "./figure.js";

const STEP = 1 / 240;
const SPAN = 5;

/** ROS3: order, damping, cost of a step, and the HMMWV in real time. */
export async function* liveStiffFigures(): AsyncGenerator<Figure> {
  yield near("live, ros3: measured order", order(), 3, 0.2);
  yield atMost("live, ros3: |R| at h lambda = -1e12", damping(), 1e-9);
  // In joint coordinates the loops of its suspension are closed by 17 rows instead of 66.
  const system = await compile(hmmwv(), { coordinates: "relative" });
  yield atMost("live, HMMWV: time of a step, ros3 / cheapest of radau5", price(system), 0.6);
  const { rate, error } = vehicle(system);
  yield atLeast("live, HMMWV at 1/240 s: simulated time / CPU time", rate, 25);
  yield atMost("live, HMMWV at 1/240 s: error of the height of the chassis, mm", 1e3 * error, 1);
}

/** On y'' = -sin(y) - y' / 5 + cos(3 t). */
function order(): number {
  const swing = ode({
    names: ["y", "u"],
    rate: (t, y, out) => {
      out[0] = y[1]!;
      out[1] = -Math.sin(y[0]!) - y[1]! / 5 + Math.cos(3 * t);
    },
  });
  const at = (options: object) =>
    solve(swing, { span: [0, 2], y: [1, 0], output: "ends", ...options }).end.q[0]!;
  const exact = at({ tolerance: 1e-13 });
  const [long, short] = [100, 200].map((count) =>
    Math.abs(at({ step: 2 / count, integrator: ros3() }) - exact),
  );
  return Math.log2(long! / short!);
}

function damping(): number {
  const fast = ode({
    names: ["y"],
    rate: (_, y, out) => {
      out[0] = -1e12 * y[0]!;
    },
    jacobian: (_, _y, out) => {
      out[0] = -1e12;
    },
  });
  const run = start(fast, { span: [0, 1], y: [1], integrator: ros3(), step: 1 });
  run.step();
  return Math.abs(run.state.q[0]!);
}

/**
 * Time of a step relative to that of radau5 when each of its iterations converges immediately: on the level road, at
 * rest.
 */
function price(system: CompiledModel): number {
  const ratios = Array.from({ length: 7 }, () => timeOf(system, ros3()) / timeOf(system, radau5()));
  return median(ratios);
}

/** Milliseconds for 100 steps of 1/240 s. */
function timeOf(system: CompiledModel, integrator: Integrator): number {
  const simulation = system.simulate({
    step: STEP,
    method: { formulation: stateSpace(), integrator },
  });
  simulation.advance(20);
  const began = cpuMilliseconds();
  simulation.advance(100);
  return cpuMilliseconds() - began;
}

/** CPU time of this process, which excludes others. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Over the bump. The best of several runs, because other processes only add time. */
function vehicle(system: CompiledModel): { rate: number; error: number } {
  const times = Array.from({ length: 40 }, (_, i) => (SPAN * (i + 1)) / 40);
  const method = { formulation: stateSpace(), integrator: radau5() };
  const tight = solve(system, { span: [0, SPAN], tolerance: 1e-8, output: { times }, method });
  const heights = tight.body("chassis").position[2] as Float64Array;
  const live = { formulation: stateSpace(), integrator: ros3() };
  let [rate, error] = [0, 0];
  for (let run = 0; run < 4; run++) {
    const simulation = system.simulate({ step: STEP, method: live });
    let spent = 0;
    for (const [i, time] of times.entries()) {
      const began = cpuMilliseconds();
      simulation.runTo(time);
      spent += cpuMilliseconds() - began;
      const height = simulation.body("chassis").position[2];
      error = Math.max(error, Math.abs(height - heights[i]!));
    }
    rate = Math.max(rate, (1000 * SPAN) / spent);
  }
  return { rate, error };
}
