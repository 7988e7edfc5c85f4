// Coefficients of RODAS against the conditions of Rosenbrock methods (Hairer and Wanner, Solving ODEs II, section
// IV.7): Butcher's conditions with beta = alpha + gamma after a node with one branch, and alpha after one with
// several branches.

import { expect, test } from "vitest";
import {
  A,
  ALPHA,
  C,
  DENSE,
  GAMMA,
  GAMMA_SUMS,
} from "../../src/methods/integrators/rodas/rodas.js";
import { type Complex, naiveComplexSolve } from "../oracles/complex-lu.js";
import { naiveInverse } from "../oracles/lu.js";
import { padded } from "./support/embedded.js";
import { type Tree, treesUpTo } from "./support/trees.js";

const COEFFICIENT_TOLERANCE = 1e-12;
const UNFULFILLED = 1e-6;
const stages = ALPHA.length;

type Matrix = readonly (readonly number[])[];

const product = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

/** gamma_ij: u = Gamma k, and Gamma^-1 = I / gamma - C. */
const gamma: Matrix = (() => {
  const inverse = Float64Array.from({ length: stages * stages }, (_, at) => {
    const [i, j] = [at % stages, Math.floor(at / stages)];
    return (i === j ? 1 / GAMMA : 0) - (C[i][j] ?? 0);
  });
  const columns = naiveInverse(stages, inverse);
  return Array.from({ length: stages }, (_, i) =>
    Array.from({ length: stages }, (_, j) => columns[i + stages * j]),
  );
})();
const alpha = product(
  A.slice(0, stages).map((row) => padded(row, stages)),
  gamma,
);
const beta = alpha.map((row, i) => row.map((value, j) => value + gamma[i][j]));
const ofStages = (weights: readonly number[]) => product([padded(weights, stages)], gamma)[0];
const b = ofStages(A[stages]);

function weightsOf(tree: Tree): number[] {
  const rows = tree.branches.length === 1 ? beta : alpha;
  const factors = tree.branches.map((branch) => {
    const inner = weightsOf(branch);
    return rows.map((row) => row.reduce((sum, weight, l) => sum + weight * inner[l], 0));
  });
  return rows.map((_, k) => factors.reduce((all, factor) => all * factor[k], 1));
}

function worst(weights: readonly number[], order: number, s = 1): number {
  const trees = treesUpTo(order);
  return Math.max(
    ...trees.map((tree) => {
      const phi = weightsOf(tree);
      const sum = weights.reduce((total, weight, k) => total + weight * phi[k], 0);
      return Math.abs(sum - s ** tree.order / tree.gamma);
    }),
  );
}

test("times of stages and weights of df/dt are sums of rows", () => {
  for (let i = 0; i < stages; i++) {
    const sum = (row: readonly number[]) => row.reduce((all, value) => all + value, 0);
    expect(Math.abs(sum(alpha[i]) - ALPHA[i])).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(Math.abs(sum(gamma[i]) - GAMMA_SUMS[i])).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(Math.abs(gamma[i][i] - GAMMA)).toBeLessThan(COEFFICIENT_TOLERANCE);
  }
});

test("the step has order 4, the formula it is compared with order 3", () => {
  expect(worst(b, 4)).toBeLessThan(COEFFICIENT_TOLERANCE);
  expect(worst(b, 5)).toBeGreaterThan(UNFULFILLED);
  const embedded = ofStages(A[stages - 1]);
  expect(worst(embedded, 3)).toBeLessThan(COEFFICIENT_TOLERANCE);
  expect(worst(embedded, 4)).toBeGreaterThan(UNFULFILLED);
});

test("both are stiffly accurate: they end on their last stages", () => {
  const embedded = ofStages(A[stages - 1]);
  for (let j = 0; j < stages; j++) {
    expect(Math.abs(beta[stages - 1][j] - b[j])).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(Math.abs(beta[stages - 2][j] - embedded[j])).toBeLessThan(COEFFICIENT_TOLERANCE);
  }
});

test.each([0.1, 0.35, 0.5, 0.8])("dense output has order 3 at %d", (s) => {
  const [two, three] = DENSE.map(ofStages);
  const weights = b.map((end, k) => s * (end + (1 - s) * (two[k] + s * three[k])));
  expect(worst(weights, 3, s)).toBeLessThan(COEFFICIENT_TOLERANCE);
  expect(worst(weights, 4, s)).toBeGreaterThan(UNFULFILLED);
});

/** R(z) = 1 + z b (I - z beta)^-1 1. */
function stability(z: Complex, weights = b): number {
  const matrix = beta.map((row, i) =>
    row.map((value, j): Complex => [(i === j ? 1 : 0) - z[0] * value, -z[1] * value]),
  );
  const ones = b.map((): Complex => [1, 0]);
  const sum = naiveComplexSolve(matrix, ones).reduce(
    ([p, q], [x, y], k) => [p + weights[k] * x, q + weights[k] * y],
    [0, 0],
  );
  return Math.hypot(1 + z[0] * sum[0] - z[1] * sum[1], z[0] * sum[1] + z[1] * sum[0]);
}

test("RODAS and its embedded formula are L-stable", () => {
  for (const weights of [b, ofStages(A[stages - 1])]) {
    expect(stability([-1e9, 0], weights)).toBeLessThan(1e-6);
    for (let y = 0.05; y < 1e4; y *= 1.1) {
      expect(stability([0, y], weights)).toBeLessThan(1 + 1e-12);
    }
  }
});
