// Cost of constraint correction: CPU time of Braun and Goldfarb's eq. 16 compared with that of their eq. 17.

import { type Method, simulate } from "../../../src/index.js";
import type { Mechanism } from "../../mechanisms/index.js";
import { braunMethod, uncorrected } from "./braun.js";
import { cpuSeconds } from "./cpu.js";

const STEP = 1e-3;
/** Steps of each run: milliseconds, ending before the first singular pose, where uncorrected motion is lost. */
const STEPS = 400;
/** Runs of each within a measurement: clocks of CPU time are coarse. */
const REPEATS = 25;
const ROUNDS = 7;

/** The fraction of CPU time spent on correction: 1 - (without it) / (with it), from the minima of seven rounds each. */
export function correctionShare(mechanism: Mechanism): number {
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
