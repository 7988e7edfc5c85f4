import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { multiply, relativeDistance, transpose } from "../support/matrix.js";
import { randomMatrix, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";
import { spread } from "../support/spread.js";

/** A matrix without its gaps, which must be untouched. */
function gathered(m: number, n: number, wide: Float64Array, ld: number): Float64Array {
  const a = new Float64Array(m * n);
  for (let j = 0; j < n; j++) {
    a.set(wide.subarray(j * ld, j * ld + m), j * m);
    for (const gap of wide.subarray(j * ld + m, (j + 1) * ld)) expect(gap).toBe(42);
  }
  return a;
}

const size = fc.integer({ min: 0, max: 14 });

describe("matrix products", () => {
  test("agree with the reference implementation for any shape, with leading dimensions", () => {
    fc.assert(
      fc.property(size, size, size, fc.nat(), (m, k, n, seed) => {
        const random = seeded(seed);
        const left = randomMatrix(random, m, k);
        const right = randomMatrix(random, k, n);
        const pieces = {
          a: spread(m, k, left, m + 1),
          at: spread(k, m, transpose(m, k, left), k + 2),
          b: spread(k, n, right, k + 3),
          bt: spread(n, k, transpose(k, n, right), n + 1),
        };
        const { kernels, a, at, b, bt, c, s } = scratch({
          ...pieces,
          c: (m + 3) * n,
          s: (n + 1) * n,
        });
        const naive = multiply(m, k, n, left, right);
        const ldc = m + 3;
        for (const run of [
          () => kernels.matrixProduct(m, k, n, a.address, m + 1, b.address, k + 3, c.address, ldc),
          () =>
            kernels.matrixTransposeProduct(
              m,
              k,
              n,
              at.address,
              k + 2,
              b.address,
              k + 3,
              c.address,
              ldc,
            ),
          () =>
            kernels.matrixProductTranspose(
              m,
              k,
              n,
              a.address,
              m + 1,
              bt.address,
              n + 1,
              c.address,
              ldc,
            ),
        ]) {
          c.view.fill(42);
          expect(run()).toBe(Status.OK);
          expect(relativeDistance(gathered(m, n, c.view, ldc), naive)).toBeLessThan(1e-14);
        }
        s.view.fill(42);
        expect(kernels.gram(k, n, b.address, k + 3, s.address, n + 1)).toBe(Status.OK);
        const square = gathered(n, n, s.view, n + 1);
        expect(square).toEqual(transpose(n, n, square));
        const naiveSquare = multiply(n, k, n, transpose(k, n, right), right);
        expect(relativeDistance(square, naiveSquare)).toBeLessThan(1e-14);
        for (const [piece, before] of [
          [a, pieces.a],
          [at, pieces.at],
          [b, pieces.b],
          [bt, pieces.bt],
        ] as const) {
          expect(piece.view).toEqual(before);
        }
      }),
      { seed: 1 },
    );
  });

  test("NaN and Infinity reach every entry they belong to and no other", () => {
    const n = 6;
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const { kernels, a, b, c } = scratch({
        a: new Float64Array(36).fill(1),
        b: new Float64Array(36).fill(1),
        c: 36,
      });
      a.view[2 + 3 * n] = bad;
      kernels.matrixProduct(n, n, n, a.address, n, b.address, n, c.address, n);
      for (let at = 0; at < 36; at++) expect(Number.isFinite(c.view[at])).toBe(at % n !== 2);
    }
  });

  test("wrong sizes are rejected", () => {
    const { kernels, a, b, c } = scratch({ a: 4, b: 4, c: 4 });
    const wrong = [
      [[-1, 2, 2, 2, 2, 2], 0],
      [[2, -1, 2, 2, 2, 2], 1],
      [[2, 2, -1, 2, 2, 2], 2],
      [[2, 2, 2, 1, 2, 2], 4],
      [[2, 2, 2, 2, 1, 2], 6],
      [[2, 2, 2, 2, 2, 1], 8],
    ] as const;
    for (const name of [
      "matrixProduct",
      "matrixTransposeProduct",
      "matrixProductTranspose",
    ] as const) {
      for (const [[m, k, n, lda, ldb, ldc], argument] of wrong) {
        const status = kernels[name](m, k, n, a.address, lda, b.address, ldb, c.address, ldc);
        expect(statusCode(status)).toBe(Status.BAD_SIZE);
        expect(statusIndex(status)).toBe(argument);
      }
    }
    expect(statusIndex(kernels.gram(-1, 2, a.address, 2, c.address, 2))).toBe(0);
    expect(statusIndex(kernels.gram(2, -1, a.address, 2, c.address, 2))).toBe(1);
    expect(statusIndex(kernels.gram(2, 2, a.address, 1, c.address, 2))).toBe(3);
    expect(statusIndex(kernels.gram(2, 2, a.address, 2, c.address, 1))).toBe(5);
  });
});
