import { Matrix, pseudoInverse } from "ml-matrix";
import { svdSlots } from "nodrift/kernels";
import { randomMatrix, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { plainPseudoinverse } from "../baseline/svd.js";
import type { Contest } from "./contest.js";

function numbers(m: number, n: number): Float64Array {
  return randomMatrix(seeded(m + 100 * n), m, n);
}

/** Decomposition and explicit pseudoinverse; rank by the same rule everywhere. */
export const svdContest: Contest = {
  name: "SVD pseudoinverse",
  sizes: [
    [3, 3],
    [6, 6],
    [9, 9],
    [12, 12],
    [24, 24],
    [48, 48],
    [30, 60],
  ],
  entrants: {
    wasm(m, n) {
      const { kernels, a, factor, x } = scratch({
        a: numbers(m, n),
        factor: svdSlots(m, n),
        x: n * m,
      });
      return () => {
        kernels.svdFactor(m, n, a.address, m, factor.address);
        kernels.svdPseudoinverse(m, n, factor.address, 0, x.address, n);
        return x.view;
      };
    },
    "plain js"(m, n) {
      const run = plainPseudoinverse(m, n);
      const a = numbers(m, n);
      const x = new Float64Array(n * m);
      return () => {
        run(a, x);
        return x;
      };
    },
    "ml-matrix"(m, n) {
      const a = numbers(m, n);
      const matrix = new Matrix(m, n);
      for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) matrix.set(i, j, a[i + j * m]);
      return () => pseudoInverse(matrix);
    },
  },
};
