import { stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { failed } from "../../base/wasm/status.js";
import type { OdeJacobian, ShiftedSolver, SparseOdeJacobian } from "../../interfaces/index.js";
import { SparseMatrix } from "./sparse-lu.js";

/** Minimum number of unknowns of a sparse matrix, and the fill ratio from which it is treated as dense. */
const MIN_SPARSE_UNKNOWNS = 16;
const MAX_SPARSE_FILL = 1 / 6;

/** Whether I - alpha df/dy with `count` nonzeros in df/dy is treated as a sparse matrix. */
export function isSparse(n: number, count: number): boolean {
  return n >= MIN_SPARSE_UNKNOWNS && count + n < MAX_SPARSE_FILL * n * n;
}

/**
 * Returns a sparse df/dy. I - alpha df/dy is one sparse matrix with entries 1 and -alpha df/dy. The real and the
 * complex matrix use the same pivots, those of the real one.
 */
export function sparseJacobian(
  { places, evaluate }: SparseOdeJacobian,
  n: number,
  workspace: Workspace,
): OdeJacobian {
  const stiff = stiffMemory(workspace);
  const most = n + places.length;
  const matrix = new SparseMatrix(workspace, "I - alpha J", n, most);
  const values = workspace.vector("numbers of the Jacobian", places.length);
  const one = workspace.constants("one of the Jacobian", [1]);
  const powers = workspace.reserve("powers of alpha", Math.ceil(most / 2));
  const factors = workspace.reserve("factors of the Jacobian", most);
  workspace.whenSealed((arena) => {
    const [power, factor] = [arena.integers(powers), arena.floats(factors)];
    for (let i = 0; i < n; i++) matrix.add(i, i, one, 1);
    for (const [k, [row, column]] of places.entries()) matrix.add(row, column, values + 8 * k, -1);
    power.fill(0, 0, n).fill(1, n, most);
    factor.fill(1, 0, n).fill(-1, n, most);
  });
  const factorReal = (alpha: number, scales: number) => {
    stiff.kernels.sparseShift(matrix.table, alpha, powers.address, factors.address, scales);
    return matrix.factor() < 0;
  };

  function real(): ShiftedSolver {
    const scales = workspace.vector("scales of rows", n);
    const right = workspace.vector("scaled right side", n);
    return {
      factor: (alpha) => factorReal(alpha, scales),
      solve(b, x) {
        workspace.kernels.multiplyEach(n, b, scales, right);
        matrix.solve(right, x);
      },
    };
  }

  function complex(): ShiftedSolver {
    const twin = matrix.complexTwin();
    const scales = workspace.vector("scales of complex rows", n);
    const right = workspace.vector("scaled complex right side", 2 * n);
    return {
      factor(re, im) {
        const { kernels } = stiff;
        if (!matrix.isChosen && !factorReal(Math.sqrt(re * re + im * im), scales)) return false;
        const table = twin.take();
        kernels.complexSparseShift(table, re, im, powers.address, factors.address, scales);
        return !failed(kernels.complexSparseLuFactor(table));
      },
      solve(b, x) {
        const { kernels } = workspace;
        kernels.multiplyEach(n, b, scales, right);
        kernels.multiplyEach(n, b + 8 * n, scales, right + 8 * n);
        stiff.kernels.complexSparseLuSolve(twin.take(), right, x);
      },
    };
  }

  return {
    source: "analytic, sparse",
    evaluate: (t) => evaluate(t, values),
    shifted: (isComplex) => (isComplex ? complex() : real()),
  };
}
