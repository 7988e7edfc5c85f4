import { RADAU_FAST as FAST } from "../../../../assembly/layout-stiff.js";
import { power } from "../../../ground/algebra/portable-power.js";
import type { StepRule } from "../../../seam/index.js";
import type { RadauMemory } from "./radau-memory.js";

/** Iterations that a step may take where its error is controlled. */
export const MOST_ITERATIONS = 7;

const SAFETY = 0.9;
/** Bounds of h / h_new. */
const LEAST = 1 / 8;
const MOST = 5;
/** Smaller increases of the step do not justify a refactorisation. */
const KEEPS = 1.2;
/** Errors are not taken for smaller in the prediction. */
const SMALL = 1e-2;

/**
 * Gustafsson's predictive control (ACM TOMS 20 (1994) 496-517; Hairer and Wanner, Solving ODEs II, section
 * IV.8): with the errors e and e' and the lengths h and h' of a step and the one before,
 *
 *   h_new = s h min(e^-1/4, h / h' (e' / e^2)^1/4),
 *
 * and less where many iterations were needed.
 */
export function radauRule(numbers: RadauMemory): StepRule {
  function quotient(error: number): number {
    const many = (1 + 2 * MOST_ITERATIONS) / (numbers.iterations + 2 * MOST_ITERATIONS);
    return bounded(power(error, 0.25) / (SAFETY * Math.min(1, many)));
  }

  function predicted(h: number, error: number): number {
    const { previousLength, previousError } = numbers;
    if (previousError === 0) return 0;
    const growth = power((error * error) / previousError, 0.25);
    return bounded((Math.abs(previousLength / h) * growth) / SAFETY);
  }

  return {
    accepted(h, error) {
      const factor = 1 / Math.max(quotient(error), predicted(h, error));
      numbers.previousError = Math.max(error, SMALL);
      if (numbers.rejected) return Math.min(factor, 1);
      const keeps = numbers.contraction <= FAST && factor >= 1 && factor <= KEEPS;
      return keeps ? 1 : factor;
    },
    rejected(_h, error) {
      numbers.rejected = true;
      return error < Number.POSITIVE_INFINITY ? Math.min(1 / quotient(error), SAFETY) : 0.1;
    },
  };
}

const bounded = (x: number) => Math.min(Math.max(x, LEAST), MOST);
