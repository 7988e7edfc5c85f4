import fc from "fast-check";
import { LuHeader, luSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { partsOfLu } from "../../bench/cases/lu.js";
import { naiveInverse, naiveLu, oneNorm } from "../oracles/lu.js";
import { backwardError, multiply, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(n: number, matrix: Float64Array, lda = n) {
  const memory = scratch({ a: matrix, factor: luSlots(n), b: n, x: n });
  const status = memory.kernels.luFactor(n, memory.a.address, lda, memory.factor.address);
  return { ...memory, status };
}

describe("luFactor", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 24, 31, 48])(
    "agrees with the reference implementation, n = %i",
    (n) => {
      const matrix = randomMatrix(seeded(n), n);
      const { status, factor: made } = factor(n, matrix);
      expect(status).toBe(Status.OK);
      const naive = naiveLu(n, n, matrix, false);
      const { l, u, rows } = partsOfLu(n, made.view);
      expect([...rows]).toEqual(naive.rows);
      const both = l.map((value, at) => (at % n > Math.floor(at / n) ? value : u[at]));
      expect(relativeDistance(both, naive.lu)).toBeLessThan(1e-11);
      expect(made.view[LuHeader.NORM]).toBeCloseTo(oneNorm(n, matrix), 12);
    },
  );

  test("solves what it factored, and the transpose, for any size, seed and condition", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        fc.nat({ max: 12 }),
        (n, seed, digits) => {
          const random = seeded(seed);
          const matrix = conditionedMatrix(random, n, n, 10 ** digits);
          const { kernels, b, x, factor: made } = factor(n, matrix);
          b.view.set(randomVector(random, n));
          expect(kernels.luSolve(n, made.address, b.address, x.address)).toBe(Status.OK);
          const limit = 50 * n * Number.EPSILON;
          expect(backwardError(n, n, matrix, x.view, b.view)).toBeLessThan(limit);
          expect(kernels.luSolveTransposed(n, made.address, b.address, x.address)).toBe(Status.OK);
          expect(backwardError(n, n, transpose(n, n, matrix), x.view, b.view)).toBeLessThan(limit);
        },
      ),
      { seed: 1 },
    );
  });

  test("supports a leading dimension and does not change the input", () => {
    const [n, lda] = [6, 9];
    const matrix = randomMatrix(seeded(3), n);
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) wide.set(matrix.subarray(j * n, j * n + n), j * lda);
    const { status, a, factor: made } = factor(n, wide, lda);
    expect(status).toBe(Status.OK);
    expect(a.view).toEqual(wide);
    expect(made.view.slice(0, luSlots(n) - 16)).toEqual(
      factor(n, matrix).factor.view.slice(0, luSlots(n) - 16),
    );
  });

  test.each([0, 3, 4, 9])("names column %i if it is zero", (column) => {
    const n = 10;
    const matrix = randomMatrix(seeded(1), n);
    matrix.fill(0, column * n, (column + 1) * n);
    const { status, a } = factor(n, matrix);
    expect(statusCode(status)).toBe(Status.SINGULAR);
    expect(statusIndex(status)).toBe(column);
    expect(statusIndex(status)).toBe(naiveLu(n, n, matrix, false).rank);
    expect(a.view).toEqual(matrix);
  });

  test("accepts a zero on the diagonal, and rejects a pivot without reciprocal", () => {
    const exchanged = factor(2, Float64Array.of(0, 2, 3, 0));
    exchanged.b.view.set([6, 8]);
    exchanged.kernels.luSolve(
      2,
      exchanged.factor.address,
      exchanged.b.address,
      exchanged.x.address,
    );
    expect([...exchanged.x.view]).toEqual([4, 2]);
    expect(statusCode(factor(1, Float64Array.of(1e-320)).status)).toBe(Status.SINGULAR);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "names the row of %d",
    (bad) => {
      const n = 10;
      for (const [i, j] of [
        [0, 0],
        [3, 1],
        [9, 2],
        [9, 9],
        [1, 8],
      ] as const) {
        const matrix = randomMatrix(seeded(2), n);
        matrix[i + j * n] = bad;
        const { status } = factor(n, matrix);
        expect(statusCode(status)).toBe(Status.NON_FINITE);
        expect(statusIndex(status)).toBe(i);
      }
    },
  );

  test("accepts an empty matrix and rejects wrong sizes", () => {
    expect(factor(0, new Float64Array(0)).status).toBe(Status.OK);
    const { kernels, a, b, x, factor: made } = factor(2, randomMatrix(seeded(1), 2));
    const refused = [
      [kernels.luFactor(-1, a.address, 2, made.address), 0],
      [kernels.luFactor(2, a.address, 1, made.address), 2],
      [kernels.luSolve(-1, made.address, b.address, x.address), 0],
      [kernels.luSolveTransposed(-1, made.address, b.address, x.address), 0],
      [kernels.luSolveMany(2, -1, made.address, b.address, 2, x.address, 2), 1],
      [kernels.luSolveMany(2, 1, made.address, b.address, 1, x.address, 2), 4],
      [kernels.luSolveMany(2, 1, made.address, b.address, 2, x.address, 1), 6],
    ] as const;
    for (const [status, argument] of refused) {
      expect(statusCode(status)).toBe(Status.BAD_SIZE);
      expect(statusIndex(status)).toBe(argument);
    }
  });

  test("rows scaled by powers of two do not change a solution's backward error", () => {
    const n = 9;
    const random = seeded(5);
    const matrix = conditionedMatrix(random, n, n, 100);
    const { b, x, ...memory } = factor(
      n,
      matrix.map((v, at) => v * 2 ** (40 * ((at % n) - 4))),
    );
    expect(memory.status).toBe(Status.OK);
    const right = randomVector(random, n);
    b.view.set(right.map((v, i) => v * 2 ** (40 * (i - 4))));
    memory.kernels.luSolve(n, memory.factor.address, b.address, x.address);
    expect(backwardError(n, n, matrix, x.view, right)).toBeLessThan(1e-10);
  });
});

