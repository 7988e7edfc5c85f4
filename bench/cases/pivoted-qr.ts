import { checkStatus, qrSlots } from "nodrift/kernels";
import { multiply, relativeDistance } from "../../test/support/matrix.js";
import { conditionedMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";
import { orthogonalityError, readQr, reorder } from "./qr.js";

export const pivotedQrCases: readonly KernelCase[] = [
  {
    name: "column-pivoted QR",
    kernels: ["pivotedQrFactor"],
    factorisation: true,
    run(random, n, condition) {
      const m = n + 1;
      const matrix = conditionedMatrix(random, m, n, condition);
      const { kernels, a, factor, q } = scratch({ a: matrix, factor: qrSlots(m, n), q: m * n });
      const status = kernels.pivotedQrFactor(m, n, a.address, m, 0, factor.address);
      checkStatus("pivotedQrFactor", status);
      checkStatus("qrForm", kernels.qrForm(m, n, n, factor.address, q.address, m));
      const { r, order } = readQr(m, n, factor.view);
      return {
        error: Math.max(
          relativeDistance(multiply(m, n, n, q.view, r), reorder(m, matrix, order)),
          orthogonalityError(m, n, q.view),
        ),
        results: [r, Float64Array.from(order), q.view],
      };
    },
  },
];
