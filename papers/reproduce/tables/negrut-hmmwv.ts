import { type CompiledModel, compile } from "../../../src/bodies.js";
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
import {
  checked,
  decimal,
  distance,
  halfUnit,
  relative,
  reported,
  reproduced,
} from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/** Output times: on the bump, after it, and at rest again. */
const OUTPUT_TIMES = [0.6, 1, 2];
const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/** Accuracy of a height of 0.71 m at a tolerance of 1e-5, absolute and relative. */
const HEIGHT = 1e-5 * (1 + 0.71);
/** Accuracy of the height at which the vehicle settles. */
const SETTLED = 1e-6;
/** Relative accuracy of eigenvalues, at states that both codes have to six digits or more. */
const EIGENVALUE = 1e-5;
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
      "lengths alone, as the reference makes it. They are reported only: steps here grow no further " +
      "than their iterations can follow, the reference finds that by failures and takes more.",
    "The height at rest is no reproduction: the model was made to settle there.",
  ],
  seconds: 7,
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
  for (const [quantity, printed, value] of [
    ["coordinates", 98, q.length],
    ["constraints, by their rank", 80, rank],
    ["degrees of freedom", 18, report.degreesOfFreedom],
  ] as const) {
    // Integers.
    yield reproduced({ quantity, printed, value }, distance(0.5));
  }
}

function* stiffness(
  source: CompiledModel,
  settled: { readonly height: number; readonly eigenvalue: number },
): Generator<Entry> {
  const height = { reference: hmmwvSettledHeight, value: settled.height };
  yield checked(
    { quantity: "settled height of the chassis, m", ...height },
    distance(SETTLED * (1 + 0.71), "m"),
  );
  const quantity = "dominant eigenvalue";
  const rest = { reference: hmmwvEigenvalues.settled[0], value: settled.eigenvalue };
  yield checked({ quantity: `${quantity}, settled, 1/s`, ...rest }, relative(EIGENVALUE));
  const start = { printed: -2.6e5, reference: hmmwvEigenvalues.design[0] };
  const value = dominantEigenvalue(source, source);
  yield reproduced(
    { quantity: `${quantity}, at the start, 1/s`, ...start, value },
    relative(halfUnit(-2.6e5, 2)),
    relative(EIGENVALUE),
  );
  const [stable, unstable] = hmmwvExplicitSteps;
  const longest = RK4_LIMIT / -settled.eigenvalue;
  const words = "longest stable step of RK4 by that eigenvalue, s";
  const between = { reference: (stable + unstable) / 2, value: longest };
  yield checked({ quantity: words, ...between }, distance((unstable - stable) / 2, "s"));
}

function* heights(source: CompiledModel): Generator<Entry> {
  const found = hmmwvHeightsAt(source, OUTPUT_TIMES);
  const known = new Map(hmmwvHeights.map(([time, height]) => [time, height]));
  for (const [i, time] of OUTPUT_TIMES.entries()) {
    const quantity = `height of the chassis at ${time} s, m`;
    const value = found.heights[i] as number;
    yield checked({ quantity, reference: known.get(time), value }, distance(HEIGHT, "m"));
  }
  const peak = { reference: hmmwvPeak[1], value: found.peak };
  yield checked({ quantity: "largest height of the chassis, m", ...peak }, distance(HEIGHT, "m"));
}

function* steps(source: CompiledModel): Generator<Entry> {
  const known = new Map(hmmwvSteps.map(([tolerance, count]) => [tolerance, count]));
  for (const tolerance of TOLERANCES) {
    const { byLengths, chosen } = hmmwvStepsAt(source, tolerance);
    const quantity = `accepted steps for 5 s at ${decimal(tolerance)}`;
    const note = `With the coordinates that this package chooses it takes ${chosen}.`;
    yield reported({ quantity, reference: known.get(tolerance), value: byLengths, note });
  }
}
