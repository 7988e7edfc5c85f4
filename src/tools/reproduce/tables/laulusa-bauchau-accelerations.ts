import { comparedFormulations, distanceFromSaddle } from "../experiments/formulation-runs.js";
import { formulationProblems } from "../experiments/formulation-systems.js";
import { atMost } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

const STATES = 200;

export const laulusaBauchauAccelerations = reproduction({
  name: "laulusa-bauchau-accelerations",
  paper: "Laulusa and Bauchau 2008",
  title: "Sections 2 and 4: all formulations find the same accelerations",
  notes: [
    "The review compares in words; it has no numbers.",
    `Largest relative distance from the accelerations of the saddle point system, ${STATES} ` +
      `random states each, of ${comparedFormulations.length} formulations: null space, Maggi, ` +
      `projective, phase space, frozen basis, partitioning.`,
  ],
  *measure() {
    for (const problem of Object.values(formulationProblems)) {
      const distances = comparedFormulations.map((formulation) =>
        distanceFromSaddle(problem, formulation, STATES),
      );
      const quantity = `distance of accelerations, ${problem.equations.name}`;
      yield atMost({ quantity, value: Math.max(...distances) }, 1e-12);
    }
  },
});
