// Gustafsson's predictive control of steps (ACM TOMS 20 (1994) 496-517; Hairer and Wanner, Solving
// ODEs II, section IV.8): with the errors e and e' and the lengths h and h' of a step and the one
// before,
//
//   h_new = s h min(e^-1/4, h / h' (e' / e^2)^1/4),
//
// and less if many iterations were needed. Roots are the same on all machines, which powers need
// not be.

import { RADAU_FAST, RADAU_ITERATIONS, RadauKept } from "../layout-radau";
import { get, set } from "../math/slots";

const SAFETY: f64 = 0.9;
/** Bounds of h / h_new. */
const MIN_RATIO: f64 = 1.0 / 8.0;
const MAX_RATIO: f64 = 5.0;
/** Smaller increases of the step do not justify a refactorisation. */
const KEEPS: f64 = 1.2;
/** Lower bound of errors in the prediction. */
const MIN_ERROR: f64 = 1e-2;
/** Factor if the error is NaN. */
const AFTER_FAILURE: f64 = 0.1;

/** Factor for the step after one of length h with this error, or for another attempt at it. */
export function radauNext(kept: usize, h: f64, error: f64): f64 {
  const many = 1.0 + 2.0 * <f64>RADAU_ITERATIONS;
  const iterations = get(kept, RadauKept.ITERATIONS) + 2.0 * <f64>RADAU_ITERATIONS;
  const quotient = bounded(fourthRoot(error) / (SAFETY * Math.min(1.0, many / iterations)));
  if (!(error <= 1.0)) {
    set(kept, RadauKept.REJECTED, 1.0);
    return error < Infinity ? Math.min(1.0 / quotient, SAFETY) : AFTER_FAILURE;
  }
  const factor = 1.0 / Math.max(quotient, predicted(kept, h, error));
  set(kept, RadauKept.PREVIOUS_ERROR, Math.max(error, MIN_ERROR));
  if (get(kept, RadauKept.REJECTED) == 1.0) return Math.min(factor, 1.0);
  const isFast = get(kept, RadauKept.CONTRACTION) <= RADAU_FAST;
  return isFast && factor >= 1.0 && factor <= KEEPS ? 1.0 : factor;
}

function predicted(kept: usize, h: f64, error: f64): f64 {
  const previous = get(kept, RadauKept.PREVIOUS_ERROR);
  if (previous == 0.0) return 0.0;
  const growth = fourthRoot((error * error) / previous);
  return bounded((Math.abs(get(kept, RadauKept.PREVIOUS_LENGTH) / h) * growth) / SAFETY);
}

// @ts-ignore: decorator
@inline
function fourthRoot(x: f64): f64 {
  return Math.sqrt(Math.sqrt(x));
}

// @ts-ignore: decorator
@inline
function bounded(x: f64): f64 {
  return Math.min(Math.max(x, MIN_RATIO), MAX_RATIO);
}
