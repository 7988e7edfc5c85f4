import { luSlots } from "../../../assembly/layout.js";
import type { Address } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { checkLimits } from "../../base/run-limits.js";
import { failed } from "../../base/wasm/status.js";
import type { Ode, OdeJacobian, ShiftedSolver, SparseOdeJacobian } from "../../interfaces/index.js";
import { SparseMatrix } from "./sparse-lu.js";

/**
 * Steps of one-sided differences: sqrt(UNIT_ROUNDOFF max(|y|, MIN_SCALE)), as in the codes of Hairer and Wanner, but
 * larger near zero, as f of stiff systems is too rough for small steps.
 */
const UNIT_ROUNDOFF = 2 ** -53;
const MIN_SCALE = 1e-3;

/** Returns the increment of a variable for a one-sided difference. */
export function differenceStep(value: number): number {
  return Math.sqrt(UNIT_ROUNDOFF * Math.max(Math.abs(value), MIN_SCALE));
}

/** Returns df/dy as a matrix by one-sided finite differences, with `dimension` evaluations of f. */
export function differencedJacobian(ode: Ode, workspace: Workspace, why = ""): OdeJacobian {
  const { dimension: n } = ode;
  const matrix = workspace.vector("Jacobian", n * n);
  const at = workspace.vector("state of the Jacobian", n);
  const trial = workspace.reserve("trial of the Jacobian", 0);
  let y = new Float64Array(0);
  workspace.whenSealed((arena) => {
    y = arena.floats({ ...trial, address: ode.trial, slots: n });
  });

  return {
    source: `by differences${why === "" ? "" : `: ${why}`}`,
    evaluate(t, f) {
      const { kernels } = workspace;
      kernels.copyVector(n, ode.trial, at);
      for (let j = 0; j < n; j++) {
        checkLimits();
        const value = y[j] as number;
        y[j] = value + differenceStep(value);
        // The increment after rounding.
        const exact = (y[j] as number) - value;
        const column = matrix + 8 * n * j;
        ode.rate(t, column);
        kernels.axpy(n, -1, f, column, column);
        kernels.axpy(n, 1 / exact - 1, column, column, column);
        kernels.copyVector(n, at, ode.trial);
      }
    },
    shifted: (complex) => denseShifted(n, matrix, complex, workspace),
  };
}

/** Returns a solver with I - alpha J for a column-major matrix J. */
export function denseShifted(
  n: number,
  matrix: Address,
  complex: boolean,
  workspace: Workspace,
): ShiftedSolver {
  const stiff = stiffMemory(workspace);
  return complex
    ? complexShifted(n, matrix, workspace, stiff)
    : realShifted(n, matrix, workspace, stiff);
}

function realShifted(
  n: number,
  matrix: Address,
  workspace: Workspace,
  stiff: StiffMemory,
): ShiftedSolver {
  const shifted = workspace.vector("I - alpha J", n * n);
  const factor = workspace.vector("factor of I - alpha J", luSlots(n));
  return {
    dense: { matrix, factor, work: shifted, pivots: factor },
    factor(real) {
      stiff.kernels.realShifted(n, real, matrix, shifted);
      return !failed(stiff.kernels.luFactor(n, shifted, n, factor));
    },
    solve(b, x) {
      // Pass non-finite right-hand sides through, so that NaN is detected.
      if (!failed(stiff.kernels.luSolve(n, factor, b, x))) return;
      workspace.kernels.copyVector(n, b, x);
    },
  };
}

function complexShifted(
  n: number,
  matrix: Address,
  workspace: Workspace,
  stiff: StiffMemory,
): ShiftedSolver {
  const factor = workspace.vector("complex I - alpha J", 2 * n * n);
  const pivots = workspace.vector("pivots of complex I - alpha J", n);
  const scratch = workspace.vector("scratch of complex solves", 2 * n);
  return {
    dense: { matrix, factor, work: scratch, pivots },
    factor(real, imaginary) {
      stiff.kernels.complexShifted(n, real, imaginary, matrix, factor);
      return !failed(stiff.kernels.complexLuFactor(n, factor, pivots));
    },
    solve: (b, x) => stiff.kernels.complexLuSolve(n, factor, pivots, b, x, scratch),
  };
}

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
