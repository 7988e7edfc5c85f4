import { compile } from "../../../bodies.js";
import { hmmwv } from "../../mechanisms/index.js";
import { HmmwvRaces } from "../experiments/hmmwv-race.js";
import { atLeast, decimal } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

/**
 * Tolerance, seconds of CPU for 1 s of motion by the explicit and by the implicit method, and what
 * is required.
 */
const PRINTED = [
  [1e-2, 3618, 10.1, 300],
  [1e-3, 3641, 21, 150],
  [1e-4, 3667, 33, 100],
  [1e-5, 3663, 57, 60],
] as const;
const LOOK = 0.02;

export const negrutSpeedUp = reproduction({
  name: "negrut-speed-up",
  paper: "Negrut, Haug and German 2003",
  title: "Tables V and VI: HMMWV, 1 s of motion, CPU of the explicit over the implicit method",
  notes: [
    "Ratios of times of this machine, from table VI over table V. Required is a little less than " +
      "is printed.",
    "The paper's explicit method is Adams' (DDEABM) on independent coordinates. Here it is the " +
      "best of 13 for each tolerance: Adams, and Runge-Kutta methods of order 3, 5 and 8, each " +
      "on independent coordinates and in three ways on all.",
    `Explicit methods run for ${LOOK} s of motion, from 0.1 s on, and their CPU is multiplied: ` +
      "their steps are all alike, as stability limits them. Which are the best two is found in " +
      "0.005 s each. The implicit method runs the whole second.",
  ],
  async *measure() {
    const races = new HmmwvRaces(await compile(hmmwv(), { coordinates: "maximal" }), {
      screeningRuns: 1,
      measuredSeconds: LOOK,
    });
    for (const [tolerance, explicit, implicit, bound] of PRINTED) {
      const { best, ratio } = races.race(tolerance);
      const quantity = `CPU of explicit / implicit at ${decimal(tolerance)}`;
      const note = `The best explicit method is ${best.name}.`;
      yield atLeast({ quantity, printed: explicit / implicit, value: ratio, note }, bound);
    }
  },
});
