// Solutions with a sparse factor compared with a reference inverse.

import { expect } from "vitest";
import { naiveInverse, oneNorm } from "../oracles/lu.js";
import { randomVector, seeded } from "./random.js";
import type { Sparse } from "./sparse-lu.js";

/** The inverse, transposed if wanted, and its condition. */
function naive(n: number, m: Sparse, transposed: boolean) {
  const a = m.dense();
  const inverse = naiveInverse(n, a);
  const condition = oneNorm(n, a) * oneNorm(n, inverse);
  const at = (i: number, j: number) => inverse[transposed ? j + n * i : i + n * j];
  return { at, condition };
}

/** The largest error of x = A^-1 b in units of condition times rounding. */
function errorOf(
  n: number,
  { at, condition }: ReturnType<typeof naive>,
  b: Float64Array,
  x: Float64Array,
) {
  let [worst, largest] = [0, 0];
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += at(i, j) * b[j];
    worst = Math.max(worst, Math.abs(sum - x[i]));
    largest = Math.max(largest, Math.abs(sum));
  }
  return worst / (largest * condition * n * Number.EPSILON);
}

/** Solves with A and A^T, vectors and rows, and asserts that all agree with the reference inverse. */
export function expectSolutions(m: Sparse, n: number, seed: number): void {
  const { kernels, table, take } = m;
  const b = take(randomVector(seeded(seed), n));
  const given = b.slice();
  const x = take(new Float64Array(n));
  for (const transposed of [false, true]) {
    const inverse = naive(n, m, transposed);
    const solve = transposed ? kernels.sparseLuSolveTransposed : kernels.sparseLuSolve;
    solve(table, b.byteOffset, x.byteOffset);
    expect(errorOf(n, inverse, given, x)).toBeLessThan(10);
    expect(b).toEqual(given);
    const same = take(b);
    solve(table, same.byteOffset, same.byteOffset);
    expect(same).toEqual(x);
    for (const stride of [2, 6]) {
      const solveRows = transposed
        ? kernels.sparseLuSolveRowsTransposed
        : kernels.sparseLuSolveRows;
      const rows = take(randomVector(seeded(seed + 1), n * stride));
      const before = rows.slice();
      const out = take(new Float64Array(n * stride));
      const scratch = take(new Float64Array(n * stride));
      solveRows(table, stride, rows.byteOffset, out.byteOffset, scratch.byteOffset);
      expect(rows).toEqual(before);
      const column = (all: Float64Array, k: number) => all.filter((_, i) => i % stride === k);
      for (let k = 0; k < stride; k++) {
        expect(errorOf(n, inverse, column(rows, k), column(out, k))).toBeLessThan(10);
      }
      solveRows(table, stride, rows.byteOffset, rows.byteOffset, scratch.byteOffset);
      expect(rows).toEqual(out);
    }
  }
}
