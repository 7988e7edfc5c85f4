import type { State } from "../../../src/index.js";
import type { Solution } from "../../../src/solve.js";
import { stiffPendulumRuns } from "../../mechanisms/index.js";
import { exactStiffPendulum, stiffPendulumErrors } from "../experiments/stiff-pendulum.js";
import type { TrajectoryError } from "../experiments/stiff-runs.js";
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

type Printed = Omit<TrajectoryError, "rootOverSteps">;

/**
 * Errors of theta1 or of its rate, as printed; and the time of the largest, and their mean, as
 * recomputed.
 */
interface Known {
  readonly printed: Printed;
  readonly reference: Pick<TrajectoryError, "time" | "mean">;
}

const KNOWN: readonly { tolerance: number; angle: Known; rate: Known }[] = [
  {
    tolerance: 1e-2,
    angle: {
      printed: { time: 0.413557, largest: 3.28e-2, percent: 0.887, mean: 1.147e-3 },
      reference: { time: 0.394268, mean: 1.1823e-3 },
    },
    rate: {
      printed: { time: 0.578444, largest: 2.29e-1, percent: 3.841, mean: 8.375e-3 },
      reference: { time: 0.023753, mean: 9.9092e-3 },
    },
  },
  {
    tolerance: 1e-3,
    angle: {
      printed: { time: 0.425395, largest: 3.787e-3, percent: 0.103, mean: 1.111e-4 },
      reference: { time: 1.242766, mean: 5.0515e-5 },
    },
    rate: {
      printed: { time: 0.291094, largest: 3.131e-2, percent: 0.428, mean: 9.066e-4 },
      reference: { time: 0.520253, mean: 3.7874e-4 },
    },
  },
  {
    tolerance: 1e-4,
    angle: {
      printed: { time: 0.351082, largest: 7.546e-4, percent: 0.02, mean: 1.966e-5 },
      reference: { time: 0.438141, mean: 1.5608e-5 },
    },
    rate: {
      printed: { time: 0.55101, largest: 6.407e-3, percent: 0.119, mean: 1.531e-4 },
      reference: { time: 0.625538, mean: 1.1621e-4 },
    },
  },
  {
    tolerance: 1e-5,
    angle: {
      printed: { time: 1.084304, largest: 1.706e-4, percent: 0.004, mean: 4.211e-6 },
      reference: { time: 1.481255, mean: 4.5058e-7 },
    },
    rate: {
      printed: { time: 0.136235, largest: 1.485e-3, percent: 0.017, mean: 3.502e-5 },
      reference: { time: 0.686642, mean: 4.111e-6 },
    },
  },
];

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
    for (const { tolerance, angle, rate } of KNOWN) {
      const found = stiffPendulumErrors(tolerance, exact);
      const largest = stiffPendulumRuns.find((run) => run.tolerance === tolerance)?.errors;
      const at = `at ${decimal(tolerance)}`;
      const theta = (motion: Solution<State>) => (time: number) => motion.at(time).q[0] as number;
      const omega = (motion: Solution<State>) => (time: number) => motion.at(time).v[0] as number;
      const rested = stiffPendulumErrors(tolerance, fromRest, { isAtRest: true });
      yield* magnitudes(`theta1 ${at}`, angle.printed, rested.angle);
      yield* entriesOf(`theta1 ${at}`, angle, found.angle, largest?.[0], theta(exact));
      yield implied(`theta1 ${at}`, angle.printed, theta(fromRest));
      yield* magnitudes(`theta1' ${at}`, rate.printed, rested.rate);
      yield* entriesOf(`theta1' ${at}`, rate, found.rate, largest?.[1], omega(exact));
      yield implied(`theta1' ${at}`, rate.printed, omega(fromRest));
    }
  },
});

/** Relative accuracy of the independent implementation, whose references have three digits. */
const REFERENCE_TOLERANCE = 0.01;
/** Minimum relative difference of all results from the printed values. */
const AWAY = 0.02;

/** Results of the motion from rest. */
function* magnitudes(name: string, printed: Printed, found: TrajectoryError): Generator<Entry> {
  const { largest, rootOverSteps } = found;
  const words = `of ${name}, from rest`;
  const quantity = `largest error ${words}`;
  yield inMagnitude({ quantity, printed: printed.largest, value: largest, note: MAGNITUDE });
  const mean = { quantity: `mean error ${words}`, printed: printed.mean, value: rootOverSteps };
  yield inMagnitude({ ...mean, note: MEAN });
}

function* entriesOf(
  name: string,
  { printed, reference }: Known,
  found: TrajectoryError,
  largest = Number.NaN,
  motion: (time: number) => number,
): Generator<Entry> {
  const entry = (quantity: string, part: keyof Printed) => {
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
  { time, largest, percent }: Printed,
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
