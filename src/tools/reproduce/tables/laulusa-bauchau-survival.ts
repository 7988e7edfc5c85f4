import {
  driftElimination,
  type Formulation,
  lagrange,
  nullSpace,
  udwadiaKalaba,
} from "../../../index.js";
import {
  comparedFormulations,
  drift,
  formulationLevels,
  simulated,
  survives,
} from "../experiments/formulation-runs.js";
import {
  formulationProblems,
  type Problem,
  redundantProblem,
} from "../experiments/formulation-systems.js";
import { atMost, decimal, exactly } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { fourBars } = formulationProblems;

export const laulusaBauchauSurvival = reproduction({
  name: "laulusa-bauchau-survival",
  paper: "Laulusa and Bauchau 2008",
  title: "Who survives a singular pose and a constraint given twice: 10 s by RK4",
  notes: [
    "The review compares in words; what survives is what an independent implementation found.",
    "Singular poses: the two four-bars of Braun and Goldfarb, whose rank falls from 5 to 3 where " +
      "they lie flat. Survivors are told by their largest |Phi|; for the others 1 is survival, 0 " +
      "is none.",
    "Given twice: the last constraint of the slider-crank of Welch et al.; 1 is survival. QR " +
      "without pivots, which does not survive, is not in this package.",
  ],
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
  for (const formulation of [...formulationLevels.velocity, ...formulationLevels.position]) {
    const { position } = drift(simulated(fourBars, formulation, step), 10);
    yield atMost({ quantity: `|Phi|, ${words}, ${formulation.name}`, value: position }, 1e-5);
  }
  const corrected = simulated(fourBars, udwadiaKalaba(), step, driftElimination());
  const quantity = `|Phi|, ${words}, with the corrections of Braun and Goldfarb`;
  yield atMost({ quantity, value: drift(corrected, 10).position }, 1e-5);
  for (const formulation of [lagrange(), nullSpace(), udwadiaKalaba()]) {
    yield survival(fourBars, formulation, step, 0, words);
  }
}

function survival(
  problem: Problem,
  formulation: Formulation,
  step: number,
  reference: 0 | 1,
  words: string,
): Entry {
  const value = survives(problem, formulation, step) ? 1 : 0;
  return exactly({ quantity: `survival, ${words}, ${formulation.name}`, reference, value });
}
