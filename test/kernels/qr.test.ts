import fc from "fast-check";
import { qrSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { qrScratch } from "../../assembly/layout.js";
import { leastSquaresError, orthogonalityError, readQr } from "../../bench/cases/qr.js";
import { naiveQr, withPositiveDiagonal } from "../oracles/qr.js";
import { multiply, relativeDistance, transpose } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(m: number, n: number, matrix: Float64Array, lda = m) {
  const memory = scratch({
    a: matrix,
    factor: qrSlots(m, n),
    q: m * m,
    b: m,
    x: Math.max(m, n),
  });
  const status = memory.kernels.qrFactor(m, n, memory.a.address, lda, memory.factor.address);
  const form = (columns: number) => {
    const made = memory.kernels.qrForm(m, n, columns, memory.factor.address, memory.q.address, m);
    expect(made).toBe(Status.OK);
    return memory.q.view.slice(0, m * columns);
  };
  const solve = () =>
    memory.kernels.qrSolve(m, n, memory.factor.address, memory.b.address, memory.x.address);
  return { ...memory, status, form, solve };
}

const shapes = [
  [1, 1],
  [2, 1],
  [1, 3],
  [4, 4],
  [5, 3],
  [3, 5],
  [8, 8],
  [9, 7],
  [7, 9],
  [13, 13],
  [20, 11],
  [33, 31],
] as const;

describe("qrFactor", () => {
  test.each(shapes)("agrees with the reference implementation, %i x %i", (m, n) => {
    const matrix = conditionedMatrix(seeded(m + n), m, n, 10);
    const { status, factor: made } = factor(m, n, matrix);
    expect(status).toBe(Status.OK);
    const steps = Math.min(m, n);
    const { r, order } = readQr(m, n, made.view);
    expect(order).toEqual(Array.from({ length: n }, (_, j) => j));
    const naive = naiveQr(m, n, matrix, false).r;
    expect(relativeDistance(withPositiveDiagonal(steps, r), naive)).toBeLessThan(1e-13);
  });

  test("Q is orthogonal and Q R is A, for any shape, seed and condition", () => {
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(size, size, fc.nat(), fc.nat({ max: 12 }), (m, n, seed, digits) => {
        const matrix = conditionedMatrix(seeded(seed), m, n, 10 ** digits);
        const { form, factor: made } = factor(m, n, matrix);
        const q = form(m);
        const bound = 50 * Math.max(m, n) * Number.EPSILON;
        expect(orthogonalityError(m, m, q)).toBeLessThan(bound);
        const steps = Math.min(m, n);
        const product = multiply(m, steps, n, q, readQr(m, n, made.view).r);
        expect(relativeDistance(product, matrix)).toBeLessThan(bound);
      }),
      { seed: 1 },
    );
  });

  test("supports a leading dimension, and does not change the input", () => {
    const [m, n, lda] = [6, 4, 9];
    const matrix = randomMatrix(seeded(3), m, n);
    const wide = new Float64Array(lda * n).fill(Number.NaN);
    for (let j = 0; j < n; j++) wide.set(matrix.subarray(j * m, j * m + m), j * lda);
    const { a, factor: made } = factor(m, n, wide, lda);
    expect(a.view).toEqual(wide);
    expect(readQr(m, n, made.view).r).toEqual(readQr(m, n, factor(m, n, matrix).factor.view).r);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("names the row of %d", (bad) => {
    for (const [m, n] of [
      [10, 6],
      [6, 10],
      [13, 13],
    ] as const) {
      for (const [i, j] of [
        [0, 0],
        [3, 5],
        [5, 2],
        [m - 1, n - 1],
      ] as const) {
        const matrix = randomMatrix(seeded(2), m, n);
        matrix[i + j * m] = bad;
        const { status } = factor(m, n, matrix);
        expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
      }
    }
  });

  test.each([600, -600, 1000, -1000])("entries of 2^%i lead to the same R and x", (exponent) => {
    const [m, n] = [11, 7];
    const matrix = randomMatrix(seeded(6), m, n);
    const scale = 2 ** exponent;
    const plain = factor(m, n, matrix);
    const scaled = factor(
      m,
      n,
      matrix.map((x) => x * scale),
    );
    expect(scaled.status).toBe(Status.OK);
    expect(relativeDistance(scaled.form(m), plain.form(m))).toBeLessThan(1e-14);
    const r = readQr(m, n, scaled.factor.view).r.map((x) => x / scale);
    expect(relativeDistance(r, readQr(m, n, plain.factor.view).r)).toBeLessThan(1e-14);
    const b = randomVector(seeded(7), m);
    plain.b.view.set(b);
    scaled.b.view.set(b);
    expect([plain.solve(), scaled.solve()]).toEqual([Status.OK, Status.OK]);
    const x = scaled.x.view.map((value) => value * scale);
    expect(relativeDistance(x, plain.x.view)).toBeLessThan(1e-13);
  });

  test("columns of very different size keep their relative accuracy", () => {
    const [m, n] = [12, 5];
    const matrix = randomMatrix(seeded(8), m, n);
    const sizes = [1, 2 ** -600, 2 ** 300, 2 ** -300, 2 ** 150];
    const scaled = matrix.map((x, at) => x * sizes[Math.floor(at / m)]);
    const plain = readQr(m, n, factor(m, n, matrix).factor.view).r;
    const { r } = readQr(m, n, factor(m, n, scaled).factor.view);
    const back = r.map((x, at) => x / sizes[Math.floor(at / n)]);
    expect(relativeDistance(back, plain)).toBeLessThan(1e-13);
  });

  test("accepts zero sizes and rejects wrong sizes", () => {
    expect(factor(0, 0, new Float64Array(0)).status).toBe(Status.OK);
    expect(factor(3, 0, new Float64Array(0)).status).toBe(Status.OK);
    expect(factor(0, 3, new Float64Array(0)).status).toBe(Status.OK);
    const { kernels, a, factor: made, b, x, q } = factor(3, 2, randomMatrix(seeded(1), 3, 2));
    const at = made.address;
    for (const [status, position] of [
      [kernels.qrFactor(-1, 2, a.address, 3, at), 0],
      [kernels.qrFactor(3, -1, a.address, 3, at), 1],
      [kernels.qrFactor(3, 2, a.address, 2, at), 3],
      [kernels.qrSolve(1, 2, at, b.address, x.address), 1],
      [kernels.qrForm(-1, 2, 0, at, q.address, 3), 0],
      [kernels.qrForm(3, -1, 2, at, q.address, 3), 1],
      [kernels.qrForm(3, 2, 4, at, q.address, 3), 2],
      [kernels.qrForm(3, 2, 2, at, q.address, 2), 5],
      [kernels.qrApply(-1, 2, at, 0, 1, b.address, 3, x.address, 3), 0],
      [kernels.qrApply(3, -1, at, 0, 1, b.address, 3, x.address, 3), 1],
      [kernels.qrApply(3, 2, at, 0, -1, b.address, 3, x.address, 3), 4],
      [kernels.qrApply(3, 2, at, 0, 1, b.address, 2, x.address, 3), 6],
      [kernels.qrApply(3, 2, at, 0, 1, b.address, 3, x.address, 2), 8],
    ]) {
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, position]);
    }
  });
});

