import { CholeskyDecomposition, Matrix } from "ml-matrix";
import { choleskySlots } from "nodrift/kernels";
import { randomVector, seeded, symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { choleskyPlain, choleskyPlainSolve } from "../baseline/cholesky.js";
import { choleskyBlocked } from "../baseline/cholesky-blocked.js";
import type { Contest } from "./contest.js";

function problem(n: number) {
  const random = seeded(n);
  return { matrix: symmetricMatrix(random, n, 1000), right: randomVector(random, n) };
}

function javascript(factor: typeof choleskyPlain) {
  return (n: number) => {
    const { matrix, right } = problem(n);
    const l = new Float64Array(n * n);
    const x = new Float64Array(n);
    return () => {
      factor(n, matrix, l);
      choleskyPlainSolve(n, l, right, x);
      return x;
    };
  };
}

export const choleskyContest: Contest = {
  name: "Cholesky factor + solve",
  sizes: [3, 6, 12, 24, 48, 96, 192].map((n) => [n, n] as const),
  entrants: {
    wasm(n) {
      const { matrix, right } = problem(n);
      const memory = scratch({ a: matrix, factor: choleskySlots(n), b: right, x: n });
      const { choleskyFactorSolve } = memory.kernels;
      const [a, factor, b, x] = [memory.a, memory.factor, memory.b, memory.x].map((p) => p.address);
      return () => choleskyFactorSolve(n, a, n, b, factor, x);
    },
    "plain js": javascript(choleskyPlain),
    "blocked js": javascript(choleskyBlocked),
    "ml-matrix"(n) {
      const { matrix, right } = problem(n);
      const a = Matrix.from1DArray(n, n, matrix);
      const b = Matrix.columnVector(right);
      return () => new CholeskyDecomposition(a).solve(b);
    },
  },
};
