import fc from "fast-check";
import { QrHeader, qrSlots, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { orthogonalityError, readQr, reorder } from "../../bench/cases/qr.js";
import { naiveQr, withPositiveDiagonal } from "../oracles/qr.js";
import { multiply, relativeDistance } from "../support/matrix.js";
import { conditionedMatrix, randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

function factor(m: number, n: number, matrix: Float64Array, tolerance = 0, lda = m) {
  const memory = scratch({ a: matrix, factor: qrSlots(m, n), q: m * m, b: m, x: n });
  const { kernels, a, factor: made, q } = memory;
  const status = kernels.pivotedQrFactor(m, n, a.address, lda, tolerance, made.address);
  const form = () => {
    expect(kernels.qrForm(m, n, m, made.address, q.address, m)).toBe(Status.OK);
    return q.view;
  };
  return { ...memory, status, form };
}

const shapes = [
  [1, 1],
  [4, 3],
  [6, 5],
  [3, 5],
  [8, 8],
  [9, 9],
  [12, 9],
  [7, 12],
  [13, 16],
  [31, 24],
  [48, 48],
] as const;

describe("pivotedQrFactor", () => {
  test.each(shapes)("agrees with the reference implementation, %i x %i", (m, n) => {
    const matrix = randomMatrix(seeded(10 * m + n), m, n);
    const made = readQr(m, n, factor(m, n, matrix).factor.view);
    const naive = naiveQr(m, n, matrix, true);
    const steps = Math.min(m, n);
    // The order of columns that are not pivots is undefined.
    expect(made.order.slice(0, steps)).toEqual(naive.order.slice(0, steps));
    expect(made.rank).toBe(steps);
    const r = withPositiveDiagonal(steps, made.r).slice(0, steps * steps);
    expect(relativeDistance(r, naive.r.slice(0, steps * steps))).toBeLessThan(1e-12);
  });

  test("Q R = A P with falling pivots, for any shape, seed, condition and rank", () => {
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(size, size, fc.nat(), fc.nat(11), fc.nat(), (m, n, seed, digits, less) => {
        const steps = Math.min(m, n);
        const rank = 1 + (less % steps);
        const matrix = conditionedMatrix(seeded(seed), m, n, 10 ** digits, rank);
        const { status, form, factor: record } = factor(m, n, matrix);
        const made = readQr(m, n, record.view);
        expect(made.rank).toBe(rank);
        expect(statusCode(status)).toBe(rank < n ? Status.DEFICIENT : Status.OK);
        const bound = 50 * Math.max(m, n) * Number.EPSILON;
        const q = form();
        expect(orthogonalityError(m, m, q)).toBeLessThan(bound);
        const product = multiply(m, steps, n, q, made.r);
        expect(relativeDistance(product, reorder(m, matrix, made.order))).toBeLessThan(bound);
        for (let k = 1; k < rank; k++) {
          const above = Math.abs(made.r[(k - 1) * (steps + 1)]);
          expect(Math.abs(made.r[k * (steps + 1)])).toBeLessThanOrEqual(above * (1 + 1e-6));
        }
      }),
      { seed: 1 },
    );
  });

  test("downdated norms survive cancellation: Kahan's matrix keeps its order of pivots", () => {
    const n = 60;
    const [s, c] = [Math.sin(1.2), Math.cos(1.2)];
    const matrix = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i <= j; i++) {
        // Columns shrink a little, so that ties of the norms are decided.
        matrix[i + j * n] = s ** i * (i === j ? 1 : -c) * (1 - 1e-10) ** j;
      }
    }
    const made = readQr(n, n, factor(n, n, matrix, 1e-20).factor.view);
    expect(made.order).toEqual(Array.from({ length: n }, (_, j) => j));
    for (let k = 0; k < n; k++) {
      const exact = matrix[k + k * n];
      expect(Math.abs(Math.abs(made.r[k + k * n]) - exact)).toBeLessThan(1e-9 * exact);
    }
  });

  test("names the first column that depends on the others", () => {
    const [m, n] = [9, 6];
    const matrix = randomMatrix(seeded(3), m, n);
    for (let i = 0; i < m; i++) {
      matrix[i + 2 * m] = 0.25 * matrix[i] - 0.125 * matrix[i + m];
      matrix[i + 4 * m] = 0.25 * matrix[i + 3 * m];
    }
    const { status, factor: made } = factor(m, n, matrix);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 2]);
    expect(made.view[QrHeader.RANK]).toBe(4);
    expect(readQr(m, n, made.view).order.slice(4).sort()).toEqual([2, 4]);
  });

  test("counts the pivots above the tolerance", () => {
    const n = 6;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) matrix[i + i * n] = 10 ** -i;
    expect(factor(n, n, matrix, 0.5e-3).factor.view[QrHeader.RANK]).toBe(4);
    expect(factor(n, n, matrix, 2e-3).factor.view[QrHeader.RANK]).toBe(3);
    expect(factor(n, n, matrix, -1).factor.view[QrHeader.RANK]).toBe(n);
  });

  test("a zero matrix has rank zero and column 0 is named", () => {
    const { status, factor: made, form } = factor(3, 2, new Float64Array(6));
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.DEFICIENT, 0]);
    expect(made.view[QrHeader.RANK]).toBe(0);
    expect(Array.from(form())).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test.each([600, -600, 1000, -1050])("entries of 2^%i have the same rank", (exponent) => {
    const [m, n] = [14, 10];
    const plain = conditionedMatrix(seeded(6), m, n, 100, 7);
    const matrix = plain.map((x) => x * 2 ** exponent);
    const { status, factor: made, form } = factor(m, n, matrix, 1e-5);
    const read = readQr(m, n, made.view);
    expect(statusCode(status)).toBe(Status.DEFICIENT);
    expect(read.rank).toBe(7);
    const product = multiply(m, n, n, form(), read.r);
    // Subnormal entries have lost digits before they came here.
    const bound = exponent < -1000 ? 1e-6 : 1e-13;
    expect(relativeDistance(product, reorder(m, matrix, read.order))).toBeLessThan(bound);
  });

  test("the largest values do not overflow", () => {
    const n = 9;
    const matrix = randomMatrix(seeded(9), n).map((x) => x * Number.MAX_VALUE);
    const { status, factor: made } = factor(n, n, matrix);
    expect(status).toBe(Status.OK);
    expect(made.view[QrHeader.RANK]).toBe(n);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("names the row of %d", (bad) => {
    const [m, n] = [9, 6];
    for (const [i, j] of [
      [0, 0],
      [8, 5],
      [4, 3],
    ] as const) {
      const matrix = randomMatrix(seeded(2), m, n);
      matrix[i + j * m] = bad;
      const { status } = factor(m, n, matrix);
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, i]);
    }
  });

  test("solves least squares through qrSolve, in the order of the matrix", () => {
    const [m, n] = [9, 6];
    const matrix = randomMatrix(seeded(12), m, n);
    const solution = randomVector(seeded(13), n);
    const { kernels, factor: made, b, x } = factor(m, n, matrix);
    b.view.set(multiply(m, n, 1, matrix, solution));
    expect(kernels.qrSolve(m, n, made.address, b.address, x.address)).toBe(Status.OK);
    expect(relativeDistance(x.view, solution)).toBeLessThan(1e-13);
  });

  test("does not change the input, accepts zero sizes and rejects wrong sizes", () => {
    const matrix = randomMatrix(seeded(1), 5, 4);
    const { kernels, a, factor: made } = factor(5, 4, matrix);
    expect(a.view).toEqual(matrix);
    expect(factor(0, 0, new Float64Array(0)).status).toBe(Status.OK);
    for (const [status, position] of [
      [kernels.pivotedQrFactor(-1, 4, a.address, 5, 0, made.address), 0],
      [kernels.pivotedQrFactor(5, -1, a.address, 5, 0, made.address), 1],
      [kernels.pivotedQrFactor(5, 4, a.address, 4, 0, made.address), 3],
    ]) {
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.BAD_SIZE, position]);
    }
  });
});
