import { Matrix, QrDecomposition } from "ml-matrix";
import { qrSlots } from "nodrift/kernels";
import { randomMatrix, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { makePivotedQr, pivotedQr } from "../baseline/pivoted-qr.js";
import type { Contest } from "./contest.js";

/** QR of square matrices with column pivoting. */
export const pivotedQrContest: Contest = {
  name: "column-pivoted QR",
  sizes: [3, 6, 12, 24, 48, 96].map((n) => [n, n] as const),
  entrants: {
    wasm(m, n) {
      const { kernels, a, factor } = scratch({
        a: randomMatrix(seeded(n), m, n),
        factor: qrSlots(m, n),
      });
      return () => kernels.pivotedQrFactor(m, n, a.address, m, 0, factor.address);
    },
    "plain js"(m, n) {
      const a = randomMatrix(seeded(n), m, n);
      const factor = makePivotedQr(m, n);
      return () => pivotedQr(a, factor);
    },
    /** Without pivoting, which it does not support: less work. */
    "ml-matrix"(m, n) {
      const matrix = Matrix.from1DArray(n, m, randomMatrix(seeded(n), m, n)).transpose();
      return () => new QrDecomposition(matrix);
    },
  },
};
