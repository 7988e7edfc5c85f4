import { checkStatus, fullPivotLuSlots } from "nodrift/kernels";
import { randomMatrix, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { fullPivotLuFactor, makeFullPivotLu } from "../baseline/full-pivot-lu.js";
import type { Contest } from "./contest.js";

const matrixOf = (m: number, n: number) => randomMatrix(seeded(m), m, n);

export const fullPivotLuContest: Contest = {
  name: "LU with complete pivoting and condition",
  sizes: [3, 6, 12, 24, 48, 96].map((n) => [n, n] as const),
  entrants: {
    wasm: (m, n) => {
      const pieces = scratch({ a: matrixOf(m, n), factor: fullPivotLuSlots(m, n) });
      const { kernels, a, factor } = pieces;
      return () =>
        checkStatus(
          "fullPivotLuFactor",
          kernels.fullPivotLuFactor(m, n, a.address, m, 0, factor.address),
        );
    },
    "plain js": (m, n) => {
      const a = matrixOf(m, n);
      const factor = makeFullPivotLu(m, n);
      return () => fullPivotLuFactor(m, n, a, factor);
    },
  },
};
