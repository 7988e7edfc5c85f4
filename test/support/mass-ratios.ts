// Verdicts on mechanisms whose masses differ by many powers of ten: correct, rejected with a name, or neither.

import type { CompiledModel } from "nodrift/bodies";
import { angleAt, fourBarMechanism, fourBarState, parallelogram } from "../reference/four-bar.js";
import { compiledOf, judgeSolve, type Verdict } from "../reference/judge.js";
import { LOOP_SECONDS, loopClassNames, loopsOf } from "../reference/loops.js";
import type { Mechanism } from "../reference/mechanism.js";
import { between, type Masses } from "../reference/sketch.js";
import { seeded } from "./random.js";

export const TOLERANCES = [1e-6, 1e-8, 1e-10] as const;

/** Errors above this many tolerances count as wrong. */
const RIGHT = 1000;

export interface Tally {
  right: number;
  /** Did not compile or finish, and named the body that is the reason. */
  refused: number;
  /** Did not compile or finish, without naming a body. */
  unnamed: number;
  /** Finished with a wrong result. */
  silent: number;
}

export const emptyTally = (): Tally => ({ right: 0, refused: 0, unnamed: 0, silent: 0 });

/** 1e-6 to 1e6 kg, each power of ten as likely. */
export const anyMasses: Masses = (random) => {
  const power = Math.floor(between(random, 0, 13)) - 6;
  return between(random, 1, 3) * Number(`1e${power}`);
};

/** The first loops of each class, with masses of any size anywhere. */
export async function tallyLoops(each: number, tally: Tally): Promise<void> {
  for (const loopClass of loopClassNames) {
    for (const { mechanism, solution } of loopsOf(loopClass, each, anyMasses)) {
      const compiled = await compiledOf(mechanism);
      for (const tolerance of TOLERANCES) {
        const verdict = judgeSolve(compiled, solution, LOOP_SECONDS, tolerance);
        count(tally, verdict, tolerance, mechanism);
      }
    }
  }
}

/**
 * A parallelogram through its singular poses for 2 s: one of its links is lighter or heavier than the others by a
 * power of ten, from several angles each.
 */
export async function tallySingular(
  powers: readonly number[],
  starts: number,
  tally: Tally,
): Promise<void> {
  const random = seeded(7);
  for (const power of powers) {
    for (let link = 0; link < 3; link++) {
      for (let i = 0; i < starts; i++) {
        const masses = [1, 1, 1] as [number, number, number];
        masses[link] = Number(`1e${power}`);
        const bar = parallelogram(masses, between(random, 0.2, 1.4));
        const mechanism = fourBarMechanism(bar);
        const end = fourBarState(bar, ...angleAt(bar, 2));
        const compiled: CompiledModel | Verdict = await compiledOf(mechanism);
        for (const tolerance of TOLERANCES) {
          count(tally, judgeSolve(compiled, { end }, 2, tolerance), tolerance, mechanism);
        }
      }
    }
  }
}

function count(tally: Tally, verdict: Verdict, tolerance: number, { bodies }: Mechanism): void {
  if (verdict.status === "finished") {
    tally[verdict.error <= RIGHT * tolerance ? "right" : "silent"]++;
  } else {
    const named = bodies.some(({ name }) => verdict.reason.includes(`"${name}"`));
    tally[named ? "refused" : "unnamed"]++;
  }
}
