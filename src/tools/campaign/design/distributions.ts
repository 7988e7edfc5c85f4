// Distributions as functions from a share in (0, 1) to a value: their quantiles. A design places shares evenly; the quantile
// gives them their distribution.

import { elementary } from "../../../ground/wasm/elementary.js";
import type { ParameterOptions } from "../definition/options.js";
import { normalQuantile, normalQuantileAbove, normalShare, normalShareAbove } from "./normal.js";

/** A distribution. */
export interface Distribution {
  /** The value with so large a share of all values below it. */
  quantile(share: number): number;
}

/** What a parameter is drawn from; undefined for those that are listed or computed. */
export function distributionOf(parameter: ParameterOptions): Distribution | undefined {
  const { uniform, normal, logNormal, within } = parameter;
  if (uniform) {
    const [low, high] = uniform;
    return { quantile: (share) => low + (high - low) * share };
  }
  if (normal) return normalOf(normal.mean, normal.deviation, within);
  if (logNormal) {
    const { exp, log } = elementary();
    const bounds =
      within &&
      ([within[0] > 0 ? log(within[0]) : Number.NEGATIVE_INFINITY, log(within[1])] as const);
    const inner = normalOf(logNormal.meanOfLog, logNormal.deviationOfLog, bounds);
    return { quantile: (share) => clamped(exp(inner.quantile(share)), within) };
  }
  return undefined;
}

/**
 * Normal, or that part of it which lies within bounds. Shares are counted from the nearer tail: from the other side a tail has lost
 * its digits.
 */
function normalOf(
  mean: number,
  deviation: number,
  within: readonly [number, number] | undefined,
): Distribution {
  if (!within) return { quantile: (share) => mean + deviation * normalQuantile(share) };
  const [low, high] = within.map((bound) => (bound - mean) / deviation) as [number, number];
  if (low > 0) {
    const [most, least] = [normalShareAbove(low), normalShareAbove(high)];
    return {
      quantile: (share) =>
        clamped(mean + deviation * normalQuantileAbove(most - share * (most - least)), within),
    };
  }
  const [least, most] = [normalShare(low), normalShare(high)];
  return {
    quantile: (share) =>
      clamped(mean + deviation * normalQuantile(least + share * (most - least)), within),
  };
}

/** Rounding must not leave the bounds. */
function clamped(value: number, within: readonly [number, number] | undefined): number {
  return within ? Math.min(Math.max(value, within[0]), within[1]) : value;
}
