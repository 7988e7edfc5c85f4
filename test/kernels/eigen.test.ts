import fc from "fast-check";
import { eigenSlots, Inertia, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { composed, orthogonalityError } from "../../bench/cases/svd.js";
import { naiveEigenvalues } from "../oracles/eigen.js";
import { identity, multiply, norm, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, seeded, symmetricMatrix } from "../support/random.js";
import { scratch } from "../support/scratch.js";

/** Decomposes a matrix in memory filled with NaN, which reveals reads of unwritten slots. */
function decompose(n: number, matrix: Float64Array, lda = n) {
  const memory = scratch({ a: matrix, factor: eigenSlots(n), values: n, z: n * n, counts: 3 });
  const { kernels, a, factor, values, z } = memory;
  factor.view.fill(Number.NaN);
  const status = kernels.eigenFactor(n, a.address, lda, factor.address);
  if (status === Status.OK) {
    kernels.eigenValues(n, factor.address, values.address);
    kernels.eigenVectors(n, factor.address, z.address, n);
  }
  return { ...memory, status };
}

/** The properties that define a decomposition; returns the eigenvalues. */
function expectDecomposition(n: number, matrix: Float64Array): Float64Array {
  const { status, values, z, a } = decompose(n, matrix);
  const limit = 50 * n * Number.EPSILON;
  expect(status).toBe(Status.OK);
  expect(a.view).toEqual(matrix);
  for (let i = 1; i < n; i++) expect(values.view[i]).toBeGreaterThanOrEqual(values.view[i - 1]);
  expect(orthogonalityError(n, n, z.view)).toBeLessThanOrEqual(limit);
  expect(relativeDistance(composed(n, n, z.view, values.view, z.view), matrix)).toBeLessThanOrEqual(
    limit,
  );
  return values.view;
}

const alternating = (i: number) => (i % 2 === 0 ? 1 : -1);

describe("eigenFactor", () => {
  test.each([1, 2, 3, 4, 5, 8, 9, 13, 24, 31, 48])("agrees with Jacobi's method, n = %i", (n) => {
    const matrix = symmetricMatrix(seeded(n), n, 1000, alternating);
    const values = expectDecomposition(n, matrix);
    expect(relativeDistance(values, naiveEigenvalues(n, matrix))).toBeLessThan(1e-13);
  });

  test("any size, seed, condition and signs", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        fc.nat({ max: 15 }),
        fc.nat({ max: 3 }),
        (n, seed, digits, kind) => {
          const sign = (i: number) => [1, -1, (i % 3) - 1, alternating(i)][kind];
          expectDecomposition(n, symmetricMatrix(seeded(seed), n, 10 ** digits, sign));
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each([2 ** 600, 2 ** -600, 2 ** 1000, 2 ** -1060])("entries of size %d", (scale) => {
    const n = 7;
    const matrix = symmetricMatrix(seeded(1), n, 10, alternating).map((x) =>
      Math.round(x * 2 ** 10),
    );
    const values = expectDecomposition(n, matrix);
    const scaled = decompose(
      n,
      matrix.map((x) => x * scale),
    );
    expect(scaled.status).toBe(Status.OK);
    for (let i = 0; i < n; i++) {
      const error = Math.abs(scaled.values.view[i] / scale - values[i]);
      expect(error).toBeLessThanOrEqual(1e-13 * norm(values) + 2 ** -1073 / scale);
    }
    expect(orthogonalityError(n, n, scaled.z.view)).toBeLessThan(1e-13);
  });

  test.each([1, -1])("graded matrices, direction %i", (direction) => {
    for (const n of [6, 11]) {
      for (const bits of [1, 10, 40, 80]) {
        const matrix = symmetricMatrix(seeded(n), n, 10, alternating);
        const size = (i: number) => 2 ** (direction * bits * (i - n / 2));
        expectDecomposition(
          n,
          matrix.map((x, i) => x * size(i % n) * size(Math.floor(i / n))),
        );
      }
    }
  });

  test("Wilkinson's matrix, whose eigenvalues come in pairs that are almost equal", () => {
    const n = 21;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      matrix[i + i * n] = Math.abs(i - 10);
      if (i + 1 < n) matrix[i + 1 + i * n] = matrix[i + (i + 1) * n] = 1;
    }
    const values = expectDecomposition(n, matrix);
    expect(relativeDistance(values, naiveEigenvalues(n, matrix))).toBeLessThan(1e-14);
    expect(values[20]).toBeCloseTo(10.746194182903393, 12);
  });

  test("zero, the identity and a diagonal matrix keep their exact values", () => {
    expect(expectDecomposition(5, new Float64Array(25))).toEqual(new Float64Array(5));
    expect(expectDecomposition(6, identity(6))).toEqual(new Float64Array(6).fill(1));
    const diagonal = identity(4).map((x, i) => x * [-3, 1e-30, 5, 2 ** -300][i % 4]);
    expect(Array.from(expectDecomposition(4, diagonal))).toEqual([-3, 2 ** -300, 1e-30, 5]);
  });

  test("reads the lower triangle only, with a leading dimension", () => {
    const [n, lda] = [6, 9];
    const matrix = symmetricMatrix(seeded(3), n, 10, alternating);
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) for (let i = j; i < n; i++) wide[i + j * lda] = matrix[i + j * n];
    const { status, values, a } = decompose(n, wide, lda);
    expect(status).toBe(Status.OK);
    expect(a.view).toEqual(wide);
    expect(values.view).toEqual(decompose(n, matrix).values.view);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "names the row of %d",
    (bad) => {
      const n = 6;
      for (const [i, j] of [
        [0, 0],
        [3, 1],
        [5, 5],
      ] as const) {
        const matrix = symmetricMatrix(seeded(2), n, 10);
        matrix[i + j * n] = bad;
        const { status } = decompose(n, matrix);
        expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
      }
    },
  );

  test("accepts an empty matrix and rejects wrong sizes", () => {
    expect(decompose(0, new Float64Array(0)).status).toBe(Status.OK);
    const { kernels, a, factor, values, z, counts } = decompose(2, identity(2));
    const at = factor.address;
    const refused = (status: number) => [statusCode(status), statusIndex(status)];
    expect(refused(kernels.eigenFactor(-1, a.address, 2, at))).toEqual([Status.BAD_SIZE, 0]);
    expect(refused(kernels.eigenFactor(2, a.address, 1, at))).toEqual([Status.BAD_SIZE, 2]);
    expect(refused(kernels.eigenValues(-1, at, values.address))).toEqual([Status.BAD_SIZE, 0]);
    expect(refused(kernels.eigenVectors(2, at, z.address, 1))).toEqual([Status.BAD_SIZE, 3]);
    expect(refused(kernels.eigenNullSpace(2, at, 0, z.address, 1))).toEqual([Status.BAD_SIZE, 4]);
    expect(refused(kernels.eigenInertia(-1, at, 0, counts.address))).toEqual([Status.BAD_SIZE, 0]);
  });
});

describe("eigenNullSpace and eigenInertia", () => {
  test.each([
    [4, 9],
    [9, 4],
    [6, 6],
    [1, 5],
  ] as const)("the null space of J equals that of J^T J, J %i x %i", (m, n) => {
    const rank = Math.max(1, Math.min(m, n) - 1);
    const j = conditionedMatrix(seeded(m * n), m, n, 10, rank);
    const { kernels, factor, z, counts } = decompose(n, multiply(n, m, n, transpose(m, n, j), j));
    z.view.fill(42);
    const status = kernels.eigenNullSpace(n, factor.address, 1e-12, z.address, n);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, rank]);
    const free = n - rank;
    const basis = z.view.subarray(0, n * free);
    expect(norm(multiply(m, n, free, j, basis))).toBeLessThan(1e-13);
    expect(orthogonalityError(n, free, basis)).toBeLessThan(1e-13);
    expect(z.view.subarray(n * free)).toEqual(new Float64Array(n * rank).fill(42));
    kernels.eigenInertia(n, factor.address, 1e-12, counts.address);
    expect(Array.from(counts.view)).toEqual([0, free, rank]);
  });

  test("a full matrix has no null space", () => {
    const { kernels, factor, z, counts } = decompose(
      5,
      symmetricMatrix(seeded(6), 5, 10, alternating),
    );
    expect(kernels.eigenNullSpace(5, factor.address, 0, z.address, 5)).toBe(Status.OK);
    kernels.eigenInertia(5, factor.address, 0, counts.address);
    expect(counts.view[Inertia.NEGATIVE]).toBe(2);
    expect(counts.view[Inertia.ZERO]).toBe(0);
    expect(counts.view[Inertia.POSITIVE]).toBe(3);
  });

  test("the tolerance decides the rank, and the zero matrix is all null space", () => {
    const { kernels, factor, counts } = decompose(
      3,
      Float64Array.of(1, 0, 0, 0, -0.1, 0, 0, 0, 0.01),
    );
    kernels.eigenInertia(3, factor.address, 0.05, counts.address);
    expect(Array.from(counts.view)).toEqual([1, 1, 1]);
    const none = decompose(3, new Float64Array(9));
    const status = none.kernels.eigenNullSpace(3, none.factor.address, 0, none.z.address, 3);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 0]);
    expect(orthogonalityError(3, 3, none.z.view)).toBe(0);
  });
});
