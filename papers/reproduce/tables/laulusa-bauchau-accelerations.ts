import { comparedFormulations, distanceFromSaddle } from "../experiments/formulation-runs.js";
import { formulationProblems } from "../experiments/formulation-systems.js";
import { checked, most, reported } from "../judging/entries.js";
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
      `projective, phase space, frozen basis, partitioning. An independent implementation keeps the ` +
      `largest of them below 1e-12; how much smaller that of an easy system is says nothing.`,
  ],
  *measure() {
    let largest = 0;
    for (const problem of Object.values(formulationProblems)) {
      const distances = comparedFormulations.map((formulation) =>
        distanceFromSaddle(problem, formulation, STATES),
      );
      const quantity = `distance of accelerations, ${problem.equations.name}`;
      const value = Math.max(...distances);
      largest = Math.max(largest, value);
      yield reported({ quantity, value });
    }
    yield checked({ quantity: "largest of these distances", value: largest }, most(1e-12));
  },
});
