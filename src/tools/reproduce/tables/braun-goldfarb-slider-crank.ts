import { braunMethod, comparisons } from "../experiments/braun.js";
import {
  type Errors,
  exactAngles,
  runAgainstReference,
  runMinimal,
} from "../experiments/reference-run.js";
import { atLeast, atMost, relativelyNear } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { sliderCrank } = comparisons;
const STEP = 1e-3;

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
  ],
  *measure() {
    const exact = exactAngles(sliderCrank, 100);
    const run = (options = {}) =>
      runAgainstReference(sliderCrank, exact, braunMethod(options), STEP);
    const cod = run();
    yield relativelyNear(
      {
        quantity: "error of the slider, m",
        printed: 4.4e-8,
        reference: 4.33e-8,
        value: cod.motion,
      },
      0.03,
    );
    const minimal = runMinimal(sliderCrank, exact, STEP);
    yield relativelyNear(
      {
        quantity: "error of the slider by the minimal equation, m",
        printed: 4.4e-8,
        value: minimal,
      },
      0.03,
    );
    yield atMost({ quantity: "|Phi|", printed: 1e-15, value: cod.position }, 1e-14);
    yield atMost({ quantity: "|Phi'|", value: cod.velocity }, 1e-9);
    yield* ranks(run, cod.motion);
    const note = "One rounding error that is amplified: others differ by their last bits.";
    const { velocity } = run({ solver: "cholesky" });
    const quantity = "|Phi'| by Cholesky, which survives";
    yield atMost({ quantity, reference: 1.7e-8, value: velocity, note }, 1e-7);
  },
});

/** What the way to find ranks does. */
function* ranks(run: (options: object) => Errors, motion: number): Generator<Entry> {
  const change = (options: object) => Math.abs(run(options).motion / motion - 1);
  const quantity = "relative change of the error of the slider";
  yield atMost({ quantity: `${quantity} by SVD`, value: change({ solver: "svd" }) }, 1e-3);
  for (const tolerance of [1e-12, 1e-9, 1e-6]) {
    const words = `${quantity} by a rank tolerance of ${tolerance.toExponential()}`;
    yield atMost({ quantity: words, value: change({ tolerance }) }, 1e-6);
  }
  const coarse = "error of the slider with a rank tolerance of 1e-5";
  yield atLeast({ quantity: `${coarse}, m`, value: run({ tolerance: 1e-5 }).motion }, 1e-5);
  const { motion: harmed } = run({ solver: "svd", tolerance: 1e-5 });
  yield relativelyNear({ quantity: `${coarse} by SVD, m`, reference: 2.3e-5, value: harmed }, 0.05);
}
