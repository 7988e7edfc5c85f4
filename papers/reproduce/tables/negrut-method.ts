import { sdirk415Tableau } from "../../../src/solve.js";
import { sdirkSteps, stiffOdes } from "../experiments/plain-odes.js";
import {
  orderResidual,
  stabilityAtInfinity,
  stabilityOnAxis,
  stageTimes,
} from "../experiments/sdirk-conditions.js";
import { checked, decimal, distance, most, relative, reproduced } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/** Rounding of a few sums and products of values of about 1. */
const COEFFICIENT_TOLERANCE = 8 * Number.EPSILON;
const STAGE_TIMES = [4 / 15, 23 / 30, 17 / 30, 707 / 1931, 1] as const;

export const negrutMethod = reproduction({
  name: "negrut-method",
  paper: "Negrut, Haug and German 2003",
  title: "Section 4: the method, SDIRK 4/15, its coefficients and its steps on known equations",
  notes: [
    "The paper gives gamma = 4/15 and refers to other sources for the rest. Times of stages, which are known as " +
      "fractions, are the sums of the rows of A.",
    "Eq. (48): the method is stiffly accurate, w1 = w0 + z5.",
    "Steps on Van der Pol's (epsilon = 1e-6) and Robertson's equations are compared with those " +
      "of an independent implementation; absolute tolerances are the relative ones, for " +
      "Robertson's 1e-4 times these.",
  ],
  *measure() {
    const tableau = sdirk415Tableau;
    const gamma = { quantity: "gamma", printed: 4 / 15, value: tableau.gamma };
    yield reproduced(gamma, distance(COEFFICIENT_TOLERANCE));
    const sums = stageTimes(tableau);
    for (const [i, reference] of STAGE_TIMES.entries()) {
      const value = sums[i] as number;
      yield checked({ quantity: `c${i + 1}`, reference, value }, distance(COEFFICIENT_TOLERANCE));
    }
    const residual = orderResidual(tableau);
    const quantity = "residual of the conditions of order 4";
    yield checked({ quantity, value: residual }, most(COEFFICIENT_TOLERANCE));
    yield checked(
      { quantity: "|R(infinity)|", reference: 0, value: stabilityAtInfinity(tableau) },
      distance(COEFFICIENT_TOLERANCE),
    );
    const excess = stabilityOnAxis(tableau) - 1;
    yield checked(
      { quantity: "|R(iy)| - 1, y = 1e-6 to 1e6", value: excess },
      most(COEFFICIENT_TOLERANCE),
    );
    yield* steps();
  },
});

function* steps(): Generator<Entry> {
  for (const { source, reference, absolute } of stiffOdes()) {
    for (const { tolerance, steps: known } of reference.sdirkSteps) {
      const tolerances = { relative: tolerance, absolute: absolute * tolerance };
      const value = sdirkSteps(source, reference.time, tolerances);
      const quantity = `accepted steps at ${decimal(tolerance)}, ${source.name}`;
      yield checked({ quantity, reference: known, value }, relative(0.05));
    }
  }
}
