import { type CompiledModel, compile } from "nodrift/bodies";
import {
  hmmwv,
  hmmwvEigenvalues,
  hmmwvHeights,
  hmmwvPeak,
  hmmwvSettledHeight,
  hmmwvSteps,
} from "nodrift/mechanisms";
import { hmmwvHeightsAt, hmmwvStepsAt, powersOfTen, settledHmmwv } from "#experiments";
import { atMost, type Figure, near, reported, within } from "./figure.js";

/** Times of the reference values: on the bump, after it, at rest again. */
const OUTPUT_TIMES = [0.6, 1, 2];

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
  const { height, eigenvalue } = await settledHmmwv();
  const error = Math.abs(height - hmmwvSettledHeight);
  yield atMost(`HMMWV settled: |z1 - ${hmmwvSettledHeight}|, m`, error, 1e-4);
  const [expected] = hmmwvEigenvalues.settled;
  const name = "HMMWV settled: dominant eigenvalue of J as sdirk4 has it";
  yield within(name, eigenvalue, expected, 5e-3);
}

function* heights(source: CompiledModel): Generator<Figure> {
  const found = hmmwvHeightsAt(source, OUTPUT_TIMES);
  const known = new Map(hmmwvHeights.map(([time, height]) => [time, height]));
  for (const [i, time] of OUTPUT_TIMES.entries()) {
    const height = known.get(time) as number;
    const error = Math.abs(found.heights[i] - height);
    yield atMost(`HMMWV at 1e-5: |z1(${time}) - ${height}|, m`, error, 1e-4);
  }
  const error = Math.abs(found.peak - hmmwvPeak[1]);
  yield atMost(`HMMWV at 1e-5: |largest z1 - ${hmmwvPeak[1]}|, m`, error, 2e-4);
}

function* steps(source: CompiledModel): Generator<Figure> {
  for (const tolerance of powersOfTen(-2, -5)) {
    const { byLengths, chosen } = hmmwvStepsAt(source, tolerance);
    const [, expected] = hmmwvSteps.find(([known]) => known === tolerance) as readonly number[];
    const name = `HMMWV, 5 s at ${tolerance}: accepted steps`;
    yield within(`${name}, partition chosen by lengths`, byLengths, expected, 0.25);
    yield reported(`${name}, our partition, where the reference has ${expected}`, chosen);
  }
}
