// The formulas of one step against the classical ones, and against what they are made for.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AdamsWeights, HIGHEST_ORDER } from "../../src/methods/integrators/adams/adams.js";

const formula = new AdamsWeights();
const orders = Array.from({ length: HIGHEST_ORDER }, (_, i) => i + 1);

/** Slopes at 0, -1, -2, ...: equal steps. */
const even = Float64Array.from(orders, (k) => 1 - k);

/** Slopes at 0 and before, at distances that differ by up to a factor of 2. */
const uneven = fc
  .array(fc.double({ min: 0.7, max: 1.4, noNaN: true }), { minLength: 11, maxLength: 11 })
  .map((steps) => {
    let place = 0;
    return Float64Array.of(0, ...steps.map((step) => (place -= step)));
  });

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return Math.round(value);
}

/** Coefficients of backward differences: sum over i of c(j - i) / (i + 1) = right(j). */
function differenceCoefficients(right: (j: number) => number): number[] {
  const c: number[] = [];
  for (let j = 0; j <= HIGHEST_ORDER; j++) {
    c.push(c.reduce((rest, value, i) => rest - value / (j - i + 1), right(j)));
  }
  return c;
}

/** Weights of the values in sum over m < count of c(m) nabla^m f. */
function weightsOf(c: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    c.slice(0, count).reduce((sum, value, m) => sum + value * (-1) ** i * binomial(m, i), 0),
  );
}

/** Sum of weights times s^p at the end (1) and the nodes. */
function applied(nodes: Float64Array, p: number): number {
  let sum = formula.weights[0];
  for (let i = 0; i < nodes.length; i++) {
    const weight = formula.weights[i + 1];
    if (weight !== 0) sum += weight * nodes[i] ** p;
  }
  return sum;
}

/** Rounding of such a sum. */
function roundingOf(nodes: Float64Array, p: number): number {
  const sizes = formula.weights.map((weight, i) =>
    Math.abs(weight * (i === 0 ? 1 : nodes[i - 1] ** p)),
  );
  return 4e-15 * (1 + sizes.reduce((sum, size) => sum + size, 0));
}

describe("for equal steps", () => {
  // Hairer, Norsett and Wanner, Solving ODEs I, section III.1: equations (1.7') and (1.10').
  const bashforth = differenceCoefficients(() => 1);
  const moulton = differenceCoefficients((j) => (j === 0 ? 1 : 0));

  test.each(orders)("the predictor of order %i is that of Adams and Bashforth", (k) => {
    expect(formula.prepare(even, k)).toBe(k);
    formula.predictor(k);
    const expected = weightsOf(bashforth, k);
    const scale = Math.max(...expected.map(Math.abs));
    expect(formula.weights[0]).toBe(0);
    for (let i = 0; i < k; i++) {
      expect(Math.abs(formula.weights[i + 1] - expected[i])).toBeLessThan(3e-15 * scale);
    }
  });

  test.each(orders)("the corrector with %i previous slopes is that of Adams and Moulton", (k) => {
    formula.prepare(even, k);
    formula.corrector(k);
    const expected = weightsOf(moulton, k + 1);
    // The classical sums cancel; ours do not.
    for (let i = 0; i <= k; i++) {
      expect(Math.abs(formula.weights[i] - expected[i])).toBeLessThan(1e-13);
    }
  });

  test("order 4 is the one every textbook prints", () => {
    formula.prepare(even, 4);
    formula.predictor(4);
    const bashforthFour = [55, -59, 37, -9];
    bashforthFour.map((w, i) => expect(formula.weights[i + 1]).toBeCloseTo(w / 24, 14));
    formula.prepare(even, 3);
    formula.corrector(3);
    [9, 19, -5, 1].map((w, i) => expect(formula.weights[i]).toBeCloseTo(w / 24, 14));
  });

  test.each(orders)("the error of order %i is the last term of the corrector", (k) => {
    formula.prepare(even, k);
    formula.error(k);
    for (let i = 0; i <= k; i++) {
      const expected = moulton[k] * (-1) ** i * binomial(k, i);
      expect(formula.weights[i]).toBeCloseTo(expected, 12);
    }
  });
});

describe("for steps that differ", () => {
  test.each(orders)("predictor and corrector of order %i integrate polynomials", (k) => {
    fc.assert(
      fc.property(uneven, (nodes) => {
        formula.prepare(nodes, k);
        for (let p = 0; p <= k; p++) {
          if (p < k) {
            formula.predictor(k);
            const off = Math.abs(applied(nodes, p) - formula.weights[0] - 1 / (p + 1));
            expect(off).toBeLessThan(roundingOf(nodes, p));
          }
          formula.corrector(k);
          expect(Math.abs(applied(nodes, p) - 1 / (p + 1))).toBeLessThan(roundingOf(nodes, p));
        }
      }),
      { numRuns: 50 },
    );
  });

  test.each(orders.slice(1))("the error of order %i is the difference of correctors", (k) => {
    fc.assert(
      fc.property(uneven, (nodes) => {
        formula.prepare(nodes, k);
        formula.corrector(k);
        const high = [...formula.weights];
        formula.corrector(k - 1);
        const low = [...formula.weights];
        formula.error(k);
        const scale = Math.max(...formula.weights.map(Math.abs), 1);
        for (let i = 0; i <= k; i++) {
          const off = Math.abs(formula.weights[i] - (high[i] - low[i]));
          expect(off).toBeLessThan(1e-13 * scale);
        }
      }),
      { numRuns: 50 },
    );
  });
});

test("slopes that lie too close together for the step are left out", () => {
  const close = even.map((place) => place * 1e-6);
  expect(formula.prepare(close, 12)).toBe(1);
  const far = even.map((place) => place * 1e30);
  expect(formula.prepare(far, 12)).toBe(12);
  formula.corrector(12);
  // Slopes so far back carry no information: the trapezium is left.
  expect(formula.weights[0]).toBeCloseTo(0.5, 14);
  expect(formula.weights[1]).toBeCloseTo(0.5, 14);
});
