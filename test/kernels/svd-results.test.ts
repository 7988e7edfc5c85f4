import { Status, statusCode, statusIndex, svdSlots } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { orthogonalityError } from "../../bench/cases/svd.js";
import { multiply, norm, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

const COUNT = 3;

function prepare(m: number, n: number, matrix: Float64Array) {
  const memory = scratch({
    a: matrix,
    factor: svdSlots(m, n),
    x: n * m,
    b: m * COUNT,
    y: n * COUNT,
    z: n * n,
  });
  memory.factor.view.fill(Number.NaN);
  const status = memory.kernels.svdFactor(m, n, memory.a.address, m, memory.factor.address);
  expect(status).toBe(Status.OK);
  return memory;
}

const SIZES = [
  [1, 1, 1],
  [1, 6, 1],
  [6, 1, 1],
  [3, 3, 2],
  [5, 5, 5],
  [6, 6, 1],
  [9, 9, 9],
  [7, 11, 7],
  [7, 11, 4],
  [11, 7, 7],
  [11, 7, 4],
  [30, 60, 30],
  [30, 60, 21],
  [14, 13, 6],
] as const;

describe("svdPseudoinverse", () => {
  test.each(SIZES)("satisfies Penrose's four conditions, %i x %i of rank %i", (m, n, rank) => {
    const matrix = conditionedMatrix(seeded(m + n), m, n, 100, rank);
    const { kernels, factor, x, a } = prepare(m, n, matrix);
    const status = kernels.svdPseudoinverse(m, n, factor.address, 0, x.address, n);
    const deficient = rank < Math.min(m, n);
    expect(statusCode(status)).toBe(deficient ? Status.DEFICIENT : Status.OK);
    expect(statusIndex(status)).toBe(deficient ? rank : 0);
    expect(kernels.svdRank(m, n, factor.address, 0)).toBe(rank);
    const left = multiply(m, n, m, matrix, x.view);
    const right = multiply(n, m, n, x.view, matrix);
    expect(relativeDistance(multiply(m, m, n, left, matrix), matrix)).toBeLessThan(1e-12);
    expect(relativeDistance(multiply(n, n, m, right, x.view), x.view)).toBeLessThan(1e-12);
    expect(relativeDistance(transpose(m, m, left), left)).toBeLessThan(1e-12);
    expect(relativeDistance(transpose(n, n, right), right)).toBeLessThan(1e-12);
    expect(a.view).toEqual(matrix);
  });

  test("writes only its rows if the leading dimension is larger", () => {
    const [m, n, ldx] = [5, 6, 9];
    const { kernels, factor, x } = prepare(m, n, randomMatrix(seeded(1), m, n));
    const wide = prepare(m, n, randomMatrix(seeded(1), m, n));
    const space = scratch({ a: wide.a.view, factor: svdSlots(m, n), x: ldx * m });
    space.x.view.fill(42);
    space.kernels.svdFactor(m, n, space.a.address, m, space.factor.address);
    space.kernels.svdPseudoinverse(m, n, space.factor.address, 0, space.x.address, ldx);
    kernels.svdPseudoinverse(m, n, factor.address, 0, x.address, n);
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < ldx; i++) {
        expect(space.x.view[i + j * ldx]).toBe(i < n ? x.view[i + j * n] : 42);
      }
    }
  });

  test("scales by the reciprocal for a scaled matrix", () => {
    const matrix = randomMatrix(seeded(5), 4, 6);
    const plain = prepare(4, 6, matrix);
    plain.kernels.svdPseudoinverse(4, 6, plain.factor.address, 0, plain.x.address, 6);
    for (const scale of [2 ** 600, 2 ** -600]) {
      const { kernels, factor, x } = prepare(
        4,
        6,
        matrix.map((e) => e * scale),
      );
      expect(kernels.svdPseudoinverse(4, 6, factor.address, 0, x.address, 6)).toBe(Status.OK);
      expect(
        relativeDistance(
          x.view.map((e) => e * scale),
          plain.x.view,
        ),
      ).toBeLessThan(1e-13);
    }
  });

  test("rejects overflow and writes nothing", () => {
    const { kernels, factor, x } = prepare(2, 2, Float64Array.of(2 ** -1060, 0, 0, 2 ** -1061));
    x.view.fill(42);
    const status = kernels.svdPseudoinverse(2, 2, factor.address, 0, x.address, 2);
    expect(statusCode(status)).toBe(Status.NON_FINITE);
    expect(x.view).toEqual(new Float64Array(4).fill(42));
  });

  test("returns zero and rank 0 for the zero matrix", () => {
    const { kernels, factor, x } = prepare(3, 4, new Float64Array(12));
    x.view.fill(42);
    const status = kernels.svdPseudoinverse(3, 4, factor.address, 0, x.address, 4);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 0]);
    expect(x.view).toEqual(new Float64Array(12));
  });
});

describe("svdRank", () => {
  test("counts the values above the tolerance times the largest", () => {
    const { kernels, factor } = prepare(
      4,
      4,
      new Float64Array(16).map((_, i) => (i % 5 === 0 ? 10 ** -(i / 5) : 0)),
    );
    const rank = (tolerance: number) => kernels.svdRank(4, 4, factor.address, tolerance);
    expect([rank(0), rank(-1), rank(0.5e-2), rank(0.05), rank(1)]).toEqual([4, 4, 3, 2, 0]);
  });
});

