import { sdirk415Tableau } from "../../../solve.js";
import { sdirkSteps, stiffOdes } from "../experiments/plain-odes.js";
import {
  orderResidual,
  stabilityAtInfinity,
  stabilityOnAxis,
} from "../experiments/sdirk-conditions.js";
import { atMost, decimal, near, relativelyNear } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const ROUNDING = 1e-14;
const TIMES = [4 / 15, 23 / 30, 17 / 30, 707 / 1931, 1] as const;

export const negrutMethod = reproduction({
  name: "negrut-method",
  paper: "Negrut, Haug and German 2003",
  title: "Section 4: the method, SDIRK 4/15, its coefficients and its steps on known equations",
  notes: [
    "The paper gives gamma = 4/15 and refers to other sources for the rest; times of stages are " +
      "known as fractions.",
    "Eq. (48): the method is stiffly accurate, w1 = w0 + z5.",
    "Steps on Van der Pol's (epsilon = 1e-6) and Robertson's equations are compared with those " +
      "of an independent implementation; absolute tolerances are the relative ones, for " +
      "Robertson's 1e-4 times these.",
  ],
  *measure() {
    const tableau = sdirk415Tableau;
    const gamma = { quantity: "gamma", printed: 4 / 15, value: tableau.gamma };
    yield near(gamma, ROUNDING);
    for (const [i, reference] of TIMES.entries()) {
      yield near({ quantity: `c${i + 1}`, reference, value: tableau.c[i] as number }, ROUNDING);
    }
    const residual = orderResidual(tableau);
    yield atMost({ quantity: "residual of the conditions of order 4", value: residual }, ROUNDING);
    yield near(
      { quantity: "|R(infinity)|", reference: 0, value: stabilityAtInfinity(tableau) },
      ROUNDING,
    );
    const excess = stabilityOnAxis(tableau) - 1;
    yield atMost({ quantity: "|R(iy)| - 1, y = 1e-6 to 1e6", value: excess }, ROUNDING);
    yield* steps();
  },
});

function* steps(): Generator<Entry> {
  for (const { source, reference, absolute } of stiffOdes()) {
    for (const { tolerance, steps: known } of reference.sdirkSteps) {
      const tolerances = { relative: tolerance, absolute: absolute * tolerance };
      const value = sdirkSteps(source, reference.time, tolerances);
      const quantity = `accepted steps at ${decimal(tolerance)}, ${source.name}`;
      yield relativelyNear({ quantity, reference: known, value }, 0.05);
    }
  }
}
