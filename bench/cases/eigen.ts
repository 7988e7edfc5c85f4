import { checkStatus, eigenSlots, statusIndex } from "nodrift/kernels";
import { multiply, norm, relativeDistance } from "../../test/support/matrix.js";
import { symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";
import { composed, orthogonalityError } from "./svd.js";

export const eigenCases: readonly KernelCase[] = [
  {
    name: "symmetric eigenvalues and eigenvectors",
    kernels: ["eigenFactor", "eigenValues", "eigenVectors"],
    factorisation: true,
    run(random, n, condition) {
      const matrix = symmetricMatrix(random, n, condition, (i) => (i % 2 === 0 ? 1 : -1));
      const { kernels, a, factor, values, vectors } = scratch({
        a: matrix,
        factor: eigenSlots(n),
        values: n,
        vectors: n * n,
      });
      checkStatus("eigenFactor", kernels.eigenFactor(n, a.address, n, factor.address));
      checkStatus("eigenValues", kernels.eigenValues(n, factor.address, values.address));
      checkStatus("eigenVectors", kernels.eigenVectors(n, factor.address, vectors.address, n));
      const z = vectors.view;
      return {
        error: Math.max(
          relativeDistance(composed(n, n, z, values.view, z), matrix),
          orthogonalityError(n, n, z),
        ),
        results: [values.view, z],
      };
    },
  },
  {
    name: "null space and inertia by eigenvalues",
    kernels: ["eigenFactor", "eigenNullSpace", "eigenInertia"],
    factorisation: false,
    run(random, n) {
      const signs = [-1, 0, 1];
      const matrix = symmetricMatrix(random, n, 8, (i) => signs[i % 3]);
      const zeros = Math.floor((n + 1) / 3);
      const { kernels, a, factor, z, counts } = scratch({
        a: matrix,
        factor: eigenSlots(n),
        z: n * zeros,
        counts: 3,
      });
      checkStatus("eigenFactor", kernels.eigenFactor(n, a.address, n, factor.address));
      const status = kernels.eigenNullSpace(n, factor.address, 1e-12, z.address, n);
      checkStatus("eigenNullSpace", status);
      checkStatus("eigenInertia", kernels.eigenInertia(n, factor.address, 1e-12, counts.address));
      const expected = [Math.floor((n + 2) / 3), zeros, Math.floor(n / 3)];
      return {
        error: Math.max(
          zeros > 0 ? Math.abs(statusIndex(status) - (n - zeros)) : 0,
          relativeDistance(counts.view, expected),
          norm(multiply(n, n, zeros, matrix, z.view)) / norm(matrix),
          orthogonalityError(n, zeros, z.view),
        ),
        results: [z.view, counts.view],
      };
    },
  },
];
