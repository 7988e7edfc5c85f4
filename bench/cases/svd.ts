import {
  checkStatus,
  padToTwo,
  statusIndex,
  svdLeftSlot,
  svdRightSlot,
  svdSlots,
} from "nodrift/kernels";
import {
  distance,
  identity,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import { conditionedMatrix, randomMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** Columns of a panel whose leading dimension is padded to two, as a matrix. */
export function panel(
  rows: number,
  columns: number,
  record: Float64Array,
  slot: number,
): Float64Array {
  const ld = padToTwo(rows);
  const a = new Float64Array(rows * columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) a[i + j * rows] = record[slot + i + j * ld];
  }
  return a;
}

/** Singular vectors of a decomposition: min(m, n) columns each. */
export function singularVectors(m: number, n: number, factor: Float64Array) {
  const count = Math.min(m, n);
  return {
    u: panel(m, count, factor, svdLeftSlot(m, n)),
    v: panel(n, count, factor, svdRightSlot(m, n)),
  };
}

/** |Q^T Q - I| of an m x n matrix Q. */
export function orthogonalityError(m: number, n: number, q: Float64Array): number {
  return distance(multiply(n, m, n, transpose(m, n, q), q), identity(n));
}

/** V diag(s) W^T, with V m x k and W n x k. */
export function composed(
  m: number,
  n: number,
  v: Float64Array,
  s: Float64Array,
  w: Float64Array,
): Float64Array {
  const k = s.length;
  const scaled = v.map((x, i) => x * s[Math.floor(i / m)]);
  return multiply(m, k, n, scaled, transpose(n, k, w));
}

/** Square, long and wide matrices in turn. */
function sizeFor(size: number): [m: number, n: number] {
  const more = size + (size >> 1);
  return [size % 3 === 1 ? more : size, size % 3 === 2 ? more : size];
}

export const svdCases: readonly KernelCase[] = [
  {
    name: "singular value decomposition",
    kernels: ["svdFactor", "svdValues"],
    factorisation: true,
    run(random, size, condition) {
      const [m, n] = sizeFor(size);
      const matrix = conditionedMatrix(random, m, n, condition);
      const { kernels, a, factor, s } = scratch({
        a: matrix,
        factor: svdSlots(m, n),
        s: Math.min(m, n),
      });
      checkStatus("svdFactor", kernels.svdFactor(m, n, a.address, m, factor.address));
      checkStatus("svdValues", kernels.svdValues(m, n, factor.address, s.address));
      const { u, v } = singularVectors(m, n, factor.view);
      return {
        error: Math.max(
          relativeDistance(composed(m, n, u, s.view, v), matrix),
          orthogonalityError(m, s.view.length, u),
          orthogonalityError(n, s.view.length, v),
        ),
        results: [s.view, u, v],
      };
    },
  },
  {
    name: "pseudoinverse, least squares and null space",
    kernels: ["svdFactor", "svdRank", "svdPseudoinverse", "svdSolve", "svdNullSpace"],
    factorisation: false,
    run(random, size) {
      const [m, n] = sizeFor(size);
      const count = 2;
      const rank = (Math.min(m, n) + 1) >> 1;
      const matrix = conditionedMatrix(random, m, n, 8, rank);
      const { kernels, a, factor, inverse, b, x, z } = scratch({
        a: matrix,
        factor: svdSlots(m, n),
        inverse: n * m,
        b: randomMatrix(random, m, count),
        x: n * count,
        z: n * (n - rank),
      });
      const record = factor.address;
      checkStatus("svdFactor", kernels.svdFactor(m, n, a.address, m, record));
      if (kernels.svdRank(m, n, record, 0) !== rank) return { error: 1, results: [] };
      const status = checkStatus(
        "svdPseudoinverse",
        kernels.svdPseudoinverse(m, n, record, 0, inverse.address, n),
      );
      checkStatus("svdSolve", kernels.svdSolve(m, n, record, 0, count, b.address, m, x.address, n));
      checkStatus("svdNullSpace", kernels.svdNullSpace(m, n, record, 0, z.address, n));
      const again = multiply(m, n, m, matrix, inverse.view);
      const free = n - rank;
      return {
        error: Math.max(
          rank < Math.min(m, n) ? Math.abs(statusIndex(status) - rank) : 0,
          relativeDistance(multiply(m, m, n, again, matrix), matrix),
          relativeDistance(multiply(n, m, count, inverse.view, b.view), x.view),
          norm(multiply(m, n, free, matrix, z.view)) / norm(matrix),
          orthogonalityError(n, free, z.view),
        ),
        results: [inverse.view, x.view, z.view],
      };
    },
  },
];
