import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { sparse } from "../support/sparse-lu.js";
import { scattered, twoByTwo } from "../support/sparse-matrices.js";
import { expectSolutions } from "../support/sparse-solutions.js";

describe("reused pivots", () => {
  test("small reused pivots are reported; the factor is usable, and new ones are better", () => {
    const m = twoByTwo(2, 1);
    m.choose();
    expect(m.factor()).toBe(Status.OK);
    expect(m.order()).toEqual([0, 1, 0, 1]);
    m.values[0] = 1e-3;
    expect(m.factor()).toBe(Status.OK);
    m.values[0] = 1e-5;
    expect(statusCode(m.factor())).toBe(Status.DEFICIENT);
    const [b, x] = [m.take([1, 2]), m.take([0, 0])];
    m.kernels.sparseLuSolve(m.table, b.byteOffset, x.byteOffset);
    // x + y = 2 and 1e-5 x + y = 1.
    expect(x[0]).toBeCloseTo(1 / (1 - 1e-5), 9);
    expect(x[1]).toBeCloseTo(2 - 1 / (1 - 1e-5), 9);
    expect(m.choose()).toBe(Status.OK);
    expect(m.factor()).toBe(Status.OK);
    expectSolutions(m, 2, 1);
  });

  test("zero reused pivots name their row", () => {
    const entries = scattered(seeded(4), 9);
    const m = sparse(9, entries);
    m.choose();
    for (const row of [0, 4, 8]) {
      const kept = m.values.slice();
      for (const [e, entry] of entries.entries()) if (entry.row === row) m.values[e] = 0;
      const status = m.factor();
      expect(statusCode(status)).toBe(Status.SINGULAR);
      expect(statusIndex(status)).toBe(row);
      m.values.set(kept);
      expect(m.factor()).toBe(Status.OK);
      expectSolutions(m, 9, row);
    }
  });
});

describe("matrices without an inverse", () => {
  test.each([0, 3, 8])("name row %i if it is zero or absent", (row) => {
    const entries = scattered(seeded(5), 9);
    for (const bad of [
      entries.map((entry) => (entry.row === row ? { ...entry, value: 0 } : entry)),
      entries.filter((entry) => entry.row !== row),
    ]) {
      const status = sparse(9, bad).choose();
      expect(statusCode(status)).toBe(Status.SINGULAR);
      expect(statusIndex(status)).toBe(row);
    }
  });

  test("name one of two equal rows", () => {
    const entries = scattered(seeded(6), 9).filter(({ row }) => row !== 5);
    const twin = entries.filter(({ row }) => row === 2).map((entry) => ({ ...entry, row: 5 }));
    const m = sparse(9, [...entries, ...twin]);
    const status = m.choose();
    expect(statusCode(status)).toBe(Status.SINGULAR);
    expect([2, 5]).toContain(statusIndex(status));
    expect(m.chosen()).toBe(0);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    "name the row of %d, or give no number",
    (bad) => {
      const entries = scattered(seeded(7), 9);
      let named = 0;
      for (const [e, { row }] of entries.entries()) {
        const m = sparse(9, entries);
        m.choose();
        for (const kept of [true, false]) {
          m.values[e] = bad;
          const chosen = kept ? Status.OK : m.choose();
          const status = chosen === Status.OK ? m.factor() : chosen;
          if (![Status.OK, Status.DEFICIENT].includes(statusCode(status))) {
            expect(statusCode(status)).toBe(Status.NON_FINITE);
            expect(statusIndex(status)).toBe(row);
            named++;
            continue;
          }
          const [b, x] = [m.take(new Float64Array(9).fill(1)), m.take(new Float64Array(9))];
          m.kernels.sparseLuSolve(m.table, b.byteOffset, x.byteOffset);
          expect(x.some((value) => !Number.isFinite(value))).toBe(true);
        }
      }
      expect(named).toBeGreaterThan(entries.length);
    },
  );

  test("a matrix that exceeds the capacity is rejected, and no pivots count as chosen", () => {
    const entries = scattered(seeded(8), 20);
    const roomy = sparse(20, entries);
    expect(roomy.choose()).toBe(Status.OK);
    expect(roomy.chosen()).toBe(1);
    const needed = Math.max(...roomy.filled());
    expect(sparse(20, entries, needed).choose()).toBe(Status.OK);
    const tight = sparse(20, entries, needed - 1);
    expect(statusCode(tight.choose())).toBe(Status.BAD_SIZE);
    expect(tight.chosen()).toBe(0);
  });
});
