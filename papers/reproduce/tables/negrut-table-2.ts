import type { State } from "../../../src/index.js";
import type { Solution } from "../../../src/solve.js";
import { stiffPendulumRuns } from "../../mechanisms/index.js";
import {
  exactStiffPendulum,
  type PrintedError,
  stiffPendulumErrors,
  stiffPendulumTable2,
} from "../experiments/stiff-pendulum.js";
import { powersOfTen, type TrajectoryError } from "../experiments/stiff-runs.js";
import {
  checked,
  contradicted,
  decimal,
  distance,
  inMagnitude,
  relative,
  unitOf,
} from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const MAGNITUDE =
  "From rest, with theta1 and x2 as independent coordinates, which the paper's choice by pivots can find. Errors depend on the " +
  "coordinates: with both angles they are 10 to 45 times smaller, with theta1 and y2 the run ends at a singular partition.";
const MEAN =
  "Printed is a root over the number of steps: the root of a mean square, which the text defines, cannot be 25 to 40 times smaller " +
  "than the largest error.";
const TRIED =
  "Which step has the largest error is a matter of rounding, and the per cent belongs to that step. Tried: from the start given and " +
  "from rest, with both angles, with theta1 and x2, and with theta1 and y2 as independent coordinates; none has these times.";

export const negrutTable2 = reproduction({
  name: "negrut-table-2",
  paper: "Negrut, Haug and German 2003",
  title: "Table II: stiff double pendulum, errors of theta1 and its rate in 2 s",
  notes: [
    "The table does not follow from the start that the paper gives; errors come out in magnitude from rest. References are those " +
      "of an independent implementation from the start given, in both angles.",
    "A largest error over its relative error is the angle, or the rate, at the time of the error. All eight are those of the " +
      "motion from rest, to the digits printed; of the motion from the start given, none is.",
  ],
  *measure() {
    const [exact, fromRest] = [exactStiffPendulum(), exactStiffPendulum({ isAtRest: true })];
    for (const tolerance of powersOfTen(-2, -5)) {
      const found = stiffPendulumErrors(tolerance, exact);
      const rested = stiffPendulumErrors(tolerance, fromRest, { isAtRest: true });
      const largest = stiffPendulumRuns.find((run) => run.tolerance === tolerance)?.errors;
      for (const row of stiffPendulumTable2.filter((one) => one.tolerance === tolerance)) {
        const { of, printed } = row;
        const isAngle = of === "angle";
        const name = `theta1${isAngle ? "" : "'"} at ${decimal(tolerance)}`;
        const along = (motion: Solution<State>) => (time: number) => {
          const { q, v } = motion.at(time);
          return (isAngle ? q : v)[0] as number;
        };
        yield* magnitudes(name, printed, rested[of]);
        yield* entriesOf(name, row, found[of], largest?.[isAngle ? 0 : 1], along(exact));
        yield implied(name, printed, along(fromRest));
      }
    }
  },
});

/** Relative accuracy of the independent implementation, whose references have three digits. */
const REFERENCE_TOLERANCE = 0.01;
/** Minimum relative difference of all results from the printed values. */
const AWAY = 0.02;

/** Results of the motion from rest. */
function* magnitudes(
  name: string,
  printed: PrintedError,
  found: TrajectoryError,
): Generator<Entry> {
  const { largest, rootOverSteps } = found;
  const words = `of ${name}, from rest`;
  const quantity = `largest error ${words}`;
  yield inMagnitude({ quantity, printed: printed.largest, value: largest, note: MAGNITUDE });
  const mean = { quantity: `mean error ${words}`, printed: printed.mean, value: rootOverSteps };
  yield inMagnitude({ ...mean, note: MEAN });
}

function* entriesOf(
  name: string,
  { printed, reference }: (typeof stiffPendulumTable2)[number],
  found: TrajectoryError,
  largest = Number.NaN,
  motion: (time: number) => number,
): Generator<Entry> {
  const entry = (quantity: string, part: keyof PrintedError) => {
    const words = `${quantity} of ${name}`;
    return { quantity: words, printed: printed[part], value: found[part], note: TRIED };
  };
  const from = `of ${name}, from the start given`;
  const [error, mean] = [found.largest, found.mean];
  yield checked(
    { quantity: `largest error ${from}`, reference: largest, value: error },
    relative(REFERENCE_TOLERANCE),
  );
  const time = { ...entry("time of the largest error", "time"), reference: reference.time };
  yield contradicted(time, AWAY, distance(1e-4, "s"));
  const percent = {
    ...entry("largest relative error in per cent", "percent"),
    reference: (100 * largest) / Math.abs(motion(reference.time)),
  };
  yield contradicted(percent, AWAY, relative(REFERENCE_TOLERANCE));
  yield checked(
    { quantity: `root of the mean square error ${from}`, reference: reference.mean, value: mean },
    relative(REFERENCE_TOLERANCE),
  );
}

/**
 * Largest over relative error, as printed, against the motion from rest: equal but for a unit of the last digit of each, which
 * may be rounded or cut.
 */
function implied(
  name: string,
  { time, largest, percent }: PrintedError,
  motion: (time: number) => number,
): Entry {
  const quantity = `|${name.replace(" at", "| from rest at the time of the largest error, at")}`;
  const reference = (100 * largest) / percent;
  const value = Math.abs(motion(time));
  const digits = unitOf(largest, 4) + THOUSANDTH / (percent - THOUSANDTH);
  return checked({ quantity, reference, value }, relative(digits));
}

/** The last digit of relative errors, in per cent. Largest errors have four digits. */
const THOUSANDTH = 1e-3;
