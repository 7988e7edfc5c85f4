// Complex sparse factors, and operations around the sparse matrix of a stage.

import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { naiveInverse } from "../oracles/lu.js";
import { randomVector, seeded } from "../support/random.js";
import { type Entry, sparse } from "../support/sparse-lu.js";
import { scattered } from "../support/sparse-matrices.js";

type Complex = readonly [number, number];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const powerOf = (alpha: Complex, power: number): Complex =>
  power === 0 ? [1, 0] : power === 1 ? alpha : times(alpha, alpha);

/** A^-1 b for a complex A as a real system of twice the size. */
function solved(
  n: number,
  entries: readonly Entry[],
  factor: (e: number) => Complex,
  b: Float64Array,
) {
  const matrix = new Float64Array(4 * n * n);
  for (const [e, { row, column, value }] of entries.entries()) {
    const [x, y] = times([value, 0], factor(e));
    matrix[row + 2 * n * column] += x;
    matrix[n + row + 2 * n * (n + column)] += x;
    matrix[n + row + 2 * n * column] += y;
    matrix[row + 2 * n * (n + column)] -= y;
  }
  const inverse = naiveInverse(2 * n, matrix);
  return b.map((_, i) => b.reduce((sum, x, k) => sum + inverse[i + 2 * n * k] * x, 0));
}

const apart = (found: Float64Array, expected: Float64Array) =>
  expected.reduce((most, x, i) => Math.max(most, Math.abs(x - found[i])), 0) /
  expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

const ALPHA: Complex = [0.6, -0.3];

/** A random matrix with powers of alpha and factors. */
function shifted(n: number) {
  const random = seeded(n);
  const entries = scattered(random, n);
  const powers = entries.map((_, e) => e % 3);
  const factors = entries.map(() => 1 + 0.3 * random());
  const m = sparse(n, entries);
  const lists = [
    m.takeIntegers(powers).byteOffset,
    m.take(factors).byteOffset,
    m.take(new Float64Array(n)).byteOffset,
  ] as const;
  const rowScales = new Float64Array(m.values.buffer, lists[2], n);
  return { entries, powers, factors, m, lists, rowScales };
}

/** Expects that the largest magnitude of each row times its scale is one. */
function expectScaled(n: number, entries: readonly Entry[], sizes: number[], scales: Float64Array) {
  for (let row = 0; row < n; row++) {
    const largest = entries.map((each, e) => (each.row === row ? sizes[e] : 0));
    expect(Math.max(...largest) * scales[row]).toBeCloseTo(1, 12);
  }
}

describe.each([1, 2, 5, 9, 20])("a matrix of %i rows with powers of alpha", (n) => {
  test("the matrix is scaled and factored for a real alpha", () => {
    const { entries, powers, factors, m, lists, rowScales } = shifted(n);
    const alpha = 0.4;
    m.kernels.sparseShift(m.table, alpha, ...lists);
    const whole = entries.map((_, e) => factors[e] * alpha ** powers[e]);
    const sizes = entries.map(({ value }, e) => Math.abs(value * whole[e]));
    expectScaled(n, entries, sizes, rowScales);
    const scales = entries.map(({ row }, e) => whole[e] * rowScales[row]);
    expect(apart(m.scales, Float64Array.from(scales))).toBeLessThan(1e-14);
  });

  test("a complex alpha uses the pivots of a real one", () => {
    const { entries, powers, factors, m, lists, rowScales } = shifted(n);
    m.kernels.sparseShift(m.table, Math.hypot(...ALPHA), ...lists);
    expect(m.choose()).toBe(Status.OK);
    const twin = m.complexTwin();
    m.kernels.complexSparseShift(twin.table, ...ALPHA, ...lists);
    const whole = entries.map((_, e): Complex => times([factors[e], 0], powerOf(ALPHA, powers[e])));
    const sizes = entries.map(({ value }, e) => Math.abs(value) * Math.hypot(...whole[e]));
    expectScaled(n, entries, sizes, rowScales);
    const scaled = (e: number) => times([rowScales[entries[e].row], 0], whole[e]);
    const pairs = Float64Array.from(entries.flatMap((_, e) => scaled(e)));
    expect(apart(twin.scales, pairs)).toBeLessThan(1e-14);
    expect(m.kernels.complexSparseLuFactor(twin.table)).toBe(Status.OK);
    for (let seed = 1; seed <= 3; seed++) {
      const b = m.take(randomVector(seeded(seed), 2 * n));
      const expected = solved(n, entries, scaled, b.slice());
      m.kernels.complexSparseLuSolve(twin.table, b.byteOffset, b.byteOffset);
      expect(apart(b, expected)).toBeLessThan(1e-9);
    }
  });

  test("names a row that is zero, or not finite", () => {
    const { entries, m, lists } = shifted(n);
    m.kernels.sparseShift(m.table, 0.4, ...lists);
    m.choose();
    const twin = m.complexTwin();
    m.kernels.complexSparseShift(twin.table, ...ALPHA, ...lists);
    for (const [bad, code] of [
      [0, Status.SINGULAR],
      [Number.NaN, Status.NON_FINITE],
    ]) {
      for (const [e, { row }] of entries.entries()) if (row === n - 1) m.values[e] = bad;
      const status = m.kernels.complexSparseLuFactor(twin.table);
      expect([statusCode(status), statusIndex(status)]).toEqual([code, n - 1]);
    }
  });
});