describe("qrSolve", () => {
  test("finds least squares solutions", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.nat(9), fc.nat(), (n, more, seed) => {
        const m = n + more;
        const matrix = conditionedMatrix(seeded(seed), m, n, 1e6);
        const { solve, b, x } = factor(m, n, matrix);
        b.view.set(randomVector(seeded(seed + 1), m));
        expect(solve()).toBe(Status.OK);
        const error = leastSquaresError(m, n, matrix, x.view.slice(0, n), b.view);
        expect(error).toBeLessThan(50 * m * Number.EPSILON);
      }),
      { seed: 1 },
    );
  });

  test.each([0, 2, 4])("names column %i if it is zero", (column) => {
    const [m, n] = [7, 5];
    const matrix = randomMatrix(seeded(4), m, n);
    matrix.fill(0, column * m, column * m + m);
    const { solve, status } = factor(m, n, matrix);
    expect(status).toBe(Status.OK);
    const solved = solve();
    expect([statusCode(solved), statusIndex(solved)]).toEqual([Status.SINGULAR, column]);
  });

  test("names the bad element of the right-hand side and does not write the output", () => {
    const { solve, b, x } = factor(7, 5, randomMatrix(seeded(4), 7, 5));
    b.view.fill(1);
    b.view[6] = Number.NaN;
    x.view.fill(42);
    const status = solve();
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, 6]);
    expect(x.view).toEqual(new Float64Array(7).fill(42));
  });
});

describe("qrApply", () => {
  test.each([1, 2, 3, 4, 5, 9])("multiplies %i columns by Q and Q^T in place", (count) => {
    const [m, n, ld] = [10, 6, 11];
    const { kernels, factor: made, form } = factor(m, n, randomMatrix(seeded(5), m, n));
    const q = form(m);
    const block = randomMatrix(seeded(count), ld, count);
    const narrow = (wide: Float64Array) => wide.filter((_, at) => at % ld < m);
    for (const [transposed, matrix] of [
      [0, q],
      [1, transpose(m, m, q)],
    ] as const) {
      const { kernels: own, factor: copy, b } = scratch({ factor: made.view, b: block });
      // Columns are padded to a multiple of four rows: old values in the padding must have no effect.
      copy.view.fill(Number.NaN, qrScratch(m, n));
      expect(own.qrApply(m, n, copy.address, transposed, count, b.address, ld, b.address, ld)).toBe(
        Status.OK,
      );
      const product = multiply(m, m, count, matrix, narrow(block));
      expect(relativeDistance(narrow(b.view), product)).toBeLessThan(1e-14);
      for (let c = 0; c < count; c++) expect(b.view[m + c * ld]).toBe(block[m + c * ld]);
    }
    expect(kernels.qrApply(m, n, made.address, 0, 0, 0, m, 0, m)).toBe(Status.OK);
  });

  test("names the bad element", () => {
    const { kernels, factor: made, b, x } = factor(7, 5, randomMatrix(seeded(4), 7, 5));
    b.view[3] = Number.POSITIVE_INFINITY;
    x.view.fill(42);
    const status = kernels.qrApply(7, 5, made.address, 1, 1, b.address, 7, x.address, 7);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, 3]);
    expect(x.view).toEqual(new Float64Array(7).fill(42));
  });
});
