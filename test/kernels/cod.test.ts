import fc from "fast-check";
import { codSlots, QrHeader, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { orthogonalityError } from "../../bench/cases/qr.js";
import { naivePseudoinverse } from "../oracles/pseudoinverse.js";
import { multiply, norm, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

const COUNT = 6;

/** Factors C (m x n, column-major); `guard` checks that nothing was written past the record. */
function factor(m: number, n: number, c: Float64Array, tolerance = 0) {
  const memory = scratch({
    ct: transpose(m, n, c),
    factor: codSlots(m, n) + 1,
    b: Math.max(m, n) * COUNT,
    x: Math.max(m, n) * COUNT,
    z: n * n,
  });
  const { kernels, ct, factor: made, b, x } = memory;
  made.view[codSlots(m, n)] = 42;
  const status = kernels.codFactor(m, n, ct.address, n, tolerance, made.address);
  const solve = (right: Float64Array, count = 1) => {
    b.view.set(right);
    const solved = kernels.codSolve(m, n, made.address, count, b.address, m, x.address, n);
    expect(solved).toBe(Status.OK);
    return x.view.slice(0, n * count);
  };
  const solveTransposed = (right: Float64Array, count = 1) => {
    b.view.set(right);
    expect(kernels.codSolveTransposed(m, n, made.address, count, b.address, n, x.address, m)).toBe(
      Status.OK,
    );
    return x.view.slice(0, m * count);
  };
  const guard = () => expect(made.view[codSlots(m, n)]).toBe(42);
  return { ...memory, status, rank: made.view[QrHeader.RANK], solve, solveTransposed, guard };
}

const shapes = [
  [1, 1, 1],
  [3, 4, 3],
  [5, 6, 5],
  [9, 9, 9],
  [12, 30, 12],
  [4, 3, 3],
  [30, 12, 12],
  [5, 6, 3],
  [9, 9, 8],
  [9, 9, 1],
  [20, 5, 3],
  [7, 25, 4],
  [25, 25, 13],
] as const;

describe("the complete orthogonal decomposition", () => {
  test.each(shapes)("agrees with the reference pseudoinverse, %i x %i of rank %i", (m, n, rank) => {
    const c = conditionedMatrix(seeded(m * n + rank), m, n, 30, rank);
    const made = factor(m, n, c);
    expect(made.rank).toBe(rank);
    expect(statusCode(made.status)).toBe(rank < m ? Status.DEFICIENT : Status.OK);
    const inverse = naivePseudoinverse(m, n, c);
    const b = randomMatrix(seeded(1), m, COUNT);
    const exact = multiply(n, m, COUNT, inverse, b);
    expect(relativeDistance(made.solve(b, COUNT), exact)).toBeLessThan(1e-10);
    const right = randomMatrix(seeded(2), n, COUNT);
    const other = multiply(m, n, COUNT, transpose(n, m, inverse), right);
    expect(relativeDistance(made.solveTransposed(right, COUNT), other)).toBeLessThan(1e-10);
    made.guard();
  });

  test("x is the shortest of the least squares solutions, for any shape, seed and rank", () => {
    const size = fc.integer({ min: 1, max: 24 });
    fc.assert(
      fc.property(size, size, fc.nat(), fc.nat(), fc.nat(9), (m, n, less, seed, digits) => {
        const rank = 1 + (less % Math.min(m, n));
        const c = conditionedMatrix(seeded(seed), m, n, 10 ** digits, rank);
        const made = factor(m, n, c);
        expect(made.rank).toBe(rank);
        const x = made.solve(randomVector(seeded(seed + 1), m));
        const { kernels, z } = made;
        expect(kernels.codNullSpace(m, n, made.factor.address, z.address, n)).toBe(Status.OK);
        const free = n - rank;
        const basis = z.view.slice(0, n * free);
        const bound = 50 * Math.max(m, n) * Number.EPSILON;
        expect(orthogonalityError(n, free, basis)).toBeLessThan(bound);
        expect(norm(multiply(m, n, free, c, basis))).toBeLessThan(bound * norm(c));
        const along = multiply(free, n, 1, transpose(n, free, basis), x);
        expect(norm(along)).toBeLessThan(bound * norm(x));
        // C^T (C x - b) = 0
        const residual = multiply(m, n, 1, c, x).map((value, i) => value - made.b.view[i]);
        const gradient = norm(multiply(n, m, 1, transpose(m, n, c), residual));
        expect(gradient).toBeLessThan(bound * norm(c) * (norm(c) * norm(x) + norm(residual)));
        made.guard();
      }),
      { seed: 1 },
    );
  });

  test("solves several right-hand sides as one at a time, with leading dimensions", () => {
    const [m, n, ldb, ldx] = [5, 7, 6, 9];
    const made = factor(m, n, randomMatrix(seeded(4), m, n));
    const b = randomMatrix(seeded(5), m, COUNT);
    const single = Array.from({ length: COUNT }, (_, j) => made.solve(b.slice(j * m, j * m + m)));
    const wide = scratch({ factor: made.factor.view, b: ldb * COUNT, x: ldx * COUNT });
    wide.x.view.fill(42);
    for (let j = 0; j < COUNT; j++) wide.b.view.set(b.subarray(j * m, j * m + m), j * ldb);
    const { kernels, factor: record, x } = wide;
    expect(kernels.codSolve(m, n, record.address, COUNT, wide.b.address, ldb, x.address, ldx)).toBe(
      Status.OK,
    );
    for (let j = 0; j < COUNT; j++) {
      const solution = wide.x.view.slice(j * ldx, j * ldx + n);
      expect(relativeDistance(solution, single[j])).toBeLessThan(1e-14);
      expect(Array.from(wide.x.view.slice(j * ldx + n, j * ldx + ldx))).toEqual([42, 42]);
    }
  });

  test("names the first redundant constraint", () => {
    const [m, n] = [5, 6];
    const c = randomMatrix(seeded(7), m, n);
    for (let j = 0; j < n; j++) c[3 + j * m] = 0.25 * c[0 + j * m] + 0.25 * c[2 + j * m];
    const { status, rank, ct } = factor(m, n, c);
    expect([statusCode(status), statusIndex(status), rank]).toEqual([Status.DEFICIENT, 3, 4]);
    expect(ct.view).toEqual(transpose(m, n, c));
  });

  test("more constraints than coordinates are redundant", () => {
    const { status, rank } = factor(5, 3, randomMatrix(seeded(8), 5, 3));
    expect([statusCode(status), rank]).toEqual([Status.DEFICIENT, 3]);
  });

  test.each([600, -600, 1000, -1000])("entries of 2^%i, full and lower rank", (exponent) => {
    for (const [m, n, rank] of [
      [6, 9, 6],
      [9, 6, 4],
      [20, 20, 11],
    ] as const) {
      const plain = conditionedMatrix(seeded(9), m, n, 100, rank);
      const made = factor(
        m,
        n,
        plain.map((x) => x * 2 ** exponent),
        1e-10,
      );
      expect(made.rank).toBe(rank);
      const b = randomVector(seeded(10), m);
      const exact = factor(m, n, plain, 1e-10).solve(b);
      const scaled = made.solve(b).map((x) => x * 2 ** exponent);
      expect(relativeDistance(scaled, exact)).toBeLessThan(1e-11);
    }
  });

  test.each([Number.NaN, Number.NEGATIVE_INFINITY])("names the constraint that holds %d", (bad) => {
    const [m, n] = [7, 9];
    for (const [i, j] of [
      [0, 8],
      [3, 3],
      [6, 0],
    ] as const) {
      const c = randomMatrix(seeded(11), m, n);
      c[i + j * m] = bad;
      const { status } = factor(m, n, c);
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
    }
  });

  test.each([
    [5, 6, 5],
    [9, 4, 4],
    [6, 6, 3],
    [4, 4, 0],
  ])("names the bad element of b and does not write x, %i x %i of rank %i", (m, n, rank) => {
    const made = factor(m, n, conditionedMatrix(seeded(12), m, n, 10, rank));
    const { kernels, factor: record, b, x } = made;
    for (let i = 0; i < Math.min(m, n); i++) {
      b.view.fill(1);
      b.view[i] = Number.NaN;
      x.view.fill(42);
      for (const status of [
        kernels.codSolve(m, n, record.address, 1, b.address, m, x.address, n),
        kernels.codSolveTransposed(m, n, record.address, 1, b.address, n, x.address, m),
      ]) {
        expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
      }
      expect(x.view.every((value) => value === 42)).toBe(true);
    }
  });

  test("zero has the pseudoinverse zero, and all coordinates are free", () => {
    const [m, n] = [3, 4];
    const made = factor(m, n, new Float64Array(m * n));
    expect([statusCode(made.status), statusIndex(made.status)]).toEqual([Status.DEFICIENT, 0]);
    expect(made.solve(randomVector(seeded(1), m))).toEqual(new Float64Array(n));
    expect(made.solveTransposed(randomVector(seeded(1), n))).toEqual(new Float64Array(m));
    made.x.view.fill(42);
    expect(made.solve(randomVector(seeded(2), 3 * m), 3)).toEqual(new Float64Array(3 * n));
    expect(made.x.view.subarray(3 * n).every((value) => value === 42)).toBe(true);
    made.kernels.codNullSpace(m, n, made.factor.address, made.z.address, n);
    expect(orthogonalityError(n, n, made.z.view)).toBe(0);
  });

  test("accepts zero sizes and rejects wrong sizes", () => {
    expect(factor(0, 0, new Float64Array(0)).status).toBe(Status.OK);
    const free = factor(0, 3, new Float64Array(0));
    expect(free.status).toBe(Status.OK);
    expect(free.solve(new Float64Array(0))).toEqual(new Float64Array(3));
    expect(statusCode(factor(3, 0, new Float64Array(0)).status)).toBe(Status.DEFICIENT);
    const { kernels, ct, factor: made, b, x, z } = factor(2, 3, randomMatrix(seeded(1), 2, 3));
    const at = made.address;
    for (const [status, position] of [
      [kernels.codFactor(-1, 3, ct.address, 3, 0, at), 0],
      [kernels.codFactor(2, -1, ct.address, 3, 0, at), 1],
      [kernels.codFactor(2, 3, ct.address, 2, 0, at), 3],
      [kernels.codSolve(2, 3, at, -1, b.address, 2, x.address, 3), 3],
      [kernels.codSolve(2, 3, at, 1, b.address, 1, x.address, 3), 5],
      [kernels.codSolve(2, 3, at, 1, b.address, 2, x.address, 2), 7],
      [kernels.codSolveTransposed(2, 3, at, 1, b.address, 2, x.address, 2), 5],
      [kernels.codNullSpace(2, 3, at, z.address, 2), 4],
    ]) {
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, position]);
    }
  });
});

describe("codFactorSolve", () => {
  test.each([
    [3, 4, 3],
    [5, 4, 2],
  ])("returns bitwise the results of the two kernels, %i x %i of rank %i", (m, n, rank) => {
    const random = seeded(9);
    const c = conditionedMatrix(random, m, n, 8, rank);
    const { kernels, ct, b, record, x, once } = scratch({
      ct: transpose(m, n, c),
      b: randomVector(random, m),
      record: codSlots(m, n),
      x: n,
      once: n,
    });
    const [matrix, right, made] = [ct.address, b.address, record.address];
    const status = kernels.codFactor(m, n, matrix, n, 0, made);
    kernels.codSolve(m, n, made, 1, right, m, x.address, n);
    expect(kernels.codFactorSolve(m, n, matrix, n, 0, right, made, once.address)).toBe(status);
    expect(once.view).toEqual(x.view);
    b.view[1] = Number.NaN;
    const bad = kernels.codFactorSolve(m, n, matrix, n, 0, right, made, once.address);
    expect([statusCode(bad), statusIndex(bad)]).toEqual([Status.NON_FINITE, 1]);
  });
});
