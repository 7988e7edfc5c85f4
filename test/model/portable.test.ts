import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arcTangent,
  cosine,
  hypotenuse,
  sine,
} from "../../src/base/algebra/portable-trigonometry.js";

/** Units in the last place of a value near 1, or of the value itself if that is smaller. */
const units = (found: number, expected: number) =>
  Math.abs(found - expected) / (Number.EPSILON * Math.max(Math.abs(expected), 1e-3));

describe("portable elementary functions", () => {
  test("sine and cosine match the engine up to the last bits", () => {
    const angle = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(angle, (x) => {
        expect(units(sine(x), Math.sin(x))).toBeLessThan(3);
        expect(units(cosine(x), Math.cos(x))).toBeLessThan(3);
      }),
      { numRuns: 2000 },
    );
  });

  test("sine and cosine match known values", () => {
    expect([sine(0), cosine(0)]).toEqual([0, 1]);
    expect(sine(Math.PI / 6)).toBeCloseTo(0.5, 15);
    expect(cosine(Math.PI / 3)).toBeCloseTo(0.5, 15);
    // Error of pi in double precision.
    expect(sine(Math.PI)).toBeCloseTo(1.2246467991473532e-16, 24);
    expect(cosine(Math.PI / 2)).toBeCloseTo(6.123233995736766e-17, 24);
    expect(sine(1e7)).toBeCloseTo(Math.sin(1e7), 8);
    expect([sine(Number.POSITIVE_INFINITY), cosine(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
  });

  test("the arc tangent matches the engine in all quadrants up to the last bits", () => {
    const part = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(part, part, (y, x) => {
        // Negative zero has no separate quadrant here.
        expect(units(arcTangent(y, x), Math.atan2(y + 0, x + 0))).toBeLessThan(4);
      }),
      { numRuns: 2000 },
    );
    expect([arcTangent(0, 0), arcTangent(0, 2), arcTangent(0, -2)]).toEqual([0, 0, Math.PI]);
    expect([arcTangent(3, 0), arcTangent(-3, 0)]).toEqual([Math.PI / 2, -Math.PI / 2]);
  });

  test("the hypotenuse is exact if possible, and neither overflows nor underflows", () => {
    expect(hypotenuse(3, 4)).toBe(5);
    expect(hypotenuse(2, -3, 6)).toBe(7);
    expect(hypotenuse(3e200, 4e200)).toBeCloseTo(5e200, -186);
    expect(hypotenuse(3e-200, 4e-200) / 5e-200).toBeCloseTo(1, 15);
    expect(hypotenuse()).toBe(0);
    expect(hypotenuse(0, 0, 0)).toBe(0);
    expect(hypotenuse(1, Number.NEGATIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(hypotenuse(1, Number.NaN)).toBe(Number.NaN);
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, number, (x, y, z) => {
        const expected = Math.hypot(x, y, z);
        const found = hypotenuse(x, y, z);
        if (expected === 0 || !Number.isFinite(expected)) expect(found).toBe(expected);
        else if (expected > 1e-300) expect(Math.abs(found / expected - 1)).toBeLessThan(1e-15);
      }),
    );
  });
});
