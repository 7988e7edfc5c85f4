import {
  checkStatus,
  QrHeader,
  QrPivot,
  qrPivots,
  qrSlots,
  qrTriangle,
  qrTriangleRows,
} from "nodrift/kernels";
import {
  distance,
  identity,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** Contents of the record of an m x n matrix: R, steps x n, and the columns of A in its order. */
export function readQr(m: number, n: number, factor: Float64Array) {
  const steps = Math.min(m, n);
  const rank = factor[QrHeader.RANK];
  const pivot = (j: number, field: QrPivot) => factor[qrPivots(m, n) + j * QrPivot.LENGTH + field];
  const order = Array.from({ length: n }, (_, j) => pivot(j, QrPivot.COLUMN));
  const r = new Float64Array(steps * n);
  for (let j = 0; j < n; j++) {
    const column = qrTriangle(m, n) + order[j] * qrTriangleRows(m, n);
    for (let k = 0; k < Math.min(j, rank); k++) r[k + j * steps] = factor[column + k];
    if (j < rank) r[j + j * steps] = pivot(j, QrPivot.DIAGONAL);
  }
  const scale = factor[QrHeader.SCALE];
  return { rank, order, r: r.map((x) => x / scale) };
}

/** Columns of an m-row matrix in a given order. */
export function reorder(m: number, a: Float64Array, order: readonly number[]): Float64Array {
  const result = new Float64Array(m * order.length);
  order.forEach((from, to) => void result.set(a.subarray(from * m, from * m + m), to * m));
  return result;
}

/** |Q^T Q - I|. */
export function orthogonalityError(m: number, n: number, q: Float64Array): number {
  return distance(multiply(n, m, n, transpose(m, n, q), q), identity(n));
}

/** |A^T (A x - b)| / (|A| (|A| |x| + |b|)): how far x is from a least squares solution. */
export function leastSquaresError(
  m: number,
  n: number,
  a: Float64Array,
  x: Float64Array,
  b: Float64Array,
): number {
  const residual = multiply(m, n, 1, a, x).map((value, i) => value - b[i]);
  const gradient = multiply(n, m, 1, transpose(m, n, a), residual);
  return norm(gradient) / (norm(a) * (norm(a) * norm(x) + norm(b)) || 1);
}

export const qrCases: readonly KernelCase[] = [
  {
    name: "QR factor and least squares",
    kernels: ["qrFactor", "qrForm", "qrSolve"],
    factorisation: true,
    run(random, n, condition) {
      const m = n + 2;
      const matrix = conditionedMatrix(random, m, n, condition);
      const { kernels, a, factor, q, b, x } = scratch({
        a: matrix,
        factor: qrSlots(m, n),
        q: m * n,
        b: randomVector(random, m),
        x: n,
      });
      checkStatus("qrFactor", kernels.qrFactor(m, n, a.address, m, factor.address));
      checkStatus("qrForm", kernels.qrForm(m, n, n, factor.address, q.address, m));
      checkStatus("qrSolve", kernels.qrSolve(m, n, factor.address, b.address, x.address));
      const { r } = readQr(m, n, factor.view);
      return {
        error: Math.max(
          relativeDistance(multiply(m, n, n, q.view, r), matrix),
          orthogonalityError(m, n, q.view),
          leastSquaresError(m, n, matrix, x.view, b.view),
        ),
        results: [r, q.view, x.view],
      };
    },
  },
  {
    name: "products with Q",
    kernels: ["qrApply"],
    factorisation: false,
    run(random, n) {
      const count = 6;
      const { kernels, a, factor, b, forth, back } = scratch({
        a: randomMatrix(random, n),
        factor: qrSlots(n, n),
        b: randomMatrix(random, n, count),
        forth: n * count,
        back: n * count,
      });
      checkStatus("qrFactor", kernels.qrFactor(n, n, a.address, n, factor.address));
      const apply = (transposed: number, from: number, to: number) =>
        checkStatus(
          "qrApply",
          kernels.qrApply(n, n, factor.address, transposed, count, from, n, to, n),
        );
      apply(1, b.address, forth.address);
      apply(0, forth.address, back.address);
      return {
        error: Math.max(
          relativeDistance(back.view, b.view),
          Math.abs(norm(forth.view) / norm(b.view) - 1),
        ),
        results: [forth.view],
      };
    },
  },
];
