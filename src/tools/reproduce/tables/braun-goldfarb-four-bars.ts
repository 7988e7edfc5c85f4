import { braunMethod, comparisons, fourBarsOf } from "../experiments/braun.js";
import { exactAngles, runAgainstReference, runMinimal } from "../experiments/reference-run.js";
import {
  checked,
  contradicted,
  factor,
  halfUnit,
  MAGNITUDE,
  most,
  relative,
  reported,
  reproduced,
} from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

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
      "chance: at a step of 0.001 s other gravities near it give errors from 9e-8 to 5e-5, which are reported.",
    "Prints that are bare powers of ten are taken for orders of magnitude.",
  ],
  seconds: 6,
  *measure() {
    const exact = exactAngles(fourBars, 100);
    yield* coarse(exact);
    const fine = runAgainstReference(fourBars, exact, braunMethod(), FINE).motion;
    const quantity = "error of x3 at step 1e-3";
    yield reproduced({ quantity: `${quantity}, m`, printed: 1e-7, value: fine }, factor());
    for (const gravity of [9.8, 9.805, 9.815, 9.82]) {
      const other = fourBarsOf(gravity);
      const { motion } = runAgainstReference(other, exactAngles(other, 100), braunMethod(), FINE);
      yield reported({ quantity: `${quantity} under a gravity of ${gravity}, m`, value: motion });
    }
  },
});

function* coarse(exact: Float64Array): Generator<Entry> {
  const run = runAgainstReference(fourBars, exact, braunMethod(), COARSE);
  const quantity = "error of x3 at step 0.01";
  yield reproduced(
    { quantity: `${quantity}, m`, printed: 1e-2, reference: 9.0e-3, value: run.motion },
    factor(),
    relative(0.05),
  );
  const minimal = runMinimal(fourBars, exact, COARSE);
  const words = "by the minimal equation, m";
  yield reproduced(
    { quantity: `${quantity} ${words}`, printed: 2e-4, reference: 1.72e-4, value: minimal },
    relative(halfUnit(2e-4, 1)),
    relative(0.03),
  );
  yield checked({ quantity: "|Phi| at step 0.01", value: run.position }, most(4e-9));
  yield contradicted(
    {
      quantity: `error of x3 at step 1e-3 ${words}`,
      printed: 1e-7,
      value: runMinimal(fourBars, exact, FINE),
      note: "The paper says the same of both solutions; the minimal equation, which no singular pose disturbs, is far better.",
    },
    0.5,
    most(1e-7 / MAGNITUDE),
  );
}
