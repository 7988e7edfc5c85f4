import fc from "fast-check";
import { expect, test } from "vitest";
import { power } from "../../src/base/algebra/portable-power.js";

test("power equals Math.pow up to rounding", () => {
  const x = fc.double({ min: 1e-30, max: 1e30, noNaN: true });
  const p = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(x, p, (base, exponent) => {
      const wanted = base ** exponent;
      expect(Math.abs(power(base, exponent) - wanted)).toBeLessThan(1e-13 * wanted);
    }),
  );
  for (const exact of [0.25, 1, 4, 2 ** 100]) expect(power(exact, 1)).toBe(exact);
});

test("numbers without a power are returned unchanged", () => {
  for (const x of [0, Number.POSITIVE_INFINITY, Number.NaN]) expect(power(x, 0.5)).toBe(x);
});
