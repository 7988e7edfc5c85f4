import type { EmbeddedTableau } from "nodrift/solve";
import { elementaryWeights, type Tree } from "./trees.js";

/** Nodes of the slopes: stages, the end of the step, and additional ones of dense output. */
export function slopeRows({ a, b, denseStages }: EmbeddedTableau): (readonly number[])[] {
  return [...a, b, ...(denseStages?.a ?? [])];
}

/** Times of the slopes in a step of length 1. */
export function slopeNodes({ c, denseStages }: EmbeddedTableau): number[] {
  return [...c, 1, ...(denseStages?.c ?? [])];
}

/** Weights with zeros for the slopes they do not name. */
export function padded(weights: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, k) => weights[k] ?? 0);
}

/** Weights of the slopes in (y(t + s h) - y(t)) / h, by the nested form of the interpolant. */
export function denseWeights(tableau: EmbeddedTableau, s: number): number[] {
  const count = slopeRows(tableau).length;
  const end = tableau.b.length;
  const b = padded(tableau.b, count);
  const first = b.map((_, k) => (k === 0 ? 1 : 0));
  const last = b.map((_, k) => (k === end ? 1 : 0));
  const rows = [
    b,
    b.map((weight, k) => first[k] - weight),
    b.map((weight, k) => 2 * weight - first[k] - last[k]),
    ...tableau.dense.map((row) => padded(row, count)),
  ];
  return b.map((_, k) =>
    rows.reduceRight((inner, row, j) => (j % 2 === 0 ? s : 1 - s) * (row[k] + inner), 0),
  );
}

/** The largest |sum_k b_k Phi_k(t) - s^order / gamma(t)| over trees t. */
export function worstResidual(
  weights: readonly number[],
  rows: readonly (readonly number[])[],
  trees: readonly Tree[],
  s = 1,
): number {
  return trees.reduce((worst, tree) => {
    const phi = elementaryWeights(tree, rows);
    const sum = weights.reduce((total, weight, k) => total + weight * phi[k], 0);
    return Math.max(worst, Math.abs(sum - s ** tree.order / tree.gamma));
  }, 0);
}
