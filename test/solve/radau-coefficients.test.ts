// Coefficients of Radau IIA: collocation, order, stability, and what is made of the stages.

import { expect, test } from "vitest";
import {
  COMPLEX_EIGENVALUES,
  DENSE,
  END,
  ERROR,
  NODES,
  REAL_EIGENVALUE,
  SHIFT,
  SLOPE_ROWS,
  T,
  T_INVERSE,
  T_INVERSE_A,
} from "../../src/methods/integrators/radau/radau.js";
import { type Complex, naiveComplexSolve } from "../oracles/complex-lu.js";
import { worstResidual } from "./support/embedded.js";
import { treesUpTo } from "./support/trees.js";

const COEFFICIENT_TOLERANCE = 1e-14;

type Matrix = readonly (readonly number[])[];
const product = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const farthest = (a: Matrix, b: Matrix): number =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i][j]))));

const a = product(T, T_INVERSE_A);

test("the row of the end is the last of the inverse of A", () => {
  expect(farthest(product([END], a), [[0, 0, 1]])).toBeLessThan(COEFFICIENT_TOLERANCE);
});

test("A collocates at the nodes of Radau", () => {
  const root = Math.sqrt(6);
  expect([...NODES]).toEqual([(4 - root) / 10, (4 + root) / 10, 1]);
  for (let k = 1; k <= 3; k++) {
    for (const [i, c] of NODES.entries()) {
      const sum = a[i].reduce((all, value, j) => all + value * NODES[j] ** (k - 1), 0);
      expect(Math.abs(sum - c ** k / k)).toBeLessThan(COEFFICIENT_TOLERANCE);
    }
  }
});

test("the step has order 5, no higher, and ends on its last stage", () => {
  expect(worstResidual(a[2], a, treesUpTo(5))).toBeLessThan(COEFFICIENT_TOLERANCE);
  expect(worstResidual(a[2], a, treesUpTo(6))).toBeGreaterThan(1e-4);
});

test("the transformation makes blocks of the inverse of A", () => {
  const identity = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  expect(farthest(product(T, T_INVERSE), identity)).toBeLessThan(COEFFICIENT_TOLERANCE);
  const blocks = [
    [REAL_EIGENVALUE, 0, 0],
    [0, COMPLEX_EIGENVALUES.real, -COMPLEX_EIGENVALUES.imaginary],
    [0, COMPLEX_EIGENVALUES.imaginary, COMPLEX_EIGENVALUES.real],
  ];
  const back = product(product(T_INVERSE_A, T), blocks);
  expect(farthest(back, identity)).toBeLessThan(COEFFICIENT_TOLERANCE);
  // Eigenvalues of A^-1 are the zeros of x^3 - 9 x^2 + 36 x - 60.
  expect(
    Math.abs(REAL_EIGENVALUE ** 3 - 9 * REAL_EIGENVALUE ** 2 + 36 * REAL_EIGENVALUE - 60),
  ).toBeLessThan(1e-13);
  expect(REAL_EIGENVALUE + 2 * COMPLEX_EIGENVALUES.real).toBeCloseTo(9, 14);
  expect(
    REAL_EIGENVALUE * (COMPLEX_EIGENVALUES.real ** 2 + COMPLEX_EIGENVALUES.imaginary ** 2),
  ).toBeCloseTo(60, 12);
  expect(
    SHIFT.real * COMPLEX_EIGENVALUES.real - SHIFT.imaginary * COMPLEX_EIGENVALUES.imaginary,
  ).toBeCloseTo(1, 15);
  expect(
    SHIFT.real * COMPLEX_EIGENVALUES.imaginary + SHIFT.imaginary * COMPLEX_EIGENVALUES.real,
  ).toBeCloseTo(0, 15);
});

/** R(z) = 1 + z b (I - z A)^-1 1. */
function stability(z: Complex): number {
  const matrix = a.map((row, i) =>
    row.map((value, j): Complex => [(i === j ? 1 : 0) - z[0] * value, -z[1] * value]),
  );
  const k = naiveComplexSolve(matrix, [
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
  const [p, q] = k.reduce(([x, y], [u, v], i) => [x + a[2][i] * u, y + a[2][i] * v], [0, 0]);
  return Math.hypot(1 + z[0] * p - z[1] * q, z[0] * q + z[1] * p);
}

test("Radau IIA is L-stable", () => {
  expect(stability([-1e9, 0])).toBeLessThan(1e-6);
  for (let y = 0.05; y < 1e4; y *= 1.1) expect(stability([0, y])).toBeLessThan(1 + 1e-12);
});

/** Stages of y' = k s^(k-1), which are c^k up to k = 3; the slope at 0 is 1 for k = 1, else 0. */
const stagesOf = (k: number) =>
  product(
    a,
    NODES.map((c) => [k * c ** (k - 1)]),
  ).map(([z]) => z);
const weighed = (weights: readonly number[], values: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * values[i], 0);

test("the estimate vanishes for cubics, and is the difference of slopes at the beginning", () => {
  const estimate = (k: number) => weighed(ERROR, stagesOf(k)) + (k === 1 ? 1 / REAL_EIGENVALUE : 0);
  for (const k of [1, 2, 3]) expect(Math.abs(estimate(k))).toBeLessThan(COEFFICIENT_TOLERANCE);
  // The slope of the stages' polynomial is 4 s^3 at the nodes, so 4 c_1 c_2 c_3 = 0.4 at 0.
  expect(estimate(4)).toBeCloseTo(-0.4 / REAL_EIGENVALUE, 14);
});

test.each([0.1, 0.3, 0.6, 0.9])("dense output is exact for quartics at %d", (s) => {
  for (const k of [1, 2, 3, 4]) {
    const stages = stagesOf(k);
    const error = weighed(ERROR, stages) + (k === 1 ? 1 / REAL_EIGENVALUE : 0);
    const [two, three] = DENSE.map((row) => weighed(row, stages));
    const [c2, c3, c4] = [two, three, 0].map((value, i) => value + SLOPE_ROWS[i] * error);
    const value = s * (1 + (1 - s) * (c2 + s * (c3 + (1 - s) * c4)));
    expect(Math.abs(value - s ** k)).toBeLessThan(1e-13);
  }
});
