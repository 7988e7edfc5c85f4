import fc from "fast-check";
import { newtonSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { backwardError, multiply, relativeDistance } from "../support/matrix.js";
import { randomMatrix, randomVector, seeded, symmetricMatrix } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function stage(n: number, seed: number) {
  const random = seeded(seed);
  const mass = symmetricMatrix(random, n, 100);
  const [first, second] = [randomMatrix(random, n), randomMatrix(random, n)];
  return scratch({
    m: mass,
    j1: first,
    j2: second,
    mj1: multiply(n, n, n, mass, first),
    mj2: multiply(n, n, n, mass, second),
    room: n * n,
    pi: n * n,
    factor: newtonSlots(n),
    b: randomVector(random, n),
    x: n,
  });
}

const size = fc.integer({ min: 0, max: 14 });

describe("Newton matrices", () => {
  test("both forms agree with the sum that defines them, and their factors solve it", () => {
    fc.assert(
      fc.property(
        size,
        fc.nat(),
        fc.double({ min: 1e-6, max: 0.1, noNaN: true }),
        (n, seed, alpha) => {
          const { kernels, m, j1, j2, mj1, mj2, room, pi, factor, b, x } = stage(n, seed);
          const products = [n, alpha, m.address, mj1.address, mj2.address] as const;
          const jacobians = [n, alpha, m.address, j1.address, j2.address] as const;
          const expected = m.view.map((v, i) => v - alpha * mj2.view[i] - alpha ** 2 * mj1.view[i]);
          const inputs = [m, j1, j2, mj1, mj2].map(({ view }) => view.slice());
          for (const [form, prepare] of [
            [
              () => kernels.newtonMatrix(...products, pi.address),
              () => kernels.newtonPrepare(...products, factor.address),
            ],
            [
              () => kernels.newtonMatrixFromJacobians(...jacobians, room.address, pi.address),
              () => kernels.newtonPrepareFromJacobians(...jacobians, factor.address),
            ],
          ] as const) {
            pi.view.fill(42);
            expect(form()).toBe(Status.OK);
            expect(relativeDistance(pi.view, expected)).toBeLessThan(1e-14);
            expect(prepare()).toBe(Status.OK);
            expect(kernels.luSolve(n, factor.address, b.address, x.address)).toBe(Status.OK);
            expect(backwardError(n, n, expected, x.view, b.view)).toBeLessThan(1e-13);
          }
          expect([m, j1, j2, mj1, mj2].map(({ view }) => view.slice())).toEqual(inputs);
        },
      ),
      { seed: 1 },
    );
  });

  test("a solve in one call is bitwise identical to its parts", () => {
    fc.assert(
      fc.property(size, fc.nat(), (n, seed) => {
        const { kernels, m, mj1, mj2, pi, factor, b, x } = stage(n, seed);
        const products = [n, 0.03, m.address, mj1.address, mj2.address, factor.address] as const;
        expect(kernels.newtonPrepare(...products)).toBe(Status.OK);
        expect(kernels.luSolve(n, factor.address, b.address, x.address)).toBe(Status.OK);
        // The first factor must not be used.
        factor.view.fill(Number.NaN);
        expect(kernels.newtonSolve(...products, b.address, pi.address)).toBe(Status.OK);
        expect(pi.view.slice(0, n)).toEqual(x.view);
      }),
      { seed: 2 },
    );
  });

  test("failures are those of the factorisation", () => {
    const n = 5;
    const { kernels, m, j1, j2, mj1, mj2, room, factor, b, x } = stage(n, 1);
    const products = [m.address, mj1.address, mj2.address, factor.address] as const;
    const jacobians = [m.address, j1.address, j2.address, factor.address] as const;
    mj2.view[3 + 2 * n] = Number.NaN;
    const bad = kernels.newtonPrepare(n, 0.1, ...products);
    expect([statusCode(bad), statusIndex(bad)]).toEqual([Status.NON_FINITE, 3]);
    x.view.fill(42);
    expect(kernels.newtonSolve(n, 0.1, ...products, b.address, x.address)).toBe(bad);
    expect(x.view).toEqual(new Float64Array(n).fill(42));
    m.view.fill(0);
    const singular = kernels.newtonPrepareFromJacobians(n, 0.1, ...jacobians);
    expect([statusCode(singular), statusIndex(singular)]).toEqual([Status.SINGULAR, 0]);
    for (const status of [
      kernels.newtonMatrix(-1, 0.1, ...products),
      kernels.newtonMatrixFromJacobians(
        -1,
        0.1,
        m.address,
        j1.address,
        j2.address,
        room.address,
        factor.address,
      ),
      kernels.newtonPrepare(-1, 0.1, ...products),
      kernels.newtonPrepareFromJacobians(-1, 0.1, ...jacobians),
      kernels.newtonSolve(-1, 0.1, ...products, b.address, x.address),
    ]) {
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, 0]);
    }
  });
});
