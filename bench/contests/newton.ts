import { checkStatus, newtonSlots } from "nodrift/kernels";
import { randomMatrix, randomVector, seeded, symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { makeNewton, newtonSolve } from "../baseline/newton.js";
import type { Contest } from "./contest.js";

const ALPHA = 0.0625;

/** M, M J1, M J2 and a right-hand side: those of an SDIRK stage in n independent positions. */
function stageOf(n: number) {
  const random = seeded(n);
  return {
    m: symmetricMatrix(random, n, 8),
    mj1: randomMatrix(random, n),
    mj2: randomMatrix(random, n),
    b: randomVector(random, n),
  };
}

/** Pi = M - alpha M J2 - alpha^2 M J1 is formed and factored, and one system is solved with it. */
export const newtonContest: Contest = {
  name: "SDIRK Newton solve",
  sizes: [4, 18, 60].map((n) => [n, n] as const),
  entrants: {
    wasm: (n) => {
      const { kernels, m, mj1, mj2, b, x, factor } = scratch({
        ...stageOf(n),
        x: n,
        factor: newtonSlots(n),
      });
      const matrices = [m.address, mj1.address, mj2.address] as const;
      return () =>
        checkStatus(
          "newtonSolve",
          kernels.newtonSolve(n, ALPHA, ...matrices, factor.address, b.address, x.address),
        );
    },
    "plain js": (n) => {
      const { m, mj1, mj2, b } = stageOf(n);
      const room = makeNewton(n);
      return () => newtonSolve(n, ALPHA, m, mj1, mj2, b, room);
    },
  },
};
