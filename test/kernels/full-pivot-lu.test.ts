import fc from "fast-check";
import { fullPivotLuSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { partsOfFullPivotLu, permuted } from "../../bench/cases/lu.js";
import { naiveInverse, naiveLu, oneNorm } from "../oracles/lu.js";
import { backwardError, multiply, norm, relativeDistance } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(m: number, n: number, matrix: Float64Array, tolerance = 0, lda = m) {
  const memory = scratch({
    a: matrix,
    factor: fullPivotLuSlots(m, n),
    b: randomVector(seeded(m), m),
    x: n,
    z: n * n,
  });
  const { kernels, a, factor: made } = memory;
  const status = kernels.fullPivotLuFactor(m, n, a.address, lda, tolerance, made.address);
  return { ...memory, status, parts: partsOfFullPivotLu(m, n, made.view) };
}

const shapes = [
  [1, 1],
  [2, 3],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 5],
  [6, 13],
  [13, 13],
  [24, 31],
  [48, 48],
] as const;

describe("fullPivotLuFactor", () => {
  test.each(shapes)("agrees with the reference implementation, %i x %i", (m, n) => {
    const matrix = randomMatrix(seeded(m + n), m, n);
    const { status, parts } = factor(m, n, matrix);
    expect(status).toBe(Status.OK);
    const naive = naiveLu(m, n, matrix, true);
    expect(parts.rank).toBe(Math.min(m, n));
    expect([...parts.rows]).toEqual(naive.rows);
    expect([...parts.columns]).toEqual(naive.columns);
    const product = multiply(m, parts.rank, n, parts.l, parts.u);
    const expected = permuted(m, matrix, parts.rows, parts.columns);
    expect(relativeDistance(product, expected)).toBeLessThan(1e-14);
    for (let k = 0; k < parts.rank; k++) {
      expect(parts.u[k + k * parts.rank]).toBeCloseTo(naive.lu[k + k * m], 10);
    }
  });

  test("finds the rank, the dependent row and a null space, for any shape and rank", () => {
    const size = fc.integer({ min: 1, max: 16 });
    fc.assert(
      fc.property(size, size, fc.nat({ max: 16 }), fc.nat(), (m, n, wanted, seed) => {
        const rank = Math.min(m, n, wanted);
        const matrix = conditionedMatrix(seeded(seed), m, n, 16, rank);
        const { status, parts, kernels, z, factor: made } = factor(m, n, matrix, 1e-10);
        expect(parts.rank).toBe(rank);
        const full = rank === Math.min(m, n);
        expect(statusCode(status)).toBe(full ? Status.OK : Status.DEFICIENT);
        if (!full) expect(statusIndex(status)).toBe(parts.rows[rank]);
        expect(kernels.fullPivotLuNullSpace(m, n, made.address, z.address, n)).toBe(Status.OK);
        const free = n - rank;
        const basis = z.view.slice(0, n * free);
        const product = multiply(m, n, free, matrix, basis);
        expect(norm(product)).toBeLessThan(1e-13 * m * n * (1 + norm(basis)));
        parts.columns.slice(rank).forEach((coordinate, row) => {
          for (let j = 0; j < free; j++) expect(basis[coordinate + j * n]).toBe(row === j ? 1 : 0);
        });
      }),
      { seed: 1 },
    );
  });

  test("estimates the condition of the chosen block", () => {
    for (let seed = 0; seed < 60; seed++) {
      const n = 2 + (seed % 12);
      const m = n - (seed % 2);
      const matrix = conditionedMatrix(seeded(seed), m, n, 10 ** (seed % 9));
      const { parts } = factor(m, n, matrix);
      const block = permuted(m, matrix, parts.rows, parts.columns.slice(0, m));
      const exact = 1 / (oneNorm(m, block) * oneNorm(m, naiveInverse(m, block)));
      expect(parts.reciprocalCondition).toBeGreaterThan(exact * (1 - 1e-5));
      expect(parts.reciprocalCondition).toBeLessThan(exact * 5);
    }
  });

  test("the tolerance decides what counts: relative, and eps max(m, n) by default", () => {
    const matrix = Float64Array.of(8, 0, 0, 0, 8e-6, 0, 0, 0, 8e-15);
    expect(factor(3, 3, matrix).parts.rank).toBe(3);
    expect(
      factor(
        3,
        3,
        matrix.map((v) => (v === 8e-15 ? 5e-15 : v)),
      ).parts.rank,
    ).toBe(2);
    expect(factor(3, 3, matrix, 1e-4).parts.rank).toBe(1);
    expect(factor(3, 3, matrix, 1e-20).parts.rank).toBe(3);
  });

  test("supports a leading dimension and does not change the input", () => {
    const [m, n, lda] = [5, 7, 8];
    const matrix = randomMatrix(seeded(3), m, n);
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) wide.set(matrix.subarray(j * m, j * m + m), j * lda);
    const { status, a, parts } = factor(m, n, wide, 0, lda);
    expect(status).toBe(Status.OK);
    expect(a.view).toEqual(wide);
    expect(parts).toEqual(factor(m, n, matrix).parts);
  });

  test("zero matrices have rank 0 and every coordinate free", () => {
    const { status, parts, kernels, z, factor: made } = factor(2, 3, new Float64Array(6));
    expect(statusCode(status)).toBe(Status.DEFICIENT);
    expect(parts.rank).toBe(0);
    kernels.fullPivotLuNullSpace(2, 3, made.address, z.address, 3);
    expect([...z.view]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "names the row of %d",
    (bad) => {
      for (const [i, j] of [
        [0, 0],
        [3, 1],
        [6, 2],
        [6, 8],
        [1, 8],
      ] as const) {
        const matrix = randomMatrix(seeded(2), 7, 9);
        matrix[i + j * 7] = bad;
        const { status } = factor(7, 9, matrix);
        expect(statusCode(status)).toBe(Status.NON_FINITE);
        expect(statusIndex(status)).toBe(i);
      }
    },
  );

  test("accepts empty matrices and rejects wrong sizes", () => {
    for (const [m, n] of [
      [0, 0],
      [0, 3],
      [3, 0],
    ] as const) {
      const { status, parts } = factor(m, n, new Float64Array(0));
      expect(status).toBe(Status.OK);
      expect(parts.rank).toBe(0);
    }
    const { kernels, a, b, x, z, factor: made } = factor(2, 2, randomMatrix(seeded(1), 2));
    const refused = [
      [kernels.fullPivotLuFactor(-1, 2, a.address, 2, 0, made.address), 0],
      [kernels.fullPivotLuFactor(2, -1, a.address, 2, 0, made.address), 1],
      [kernels.fullPivotLuFactor(2, 2, a.address, 1, 0, made.address), 3],
      [kernels.fullPivotLuSolve(-1, made.address, b.address, x.address), 0],
      [kernels.fullPivotLuNullSpace(-1, 2, made.address, z.address, 2), 0],
      [kernels.fullPivotLuNullSpace(2, -1, made.address, z.address, 2), 1],
      [kernels.fullPivotLuNullSpace(2, 2, made.address, z.address, 1), 4],
    ] as const;
    for (const [status, argument] of refused) {
      expect(statusCode(status)).toBe(Status.BAD_SIZE);
      expect(statusIndex(status)).toBe(argument);
    }
  });
});

describe("fullPivotLuSolve", () => {
  test("solves what was factored, for any size, seed and condition, in place too", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        fc.nat({ max: 12 }),
        (n, seed, digits) => {
          const matrix = conditionedMatrix(seeded(seed), n, n, 10 ** digits);
          const { kernels, b, x, factor: made } = factor(n, n, matrix);
          expect(kernels.fullPivotLuSolve(n, made.address, b.address, x.address)).toBe(Status.OK);
          expect(backwardError(n, n, matrix, x.view, b.view)).toBeLessThan(50 * n * Number.EPSILON);
          kernels.fullPivotLuSolve(n, made.address, b.address, b.address);
          expect(b.view).toEqual(x.view);
        },
      ),
      { seed: 1 },
    );
  });

  test("rejects deficient matrices and bad right-hand sides, without writing the output", () => {
    const n = 6;
    const deficient = factor(n, n, conditionedMatrix(seeded(1), n, n, 4, 4), 1e-10);
    deficient.x.view.fill(42);
    const { kernels, b, x } = deficient;
    const status = kernels.fullPivotLuSolve(n, deficient.factor.address, b.address, x.address);
    expect(statusCode(status)).toBe(Status.SINGULAR);
    expect(statusIndex(status)).toBe(deficient.parts.rows[4]);
    expect(x.view).toEqual(new Float64Array(n).fill(42));

    const whole = factor(n, n, randomMatrix(seeded(1), n));
    whole.b.view[3] = Number.POSITIVE_INFINITY;
    const bad = whole.kernels.fullPivotLuSolve(
      n,
      whole.factor.address,
      whole.b.address,
      whole.x.address,
    );
    expect(statusCode(bad)).toBe(Status.NON_FINITE);
    expect(statusIndex(bad)).toBe(3);
  });
});
