import fc from "fast-check";
import { LdltHeader, ldltSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { partsOfLdlt, productOfLdlt } from "../../bench/cases/ldlt.js";
import { permuted } from "../../bench/cases/lu.js";
import { naiveInverse } from "../oracles/lu.js";
import { backwardError, multiply, relativeDistance } from "../support/matrix.js";
import { randomMatrix, randomVector, seeded, symmetricMatrix } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(n: number, matrix: Float64Array, lda = n) {
  const memory = scratch({ a: matrix, factor: ldltSlots(n), b: randomVector(seeded(n), n), x: n });
  const status = memory.kernels.ldltFactor(n, memory.a.address, lda, memory.factor.address);
  return { ...memory, status, parts: partsOfLdlt(n, memory.factor.view) };
}

/** [M J^T; J 0], M positive definite: n positive and m negative eigenvalues if J has full rank. */
function kktMatrix(n: number, m: number, seed: number): Float64Array {
  const random = seeded(seed);
  const size = n + m;
  const a = new Float64Array(size * size);
  const mass = symmetricMatrix(random, n, 100);
  const jacobian = randomMatrix(random, m, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) a[i + j * size] = mass[i + j * n];
    for (let i = 0; i < m; i++) a[n + i + j * size] = a[j + (n + i) * size] = jacobian[i + j * m];
  }
  return a;
}

