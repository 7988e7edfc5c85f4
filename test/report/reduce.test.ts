import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOrdered } from "../../src/draw/scene-data.js";
import { reduce } from "../../src/report/write-data.js";

const finite = (values: readonly number[]) => values.filter(Number.isFinite);

describe("reduce", () => {
  test("keeps ends, extreme values and order within its limit", () => {
    const value = fc.oneof(
      { weight: 9, arbitrary: fc.double({ min: -1e9, max: 1e9, noNaN: true }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 3000 }),
        fc.integer({ min: 8, max: 400 }),
        (y, most) => {
          const x = y.map((_, i) => i);
          const chosen = reduce(x, y, most, true);
          expect(chosen.length).toBeLessThanOrEqual(Math.max(most, 8));
          expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
          expect([chosen[0], chosen.at(-1)]).toEqual([0, y.length - 1]);
          const kept = finite(chosen.map((i) => y[i]));
          const all = finite(y);
          expect(Math.min(...kept)).toBe(Math.min(...all));
          expect(Math.max(...kept)).toBe(Math.max(...all));
          expect(chosen.some((i) => Number.isNaN(y[i]))).toBe(y.some(Number.isNaN));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("keeps the extent of a curve in both directions", () => {
    const angles = Array.from({ length: 9001 }, (_, i) => i / 300);
    const [x, y] = [angles.map(Math.cos), angles.map((a) => Math.sin(2 * a))];
    const chosen = reduce(x, y, 500, isOrdered(x));
    expect(chosen.length).toBeLessThanOrEqual(500);
    for (const values of [x, y]) {
      const kept = chosen.map((i) => values[i]);
      expect(Math.max(...kept)).toBe(Math.max(...values));
      expect(Math.min(...kept)).toBe(Math.min(...values));
    }
  });

  test("finds a spike of one point among a hundred thousand", () => {
    const y = new Float64Array(100_000);
    y[54_321] = 1;
    const chosen = reduce(
      y.map((_, i) => i),
      y,
      1500,
      true,
    );
    expect(chosen).toContain(54_321);
  });

  test("keeps all points of short curves", () => {
    expect(reduce([0, 1, 2], [5, 5, 5], 8, true)).toEqual([0, 1, 2]);
    expect(reduce([], [], 8, true)).toEqual([]);
  });
});
