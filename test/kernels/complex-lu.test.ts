import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { type Complex, naiveComplexSolve, plus, times } from "../oracles/complex-lu.js";
import { randomMatrix, randomVector, seeded } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

/** Converts a column-major matrix of pairs to rows of complex numbers. */
function rowsOf(n: number, a: Float64Array): Complex[][] {
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j): Complex => [a[2 * (i + n * j)], a[2 * (i + n * j) + 1]]),
  );
}

/** Real parts, then imaginary ones, as complex numbers. */
const numbersOf = (x: Float64Array): Complex[] =>
  Array.from({ length: x.length / 2 }, (_, i) => [x[i], x[i + x.length / 2]]);

function factored(n: number, matrix: ArrayLike<number>) {
  const { kernels, take } = stiffModule();
  const a = take(matrix);
  const pivots = take(new Float64Array(n));
  const scratch = take(new Float64Array(2 * n));
  const status = kernels.complexLuFactor(n, a.byteOffset, pivots.byteOffset);
  const solve = (b: Float64Array, x: Float64Array) =>
    kernels.complexLuSolve(
      n,
      a.byteOffset,
      pivots.byteOffset,
      b.byteOffset,
      x.byteOffset,
      scratch.byteOffset,
    );
  return { kernels, take, status, pivots, solve };
}

const randomPairs = (seed: number, n: number) => randomVector(seeded(seed), 2 * n * n);

describe("complexLuFactor and complexLuSolve", () => {
  test.each([1, 2, 3, 4, 5, 8, 13, 24])("agree with naive elimination, n = %i", (n) => {
    const matrix = randomPairs(n, n);
    const { status, take, solve, pivots } = factored(n, matrix);
    expect(status).toBe(Status.OK);
    // Rows are exchanged after their elimination: the test must cover the effect on L.
    if (n > 4) expect([...pivots].filter((row, k) => row !== k).length).toBeGreaterThan(2);
    const b = take(randomVector(seeded(n + 100), 2 * n));
    const given = b.slice();
    const x = take(new Float64Array(2 * n));
    solve(b, x);
    const expected = naiveComplexSolve(rowsOf(n, matrix), numbersOf(given));
    const found = numbersOf(x);
    const size = Math.max(...expected.flat().map(Math.abs));
    for (const [i, [real, imaginary]] of expected.entries()) {
      expect(Math.abs(found[i][0] - real) / size).toBeLessThan(1e-11);
      expect(Math.abs(found[i][1] - imaginary) / size).toBeLessThan(1e-11);
    }
    expect(b).toEqual(given);
    solve(b, b);
    expect(b).toEqual(x);
  });

  test("leave small residuals for any size, seed and scale", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        fc.integer({ min: -150, max: 150 }),
        (n, seed, decades) => {
          const matrix = randomPairs(seed, n).map((value) => value * 10 ** decades);
          const { take, solve, status } = factored(n, matrix);
          expect(status).toBe(Status.OK);
          const b = take(randomVector(seeded(seed + 1), 2 * n));
          const x = take(new Float64Array(2 * n));
          solve(b, x);
          const solution = numbersOf(x);
          const largest = Math.max(...solution.map(([p, q]) => Math.abs(p) + Math.abs(q)));
          const right = numbersOf(b);
          for (const [i, row] of rowsOf(n, matrix).entries()) {
            const sum = row.reduce((all, value, j) => plus(all, times(value, solution[j])), [0, 0]);
            const residual = Math.hypot(sum[0] - right[i][0], sum[1] - right[i][1]);
            const scale = n * 10 ** decades * largest + 1;
            expect(residual / scale).toBeLessThan(100 * n * Number.EPSILON);
          }
        },
      ),
      { seed: 1 },
    );
  });

  test.each([0, 1, 4])("name column %i if it is zero, or NaN", (column) => {
    const n = 5;
    for (const [bad, code] of [
      [0, Status.SINGULAR],
      [Number.NaN, Status.NON_FINITE],
      [Number.POSITIVE_INFINITY, Status.NON_FINITE],
    ] as const) {
      const matrix = randomPairs(7, n);
      matrix.fill(bad, 2 * n * column, 2 * n * (column + 1));
      const { status } = factored(n, matrix);
      expect(statusCode(status)).toBe(code);
      expect(statusIndex(status)).toBe(column);
    }
  });

  test("handle an empty matrix", () => {
    expect(factored(0, []).status).toBe(Status.OK);
  });
});

describe("shifted matrices", () => {
  const n = 7;
  const j = randomMatrix(seeded(3), n);

  test("complexShifted computes I - alpha J", () => {
    const { kernels, take } = stiffModule();
    const given = take(j);
    const out = take(new Float64Array(2 * n * n));
    kernels.complexShifted(n, 0.3, -0.7, given.byteOffset, out.byteOffset);
    for (let i = 0; i < n * n; i++) {
      const one = i % (n + 1) === 0 ? 1 : 0;
      expect(out[2 * i]).toBeCloseTo(one - 0.3 * j[i], 15);
      expect(out[2 * i + 1]).toBeCloseTo(0.7 * j[i], 15);
    }
    expect(given).toEqual(j);
  });

  test("realShifted computes I - alpha J", () => {
    const { kernels, take } = stiffModule();
    const given = take(j);
    const out = take(new Float64Array(n * n));
    kernels.realShifted(n, 0.3, given.byteOffset, out.byteOffset);
    for (let i = 0; i < n * n; i++) {
      expect(out[i]).toBeCloseTo((i % (n + 1) === 0 ? 1 : 0) - 0.3 * j[i], 15);
    }
  });
});

describe("norms", () => {
  test("positions and velocities have their own tolerances", () => {
    const { kernels, take } = stiffModule();
    const y = take([1, -2, 3, 0, -5]);
    const out = take(new Float64Array(5));
    kernels.toleranceScale(5, 2, 0.1, 1, 10, y.byteOffset, out.byteOffset);
    const expected = [1.1, 1.2, 10.3, 10, 10.5];
    for (const [i, value] of expected.entries()) expect(out[i]).toBeCloseTo(value, 14);
  });

  test("scaledNorm is the root mean square in units of the tolerances", () => {
    const { kernels, take } = stiffModule();
    const scale = take([2, 4, 0.5]);
    const x = take([6, -16, 0]);
    expect(kernels.scaledNorm(3, x.byteOffset, scale.byteOffset)).toBeCloseTo(5 / Math.sqrt(3), 14);
    x[1] = Number.NaN;
    expect(kernels.scaledNorm(3, x.byteOffset, scale.byteOffset)).toBeNaN();
    expect(kernels.scaledNorm(0, x.byteOffset, scale.byteOffset)).toBe(0);
  });
});
