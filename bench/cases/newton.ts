import { checkStatus, newtonSlots } from "nodrift/kernels";
import { backwardError, multiply, relativeDistance } from "../../test/support/matrix.js";
import { randomMatrix, randomVector, symmetricMatrix } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

export const newtonCases: readonly KernelCase[] = [
  {
    name: "Newton matrix of an SDIRK stage",
    kernels: [
      "newtonMatrix",
      "newtonMatrixFromJacobians",
      "newtonPrepare",
      "newtonPrepareFromJacobians",
      "newtonSolve",
    ],
    factorisation: false,
    run(random, n) {
      const alpha = 0.0625;
      const mass = symmetricMatrix(random, n, 8);
      const first = randomMatrix(random, n);
      const second = randomMatrix(random, n);
      const { kernels, m, j1, j2, mj1, mj2, room, pi, other, factor, b, x, y, z } = scratch({
        m: mass,
        j1: first,
        j2: second,
        mj1: multiply(n, n, n, mass, first),
        mj2: multiply(n, n, n, mass, second),
        room: n * n,
        pi: n * n,
        other: n * n,
        factor: newtonSlots(n),
        b: randomVector(random, n),
        x: n,
        y: n,
        z: n,
      });
      const products = [n, alpha, m.address, mj1.address, mj2.address] as const;
      const jacobians = [n, alpha, m.address, j1.address, j2.address] as const;
      checkStatus("newtonMatrix", kernels.newtonMatrix(...products, pi.address));
      checkStatus(
        "newtonMatrixFromJacobians",
        kernels.newtonMatrixFromJacobians(...jacobians, room.address, other.address),
      );
      checkStatus("newtonPrepare", kernels.newtonPrepare(...products, factor.address));
      checkStatus("luSolve", kernels.luSolve(n, factor.address, b.address, x.address));
      const prepared = kernels.newtonPrepareFromJacobians(...jacobians, factor.address);
      checkStatus("newtonPrepareFromJacobians", prepared);
      checkStatus("luSolve", kernels.luSolve(n, factor.address, b.address, y.address));
      const solved = kernels.newtonSolve(...products, factor.address, b.address, z.address);
      checkStatus("newtonSolve", solved);
      const expected = mass.map((v, i) => v - alpha * mj2.view[i] - alpha * alpha * mj1.view[i]);
      return {
        error: Math.max(
          relativeDistance(pi.view, expected),
          relativeDistance(other.view, expected),
          backwardError(n, n, expected, x.view, b.view),
          backwardError(n, n, expected, y.view, b.view),
          backwardError(n, n, expected, z.view, b.view),
        ),
        results: [pi.view, other.view, x.view, y.view, z.view],
      };
    },
  },
];
