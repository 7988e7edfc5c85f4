import {
  stiffPendulumEigenvalues,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "../../mechanisms/index.js";
import {
  stiffPendulumEigenvalue,
  stiffPendulumEnd,
  stiffPendulumSteps,
} from "../experiments/stiff-pendulum.js";
import { atMost, decimal, near, relativelyNear } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const MARGIN = 2;
const SETTINGS = "Printed for other settings of the integrator, which the paper does not give.";

export const negrutTable3 = reproduction({
  name: "negrut-table-3",
  paper: "Negrut, Haug and German 2003",
  title: "Table III: stiff double pendulum, accepted steps of SDIRK 4/15 in 2 s",
  notes: [
    "The rods are uniform, J = m L^2 / 3 with half-lengths L; the first step is 1e-6 s; absolute " +
      "tolerances are the relative ones.",
    "With the same settings for both rows, an independent implementation takes the same steps in " +
      "both: the second is compared with that.",
    "Which coordinates are independent matters: with theta1 and y2 it takes 190, 265, 395 and " +
      "559 steps at 1e-2 to 1e-5. Both angles are independent here.",
  ],
  *measure() {
    let residual = 0;
    for (const { tolerance, printed, steps } of stiffPendulumRuns) {
      const found = stiffPendulumSteps(tolerance);
      residual = Math.max(residual, found.residual);
      const quantity = `accepted steps at ${decimal(tolerance)}`;
      const angles = { printed: printed.angles, value: found.angles };
      yield near({ quantity: `${quantity}, angles (ODE)`, ...angles }, MARGIN, "steps");
      const partitioned = { printed: printed.partitioned, reference: steps, note: SETTINGS };
      yield near(
        { quantity: `${quantity}, partitioned (SODE)`, ...partitioned, value: found.partitioned },
        MARGIN,
        "steps",
      );
    }
    yield atMost({ quantity: "largest |Phi| of all these runs", value: residual }, 1e-12);
    yield* motion();
  },
});

function* motion(): Generator<Entry> {
  const last = stiffPendulumReference[stiffPendulumReference.length - 1];
  const { angle, rate } = stiffPendulumEnd();
  yield near({ quantity: "theta1(2) at 1e-8", reference: last?.[1], value: angle }, 1e-7, "rad");
  yield near({ quantity: "theta1'(2) at 1e-8", reference: last?.[3], value: rate }, 1e-6, "rad/s");
  const quantity = "dominant eigenvalue at the start, 1/s";
  const reference = stiffPendulumEigenvalues[0]?.[0];
  const value = stiffPendulumEigenvalue();
  yield relativelyNear({ quantity, printed: -1e5, reference, value }, 1e-4);
}
