import { checkStatus, choleskySlots, padToFour } from "nodrift/kernels";
import { backwardError, multiply, relativeDistance, transpose } from "../../test/support/matrix.js";
import { randomMatrix, randomVector, symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** The lower triangle of a Cholesky factor, as an n x n matrix. */
export function lowerTriangle(n: number, factor: Float64Array): Float64Array {
  const p = padToFour(n);
  const l = new Float64Array(n * n);
  for (let j = 0; j < n; j++) for (let i = j; i < n; i++) l[i + j * n] = factor[i + j * p];
  return l;
}

export const choleskyCases: readonly KernelCase[] = [
  {
    name: "Cholesky factor and solve",
    kernels: ["choleskyFactor", "choleskySolve", "choleskyFactorSolve"],
    factorisation: true,
    run(random, n, condition) {
      const matrix = symmetricMatrix(random, n, condition);
      const { kernels, a, factor, b, x, once } = scratch({
        a: matrix,
        factor: choleskySlots(n),
        b: randomVector(random, n),
        x: n,
        once: n,
      });
      checkStatus("choleskyFactor", kernels.choleskyFactor(n, a.address, n, factor.address));
      checkStatus("choleskySolve", kernels.choleskySolve(n, factor.address, b.address, x.address));
      checkStatus(
        "choleskyFactorSolve",
        kernels.choleskyFactorSolve(n, a.address, n, b.address, factor.address, once.address),
      );
      const l = lowerTriangle(n, factor.view);
      const product = multiply(n, n, n, l, transpose(n, n, l));
      return {
        error: Math.max(
          relativeDistance(product, matrix),
          backwardError(n, n, matrix, x.view, b.view),
          relativeDistance(once.view, x.view),
        ),
        results: [l, x.view],
      };
    },
  },
  {
    name: "Cholesky solves with several right sides",
    kernels: ["choleskySolveMany", "choleskyForward", "choleskyBackward"],
    factorisation: false,
    run(random, n) {
      const count = 3;
      const { kernels, a, factor, b, whole, half, halves } = scratch({
        a: symmetricMatrix(random, n, 8),
        factor: choleskySlots(n),
        b: randomMatrix(random, n, count),
        whole: n * count,
        half: n * count,
        halves: n * count,
      });
      checkStatus("choleskyFactor", kernels.choleskyFactor(n, a.address, n, factor.address));
      const solve =
        (name: "choleskySolveMany" | "choleskyForward" | "choleskyBackward") =>
        (from: number, to: number) =>
          checkStatus(name, kernels[name](n, count, factor.address, from, n, to, n));
      solve("choleskySolveMany")(b.address, whole.address);
      solve("choleskyForward")(b.address, half.address);
      solve("choleskyBackward")(half.address, halves.address);
      return {
        error: Math.max(
          relativeDistance(multiply(n, n, count, a.view, whole.view), b.view),
          relativeDistance(halves.view, whole.view),
        ),
        results: [whole.view, half.view],
      };
    },
  },
];
