// The normal distribution: its cumulative probability (share) and quantile functions. Engines differ in the last bits of Math.exp
// and Math.log; the package's own functions make a design the same on every machine.

import { elementary } from "../../src/base/wasm/elementary.js";

/** Bound on x beyond which Q(x) is treated as zero: it underflows in double precision. */
const MAX_ARGUMENT = 38;

/**
 * Q(x), the share above x >= 0, to a relative accuracy of about 15 digits, also in the tail. From x = 2 on by the continued fraction
 * of Mills' ratio (Abramowitz and Stegun 26.2.14), below by the series for the central share (26.2.11).
 */
function above(x: number): number {
  if (x > MAX_ARGUMENT) return 0;
  const density = elementary().exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
  if (x < 2) {
    let [term, sum] = [x, x];
    for (let k = 1; term > 1e-18 * sum; k++) {
      term *= (x * x) / (2 * k + 1);
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = x;
  for (let k = TERMS; k > 0; k--) fraction = x + k / fraction;
  return density / fraction;
}

/** Number of terms of the continued fraction. At x = 2 its error is then below rounding. */
const TERMS = 260;

/** Phi(x): the share below x. */
export function normalShare(x: number): number {
  return x < 0 ? above(-x) : 1 - above(x);
}

/** 1 - Phi(x), accurate also if small. */
export function normalShareAbove(x: number): number {
  return x < 0 ? 1 - above(-x) : above(x);
}

/**
 * The x with the given share below it. Starts from Abramowitz and Stegun 26.2.23 (error below 5e-4), then uses Halley's method on
 * the share of the tail, which triples the number of digits in each iteration.
 */
export function normalQuantile(share: number): number {
  if (share > 0.5) return -normalQuantile(1 - share);
  return -quantileAbove(share);
}

/** The x with the given share above it; accurate also for small shares. */
export function normalQuantileAbove(share: number): number {
  return share > 0.5 ? -quantileAbove(1 - share) : quantileAbove(share);
}

function quantileAbove(share: number): number {
  if (!(share > 0)) return Number.POSITIVE_INFINITY;
  const { log, exp } = elementary();
  const t = Math.sqrt(-2 * log(share));
  const top = 2.515517 + t * (0.802853 + t * 0.010328);
  let x = t - top / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let pass = 0; pass < 3; pass++) {
    // Halley's step x + e / (1 - x e / 2) with e = (Q(x) - share) / density; the slope of Q is -density.
    const e = (normalShareAbove(x) - share) * Math.sqrt(2 * Math.PI) * exp(0.5 * x * x);
    x += e / (1 - 0.5 * x * e);
  }
  return x;
}