describe("ldltFactor", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 24, 31, 48])(
    "reproduces the matrix as a product, n = %i",
    (n) => {
      const signs = (i: number) => (i % 2 === 0 ? 1 : -1);
      const matrix = symmetricMatrix(seeded(n), n, 100, signs);
      const { status, parts, kernels, b, x, factor: made } = factor(n, matrix);
      expect(status).toBe(Status.OK);
      const expected = permuted(n, matrix, parts.rows, parts.rows);
      expect(relativeDistance(productOfLdlt(n, parts.l, parts.d), expected)).toBeLessThan(1e-14);
      expect([...parts.inertia]).toEqual([n >> 1, 0, (n + 1) >> 1]);
      kernels.ldltSolve(n, made.address, b.address, x.address);
      const naive = multiply(n, n, 1, naiveInverse(n, matrix), b.view);
      expect(relativeDistance(x.view, naive)).toBeLessThan(1e-11);
    },
  );

  test("solves, bounds L and counts signs, for any size, seed, condition and signs", () => {
    const size = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(size, fc.nat(), fc.nat({ max: 12 }), fc.nat(), (n, seed, digits, bits) => {
        const sign = (i: number) => ((bits >> (i % 30)) & 1 ? -1 : 1);
        const matrix = symmetricMatrix(seeded(seed), n, 10 ** digits, sign);
        const { status, parts, kernels, b, x, factor: made } = factor(n, matrix);
        expect(status).toBe(Status.OK);
        for (const value of parts.l) expect(Math.abs(value)).toBeLessThan(2.79);
        const negative = Array.from({ length: n }, (_, i) => sign(i)).filter((s) => s < 0).length;
        expect([...parts.inertia]).toEqual([negative, 0, n - negative]);
        expect(kernels.ldltSolve(n, made.address, b.address, x.address)).toBe(Status.OK);
        expect(backwardError(n, n, matrix, x.view, b.view)).toBeLessThan(50 * n * Number.EPSILON);
      }),
      { seed: 1 },
    );
  });

  test("factors matrices of constrained motion, whose lower block is zero", () => {
    for (const [n, m] of [
      [1, 1],
      [3, 2],
      [6, 5],
      [12, 7],
      [30, 10],
    ] as const) {
      const size = n + m;
      const matrix = kktMatrix(n, m, n);
      const { status, parts, kernels, b, x, factor: made } = factor(size, matrix);
      expect(status).toBe(Status.OK);
      expect([...parts.inertia]).toEqual([m, 0, n]);
      kernels.ldltSolve(size, made.address, b.address, x.address);
      expect(backwardError(size, size, matrix, x.view, b.view)).toBeLessThan(1e-14);
    }
  });

  test("reads only the lower triangle, with a leading dimension, and does not change the input", () => {
    const [n, lda] = [7, 9];
    const matrix = symmetricMatrix(seeded(3), n, 10, (i) => (i < 3 ? -1 : 1));
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) for (let i = j; i < n; i++) wide[i + j * lda] = matrix[i + j * n];
    const { status, a, parts } = factor(n, wide, lda);
    expect(status).toBe(Status.OK);
    expect(a.view).toEqual(wide);
    expect(parts).toEqual(factor(n, matrix).parts);
  });

  test("names the row of a zero pivot, and completes the inertia", () => {
    const n = 6;
    for (const row of [0, 2, 5]) {
      const matrix = symmetricMatrix(seeded(4), n, 10, (i) => (i === 1 ? -1 : 1));
      for (let i = 0; i < n; i++) matrix[i + row * n] = matrix[row + i * n] = 0;
      const { status, parts, kernels, b, x, factor: made } = factor(n, matrix);
      expect(statusCode(status)).toBe(Status.SINGULAR);
      expect(statusIndex(status)).toBe(row);
      expect(parts.inertia[LdltHeader.ZERO]).toBe(1);
      expect(parts.inertia[LdltHeader.NEGATIVE] + parts.inertia[LdltHeader.POSITIVE]).toBe(n - 1);
      x.view.fill(42);
      const solved = kernels.ldltSolve(n, made.address, b.address, x.address);
      expect(statusCode(solved)).toBe(Status.SINGULAR);
      expect(statusIndex(solved)).toBe(row);
      expect(x.view).toEqual(new Float64Array(n).fill(42));
    }
    const zero = factor(3, new Float64Array(9));
    expect(statusIndex(zero.status)).toBe(0);
    expect([...zero.parts.inertia]).toEqual([0, 3, 0]);
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

  test("badly scaled matrices keep a small backward error", () => {
    const n = 9;
    const matrix = symmetricMatrix(seeded(5), n, 100, (i) => (i % 2 === 0 ? 1 : -1));
    const scale = (i: number) => 2 ** (30 * (i - 4));
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) matrix[i + j * n] *= scale(i) * scale(j);
    const { status, kernels, b, x, factor: made } = factor(n, matrix);
    expect(status).toBe(Status.OK);
    kernels.ldltSolve(n, made.address, b.address, x.address);
    expect(backwardError(n, n, matrix, x.view, b.view)).toBeLessThan(50 * n * Number.EPSILON);
  });

  test("accepts an empty matrix and rejects wrong sizes", () => {
    expect(factor(0, new Float64Array(0)).status).toBe(Status.OK);
    const { kernels, a, b, x, factor: made } = factor(2, symmetricMatrix(seeded(1), 2, 1));
    const refused = [
      [kernels.ldltFactor(-1, a.address, 2, made.address), 0],
      [kernels.ldltFactor(2, a.address, 1, made.address), 2],
      [kernels.ldltSolve(-1, made.address, b.address, x.address), 0],
      [kernels.ldltSolveMany(2, -1, made.address, b.address, 2, x.address, 2), 1],
      [kernels.ldltSolveMany(2, 1, made.address, b.address, 1, x.address, 2), 4],
      [kernels.ldltSolveMany(2, 1, made.address, b.address, 2, x.address, 1), 6],
    ] as const;
    for (const [status, argument] of refused) {
      expect(statusCode(status)).toBe(Status.BAD_SIZE);
      expect(statusIndex(status)).toBe(argument);
    }
  });
});

describe("ldltSolve", () => {
  test("works in place, and names a bad element without writing the output", () => {
    const n = 7;
    const { kernels, b, x, factor: made } = factor(n, kktMatrix(4, 3, 1));
    kernels.ldltSolve(n, made.address, b.address, x.address);
    kernels.ldltSolve(n, made.address, b.address, b.address);
    expect(b.view).toEqual(x.view);
    b.view[5] = Number.NaN;
    const before = x.view.slice();
    const status = kernels.ldltSolve(n, made.address, b.address, x.address);
    expect(statusCode(status)).toBe(Status.NON_FINITE);
    expect(statusIndex(status)).toBe(5);
    expect(x.view).toEqual(before);
  });
});
