// Main effects: the mean of an output for each slice of a parameter, over all else. Any design has them; where parameters vary
// independently, the variance of these means is about the first of Sobol's indices.

import type { CaseResult } from "../cases/result.js";
import { Running } from "../journal/running.js";

/** Slices of a parameter. */
const SLICES = 10;

/** The mean of an output in a slice of a parameter. */
export interface Slice {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly standardError: number;
  readonly count: number;
}

/** Slices with about as many cases in each; values that are the same stay together. */
export function mainEffect(
  results: readonly Extract<CaseResult, { status: "done" }>[],
  parameter: number,
  column: number,
): { readonly slices: readonly Slice[]; readonly share: number } {
  const pairs = results
    .map(({ parameters, outputs }) => [parameters[parameter]!, outputs[column]] as const)
    .filter((pair): pair is readonly [number, number] => pair[1] !== null && pair[1] !== undefined)
    .sort((a, b) => a[0] - b[0]);
  const all = new Running();
  for (const [, y] of pairs) all.add(y);
  const slices: Slice[] = [];
  const distinct = new Set(pairs.map(([x]) => x)).size;
  const least = Math.ceil(pairs.length / Math.min(SLICES, distinct));
  for (let i = 0; i < pairs.length; ) {
    const running = new Running();
    const from = pairs[i]![0];
    let to = from;
    for (; i < pairs.length && (running.count < least || pairs[i]![0] === to); i++) {
      if (distinct <= SLICES && pairs[i]![0] !== from) break;
      to = pairs[i]![0];
      running.add(pairs[i]![1]);
    }
    slices.push({
      from,
      to,
      mean: running.mean,
      standardError: running.standardError,
      count: running.count,
    });
  }
  let between = 0;
  for (const { mean, count } of slices) between += (count * (mean - all.mean) ** 2) / pairs.length;
  // Means of few cases differ by chance: what chance brings is taken off.
  let chance = 0;
  for (const { standardError, count } of slices) {
    if (count > 1) chance += (count * standardError ** 2) / pairs.length;
  }
  const share = Math.max(0, (between - chance) / all.variance);
  return { slices, share: Number.isFinite(share) ? share : 0 };
}
