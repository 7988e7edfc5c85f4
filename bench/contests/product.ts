import { Matrix } from "ml-matrix";
import { checkStatus } from "nodrift/kernels";
import { transpose } from "../../test/support/matrix.js";
import { randomMatrix, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { product } from "../baseline/product.js";
import type { Contest } from "./contest.js";

const leftOf = (n: number) => randomMatrix(seeded(n), n);
const rightOf = (n: number) => randomMatrix(seeded(n + 1), n);

export const productContest: Contest = {
  name: "Matrix product",
  sizes: [3, 6, 12, 24, 48, 96].map((n) => [n, n] as const),
  entrants: {
    wasm: (n) => {
      const { kernels, a, b, c } = scratch({ a: leftOf(n), b: rightOf(n), c: n * n });
      return () =>
        checkStatus(
          "matrixProduct",
          kernels.matrixProduct(n, n, n, a.address, n, b.address, n, c.address, n),
        );
    },
    "plain js": (n) => {
      const a = leftOf(n);
      const b = rightOf(n);
      const c = new Float64Array(n * n);
      return () => product(n, a, b, c);
    },
    "ml-matrix": (n) => {
      const a = Matrix.from1DArray(n, n, transpose(n, n, leftOf(n)));
      const b = Matrix.from1DArray(n, n, transpose(n, n, rightOf(n)));
      return () => a.mmul(b);
    },
  },
};
