import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomMatrix, seeded } from "../../bench/support/random.js";
import { sparse } from "../support/sparse-lu.js";

/** The determinant by elimination with pivots from columns; the row of its smallest pivot is not unique. */
function determinant(n: number, matrix: ArrayLike<number>): number {
  const a = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => matrix[i + n * j]),
  );
  let product = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
    if (pivot !== k) product = -product;
    [a[k], a[pivot]] = [a[pivot], a[k]];
    product *= a[k][k];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i][k] / a[k][k];
      for (let j = k; j < n; j++) a[i][j] -= factor * a[k][j];
    }
  }
  return product;
}

/** A table with all entries of a matrix by columns, factored. */
function factored(n: number, matrix: Float64Array) {
  const entries = Array.from(matrix, (value, e) => ({
    row: e % n,
    column: Math.floor(e / n),
    value,
  }));
  const m = sparse(n, entries);
  expect(m.choose()).toBe(0);
  expect(m.factor()).toBe(0);
  return m;
}

describe("what a sparse factor tells", () => {
  test("the sign of the determinant, whatever the order of pivots", () => {
    const signs = new Set<number>();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), (n, seed) => {
        const matrix = randomMatrix(seeded(seed), n);
        const { kernels, table } = factored(n, matrix);
        const sign = kernels.sparseLuSign(table);
        expect(sign).toBe(Math.sign(determinant(n, matrix)));
        signs.add(sign);
      }),
      { seed: 1 },
    );
    expect([...signs].sort()).toEqual([-1, 1]);
  });

  test("two rows that change places change it", () => {
    const [one, other] = [
      [2, 0, 0, 3],
      [0, 2, 3, 0],
    ].map((matrix) => {
      const { kernels, table } = factored(2, Float64Array.from(matrix));
      return kernels.sparseLuSign(table);
    });
    expect([one, other]).toEqual([1, -1]);
  });

  test("the row that is nearly zero", () => {
    const { kernels, table } = factored(3, Float64Array.of(1, 0, 0, 0, 1e-9, 0, 0, 0, -5));
    expect(kernels.sparseLuWeakest(table)).toBe(1);
    expect(kernels.sparseLuSign(table)).toBe(-1);
  });
});