test("values are gathered from their addresses", () => {
  const m = sparse(1, [{ row: 0, column: 0, value: 1 }]);
  const [values, out] = [m.take([1, 2, 3, 4]), m.take([0, 0, 7])];
  const list = m.takeIntegers([values.byteOffset + 24, values.byteOffset]);
  m.kernels.gatherValues(2, list.byteOffset, out.byteOffset);
  expect([...out]).toEqual([4, 1, 7]);
});

describe("a stage of two unknowns among five rows", () => {
  const [count, size, first, second] = [2, 5, 1, 3];
  const scales = [1, 2, 3, 4, 5];
  const m = sparse(1, [{ row: 0, column: 0, value: 1 }]);
  const rowScales = m.take(scales).byteOffset;

  test("sparsePiRight writes the right-hand sides to the rows of A", () => {
    const [b, right] = [m.take([1, 2, 3, 4]), m.take([9, 9, 9, 9, 9, 9])];
    const places = [b.byteOffset, first, second, size, rowScales, right.byteOffset] as const;
    m.kernels.sparsePiRight(count, 0.5, ...places);
    expect([...right]).toEqual([0, 2, 6, -6, -10, 9]);
  });

  test("likewise with complex numbers", () => {
    const b = m.take([1, 2, 3, 4, 5, 6, 7, 8]);
    const right = m.take(new Float64Array(11).fill(9));
    const places = [b.byteOffset, first, second, size, rowScales, right.byteOffset] as const;
    m.kernels.complexSparsePiRight(count, 0.5, 2, ...places);
    // -(0.5 + 2 i)(3 + 7 i) = 12.5 - 9.5 i, -(0.5 + 2 i)(4 + 8 i) = 14 - 12 i.
    expect([...right]).toEqual([0, 2, 6, 50, 70, 0, 10, 18, -38, -60, 9]);
  });

  test("sparsePiTake returns x1 = b1 + alpha x2 and x2", () => {
    const [b, x2] = [m.take([1, 2, 3, 4, 9]), m.take([10, 20])];
    m.kernels.sparsePiTake(count, 0.5, b.byteOffset, x2.byteOffset, b.byteOffset);
    expect([...b]).toEqual([6, 12, 10, 20, 9]);
  });

  test("likewise with complex numbers", () => {
    const [b, x2] = [m.take([1, 2, 3, 4, 5, 6, 7, 8, 9]), m.take([10, 20, 0, 0, 0, 1, 2])];
    const at = [b.byteOffset, size, x2.byteOffset, b.byteOffset] as const;
    m.kernels.complexSparsePiTake(count, 0.5, 2, ...at);
    expect([...b]).toEqual([4, 8, 10, 20, 25.5, 47, 1, 2, 9]);
  });
});
