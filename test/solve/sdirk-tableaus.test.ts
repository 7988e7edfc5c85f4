// Coefficients of diagonally implicit methods against Butcher's conditions and their stability functions.

import { type SdirkTableau, sdirk14Tableau, sdirk415Tableau } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { worstResidual } from "./support/embedded.js";
import { treesUpTo } from "./support/trees.js";

const COEFFICIENT_TOLERANCE = 1e-14;
/** No condition beyond the order of a method of ours holds by chance this well. */
const UNFULFILLED = 1e-6;

const trees = treesUpTo(5);
const ofOrder = (order: number) => trees.filter((tree) => tree.order === order);
const upTo = (order: number) => trees.filter((tree) => tree.order <= order);

/** weights (I - alpha)^-1, by rows from the last one: weights of z as those of h gamma f. */
function onSlopes({ alpha, gamma }: SdirkTableau, weights: readonly number[]): number[] {
  const solved = [...weights];
  for (let i = solved.length - 1; i >= 0; i--) {
    for (const [j, value] of alpha[i].entries()) solved[j] += value * solved[i];
  }
  return solved.map((value) => gamma * value);
}

const unit = (count: number, k: number) => Array.from({ length: count }, (_, i) => +(i === k));

/** A of the tableau: row i makes z_i of h f. */
const matrixOf = (tableau: SdirkTableau) =>
  tableau.c.map((_, k) => onSlopes(tableau, unit(tableau.c.length, k)));

/** Weights of h f in the interpolant at s. */
function denseAt(tableau: SdirkTableau, s: number): number[] {
  const { dense, c } = tableau;
  const inZ = c.map((_, i) => dense.reduceRight((sum, row) => s * (sum + row[i]), 0));
  return onSlopes(tableau, inZ);
}

describe.each([sdirk415Tableau, sdirk14Tableau])("$name", (tableau) => {
  const { c, gamma, embedded, guesses } = tableau;
  const a = matrixOf(tableau);
  const b = a[4];
  const lower = onSlopes(tableau, [...embedded, 0]);

  test("takes each slope at the time that its weights say", () => {
    for (const [k, row] of a.entries()) {
      expect(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - c[k])).toBeLessThan(
        COEFFICIENT_TOLERANCE,
      );
    }
    expect(c).toHaveLength(5);
    expect(c[4]).toBe(1);
  });

  test("fulfils the eight conditions of order 4, and not all of order 5", () => {
    expect(upTo(4)).toHaveLength(8);
    expect(worstResidual(b, a, upTo(4))).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(worstResidual(b, a, ofOrder(5))).toBeGreaterThan(UNFULFILLED);
  });

  test("the error estimate compares with a solution of order 3", () => {
    expect(worstResidual(lower, a, upTo(3))).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(worstResidual(lower, a, ofOrder(4))).toBeGreaterThan(1e-3);
  });

  test.each([0.1, 0.3, 0.5, 0.8, 1])("dense output has order 3 at %d", (s) => {
    // Rows of some hundreds cancel.
    expect(worstResidual(denseAt(tableau, s), a, upTo(3), s)).toBeLessThan(
      10 * COEFFICIENT_TOLERANCE,
    );
    if (s < 1) {
      expect(worstResidual(denseAt(tableau, s), a, ofOrder(4), s)).toBeGreaterThan(UNFULFILLED);
    }
  });

  test("guesses stages to order 1 from one before, to order 2 from two", () => {
    // z_i = h c_i f + h^2 (A c)_i f' f + ...
    const second = a.map((row) => row.reduce((sum, weight, j) => sum + weight * c[j], 0));
    for (const [k, row] of guesses.entries()) {
      for (const term of k === 0 ? [c] : [c, second]) {
        const guess = row.reduce((sum, weight, j) => sum + weight * term[j], 0);
        expect(Math.abs(guess - term[k + 1])).toBeLessThan(COEFFICIENT_TOLERANCE);
      }
    }
  });

  /** R(z) for y' = lambda y, z = h lambda, by its stages: z_i (1 - gamma z) = sum alpha_ij z_j + gamma z. */
  function stability(real: number, imaginary: number): number {
    const stages: (readonly [number, number])[] = [];
    const [x, y] = [1 - gamma * real, -gamma * imaginary];
    const size = x * x + y * y;
    for (const row of tableau.alpha) {
      let [u, v] = [gamma * real, gamma * imaginary];
      for (const [j, weight] of row.entries()) {
        u += weight * stages[j][0];
        v += weight * stages[j][1];
      }
      stages.push([(u * x + v * y) / size, (v * x - u * y) / size]);
    }
    return Math.hypot(1 + stages[4][0], stages[4][1]);
  }

  test("the tableau is L-stable", () => {
    expect(stability(-1e16, 0)).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(stability(0, 1e16)).toBeLessThan(COEFFICIENT_TOLERANCE);
    for (let k = -120; k <= 120; k++) {
      expect(stability(0, 10 ** (k / 20))).toBeLessThanOrEqual(1 + COEFFICIENT_TOLERANCE);
    }
    expect(stability(0.5, 0)).toBeCloseTo(Math.exp(0.5), 3);
  });
});
