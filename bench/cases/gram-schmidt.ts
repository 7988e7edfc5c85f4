import { checkStatus } from "nodrift/kernels";
import { multiply, relativeDistance, transpose } from "../../test/support/matrix.js";
import { conditionedMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";
import { orthogonalityError } from "./qr.js";

export const gramSchmidtCases: readonly KernelCase[] = [
  {
    name: "Gram-Schmidt, twice",
    kernels: ["gramSchmidt"],
    factorisation: true,
    run(random, n, condition) {
      const m = n + 3;
      const matrix = conditionedMatrix(random, m, n, condition);
      const { kernels, a, q, kept } = scratch({ a: matrix, q: m * n, kept: n + 1 });
      const status = kernels.gramSchmidt(m, n, a.address, m, 0, q.address, m, kept.address);
      checkStatus("gramSchmidt", status);
      const count = kept.view[0];
      const basis = q.view.slice(0, m * count);
      const products = multiply(count, m, n, transpose(m, count, basis), matrix);
      return {
        error: Math.max(
          orthogonalityError(m, count, basis),
          relativeDistance(multiply(m, count, n, basis, products), matrix),
        ),
        results: [basis, kept.view],
      };
    },
  },
];
