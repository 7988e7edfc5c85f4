// Parameters that vary together, by a Gaussian copula: shares become normal numbers, these are mixed by the Cholesky factor of the
// matrix of correlations, and become shares again. For two normal parameters the number given is their correlation itself; for
// others it is that of the normal numbers behind them.

import { NodriftError } from "../../../ground/errors.js";
import type { CorrelationOptions } from "../definition/options.js";
import { normalQuantile, normalShare } from "./normal.js";

/** Mixes shares in place. */
export type Mixer = (shares: Float64Array) => void;

/** For parameters by name, in the order of the shares. */
export function mixerOf(
  names: readonly string[],
  correlations: readonly CorrelationOptions[],
): Mixer | undefined {
  if (correlations.length === 0) return undefined;
  const n = names.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) factor[i * n + i] = 1;
  for (const { between, value } of correlations) {
    const [a, b] = between.map((name) => names.indexOf(name)) as [number, number];
    factor[a * n + b] = value;
    factor[b * n + a] = value;
  }
  factorise(factor, n, names);
  const normal = new Float64Array(n);
  const touched = names.map((name) => correlations.some(({ between }) => between.includes(name)));
  return (shares) => {
    for (let i = 0; i < n; i++) normal[i] = touched[i] ? normalQuantile(shares[i]!) : 0;
    for (let i = 0; i < n; i++) {
      if (!touched[i]) continue;
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += factor[i * n + j]! * normal[j]!;
      shares[i] = Math.min(Math.max(normalShare(sum), 2 ** -53), 1 - 2 ** -53);
    }
  };
}

/** L L^T, by rows, in the lower triangle. */
function factorise(matrix: Float64Array, n: number, names: readonly string[]): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!;
      if (i !== j) matrix[i * n + j] = sum / matrix[j * n + j]!;
      else if (sum > 1e-12) matrix[i * n + i] = Math.sqrt(sum);
      else {
        throw new NodriftError(
          "DESCRIPTION",
          `campaign: correlations of "${names[i]}" contradict the others: no such numbers exist. Bring them nearer to zero`,
        );
      }
    }
  }
}
