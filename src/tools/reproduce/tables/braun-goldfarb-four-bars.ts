import { braunMethod, comparisons, fourBarsOf } from "../experiments/braun.js";
import { exactAngles, runAgainstReference, runMinimal } from "../experiments/reference-run.js";
import { atMost, relativelyNear } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

const { fourBars } = comparisons;
const [COARSE, FINE] = [1e-2, 1e-3];

export const braunGoldfarbFourBars = reproduction({
  name: "braun-goldfarb-four-bars",
  paper: "Braun and Goldfarb 2009",
  title: "Section 5.3: two four-bars through their singular pose, 100 s",
  notes: [
    "The rest position of the text contradicts v(0) = (1, 0, 1, 0, 1, 0) of fig. 5, which is " +
      "taken.",
    "The paper prints no gravity; 9.81 is taken. How near a step comes to the singular pose is " +
      "chance: at a step of 0.001 s other gravities near it give errors from 9e-8 to 5e-5.",
  ],
  *measure() {
    const exact = exactAngles(fourBars, 100);
    const coarse = runAgainstReference(fourBars, exact, braunMethod(), COARSE);
    yield relativelyNear(
      {
        quantity: "error of x3 at step 0.01, m",
        printed: 1e-2,
        reference: 9.0e-3,
        value: coarse.motion,
      },
      0.05,
    );
    const minimal = runMinimal(fourBars, exact, COARSE);
    const quantity = "error of x3 at step 0.01 by the minimal equation, m";
    yield relativelyNear({ quantity, printed: 2e-4, reference: 1.72e-4, value: minimal }, 0.03);
    yield atMost({ quantity: "|Phi| at step 0.01", value: coarse.position }, 4e-9);
    const fine = runAgainstReference(fourBars, exact, braunMethod(), FINE).motion;
    yield atMost({ quantity: "error of x3 at step 1e-3, m", printed: 1e-7, value: fine }, 5e-7);
    for (const gravity of [9.8, 9.805, 9.815, 9.82]) {
      const other = fourBarsOf(gravity);
      const { motion } = runAgainstReference(other, exactAngles(other, 100), braunMethod(), FINE);
      const words = `error of x3 at step 1e-3 under a gravity of ${gravity}, m`;
      yield atMost({ quantity: words, value: motion }, 1e-4);
    }
  },
});
