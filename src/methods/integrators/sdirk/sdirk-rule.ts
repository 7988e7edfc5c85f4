import { power } from "../../../ground/algebra/portable-power.js";
import type { StepRule } from "../../../seam/index.js";
import { ITERATIONS, QUICK, type SdirkMemory } from "./sdirk-memory.js";

const SAFETY = 0.9;
/** Largest factor between the lengths of two consecutive steps. */
const CHANGE = 4;
/** Factor after a rejected first step, whose length was a guess. */
const AFTER_BAD_GUESS = 0.1;
/** A step longer by less than this factor is not worth a factorisation. */
const KEPT = 1.2;
/** Errors below this are treated as zero. */
const NO_ERROR = 1e-10;

/**
 * h_new = h fac / err^(1/errorOrder), less where iterations were many: fac = 0.9 (1 + 2 m) / (k + 2 m) after k of m
 * iterations in the last stage (Hairer and Wanner, Solving ODEs II, section IV.8). It does not grow right
 * after a rejection.
 */
export function sdirkRule(memory: SdirkMemory, errorOrder: number): StepRule {
  function wanted(error: number): number {
    const most = 2 * ITERATIONS;
    const safety = Math.min(SAFETY, (SAFETY * (1 + most)) / (memory.iterations + most));
    const quotient = power(Math.max(error, NO_ERROR), 1 / errorOrder) / safety;
    // NaN counts as infinitely large.
    return quotient <= CHANGE ? 1 / Math.max(quotient, 1 / CHANGE) : 1 / CHANGE;
  }

  return {
    allowsShortLastStep: true,
    accepted(_h, error) {
      const factor = memory.rejected === 1 ? Math.min(wanted(error), 1) : wanted(error);
      return memory.theta <= QUICK && factor >= 1 && factor <= KEPT ? 1 : factor;
    },
    rejected(_h, error) {
      memory.rejected = 1;
      if (memory.fresh === 0) memory.linearised = 0;
      return memory.taken === 0 ? AFTER_BAD_GUESS : wanted(error);
    },
  };
}
