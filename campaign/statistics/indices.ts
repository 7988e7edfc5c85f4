// Variance-based sensitivity: the contribution of each parameter to the variance of an output.

import { hashed } from "../design/random.js";
import type { Ledger } from "../journal/ledger.js";

/** Sobol's indices of a parameter. */
export interface SobolIndex {
  /** First-order index: the fraction of the variance that would vanish if the parameter were known. */
  readonly first: number;
  /** Total index: the fraction of the variance that would remain if all other parameters were known. */
  readonly total: number;
  /** Half-widths of 95 % confidence intervals, by the bootstrap. */
  readonly firstError: number;
  readonly totalError: number;
}

/** Number of bootstrap samples. */
const SAMPLES = 100;
const NORMAL_QUANTILE_975 = 1.96;

/**
 * Computes indices by parameter from a design of type "sensitivity". Blocks with a failed case are ignored. Undefined for other
 * designs, and if fewer than two blocks are complete.
 *
 * First order by Saltelli et al. 2010 (their table 2, b), with centred outputs, which removes most of the noise; total by
 * M. J. W. Jansen, Comput. Phys. Commun. 117 (1999) 35-43:
 *
 *   S_j = mean(f(b) (f(a with b_j) - f(a))) / V,   T_j = mean((f(a) - f(a with b_j))^2) / (2 V)
 */
export function sobolIndices(
  ledger: Ledger,
  column: string,
): Record<string, SobolIndex> | undefined {
  const { plan } = ledger;
  if (plan.definition.design.type !== "sensitivity") return undefined;
  const free = plan.definition.parameters.filter(({ formula }) => formula === undefined);
  const names = free.map(({ name }) => name);
  const blocks = blocksOf(ledger, plan.columns.indexOf(column), names.length + 2);
  if (blocks.length < 2) return undefined;
  const estimates = estimate(blocks, names.length);
  const spread = Array.from({ length: SAMPLES }, (_, k) =>
    estimate(
      blocks.map((_, i) => blocks[hashed(7, k, i) % blocks.length]!),
      names.length,
    ),
  );
  const error = (read: (one: Estimates) => number) =>
    NORMAL_QUANTILE_975 * deviationOf(spread.map(read).filter(Number.isFinite));
  return Object.fromEntries(
    names.map((name, j) => [
      name,
      {
        first: estimates.first[j]!,
        total: estimates.total[j]!,
        firstError: error(({ first }) => first[j]!),
        totalError: error(({ total }) => total[j]!),
      },
    ]),
  );
}

interface Estimates {
  readonly first: readonly number[];
  readonly total: readonly number[];
}

function blocksOf(ledger: Ledger, column: number, width: number): readonly Float64Array[] {
  const blocks: Float64Array[] = [];
  let block = new Float64Array(width).fill(Number.NaN);
  const end = Math.floor(ledger.count / width) * width;
  for (let i = 0; i < end; i++) {
    const result = ledger.result(i);
    const value = result?.status === "done" ? result.outputs[column] : undefined;
    block[i % width] = value ?? Number.NaN;
    if (i % width < width - 1) continue;
    if (!block.some(Number.isNaN)) blocks.push(block);
    block = new Float64Array(width).fill(Number.NaN);
  }
  return blocks;
}

function estimate(blocks: readonly Float64Array[], count: number): Estimates {
  const n = blocks.length;
  let mean = 0;
  for (const block of blocks) mean += (block[0]! + block[1]!) / (2 * n);
  let variance = 0;
  for (const block of blocks)
    variance += ((block[0]! - mean) ** 2 + (block[1]! - mean) ** 2) / (2 * n);
  const [first, total] = [new Array<number>(count).fill(0), new Array<number>(count).fill(0)];
  for (const block of blocks) {
    for (let j = 0; j < count; j++) {
      const change = block[j + 2]! - block[0]!;
      first[j]! += ((block[1]! - mean) * change) / (n * variance);
      total[j]! += (change * change) / (2 * n * variance);
    }
  }
  return { first, total };
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