describe("svdSolve", () => {
  test.each(SIZES)(
    "equals the pseudoinverse times the right-hand sides, %i x %i of rank %i",
    (m, n, rank) => {
      const { kernels, factor, x, b, y } = prepare(
        m,
        n,
        conditionedMatrix(seeded(m * n), m, n, 10, rank),
      );
      b.view.set(randomMatrix(seeded(3), m, COUNT));
      const sides = b.view.slice();
      const inverse = kernels.svdPseudoinverse(m, n, factor.address, 0, x.address, n);
      const status = kernels.svdSolve(m, n, factor.address, 0, COUNT, b.address, m, y.address, n);
      expect(status).toBe(inverse);
      expect(b.view).toEqual(sides);
      expect(relativeDistance(y.view, multiply(n, m, COUNT, x.view, sides))).toBeLessThan(1e-12);
    },
  );

  test("works in place", () => {
    const { kernels, factor, b, y } = prepare(5, 5, randomMatrix(seeded(4), 5, 5));
    b.view.set(randomMatrix(seeded(3), 5, COUNT));
    kernels.svdSolve(5, 5, factor.address, 0, COUNT, b.address, 5, y.address, 5);
    kernels.svdSolve(5, 5, factor.address, 0, COUNT, b.address, 5, b.address, 5);
    expect(b.view).toEqual(y.view);
  });

  test("names the bad element of the right-hand side and does not write the output", () => {
    const { kernels, factor, b, y } = prepare(5, 4, randomMatrix(seeded(4), 5, 4));
    b.view.fill(1);
    b.view[3] = Number.NaN;
    y.view.fill(42);
    const status = kernels.svdSolve(5, 4, factor.address, 0, 1, b.address, 5, y.address, 4);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, 3]);
    expect(y.view).toEqual(new Float64Array(4 * COUNT).fill(42));
  });
});

describe("svdNullSpace", () => {
  test.each([...SIZES, [3, 8, 3], [2, 9, 1], [5, 5, 0], [4, 7, 0]] as const)(
    "returns an orthonormal and complete basis, %i x %i of rank %i",
    (m, n, rank) => {
      const matrix = conditionedMatrix(seeded(m + n), m, n, 100, rank);
      const { kernels, factor, z } = prepare(m, n, matrix);
      z.view.fill(42);
      const status = kernels.svdNullSpace(m, n, factor.address, 1e-10, z.address, n);
      expect(statusIndex(status)).toBe(rank < Math.min(m, n) ? rank : 0);
      const free = n - rank;
      const basis = z.view.subarray(0, n * free);
      expect(norm(multiply(m, n, free, matrix, basis))).toBeLessThan(1e-13 * (norm(matrix) || 1));
      expect(orthogonalityError(n, free, basis)).toBeLessThan(1e-13);
      expect(z.view.subarray(n * free)).toEqual(new Float64Array(n * rank).fill(42));
    },
  );

  test("works after other results have used the scratch", () => {
    const [m, n] = [3, 7];
    const matrix = randomMatrix(seeded(8), m, n);
    const { kernels, factor, x, b, y, z } = prepare(m, n, matrix);
    b.view.fill(1);
    kernels.svdPseudoinverse(m, n, factor.address, 0, x.address, n);
    kernels.svdSolve(m, n, factor.address, 0, 1, b.address, m, y.address, n);
    kernels.svdNullSpace(m, n, factor.address, 0, z.address, n);
    const basis = z.view.slice(0, n * (n - m));
    expect(norm(multiply(m, n, n - m, matrix, basis))).toBeLessThan(1e-14);
    expect(norm(multiply(n - m, n, m, transpose(n, n - m, basis), x.view))).toBeLessThan(1e-14);
  });
});

test("rejects wrong sizes and accepts empty ones", () => {
  const { kernels, factor, x, b, y, z } = prepare(2, 3, randomMatrix(seeded(1), 2, 3));
  const at = factor.address;
  const refused = (status: number) => [statusCode(status), statusIndex(status)];
  expect(refused(kernels.svdPseudoinverse(2, -3, at, 0, x.address, 3))).toEqual([
    Status.BAD_SIZE,
    1,
  ]);
  expect(refused(kernels.svdPseudoinverse(2, 3, at, 0, x.address, 2))).toEqual([
    Status.BAD_SIZE,
    5,
  ]);
  expect(refused(kernels.svdSolve(-2, 3, at, 0, 1, b.address, 2, y.address, 3))).toEqual([
    Status.BAD_SIZE,
    0,
  ]);
  expect(refused(kernels.svdSolve(2, 3, at, 0, -1, b.address, 2, y.address, 3))).toEqual([
    Status.BAD_SIZE,
    4,
  ]);
  expect(refused(kernels.svdSolve(2, 3, at, 0, 1, b.address, 1, y.address, 3))).toEqual([
    Status.BAD_SIZE,
    6,
  ]);
  expect(refused(kernels.svdSolve(2, 3, at, 0, 1, b.address, 2, y.address, 2))).toEqual([
    Status.BAD_SIZE,
    8,
  ]);
  expect(refused(kernels.svdNullSpace(2, -1, at, 0, z.address, 3))).toEqual([Status.BAD_SIZE, 1]);
  expect(refused(kernels.svdNullSpace(2, 3, at, 0, z.address, 2))).toEqual([Status.BAD_SIZE, 5]);
  expect(kernels.svdSolve(2, 3, at, 0, 0, b.address, 2, y.address, 3)).toBe(Status.OK);

  const none = prepare(0, 3, new Float64Array(0));
  expect(none.kernels.svdRank(0, 3, none.factor.address, 0)).toBe(0);
  expect(none.kernels.svdPseudoinverse(0, 3, none.factor.address, 0, none.x.address, 3)).toBe(
    Status.OK,
  );
  expect(none.kernels.svdNullSpace(0, 3, none.factor.address, 0, none.z.address, 3)).toBe(
    Status.OK,
  );
  expect(orthogonalityError(3, 3, none.z.view)).toBe(0);
});
