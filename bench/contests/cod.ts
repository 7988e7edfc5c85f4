import { Matrix, SingularValueDecomposition } from "ml-matrix";
import { codSlots } from "nodrift/kernels";
import { randomMatrix, randomVector, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { codFactor, codSolve, makeCod } from "../baseline/cod.js";
import type { Contest } from "./contest.js";

/** C by rows, the layout of all entrants but ml-matrix, and a right-hand side. */
function problem(m: number, n: number) {
  const random = seeded(100 * m + n);
  return { ct: randomMatrix(random, n, m), b: randomVector(random, m) };
}

/** Factors C and solves C x = b once, in the sense of minimum norm and least squares. */
export const codContest: Contest = {
  name: "complete orthogonal decomposition, factor and solve",
  sizes: [
    [3, 4],
    [5, 6],
    [9, 9],
    [30, 60],
  ],
  entrants: {
    wasm(m, n) {
      const { kernels, ct, b, factor, x } = scratch({
        ...problem(m, n),
        factor: codSlots(m, n),
        x: n,
      });
      const { codFactorSolve } = kernels;
      const [matrix, right, record, out] = [ct, b, factor, x].map(({ address }) => address);
      return () => codFactorSolve(m, n, matrix, n, 0, right, record, out);
    },
    "plain js"(m, n) {
      const { ct, b } = problem(m, n);
      const cod = makeCod(m, n);
      const x = new Float64Array(n);
      return () => {
        codFactor(ct, cod);
        codSolve(cod, b, x);
        return x;
      };
    },
    /** It has no such decomposition, so the singular value decomposition is used. */
    "ml-matrix"(m, n) {
      const { ct, b } = problem(m, n);
      const rows = Array.from({ length: m }, (_, i) => Array.from(ct.subarray(i * n, i * n + n)));
      const matrix = new Matrix(rows);
      const right = Matrix.columnVector(b);
      return () => new SingularValueDecomposition(matrix, { autoTranspose: true }).solve(right);
    },
  },
};
