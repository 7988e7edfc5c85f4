import {
  checkStatus,
  FullPivotLuHeader,
  fullPivotLuSlots,
  fullPivotLuStride,
  LuHeader,
  luSlots,
  padToFour,
  padToTwo,
} from "nodrift/kernels";
import {
  backwardError,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** L and U of stored triangles, L m x r and U r x n; the diagonal of U is stored as reciprocals. */
export function lowerAndUpper(m: number, n: number, r: number, lu: Float64Array, ld: number) {
  const l = new Float64Array(m * r);
  const u = new Float64Array(r * n);
  for (let j = 0; j < r; j++) {
    l[j + j * m] = 1;
    for (let i = j + 1; i < m; i++) l[i + j * m] = lu[i + j * ld];
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < r && i <= j; i++) {
      u[i + j * r] = i === j ? 1 / lu[i + j * ld] : lu[i + j * ld];
    }
  }
  return { l, u };
}

/** The parts of a record of luFactor. */
export function partsOfLu(n: number, factor: Float64Array) {
  const p = padToFour(n);
  const lu = factor.subarray(LuHeader.SLOTS);
  return { ...lowerAndUpper(n, n, n, lu, p), rows: lu.slice(p * p, p * p + n) };
}

/** The parts of a record of fullPivotLuFactor. */
export function partsOfFullPivotLu(m: number, n: number, factor: Float64Array) {
  const start = FullPivotLuHeader.SLOTS;
  const rank = factor[FullPivotLuHeader.RANK];
  const lu = factor.subarray(start + padToTwo(m + n));
  return {
    rank,
    reciprocalCondition: factor[FullPivotLuHeader.RECIPROCAL_CONDITION],
    rows: factor.slice(start, start + m),
    columns: factor.slice(start + m, start + m + n),
    ...lowerAndUpper(m, n, rank, lu, fullPivotLuStride(m)),
  };
}

/** A with rows and columns taken in an order. */
export function permuted(
  m: number,
  a: Float64Array,
  rows: Float64Array,
  columns: Float64Array,
): Float64Array {
  const b = new Float64Array(rows.length * columns.length);
  for (let j = 0; j < columns.length; j++) {
    for (let i = 0; i < rows.length; i++) b[i + j * rows.length] = a[rows[i] + columns[j] * m];
  }
  return b;
}

const inOrder = (n: number) => Float64Array.from({ length: n }, (_, i) => i);

export const luCases: readonly KernelCase[] = [
  {
    name: "LU factor and solve",
    kernels: ["luFactor", "luSolve"],
    factorisation: true,
    run(random, n, condition) {
      const matrix = conditionedMatrix(random, n, n, condition);
      const pieces = { a: matrix, factor: luSlots(n), b: randomVector(random, n), x: n };
      const { kernels, a, factor, b, x } = scratch(pieces);
      checkStatus("luFactor", kernels.luFactor(n, a.address, n, factor.address));
      checkStatus("luSolve", kernels.luSolve(n, factor.address, b.address, x.address));
      const { l, u, rows } = partsOfLu(n, factor.view);
      const product = multiply(n, n, n, l, u);
      return {
        error: Math.max(
          relativeDistance(product, permuted(n, matrix, rows, inOrder(n))),
          backwardError(n, n, matrix, x.view, b.view),
        ),
        results: [l, u, rows, x.view],
      };
    },
  },
  {
    name: "LU solves with several right sides and the transpose, condition",
    kernels: ["luSolveMany", "luSolveTransposed", "luReciprocalCondition"],
    factorisation: false,
    run(random, n) {
      const count = 3;
      const { kernels, a, factor, b, x, y } = scratch({
        a: conditionedMatrix(random, n, n, 8),
        factor: luSlots(n),
        b: randomMatrix(random, n, count),
        x: n * count,
        y: n,
      });
      checkStatus("luFactor", kernels.luFactor(n, a.address, n, factor.address));
      const many = kernels.luSolveMany(n, count, factor.address, b.address, n, x.address, n);
      checkStatus("luSolveMany", many);
      const back = kernels.luSolveTransposed(n, factor.address, b.address, y.address);
      checkStatus("luSolveTransposed", back);
      const reciprocal = kernels.luReciprocalCondition(n, factor.address);
      const first = b.view.subarray(0, n);
      return {
        error: Math.max(
          relativeDistance(multiply(n, n, count, a.view, x.view), b.view),
          relativeDistance(multiply(n, n, 1, transpose(n, n, a.view), y.view), first),
          // Singular values between 1/8 and 1: the 1-norms differ from the 2-norms by sqrt(n).
          reciprocal <= 1 + 1e-14 && reciprocal >= 1 / (8 * n) ? 0 : 1,
        ),
        results: [x.view, y.view, Float64Array.of(reciprocal)],
      };
    },
  },
  {
    name: "Full-pivot LU factor and solve",
    kernels: ["fullPivotLuFactor", "fullPivotLuSolve"],
    factorisation: true,
    run(random, n, condition) {
      const matrix = conditionedMatrix(random, n, n, condition);
      const pieces = {
        a: matrix,
        factor: fullPivotLuSlots(n, n),
        b: randomVector(random, n),
        x: n,
      };
      const { kernels, a, factor, b, x } = scratch(pieces);
      const status = kernels.fullPivotLuFactor(n, n, a.address, n, 0, factor.address);
      checkStatus("fullPivotLuFactor", status);
      const solved = kernels.fullPivotLuSolve(n, factor.address, b.address, x.address);
      checkStatus("fullPivotLuSolve", solved);
      const { l, u, rows, columns, reciprocalCondition } = partsOfFullPivotLu(n, n, factor.view);
      const product = multiply(n, n, n, l, u);
      return {
        error: Math.max(
          relativeDistance(product, permuted(n, matrix, rows, columns)),
          backwardError(n, n, matrix, x.view, b.view),
        ),
        results: [l, u, rows, columns, x.view, Float64Array.of(reciprocalCondition)],
      };
    },
  },
  {
    name: "Full-pivot LU null space",
    kernels: ["fullPivotLuNullSpace"],
    factorisation: false,
    run(random, n) {
      const m = n >> 1;
      const { kernels, a, factor, z } = scratch({
        a: conditionedMatrix(random, m, n, 8),
        factor: fullPivotLuSlots(m, n),
        z: n * (n - m),
      });
      const status = kernels.fullPivotLuFactor(m, n, a.address, m, 0, factor.address);
      checkStatus("fullPivotLuFactor", status);
      const found = kernels.fullPivotLuNullSpace(m, n, factor.address, z.address, n);
      checkStatus("fullPivotLuNullSpace", found);
      const product = multiply(m, n, n - m, a.view, z.view);
      return { error: norm(product) / (norm(a.view) * norm(z.view) || 1), results: [z.view] };
    },
  },
];
