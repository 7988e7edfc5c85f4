import { LU, Matrix } from "ml-matrix";
import { checkStatus, luSlots } from "nodrift/kernels";
import { transpose } from "../../test/support/matrix.js";
import { randomMatrix, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { luFactor, makeLu } from "../baseline/lu.js";
import type { Contest } from "./contest.js";

const matrixOf = (n: number) => randomMatrix(seeded(n), n);

export const luContest: Contest = {
  name: "LU with partial pivoting",
  sizes: [3, 6, 12, 24, 48, 96, 192].map((n) => [n, n] as const),
  entrants: {
    wasm: (n) => {
      const { kernels, a, factor } = scratch({ a: matrixOf(n), factor: luSlots(n) });
      return () => checkStatus("luFactor", kernels.luFactor(n, a.address, n, factor.address));
    },
    "plain js": (n) => {
      const a = matrixOf(n);
      const factor = makeLu(n);
      return () => luFactor(n, a, factor);
    },
    "ml-matrix": (n) => {
      const a = Matrix.from1DArray(n, n, transpose(n, n, matrixOf(n)));
      return () => new LU(a);
    },
  },
};
