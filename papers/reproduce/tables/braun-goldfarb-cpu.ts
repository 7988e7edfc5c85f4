import { type Method, simulate } from "../../../src/index.js";
import { braunPendulum, braunSliderCrank, type Mechanism } from "../../mechanisms/index.js";
import { braunMethod, uncorrected } from "../experiments/braun.js";
import { cpuSeconds } from "../experiments/cpu.js";
import { reported } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

export const braunGoldfarbCpu = reproduction({
  name: "braun-goldfarb-cpu",
  paper: "Braun and Goldfarb 2009",
  title: "Sections 5.1 and 5.2: the part of the CPU that constraint correction takes, %",
  notes: [
    "Times of this package on this machine; the paper has those of compiled MATLAB. They depend on how both solve and are " +
      "reported without a verdict.",
    "Eq. (16) against eq. (17), which is the same without correction. Both factorise the same matrix, which is nearly all of " +
      "the work; corrections are two more right-hand sides.",
  ],
  seconds: 2,
  isTimed: true,
  *measure() {
    for (const [name, mechanism, printed] of [
      ["pendulum", braunPendulum, 26],
      ["slider-crank", braunSliderCrank, 5],
    ] as const) {
      const quantity = `CPU spent on constraint correction, ${name}, %`;
      yield reported({ quantity, printed, value: 100 * correctionShare(mechanism) });
    }
  },
});

// Cost of constraint correction: CPU time of Braun and Goldfarb's eq. 16 compared with that of their eq. 17.

const STEP = 1e-3;
/** Steps of each run: milliseconds, ending before the first singular pose, where uncorrected motion is lost. */
const STEPS = 400;
/** Runs of each within a measurement: clocks of CPU time are coarse. */
const REPEATS = 25;
const ROUNDS = 7;

/** The fraction of CPU time spent on correction: 1 - (without it) / (with it), from the minima of seven rounds each. */
function correctionShare(mechanism: Mechanism): number {
  const [corrected, plain] = [braunMethod(), uncorrected].map((method) => ({ method, least: 1e9 }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of [corrected!, plain!]) {
      one.least = Math.min(one.least, cpuSeconds(repeated(mechanism, one.method)));
    }
  }
  return 1 - plain!.least / corrected!.least;
}

function repeated({ equations, q, v }: Mechanism, method: Method): () => void {
  const options = { method, step: STEP, q, v, start: "asGiven" } as const;
  const runs = Array.from({ length: REPEATS }, () => simulate(equations, options));
  return () => {
    for (const run of runs) run.advance(STEPS);
  };
}
