import { type CompiledModel, compile } from "../../../bodies.js";
import {
  hmmwv,
  hmmwvEigenvalues,
  hmmwvExplicitSteps,
  hmmwvHeights,
  hmmwvPeak,
  hmmwvSettledHeight,
  hmmwvSteps,
} from "../../mechanisms/index.js";
import {
  dominantEigenvalue,
  hmmwvHeightsAt,
  hmmwvStepsAt,
  settledHmmwv,
} from "../experiments/hmmwv.js";
import { decimal, exactly, near, relativelyNear } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/** On the bump, behind it, at rest again. */
const TIMES = [0.6, 1, 2];
const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5];
/** Where |R(z)| = 1 of RK4 on the negative real axis: 1 + z + z^2/2 + z^3/6 + z^4/24 = 1. */
const RK4_LIMIT = 2.785293563405282;

export const negrutHmmwv = reproduction({
  name: "negrut-hmmwv",
  paper: "Negrut, Haug and German 2003",
  title: "Section 5.2: HMMWV of 14 bodies over a bump",
  notes: [
    "The paper gives bodies, joints, bushings, tyres, bump and speed. Hardpoints and masses are " +
      "public data; heights, free lengths and lines of the bushings were chosen so that it " +
      "settles at the paper's height. References are those of an independent implementation of " +
      "the same model.",
    "Constraints are 14 norms of Euler parameters, 65 rows of joints and one that locks the " +
      "steering.",
    "Steps depend on the coordinates that are independent: compared are those of the choice by " +
      "lengths alone, as the reference makes it.",
  ],
  async *measure() {
    const source = await compile(hmmwv(), { coordinates: "maximal" });
    yield* size(source);
    yield* stiffness(source, await settledHmmwv());
    yield* heights(source);
    yield* steps(source);
  },
});

function* size({ report, data, q }: CompiledModel): Generator<Entry> {
  const rank = report.rank + data.bodies.length;
  yield exactly({ quantity: "coordinates", printed: 98, value: q.length });
  yield exactly({ quantity: "constraints, by their rank", printed: 80, value: rank });
  yield exactly({ quantity: "degrees of freedom", printed: 18, value: report.degreesOfFreedom });
}

function* stiffness(
  source: CompiledModel,
  settled: { readonly height: number; readonly eigenvalue: number },
): Generator<Entry> {
  const height = { printed: 0.71, reference: hmmwvSettledHeight, value: settled.height };
  yield near({ quantity: "settled height of the chassis, m", ...height }, 1e-4, "m");
  const quantity = "dominant eigenvalue";
  const rest = { printed: -2.6e5, reference: hmmwvEigenvalues.settled[0] };
  yield relativelyNear(
    { quantity: `${quantity}, settled, 1/s`, ...rest, value: settled.eigenvalue },
    5e-3,
  );
  const start = { printed: -2.6e5, reference: hmmwvEigenvalues.design[0] };
  const value = dominantEigenvalue(source, source);
  yield relativelyNear({ quantity: `${quantity}, at the start, 1/s`, ...start, value }, 5e-3);
  const [stable, unstable] = hmmwvExplicitSteps;
  const longest = RK4_LIMIT / -settled.eigenvalue;
  const words = "longest stable step of RK4 by that eigenvalue, s";
  const between = { reference: (stable + unstable) / 2, value: longest };
  yield near({ quantity: words, ...between }, 2.5e-7, "s");
}

function* heights(source: CompiledModel): Generator<Entry> {
  const found = hmmwvHeightsAt(source, TIMES);
  const known = new Map(hmmwvHeights.map(([time, height]) => [time, height]));
  for (const [i, time] of TIMES.entries()) {
    const quantity = `height of the chassis at ${time} s, m`;
    const value = found.heights[i] as number;
    yield near({ quantity, reference: known.get(time), value }, 1e-4, "m");
  }
  const peak = { reference: hmmwvPeak[1], value: found.peak };
  yield near({ quantity: "largest height of the chassis, m", ...peak }, 2e-4, "m");
}

function* steps(source: CompiledModel): Generator<Entry> {
  const known = new Map(hmmwvSteps.map(([tolerance, count]) => [tolerance, count]));
  for (const tolerance of TOLERANCES) {
    const { byLengths, chosen } = hmmwvStepsAt(source, tolerance);
    const quantity = `accepted steps for 5 s at ${decimal(tolerance)}`;
    const note = `With the coordinates that this package chooses it takes ${chosen}.`;
    const entry = { quantity, reference: known.get(tolerance), value: byLengths, note };
    yield relativelyNear(entry, 0.25);
  }
}
