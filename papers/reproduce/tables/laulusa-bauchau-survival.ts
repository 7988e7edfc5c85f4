import {
  driftElimination,
  type Formulation,
  lagrange,
  nullSpace,
  type Simulation,
  udwadiaKalaba,
} from "../../../src/index.js";
import {
  comparedFormulations,
  drift,
  formulationLevels,
  SURVIVING,
  simulated,
  survives,
} from "../experiments/formulation-runs.js";
import {
  formulationProblems,
  type Problem,
  redundantProblem,
} from "../experiments/formulation-systems.js";
import { checked, decimal, distance, most, reported } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { fourBars } = formulationProblems;
/**
 * Rounding of |Phi| if positions are solved for, in half bits of 1: coordinates of up to 2 m are rounded themselves, which a row of
 * squares has four times; two differences, two squares, a sum and a difference round by four more. Five rows are added
 * as squares.
 */
const POSITION_TOLERANCE = 8 * Math.sqrt(5) * (Number.EPSILON / 2);

export const laulusaBauchauSurvival = reproduction({
  name: "laulusa-bauchau-survival",
  paper: "Laulusa and Bauchau 2008",
  title: "Who survives a singular pose and a constraint given twice: 10 s by RK4",
  notes: [
    "The review compares in words; what survives is what an independent implementation found.",
    "Singular poses: the two four-bars of Braun and Goldfarb, whose rank falls from 5 to 3 where " +
      "they lie flat. 1 is survival, 0 is none: |Phi| of 10 s is below or above 1e-3. How large it is then is " +
      "reported.",
    "Given twice: the last constraint of the slider-crank of Welch et al.; 1 is survival. QR " +
      "without pivots, which does not survive, is not in this package.",
  ],
  seconds: 2,
  *measure() {
    for (const step of [1e-2, 1e-3]) yield* singularPose(step);
    for (const formulation of [...comparedFormulations, udwadiaKalaba()]) {
      yield survival(redundantProblem, formulation, 0.01, 1, "constraint given twice");
    }
    const matrix = lagrange({ solver: "kkt" });
    yield survival(redundantProblem, matrix, 0.01, 0, "constraint given twice");
  },
});

function* singularPose(step: number): Generator<Entry> {
  const words = `singular pose, step ${decimal(step)}`;
  for (const formulation of formulationLevels.velocity) {
    yield* survived(`${words}, ${formulation.name}`, simulated(fourBars, formulation, step));
  }
  const corrected = simulated(fourBars, udwadiaKalaba(), step, driftElimination());
  yield* survived(`${words}, with the corrections of Braun and Goldfarb`, corrected);
  for (const formulation of formulationLevels.position) {
    const { position } = drift(simulated(fourBars, formulation, step), 10);
    const quantity = `|Phi|, ${words}, ${formulation.name}`;
    yield checked({ quantity, value: position }, most(POSITION_TOLERANCE));
  }
  for (const formulation of [lagrange(), nullSpace(), udwadiaKalaba()]) {
    yield survival(fourBars, formulation, step, 0, words);
  }
}

function* survived(words: string, simulation: Simulation): Generator<Entry> {
  const { position } = drift(simulation, 10);
  const value = position < SURVIVING ? 1 : 0;
  yield checked({ quantity: `survival, ${words}`, reference: 1, value }, distance(0));
  yield reported({ quantity: `|Phi|, ${words}`, value: position });
}

function survival(
  problem: Problem,
  formulation: Formulation,
  step: number,
  reference: 0 | 1,
  words: string,
): Entry {
  const value = survives(problem, formulation, step) ? 1 : 0;
  const quantity = `survival, ${words}, ${formulation.name}`;
  return checked({ quantity, reference, value }, distance(0));
}
