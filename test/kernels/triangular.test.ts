import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { triangleOf } from "../../bench/cases/products.js";
import { naiveInverse } from "../oracles/lu.js";
import { multiply, relativeDistance, transpose } from "../support/matrix.js";
import { randomMatrix, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

/** The dense operator that a triangular solve inverts. */
function written(n: number, t: Float64Array, transposed: boolean, unit: boolean): Float64Array {
  const clean = t.map((v, at) => (unit && at % (n + 1) === 0 ? 1 : Number.isNaN(v) ? 0 : v));
  return transposed ? transpose(n, n, clean) : clean;
}

describe("triangularSolve", () => {
  const flag = fc.boolean();
  test("agrees with the inverse for all eight kinds and any size, in place too", () => {
    const size = fc.integer({ min: 1, max: 21 });
    fc.assert(
      fc.property(size, fc.nat(), flag, flag, flag, (n, seed, upper, transposed, unit) => {
        const count = 2;
        const ld = n + 2;
        const random = seeded(seed);
        const triangle = triangleOf(n, randomMatrix(random, n), upper);
        const wide = new Float64Array(ld * n).fill(Number.NaN);
        for (let j = 0; j < n; j++) wide.set(triangle.subarray(j * n, j * n + n), j * ld);
        const right = randomMatrix(random, n, count);
        const { kernels, t, b, x } = scratch({ t: wide, b: right, x: n * count });
        const solve = (to: number) =>
          kernels.triangularSolve(
            n,
            count,
            t.address,
            ld,
            +upper,
            +transposed,
            +unit,
            b.address,
            n,
            to,
            n,
          );
        expect(solve(x.address)).toBe(Status.OK);
        expect(t.view).toEqual(wide);
        expect(b.view).toEqual(right);
        const inverse = naiveInverse(n, written(n, triangle, transposed, unit));
        const naive = multiply(n, n, count, inverse, right);
        expect(relativeDistance(x.view, naive)).toBeLessThan(1e-12);
        solve(b.address);
        expect(b.view).toEqual(x.view);
      }),
      { seed: 1 },
    );
  });

  test("names the row of a zero or infinite diagonal, unless it is not read", () => {
    const n = 6;
    for (const [bad, code] of [
      [0, Status.SINGULAR],
      [Infinity, Status.NON_FINITE],
    ] as const) {
      const triangle = triangleOf(n, randomMatrix(seeded(1), n), true);
      triangle[4 + 4 * n] = bad;
      const { kernels, t, b, x } = scratch({ t: triangle, b: new Float64Array(n).fill(1), x: n });
      const solve = (unit: number) =>
        kernels.triangularSolve(n, 1, t.address, n, 1, 0, unit, b.address, n, x.address, n);
      expect(statusCode(solve(0))).toBe(code);
      expect(statusIndex(solve(0))).toBe(4);
      expect(x.view).toEqual(new Float64Array(n));
      expect(solve(1)).toBe(Status.OK);
    }
  });

  test("names the row of a bad entry, and the element of a bad right-hand side", () => {
    const n = 6;
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const lower = triangleOf(n, randomMatrix(seeded(1), n), false);
      const { kernels, t, b, x } = scratch({ t: lower, b: new Float64Array(n).fill(1), x: n });
      const solve = () =>
        kernels.triangularSolve(n, 1, t.address, n, 0, 0, 0, b.address, n, x.address, n);
      b.view[3] = bad;
      expect(statusCode(solve())).toBe(Status.NON_FINITE);
      expect(statusIndex(solve())).toBe(3);
      t.view[5 + 1 * n] = bad;
      expect(statusIndex(solve())).toBe(5);
    }
  });

  test("accepts empty systems and rejects wrong sizes", () => {
    const { kernels, t, b, x } = scratch({ t: [2, 0, 0, 2], b: [1, 1], x: 2 });
    const solve = (n: number, count: number, ldt: number, ldb: number, ldx: number) =>
      kernels.triangularSolve(n, count, t.address, ldt, 0, 0, 0, b.address, ldb, x.address, ldx);
    expect(solve(0, 1, 0, 0, 0)).toBe(Status.OK);
    expect(solve(2, 0, 2, 2, 2)).toBe(Status.OK);
    const refused = [
      [solve(-1, 1, 2, 2, 2), 0],
      [solve(2, -1, 2, 2, 2), 1],
      [solve(2, 1, 1, 2, 2), 3],
      [solve(2, 1, 2, 1, 2), 8],
      [solve(2, 1, 2, 2, 1), 10],
    ] as const;
    for (const [status, argument] of refused) {
      expect(statusCode(status)).toBe(Status.BAD_SIZE);
      expect(statusIndex(status)).toBe(argument);
    }
  });
});
