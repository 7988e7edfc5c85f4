import {
  braunMethod,
  comparisons,
  constraintOrder,
  errorAfterTwoSteps,
  uncorrected,
} from "../experiments/braun.js";
import { exactAngles, runAgainstReference, runMinimal } from "../experiments/reference-run.js";
import { atMost, near, notReproducibleButChecked, relativelyNear } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { pendulum, pendulumOff } = comparisons;
const STEP = 1e-3;

export const braunGoldfarbPendulum = reproduction({
  name: "braun-goldfarb-pendulum",
  paper: "Braun and Goldfarb 2009",
  title: "Section 5.1: pendulum, 1000 s with a step of 0.001 s",
  notes: [
    "Phi and its rate are taken at the beginning of a step and held for all stages. Taken anew " +
      "at each stage, as one may read eq. (16), constraint errors are O(dt^2) instead of " +
      "O(dt^5), and order is lost: the control below.",
    "After eqs. (18) and (19), read Phi / dt where the rate of Phi over dt is printed.",
    "The paper prints no gravity; 9.81 is taken.",
  ],
  *measure() {
    const exact = exactAngles(pendulum, 1000);
    yield* corrected(exact);
    yield* withoutCorrection(exact);
    yield* fromOff(exact);
    const { phi, phiDot } = constraintOrder(1e-3, 2e-2);
    const quantity = "in the step, 1e-3 to 2e-2";
    yield near({ quantity: `order of |Phi| ${quantity}`, reference: 5, value: phi }, 0.1);
    yield near({ quantity: `order of |Phi'| ${quantity}`, reference: 5, value: phiDot }, 0.1);
  },
});

function* corrected(exact: Float64Array): Generator<Entry> {
  const printed = 3e-7;
  const note = "Probably the error of the paper's own reference: the method has a smaller one.";
  const { motion, position, velocity } = runAgainstReference(pendulum, exact, braunMethod(), STEP);
  yield notReproducibleButChecked(
    atMost({ quantity: "error of position, m", printed, value: motion, note }, 6e-8),
  );
  const minimal = runMinimal(pendulum, exact, STEP);
  const quantity = "error of position by the minimal equation, m";
  yield notReproducibleButChecked(
    relativelyNear({ quantity, printed, reference: 2.2e-9, value: minimal, note }, 0.2),
  );
  yield atMost({ quantity: "|Phi|", printed: 1e-12, value: position }, 2e-14);
  yield atMost({ quantity: "|Phi'|", value: velocity }, 3e-13);
  const control = runAgainstReference(pendulum, exact, braunMethod({}, { frozen: false }), STEP);
  const thawed = "error of position with Phi taken anew at each stage, m";
  yield relativelyNear({ quantity: thawed, reference: 2.8e-3, value: control.motion }, 0.05);
}

function* withoutCorrection(exact: Float64Array): Generator<Entry> {
  const printed = 1e-1;
  const note =
    "From the perfect start it is ten times less, from the imperfect one twenty times more.";
  for (const [name, comparison, reference] of [
    ["", pendulum, 9.9e-3],
    [" from the imperfect start", pendulumOff, 2.1],
  ] as const) {
    const value = runAgainstReference(comparison, exact, uncorrected, STEP).motion;
    const quantity = `error of position without correction${name}, m`;
    yield notReproducibleButChecked(
      relativelyNear({ quantity, printed, reference, value, note }, 0.03),
    );
  }
}

function* fromOff(exact: Float64Array): Generator<Entry> {
  const { position, velocity } = errorAfterTwoSteps();
  const left = "two steps after the imperfect start";
  yield atMost({ quantity: `|Phi| ${left}`, printed: 1e-12, value: position }, 1e-12);
  yield atMost({ quantity: `|Phi'| ${left}`, printed: 1e-12, value: velocity }, 1e-12);
  const { motion } = runAgainstReference(pendulumOff, exact, braunMethod(), STEP);
  const quantity = "distance from the motion of the perfect start, m";
  yield relativelyNear({ quantity, reference: 1e-2, value: motion }, 0.03);
}
