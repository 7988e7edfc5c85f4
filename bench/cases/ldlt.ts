import { checkStatus, LdltHeader, ldltSlots, padToTwo } from "nodrift/kernels";
import { backwardError, multiply, relativeDistance, transpose } from "../../test/support/matrix.js";
import { randomMatrix, randomVector, symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";
import { permuted } from "./lu.js";

/** The parts of a record of ldltFactor. */
export function partsOfLdlt(n: number, factor: Float64Array) {
  const ld = padToTwo(n);
  const record = factor.subarray(LdltHeader.SLOTS);
  const end = ld * n;
  const l = new Float64Array(n * n);
  const d = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    l[j + j * n] = 1;
    for (let i = j + 1; i < n; i++) l[i + j * n] = record[i + j * ld];
    d[j + j * n] = record[end + j];
    if (j + 1 < n) d[j + 1 + j * n] = d[j + (j + 1) * n] = record[end + n + j];
  }
  return { l, d, rows: record.slice(end + 2 * n, end + 3 * n), inertia: factor.slice(0, 3) };
}

/** L D L^T. */
export function productOfLdlt(n: number, l: Float64Array, d: Float64Array): Float64Array {
  return multiply(n, n, n, multiply(n, n, n, l, d), transpose(n, n, l));
}

const alternating = (i: number) => (i % 3 === 1 ? -1 : 1);

export const ldltCases: readonly KernelCase[] = [
  {
    name: "LDLT factor and solve",
    kernels: ["ldltFactor", "ldltSolve"],
    factorisation: true,
    run(random, n, condition) {
      const matrix = symmetricMatrix(random, n, condition, alternating);
      const pieces = { a: matrix, factor: ldltSlots(n), b: randomVector(random, n), x: n };
      const { kernels, a, factor, b, x } = scratch(pieces);
      checkStatus("ldltFactor", kernels.ldltFactor(n, a.address, n, factor.address));
      checkStatus("ldltSolve", kernels.ldltSolve(n, factor.address, b.address, x.address));
      const { l, d, rows, inertia } = partsOfLdlt(n, factor.view);
      return {
        error: Math.max(
          relativeDistance(productOfLdlt(n, l, d), permuted(n, matrix, rows, rows)),
          backwardError(n, n, matrix, x.view, b.view),
        ),
        results: [l, d, rows, inertia, x.view],
      };
    },
  },
  {
    name: "LDLT solves with several right sides",
    kernels: ["ldltSolveMany"],
    factorisation: false,
    run(random, n) {
      const count = 3;
      const { kernels, a, factor, b, x } = scratch({
        a: symmetricMatrix(random, n, 8, alternating),
        factor: ldltSlots(n),
        b: randomMatrix(random, n, count),
        x: n * count,
      });
      checkStatus("ldltFactor", kernels.ldltFactor(n, a.address, n, factor.address));
      const status = kernels.ldltSolveMany(n, count, factor.address, b.address, n, x.address, n);
      checkStatus("ldltSolveMany", status);
      const again = multiply(n, n, count, a.view, x.view);
      return { error: relativeDistance(again, b.view), results: [x.view] };
    },
  },
];
