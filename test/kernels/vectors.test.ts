import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { multiply, relativeDistance, transpose } from "../support/matrix.js";
import { randomMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";
import { spread } from "../support/spread.js";

const size = fc.integer({ min: 0, max: 14 });

describe("products with vectors", () => {
  test("agree with reference implementations for any shape", () => {
    fc.assert(
      fc.property(size, size, fc.nat(), (m, n, seed) => {
        const random = seeded(seed);
        const matrix = randomMatrix(random, m, n);
        const { kernels, a, x, y, ax, ay } = scratch({
          a: spread(m, n, matrix, m + 1),
          x: randomVector(random, n),
          y: randomVector(random, m),
          ax: m,
          ay: n,
        });
        ax.view.fill(42);
        ay.view.fill(42);
        expect(kernels.matrixVector(m, n, a.address, m + 1, x.address, ax.address)).toBe(Status.OK);
        expect(relativeDistance(ax.view, multiply(m, n, 1, matrix, x.view))).toBeLessThan(1e-14);
        const status = kernels.matrixTransposeVector(m, n, a.address, m + 1, y.address, ay.address);
        expect(status).toBe(Status.OK);
        const naive = multiply(n, m, 1, transpose(m, n, matrix), y.view);
        expect(relativeDistance(ay.view, naive)).toBeLessThan(1e-14);
        const scalar = x.view.reduce((sum, v, i) => sum + v * ay.view[i], 0);
        expect(kernels.dot(n, x.address, ay.address)).toBeCloseTo(scalar, 13);
      }),
      { seed: 1 },
    );
  });

  test("axpy adds, also onto either input", () => {
    for (const n of [0, 1, 2, 7]) {
      const { kernels, x, y, out } = scratch({
        x: randomVector(seeded(n), n),
        y: randomVector(seeded(n + 1), n),
        out: n,
      });
      const expected = y.view.map((v, i) => v + -1.5 * x.view[i]);
      const [before, beside] = [x.view.slice(), y.view.slice()];
      expect(kernels.axpy(n, -1.5, x.address, y.address, out.address)).toBe(Status.OK);
      expect(out.view).toEqual(expected);
      expect(x.view).toEqual(before);
      kernels.axpy(n, -1.5, x.address, y.address, x.address);
      expect(x.view).toEqual(expected);
      x.view.set(before);
      expect(y.view).toEqual(beside);
      kernels.axpy(n, -1.5, x.address, y.address, y.address);
      expect(y.view).toEqual(expected);
    }
  });

  test("wrong sizes are rejected", () => {
    const { kernels, a, x, y } = scratch({ a: 4, x: 2, y: 2 });
    for (const name of ["matrixVector", "matrixTransposeVector"] as const) {
      for (const [m, n, lda, argument] of [
        [-1, 2, 2, 0],
        [2, -1, 2, 1],
        [2, 2, 1, 3],
      ] as const) {
        const status = kernels[name](m, n, a.address, lda, x.address, y.address);
        expect(statusCode(status)).toBe(Status.BAD_SIZE);
        expect(statusIndex(status)).toBe(argument);
      }
    }
    expect(statusCode(kernels.axpy(-1, 1, x.address, y.address, y.address))).toBe(Status.BAD_SIZE);
    expect(kernels.dot(-1, x.address, y.address)).toBe(0);
  });
});

describe("steps", () => {
  test("combine computes y + h times the sum of weighted slopes, also in place", () => {
    fc.assert(
      fc.property(size, fc.nat({ max: 7 }), fc.nat(), (n, count, seed) => {
        const random = seeded(seed);
        const { kernels, y, slopes, weights, out } = scratch({
          y: randomVector(random, n),
          slopes: randomVector(random, n * count),
          weights: randomVector(random, count),
          out: n,
        });
        const run = (to: number) =>
          kernels.combine(n, count, 0.1, y.address, slopes.address, weights.address, to);
        const sum = multiply(n, count, 1, slopes.view, weights.view);
        const expected = y.view.map((v, i) => v + 0.1 * sum[i]);
        expect(run(out.address)).toBe(Status.OK);
        for (let i = 0; i < n; i++) expect(out.view[i]).toBeCloseTo(expected[i], 14);
        run(y.address);
        expect(y.view).toEqual(out.view);
      }),
      { seed: 1 },
    );
    const { kernels, y } = scratch({ y: 1 });
    const call = (n: number, count: number) =>
      kernels.combine(n, count, 0.1, y.address, y.address, y.address, y.address);
    expect([statusCode(call(-1, 1)), statusIndex(call(-1, 1))]).toEqual([Status.BAD_SIZE, 0]);
    expect([statusCode(call(1, -1)), statusIndex(call(1, -1))]).toEqual([Status.BAD_SIZE, 1]);
  });

  test("errorNorm is the weighted root mean square, errorMaximum the worst, and NaN is never accepted", () => {
    for (const n of [1, 2, 3, 8, 9]) {
      const random = seeded(n);
      const { kernels, e, y0, y1 } = scratch({
        e: randomVector(random, n),
        y0: randomVector(random, n),
        y1: randomVector(random, n),
      });
      const call = () => kernels.errorNorm(n, 1e-3, 0.1, e.address, y0.address, y1.address);
      const ratios = e.view.map(
        (v, i) => v / (1e-3 + 0.1 * Math.max(Math.abs(y0.view[i]), Math.abs(y1.view[i]))),
      );
      const expected = Math.sqrt(ratios.reduce((sum, r) => sum + r * r, 0) / n);
      expect(Math.abs(call() - expected)).toBeLessThan(1e-14 * expected);
      for (const { view } of [e, y0, y1]) {
        const kept = view[n - 1];
        view[n - 1] = Number.NaN;
        expect(call() <= 1).toBe(false);
        expect(call()).toBeNaN();
        view[n - 1] = kept;
      }
      const worst = () => kernels.errorMaximum(n, 1e-3, 0.1, e.address, y0.address, y1.address);
      expect(worst()).toBe(Math.max(...ratios.map(Math.abs)));
      for (const { view } of [e, y0, y1]) {
        const kept = view[0];
        view[0] = Number.NaN;
        expect(worst()).toBeNaN();
        view[0] = kept;
      }
      e.view.fill(0);
      expect(call()).toBe(0);
      expect(worst()).toBe(0);
      expect(kernels.errorMaximum(0, 1, 1, e.address, y0.address, y1.address)).toBe(0);
      expect(kernels.errorNorm(0, 1, 1, e.address, y0.address, y1.address)).toBe(0);
    }
  });
});
