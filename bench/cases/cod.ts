import { checkStatus, codSlots, QrHeader } from "nodrift/kernels";
import { backwardError, multiply, norm, transpose } from "../../test/support/matrix.js";
import {
  conditionedMatrix,
  type Random,
  randomMatrix,
  randomVector,
} from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";
import { leastSquaresError, orthogonalityError } from "./qr.js";

/** Factors an m x n matrix of a rank, solves with it both ways and forms its null space. */
function decompose(random: Random, m: number, n: number, condition: number, rank: number) {
  const c = conditionedMatrix(random, m, n, condition, rank);
  const { kernels, ct, factor, b, x, once, right, y, z } = scratch({
    ct: transpose(m, n, c),
    factor: codSlots(m, n),
    b: randomVector(random, m),
    x: n,
    once: n,
    right: randomMatrix(random, n, 1),
    y: m,
    z: n * n,
  });
  const at = factor.address;
  checkStatus("codFactor", kernels.codFactor(m, n, ct.address, n, 0, at));
  checkStatus("codSolve", kernels.codSolve(m, n, at, 1, b.address, m, x.address, n));
  checkStatus(
    "codSolveTransposed",
    kernels.codSolveTransposed(m, n, at, 1, right.address, n, y.address, m),
  );
  const [matrix, from, to] = [ct.address, b.address, once.address];
  checkStatus("codFactorSolve", kernels.codFactorSolve(m, n, matrix, n, 0, from, at, to));
  if (once.view.some((value, i) => value !== x.view[i])) x.view.fill(Number.NaN);
  checkStatus("codNullSpace", kernels.codNullSpace(m, n, at, z.address, n));
  const free = n - factor.view[QrHeader.RANK];
  const basis = z.view.slice(0, n * free);
  return { c, ct: ct.view, b: b.view, x: x.view, right: right.view, y: y.view, basis, free };
}

/** Deviation of Z from an orthonormal basis of the null space of C, and of x from its orthogonal complement. */
function nullSpaceError(
  m: number,
  n: number,
  { c, x, basis, free }: ReturnType<typeof decompose>,
): number {
  return Math.max(
    orthogonalityError(n, free, basis),
    norm(multiply(m, n, free, c, basis)) / norm(c),
    norm(multiply(free, n, 1, transpose(n, free, basis), x)) / (norm(x) || 1),
  );
}

export const codCases: readonly KernelCase[] = [
  {
    name: "complete orthogonal decomposition, full rank",
    kernels: ["codFactor", "codSolve", "codFactorSolve", "codNullSpace"],
    factorisation: true,
    run(random, n, condition) {
      const columns = n + 2;
      const made = decompose(random, n, columns, condition, n);
      return {
        error: Math.max(
          backwardError(n, columns, made.c, made.x, made.b),
          leastSquaresError(columns, n, made.ct, made.y, made.right),
          nullSpaceError(n, columns, made),
        ),
        results: [made.x, made.y, made.basis],
      };
    },
  },
  {
    name: "complete orthogonal decomposition, lower rank",
    kernels: ["codFactor", "codSolve", "codSolveTransposed", "codNullSpace"],
    factorisation: false,
    run(random, n) {
      const rows = n + 1;
      const made = decompose(random, rows, n, 8, Math.ceil(n / 2));
      const { c, ct, b, x, right, y } = made;
      // right . C^+ b = (C^T)^+ right . b
      const left = right.reduce((sum, value, i) => sum + value * x[i], 0);
      const same = y.reduce((sum, value, i) => sum + value * b[i], 0);
      return {
        error: Math.max(
          leastSquaresError(rows, n, c, x, b),
          leastSquaresError(n, rows, ct, y, right),
          Math.abs(left - same) / (norm(right) * norm(x) + norm(y) * norm(b)),
          nullSpaceError(rows, n, made),
        ),
        results: [x, y, made.basis],
      };
    },
  },
];
