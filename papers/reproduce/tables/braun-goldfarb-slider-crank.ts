import {
  braunMethod,
  comparisons,
  constraintErrors,
  startsOffConstraints,
} from "../experiments/braun.js";
import {
  type Errors,
  exactAngles,
  runAgainstReference,
  runMinimal,
} from "../experiments/reference-run.js";
import { checked, least, most, relative, reported, reproduced } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { sliderCrank } = comparisons;
const STEP = 1e-3;
/** Relative accuracy of the printed values, which have two digits. */
const PRINT_TOLERANCE = 0.03;

export const braunGoldfarbSliderCrank = reproduction({
  name: "braun-goldfarb-slider-crank",
  paper: "Braun and Goldfarb 2009",
  title: "Section 5.2: slider-crank through its singular pose, 100 s with a step of 0.001 s",
  notes: [
    "It loses rank only where it is vertical, not where it is horizontal.",
    "Phi and its rate are taken at the beginning of a step and held for all stages; M, A and b " +
      "are those of each stage. With Phi taken anew at each stage, order is lost: see the " +
      "pendulum.",
    "Ranks are counted with a tolerance of eps times the larger size. Up to 1e-6 any gives the " +
      "same; 1e-5 does harm.",
    "Near the singular pose rounding of rates is amplified, by as much as chance has it: |Phi'| is reported only.",
  ],
  seconds: 13,
  *measure() {
    const exact = exactAngles(sliderCrank, 100);
    const run = (options = {}) =>
      runAgainstReference(sliderCrank, exact, braunMethod(options), STEP);
    const printed = 4.4e-8;
    const cod = run();
    yield reproduced(
      { quantity: "error of the slider, m", printed, reference: 4.33e-8, value: cod.motion },
      relative(PRINT_TOLERANCE),
      relative(0.03),
    );
    const minimal = runMinimal(sliderCrank, exact, STEP);
    const quantity = "error of the slider by the minimal equation, m";
    yield reproduced({ quantity, printed, value: minimal }, relative(PRINT_TOLERANCE));
    yield reported({ quantity: "|Phi'|", value: cod.velocity });
    yield* fromOff();
    yield* ranks(run, cod.motion);
    const note = "One rounding error that is amplified: others differ by their last bits.";
    const { velocity } = run({ solver: "cholesky" });
    const survives = "|Phi'| by Cholesky, which survives";
    yield reported({ quantity: survives, reference: 1.7e-8, value: velocity, note });
  },
});

/** Fig. 4: after the first steps, which the figure cannot show. */
function* fromOff(): Generator<Entry> {
  const errors = constraintErrors(startsOffConstraints.sliderCrank, {
    step: STEP,
    span: 100,
    from: 0.01,
  });
  const words = "from the start off the constraints, but for the first few steps";
  const note = 'The paper says "below", of curves in fig. 4: a bound.';
  yield reproduced(
    { quantity: `|Phi| ${words}`, printed: 1e-15, value: errors.position, note },
    most(1e-15),
    most(Number.EPSILON),
  );
  yield reported({ quantity: `|Phi'| ${words}`, value: errors.velocity });
}

/** Influence of the method that determines ranks. */
function* ranks(run: (options: object) => Errors, motion: number): Generator<Entry> {
  const change = (options: object) => Math.abs(run(options).motion / motion - 1);
  const quantity = "relative change of the error of the slider";
  yield checked({ quantity: `${quantity} by SVD`, value: change({ solver: "svd" }) }, most(1e-3));
  for (const tolerance of [1e-12, 1e-9, 1e-6]) {
    const words = `${quantity} by a rank tolerance of ${tolerance.toExponential()}`;
    yield checked({ quantity: words, value: change({ tolerance }) }, most(Number.EPSILON));
  }
  const coarse = "error of the slider with a rank tolerance of 1e-5";
  const value = run({ tolerance: 1e-5 }).motion;
  yield checked({ quantity: `${coarse}, m`, value }, least(1e-5));
  const { motion: harmed } = run({ solver: "svd", tolerance: 1e-5 });
  yield checked(
    { quantity: `${coarse} by SVD, m`, reference: 2.3e-5, value: harmed },
    relative(0.05),
  );
}
