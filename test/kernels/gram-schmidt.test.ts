import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { orthogonalityError } from "../../bench/cases/qr.js";
import { naiveGramSchmidt } from "../oracles/gram-schmidt.js";
import { distance, multiply, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function run(m: number, n: number, matrix: Float64Array, tolerance = 0) {
  const { kernels, a, q, kept } = scratch({ a: matrix, q: m * n, kept: n + 1 });
  const status = kernels.gramSchmidt(m, n, a.address, m, tolerance, q.address, m, kept.address);
  const count = kept.view[0];
  return {
    kernels,
    a,
    status,
    count,
    q: q.view.slice(0, m * count),
    kept: Array.from(kept.view.slice(1, 1 + count)),
  };
}

describe("gramSchmidt", () => {
  const shapes = [
    [1, 1],
    [4, 2],
    [5, 5],
    [9, 6],
    [16, 16],
    [31, 20],
  ] as const;
  test.each(shapes)("agrees with the reference implementation, %i x %i", (m, n) => {
    const matrix = conditionedMatrix(seeded(m * n), m, n, 100);
    const { status, q, kept } = run(m, n, matrix);
    const naive = naiveGramSchmidt(m, n, matrix, 1e-12);
    expect(status).toBe(Status.OK);
    expect(kept).toEqual(naive.kept);
    naive.directions.forEach((direction, j) => {
      expect(distance(q.slice(j * m, j * m + m), direction)).toBeLessThan(1e-12);
    });
  });

  test("the basis is orthonormal to rounding and spans the columns, however dependent", () => {
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(size, size, fc.nat(), fc.nat(14), fc.nat(), (m, n, seed, digits, less) => {
        const rank = 1 + (less % Math.min(m, n));
        const matrix = conditionedMatrix(seeded(seed), m, n, 10 ** digits, rank);
        const { count, q } = run(m, n, matrix, 1e-13);
        expect(orthogonalityError(m, count, q)).toBeLessThan(50 * Math.max(m, n) * Number.EPSILON);
        const products = multiply(count, m, n, transpose(m, count, q), matrix);
        expect(relativeDistance(multiply(m, count, n, q, products), matrix)).toBeLessThan(3e-13);
      }),
      { seed: 1 },
    );
  });

  test("drops dependent columns, and names the first", () => {
    const [m, n] = [7, 6];
    const matrix = randomMatrix(seeded(3), m, n);
    for (let i = 0; i < m; i++) {
      matrix[i + 2 * m] = matrix[i] + 2 * matrix[i + m];
      matrix[i + 5 * m] = -3 * matrix[i + 4 * m];
    }
    const { status, kept } = run(m, n, matrix);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 2]);
    expect(kept).toEqual([0, 1, 3, 4]);
  });

  test("the tolerance is relative to each column", () => {
    // Column 1 is column 0 and a thousandth of something new; its size does not matter.
    const matrix = Float64Array.from([1, 0, 0, 1e-40, 1e-43, 0]);
    expect(run(3, 2, matrix, 0.9e-3).kept).toEqual([0, 1]);
    expect(run(3, 2, matrix, 1.1e-3).kept).toEqual([0]);
  });

  test("no tolerance is below rounding, eps times the longer side", () => {
    // Column 1 is column 0 and 10 eps of something new: rounding of 40 rows, but not of 4.
    const [rows, few] = [40, 4];
    const matrix = (m: number) =>
      Float64Array.from({ length: 2 * m }, (_, i) =>
        i % m === 0 ? 1 : i === m + 1 ? 10 * Number.EPSILON : 0,
      );
    expect(run(rows, 2, matrix(rows)).kept).toEqual([0]);
    expect(run(few, 2, matrix(few)).kept).toEqual([0, 1]);
  });

  test("more columns than rows, and zero columns", () => {
    expect(run(3, 8, randomMatrix(seeded(4), 3, 8)).kept).toEqual([0, 1, 2]);
    const { status, kept } = run(3, 2, Float64Array.from([0, 0, 0, 1, 2, 2]));
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 0]);
    expect(kept).toEqual([1]);
  });

  test.each([600, -600, 1000, -1000])("entries of 2^%i lead to the same basis", (exponent) => {
    const [m, n] = [9, 5];
    const matrix = randomMatrix(seeded(5), m, n);
    // Only some of the columns are that large.
    const scaled = matrix.map((x, at) => (Math.floor(at / m) % 2 ? x : x * 2 ** exponent));
    expect(distance(run(m, n, scaled).q, run(m, n, matrix).q)).toBeLessThan(1e-13);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("names the row of %d", (bad) => {
    const [m, n] = [6, 4];
    for (const [i, j] of [
      [0, 0],
      [5, 3],
      [2, 1],
    ] as const) {
      const matrix = randomMatrix(seeded(6), m, n);
      matrix[i + j * m] = bad;
      const { status } = run(m, n, matrix);
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
    }
  });

  test("does not change the input, accepts zero sizes and rejects wrong sizes", () => {
    const matrix = randomMatrix(seeded(7), 5, 3);
    const { kernels, a } = run(5, 3, matrix);
    expect(a.view).toEqual(matrix);
    expect(run(0, 0, new Float64Array(0)).status).toBe(Status.OK);
    for (const [status, position] of [
      [kernels.gramSchmidt(-1, 3, a.address, 5, 0, a.address, 5, a.address), 0],
      [kernels.gramSchmidt(5, -1, a.address, 5, 0, a.address, 5, a.address), 1],
      [kernels.gramSchmidt(5, 3, a.address, 4, 0, a.address, 5, a.address), 3],
      [kernels.gramSchmidt(5, 3, a.address, 5, 0, a.address, 4, a.address), 6],
    ]) {
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, position]);
    }
  });
});
