import fc from "fast-check";
import { choleskySlots, hasFailed, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { lowerTriangle } from "../../bench/cases/cholesky.js";
import { naiveCholesky } from "../oracles/cholesky.js";
import { multiply, relativeDistance } from "../support/matrix.js";
import { randomVector, seeded, symmetricMatrix } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(n: number, matrix: Float64Array, lda = n) {
  const memory = scratch({ a: matrix, factor: choleskySlots(n), b: n, x: n });
  const status = memory.kernels.choleskyFactor(n, memory.a.address, lda, memory.factor.address);
  return { ...memory, status };
}

describe("choleskyFactor", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 24, 31, 48])(
    "agrees with the reference implementation, n = %i",
    (n) => {
      const matrix = symmetricMatrix(seeded(n), n, 100);
      const { status, factor: made } = factor(n, matrix);
      expect(status).toBe(Status.OK);
      const naive = naiveCholesky(n, matrix) as Float64Array;
      expect(relativeDistance(lowerTriangle(n, made.view), naive)).toBeLessThan(1e-13);
    },
  );

  test("solves what it factored, for any size, seed and condition", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        fc.nat({ max: 12 }),
        (n, seed, digits) => {
          const random = seeded(seed);
          const matrix = symmetricMatrix(random, n, 10 ** digits);
          const memory = factor(n, matrix);
          memory.b.view.set(multiply(n, n, 1, matrix, randomVector(random, n)));
          const { kernels, b, x } = memory;
          const status = kernels.choleskySolve(n, memory.factor.address, b.address, x.address);
          expect(status).toBe(Status.OK);
          const again = multiply(n, n, 1, matrix, x.view);
          expect(relativeDistance(again, b.view)).toBeLessThan(
            50 * n * Number.EPSILON * 10 ** (digits / 2),
          );
        },
      ),
    );
  });

  test("reads only the lower triangle, with a leading dimension, and does not change the input", () => {
    const n = 6;
    const lda = 9;
    const matrix = symmetricMatrix(seeded(3), n, 10);
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) for (let i = j; i < n; i++) wide[i + j * lda] = matrix[i + j * n];
    const { status, a, factor: made } = factor(n, wide, lda);
    expect(status).toBe(Status.OK);
    expect(a.view).toEqual(wide);
    const naive = naiveCholesky(n, matrix) as Float64Array;
    expect(relativeDistance(lowerTriangle(n, made.view), naive)).toBeLessThan(1e-14);
  });

  test.each([0, 1, 4, 6, 7, 10])("names row %i if its pivot is not positive", (row) => {
    const n = 11;
    const matrix = symmetricMatrix(seeded(1), n, 10);
    matrix[row + row * n] = -1;
    const { status, a } = factor(n, matrix);
    expect(statusCode(status)).toBe(Status.NOT_POSITIVE);
    expect(statusIndex(status)).toBe(naiveCholesky(n, matrix));
    expect(statusIndex(status)).toBe(row);
    expect(a.view).toEqual(matrix);
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
        [8, 7],
      ] as const) {
        const matrix = symmetricMatrix(seeded(2), n, 10);
        matrix[i + j * n] = bad;
        const { status } = factor(n, matrix);
        expect(statusCode(status)).toBe(Status.NON_FINITE);
        expect(statusIndex(status)).toBe(i);
      }
    },
  );

  test("accepts an empty matrix, and rejects and names wrong sizes", () => {
    expect(factor(0, new Float64Array(0)).status).toBe(Status.OK);
    const { kernels, a, factor: made } = factor(2, symmetricMatrix(seeded(1), 2, 1));
    for (const [n, lda, argument] of [
      [-1, 2, 0],
      [2, 1, 2],
    ]) {
      const status = kernels.choleskyFactor(n, a.address, lda, made.address);
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, argument]);
    }
  });

  test("badly scaled matrices keep their relative accuracy", () => {
    const n = 9;
    const matrix = symmetricMatrix(seeded(5), n, 100);
    const scale = Float64Array.from({ length: n }, (_, i) => 2 ** (60 * (i - 4)));
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) matrix[i + j * n] *= scale[i] * scale[j];
    const { status, factor: made } = factor(n, matrix);
    expect(status).toBe(Status.OK);
    const naive = naiveCholesky(n, matrix) as Float64Array;
    const l = lowerTriangle(n, made.view);
    for (let i = 0; i < n * n; i++)
      expect(Math.abs(l[i] - naive[i])).toBeLessThanOrEqual(1e-12 * Math.abs(naive[i]));
  });
});

describe("choleskySolve", () => {
  test("names the bad element of the right-hand side and does not write the output", () => {
    const n = 7;
    const memory = factor(n, symmetricMatrix(seeded(4), n, 10));
    memory.b.view.fill(1);
    memory.b.view[5] = Number.NaN;
    memory.x.view.fill(42);
    const { kernels, b, x } = memory;
    const status = kernels.choleskySolve(n, memory.factor.address, b.address, x.address);
    expect(hasFailed(status)).toBe(true);
    expect(statusCode(status)).toBe(Status.NON_FINITE);
    expect(statusIndex(status)).toBe(5);
    expect(x.view).toEqual(new Float64Array(n).fill(42));
  });

  test("works in place", () => {
    const n = 6;
    const memory = factor(n, symmetricMatrix(seeded(4), n, 10));
    memory.b.view.set([1, 2, 3, 4, 5, 6]);
    const { kernels, b, x } = memory;
    kernels.choleskySolve(n, memory.factor.address, b.address, x.address);
    kernels.choleskySolve(n, memory.factor.address, b.address, b.address);
    expect(b.view).toEqual(x.view);
  });
});

describe("choleskyFactorSolve", () => {
  test("returns bitwise the results of the two kernels", () => {
    const n = 7;
    const memory = factor(n, symmetricMatrix(seeded(4), n, 10));
    memory.b.view.set([1, 2, 3, 4, 5, 6, 7]);
    const { kernels, a, b, x } = memory;
    kernels.choleskySolve(n, memory.factor.address, b.address, x.address);
    const expected = x.view.slice();
    x.view.fill(0);
    const [record, right, out] = [memory.factor.address, b.address, x.address];
    expect(kernels.choleskyFactorSolve(n, a.address, n, right, record, out)).toBe(Status.OK);
    expect(x.view).toEqual(expected);
  });

  test("stops at the failing pivot and does not write the output", () => {
    const n = 3;
    const memory = factor(n, Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, 1));
    memory.x.view.fill(42);
    const { kernels, a, b, x } = memory;
    const [record, right, out] = [memory.factor.address, b.address, x.address];
    const status = kernels.choleskyFactorSolve(n, a.address, n, right, record, out);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.NOT_POSITIVE, 1]);
    expect(x.view).toEqual(new Float64Array(n).fill(42));
  });
});
