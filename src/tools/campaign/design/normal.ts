// The normal distribution: its share below a number, and the number for a share. Engines differ in the last bits of Math.exp and Math.log;
// these are made of the package's own, so that a design is the same on every machine.

import { elementary } from "../../../ground/wasm/elementary.js";

/** Digits of Q beyond which it is zero in double precision. */
const FAR = 38;

/**
 * Q(x), the share above x >= 0, to about 15 digits of its own: it does not lose them in the tail. By the continued fraction of Mills'
 * ratio from 2 on (Abramowitz and Stegun 26.2.14), by the series of the share in the middle below (26.2.11).
 */
function above(x: number): number {
  if (x > FAR) return 0;
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

/** Terms of the continued fraction: at 2 its error is then below rounding. */
const TERMS = 260;

/** Phi(x): the share below x. */
export function normalShare(x: number): number {
  return x < 0 ? above(-x) : 1 - above(x);
}

/** The share above x, with all its digits where it is small. */
export function normalShareAbove(x: number): number {
  return x < 0 ? 1 - above(-x) : above(x);
}

/**
 * The x with so large a share below it. A start by Abramowitz and Stegun 26.2.23 (error below 5e-4), then Halley's method on the
 * tail's own share, which triples the digits each time.
 */
export function normalQuantile(share: number): number {
  if (share > 0.5) return -normalQuantile(1 - share);
  return -quantileAbove(share);
}

/** The x with so large a share above it, 0 < share <= 1/2: a small share keeps its digits. */
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
    // Of e = (Q(x) - share) / density: x + e / (1 - x e / 2); Q falls with -density.
    const e = (normalShareAbove(x) - share) * Math.sqrt(2 * Math.PI) * exp(0.5 * x * x);
    x += e / (1 - 0.5 * x * e);
  }
  return x;
}