describe("luSolve", () => {
  test("names the bad element of the right-hand side and does not write the output", () => {
    const n = 7;
    const { kernels, b, x, factor: made } = factor(n, randomMatrix(seeded(4), n));
    b.view.fill(1);
    b.view[5] = Number.NaN;
    x.view.fill(42);
    for (const solve of [kernels.luSolve, kernels.luSolveTransposed]) {
      const status = solve(n, made.address, b.address, x.address);
      expect(statusCode(status)).toBe(Status.NON_FINITE);
      expect(statusIndex(status)).toBe(5);
      expect(x.view).toEqual(new Float64Array(n).fill(42));
    }
  });

  test("works in place, and solves several right-hand sides as one by one", () => {
    const [n, count, ldb] = [6, 3, 8];
    const { kernels, a, made, b, x } = scratch({
      a: randomMatrix(seeded(4), n),
      made: luSlots(n),
      b: randomVector(seeded(5), ldb * count),
      x: n,
    });
    kernels.luFactor(n, a.address, n, made.address);
    const before = b.view.slice();
    expect(kernels.luSolveMany(n, count, made.address, b.address, ldb, b.address, ldb)).toBe(0);
    for (let column = 0; column < count; column++) {
      const solved = b.view.slice(column * ldb, column * ldb + n);
      b.view.set(before);
      kernels.luSolve(n, made.address, b.address + 8 * ldb * column, x.address);
      expect(x.view).toEqual(solved);
      expect(b.view).toEqual(before);
      kernels.luSolveMany(n, count, made.address, b.address, ldb, b.address, ldb);
      expect(b.view.slice(column * ldb + n, (column + 1) * ldb)).toEqual(
        before.slice(column * ldb + n, (column + 1) * ldb),
      );
    }
  });
});

describe("luReciprocalCondition", () => {
  test("finds one large entry of the inverse, reproducibly", () => {
    // I - 1e6 e_3 e_12^T has the inverse I + 1e6 e_3 e_12^T: both have norm 1e6 + 1. Every vector that does not point at
    // column 12 sees a part of it only.
    const n = 20;
    const matrix = Float64Array.from({ length: n * n }, (_, i) => +(i % n === Math.floor(i / n)));
    matrix[3 + 12 * n] = -1e6;
    const { kernels, factor: made } = factor(n, matrix);
    for (let k = 0; k < 2; k++) {
      const estimate = kernels.luReciprocalCondition(n, made.address);
      expect(estimate * (1e6 + 1) ** 2).toBeCloseTo(1, 9);
    }
  });

  test("returns at least the true value, and seldom above three times it", () => {
    let close = 0;
    for (let seed = 0; seed < 200; seed++) {
      const n = 1 + (seed % 20);
      const matrix = conditionedMatrix(seeded(seed), n, n, 10 ** (seed % 10));
      const { kernels, factor: made } = factor(n, matrix);
      const estimate = kernels.luReciprocalCondition(n, made.address);
      const exact = 1 / (oneNorm(n, matrix) * oneNorm(n, naiveInverse(n, matrix)));
      expect(estimate).toBeGreaterThan(exact * (1 - 1e-5));
      expect(estimate).toBeLessThan(exact * 10);
      if (estimate < exact * 3) close++;
    }
    expect(close).toBeGreaterThan(190);
  });

  test("leaves the factor usable, and handles the limits of its range", () => {
    const n = 5;
    const matrix = randomMatrix(seeded(8), n);
    const { kernels, b, x, factor: made } = factor(n, matrix);
    kernels.luReciprocalCondition(n, made.address);
    b.view.set(multiply(n, n, 1, matrix, Float64Array.of(1, 2, 3, 4, 5)));
    kernels.luSolve(n, made.address, b.address, x.address);
    expect(relativeDistance(x.view, [1, 2, 3, 4, 5])).toBeLessThan(1e-12);
    expect(kernels.luReciprocalCondition(0, made.address)).toBe(1);
    expect(kernels.luReciprocalCondition(-1, made.address)).toBeNaN();
    const identity = factor(3, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1));
    expect(identity.kernels.luReciprocalCondition(3, identity.factor.address)).toBe(1);
  });
});
