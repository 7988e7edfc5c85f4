import type { Method } from "nodrift";
import { eigenvalues } from "nodrift/analysis";
import { type CompiledModel, compile } from "nodrift/bodies";
import {
  hmmwv,
  hmmwvEigenvalues,
  hmmwvHeights,
  hmmwvPartition,
  hmmwvPeak,
  hmmwvSettledHeight,
  hmmwvSteps,
} from "nodrift/mechanisms";
import { sdirk4, solve, stateSpace } from "nodrift/solve";
import { StateSpaceJacobian } from "../support/state-space-jacobian.js";
import { inStateSpace, powersOfTen } from "../support/stiff-runs.js";
import { atMost, type Figure, near, reported, within } from "./figure.js";

const method = inStateSpace(sdirk4());
/** Where the reference is asked for: on the bump, behind it, at rest again. */
const TIMES = [0.6, 1, 2];
/** On both sides of the highest point, close enough to see it to 1e-6 m. */
const AROUND_PEAK = Array.from({ length: 101 }, (_, k) => hmmwvPeak[0] + (k - 50) * 4e-4);

/** The HMMWV of Negrut et al. against an independent implementation. */
export async function* stiffVehicleFigures(): AsyncGenerator<Figure> {
  const source = await compile(hmmwv());
  yield* size(source);
  yield* settled();
  yield* heights(source);
  yield* steps(source);
}

function* size({ report, data, q }: CompiledModel): Generator<Figure> {
  const rank = report.rank + data.bodies.length;
  yield near("HMMWV: coordinates", q.length, 98, 0);
  yield near("HMMWV: rank of joints and norms of Euler parameters", rank, 80, 0);
  yield near("HMMWV: degrees of freedom", report.degreesOfFreedom, 18, 0);
}

/** At rest on a level road. */
async function* settled(): AsyncGenerator<Figure> {
  const source = await compile(hmmwv({ bump: false, speed: 0 }));
  const { end } = solve(source, { span: [0, 10], tolerance: 1e-6, output: "ends", method });
  const error = Math.abs(end.body("chassis").position[2] - hmmwvSettledHeight);
  yield atMost(`HMMWV settled: |z1 - ${hmmwvSettledHeight}|, m`, error, 1e-4);
  const motion = new StateSpaceJacobian(source);
  motion.begin(end.q, end.v);
  const found = eigenvalues(motion.size, motion.ofMethods()).map(({ real }) => real);
  const [expected] = hmmwvEigenvalues.settled;
  const name = "HMMWV settled: dominant eigenvalue of J as sdirk4 has it";
  yield within(name, Math.min(...found), expected, 5e-3);
}

function* heights(source: CompiledModel): Generator<Figure> {
  const times = [...TIMES, ...AROUND_PEAK].sort((a, b) => a - b);
  const solution = solve(source, { span: [0, 2], tolerance: 1e-5, output: { times }, method });
  const found = solution.body("chassis").position[2];
  const known = new Map(hmmwvHeights.map(([time, height]) => [time, height]));
  for (const time of TIMES) {
    const height = known.get(time) as number;
    const error = Math.abs(found[times.indexOf(time)] - height);
    yield atMost(`HMMWV at 1e-5: |z1(${time}) - ${height}|, m`, error, 1e-4);
  }
  const error = Math.abs(Math.max(...found) - hmmwvPeak[1]);
  yield atMost(`HMMWV at 1e-5: |largest z1 - ${hmmwvPeak[1]}|, m`, error, 2e-4);
}

function* steps(source: CompiledModel): Generator<Figure> {
  const byLengths = {
    formulation: stateSpace({ independent: hmmwvPartition }),
    integrator: sdirk4(),
  };
  for (const tolerance of powersOfTen(-2, -5)) {
    const taken = (given: Method) => {
      const options = { span: [0, 5], tolerance, output: "ends" } as const;
      const { statistics, status } = solve(source, { ...options, method: given });
      return status === "finished" ? statistics.steps : Number.NaN;
    };
    const [, expected] = hmmwvSteps.find(([known]) => known === tolerance) as readonly number[];
    const name = `HMMWV, 5 s at ${tolerance}: accepted steps`;
    yield within(`${name}, partition chosen by lengths`, taken(byLengths), expected, 0.25);
    yield reported(`${name}, our partition, where the reference has ${expected}`, taken(method));
  }
}
