import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { orthogonalityError } from "../../bench/cases/svd.js";
import { naiveSingularValues } from "../oracles/svd.js";
import { identity, relativeDistance } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, seeded } from "../support/random.js";
import { decompose, expectDecomposition } from "../support/svd.js";

const SIZES = [
  [1, 1],
  [1, 7],
  [7, 1],
  [2, 2],
  [2, 3],
  [3, 2],
  [3, 3],
  [4, 4],
  [5, 9],
  [9, 5],
  [9, 9],
  [12, 12],
  [13, 12],
  [12, 13],
  [24, 24],
  [30, 60],
  [48, 48],
  [61, 30],
] as const;

describe("svdFactor", () => {
  test.each(SIZES)("agrees with Jacobi's method, %i x %i", (m, n) => {
    const matrix = randomMatrix(seeded(m + 100 * n), m, n);
    const values = expectDecomposition(m, n, matrix);
    expect(relativeDistance(values, naiveSingularValues(m, n, matrix))).toBeLessThan(1e-13);
  });

  test("any size, seed, condition and rank", () => {
    const size = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.nat(),
        fc.nat({ max: 15 }),
        fc.nat({ max: 40 }),
        (m, n, seed, digits, r) => {
          const rank = Math.min(m, n, r);
          expectDecomposition(m, n, conditionedMatrix(seeded(seed), m, n, 10 ** digits, rank));
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each([
    [338, 28, 19],
    [424, 37, 25],
    [505, 26, 39],
  ] as const)("values that are equal up to rounding, seed %i", (seed, m, n) => {
    const rank = (Math.min(m, n) + 1) >> 1;
    expectDecomposition(m, n, conditionedMatrix(seeded(seed), m, n, 8, rank));
  });

  test("matrices of small integers, full of ties and zeros", () => {
    const size = fc.integer({ min: 1, max: 16 });
    fc.assert(
      fc.property(size, size, fc.nat(), fc.constantFrom(0.7, 1.4, 3), (m, n, seed, most) => {
        expectDecomposition(
          m,
          n,
          randomMatrix(seeded(seed), m, n).map((x) => Math.round(most * x)),
        );
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test.each([2 ** 600, 2 ** -600, 2 ** 1000, 2 ** -1060])("entries of size %d", (scale) => {
    for (const [m, n] of [
      [6, 6],
      [4, 7],
      [7, 4],
    ] as const) {
      // Small integers times the scale are exact, even if subnormal.
      const matrix = randomMatrix(seeded(9), m, n).map((x) => Math.round(x * 2 ** 10));
      const values = expectDecomposition(m, n, matrix);
      const { status, s, u, v } = decompose(
        m,
        n,
        matrix.map((x) => x * scale),
      );
      expect(status).toBe(Status.OK);
      for (let i = 0; i < s.view.length; i++) {
        const error = Math.abs(s.view[i] / scale - values[i]);
        expect(error).toBeLessThanOrEqual(1e-13 * values[0] + 2 ** -1073 / scale);
      }
      expect(orthogonalityError(m, s.view.length, u)).toBeLessThan(1e-13);
      expect(orthogonalityError(n, s.view.length, v)).toBeLessThan(1e-13);
    }
  });

  test("entries of every size in one matrix", () => {
    for (const [m, n] of [
      [8, 8],
      [11, 6],
      [6, 11],
    ] as const) {
      for (const direction of [1, -1]) {
        const random = seeded(m);
        const matrix = randomMatrix(random, m, n).map(
          (x, i) => x * 2 ** (direction * 40 * ((i % m) - 4)),
        );
        expectDecomposition(m, n, matrix);
        expectDecomposition(
          m,
          n,
          matrix.map((x, i) => x * 2 ** (100 * (Math.floor(i / m) - 4))),
        );
      }
    }
  });

  test.each([1, -1])("graded bidiagonal matrices, direction %i", (direction) => {
    const n = 20;
    for (const digits of [0, 1, 2, 4, 8]) {
      const matrix = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        const size = 10 ** (-digits * (direction > 0 ? i : n - 1 - i));
        matrix[i + i * n] = size;
        if (i + 1 < n) matrix[i + (i + 1) * n] = size;
      }
      expectDecomposition(n, n, matrix);
    }
  });

  test("zeros on the diagonal of a bidiagonal matrix", () => {
    const n = 10;
    for (const zeros of [[0], [9], [4], [0, 9], [3, 4, 5], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
      const matrix = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        matrix[i + i * n] = zeros.includes(i) ? 0 : 1 + i;
        if (i + 1 < n) matrix[i + (i + 1) * n] = 1;
      }
      const values = expectDecomposition(n, n, matrix);
      const naive = naiveSingularValues(n, n, matrix);
      expect(relativeDistance(values, naive)).toBeLessThan(1e-14);
    }
  });

  test.each([
    [1, 1],
    [5, 5],
    [4, 9],
    [9, 4],
  ] as const)("zero, %i x %i", (m, n) => {
    const values = expectDecomposition(m, n, new Float64Array(m * n));
    expect(values).toEqual(new Float64Array(Math.min(m, n)));
  });

  test("the identity, all ones, and a diagonal matrix keep their exact values", () => {
    expect(expectDecomposition(6, 6, identity(6))).toEqual(new Float64Array(6).fill(1));
    const ones = expectDecomposition(7, 5, new Float64Array(35).fill(1));
    expect(Math.abs(ones[0] - Math.sqrt(35))).toBeLessThan(1e-14);
    expect(ones[1]).toBeLessThan(1e-15);
    const diagonal = identity(4).map((x, i) => x * [-3, 1e-30, 5, 2 ** -300][i % 4]);
    expect(Array.from(expectDecomposition(4, 4, diagonal))).toEqual([5, 3, 1e-30, 2 ** -300]);
  });

  test("supports a leading dimension beyond the rows, without reading there", () => {
    for (const [m, n] of [
      [5, 4],
      [4, 4],
      [3, 8],
    ] as const) {
      const lda = m + 3;
      const matrix = randomMatrix(seeded(1), m, n);
      const wide = new Float64Array(lda * n).fill(Number.NaN);
      for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) wide[i + j * lda] = matrix[i + j * m];
      const { status, s, a } = decompose(m, n, wide, lda);
      expect(status).toBe(Status.OK);
      expect(a.view).toEqual(wide);
      expect(s.view).toEqual(decompose(m, n, matrix).s.view);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "names the row of %d",
    (bad) => {
      for (const [m, n] of [
        [5, 5],
        [4, 7],
        [7, 4],
      ] as const) {
        for (const [i, j] of [
          [0, 0],
          [3, 1],
          [2, 3],
        ] as const) {
          const matrix = randomMatrix(seeded(2), m, n);
          matrix[i + j * m] = bad;
          const { status } = decompose(m, n, matrix);
          expect(statusCode(status)).toBe(Status.NON_FINITE);
          expect(statusIndex(status)).toBe(i);
        }
      }
    },
  );

  test("accepts empty matrices and rejects negative sizes", () => {
    for (const [m, n] of [
      [0, 0],
      [0, 3],
      [3, 0],
    ] as const) {
      expect(decompose(m, n, new Float64Array(0)).status).toBe(Status.OK);
    }
    const { kernels, a, factor, s } = decompose(2, 3, randomMatrix(seeded(1), 2, 3));
    const refused = (status: number) => [statusCode(status), statusIndex(status)];
    expect(refused(kernels.svdFactor(-1, 3, a.address, 2, factor.address))).toEqual([
      Status.BAD_SIZE,
      0,
    ]);
    expect(refused(kernels.svdFactor(2, -1, a.address, 2, factor.address))).toEqual([
      Status.BAD_SIZE,
      1,
    ]);
    expect(refused(kernels.svdFactor(2, 3, a.address, 1, factor.address))).toEqual([
      Status.BAD_SIZE,
      3,
    ]);
    expect(refused(kernels.svdValues(-1, 3, factor.address, s.address))).toEqual([
      Status.BAD_SIZE,
      0,
    ]);
  });
});
