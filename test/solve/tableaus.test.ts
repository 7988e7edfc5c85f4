// Coefficients against Butcher's conditions: a wrong digit anywhere leaves one of them unfulfilled.

import {
  bogackiShampineTableau,
  dop853Tableau,
  dormandPrinceTableau,
  type EmbeddedTableau,
  tsitourasTableau,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { embedded } from "../support/integrators.js";
import { denseWeights, padded, slopeNodes, slopeRows, worstResidual } from "./support/embedded.js";
import { treesUpTo } from "./support/trees.js";

/** Coefficients are rounded: the largest are 500, but weigh on small terms. */
const COEFFICIENT_TOLERANCE = 2e-14;
/** No condition beyond the order of a method of ours holds by chance this well. */
const UNFULFILLED = 1e-6;

const trees = treesUpTo(9);
const ofOrder = (order: number) => trees.filter((tree) => tree.order === order);
const upTo = (order: number) => trees.filter((tree) => tree.order <= order);

test("rooted trees are counted as by Cayley", () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((order) => ofOrder(order).length);
  expect(counts).toEqual([1, 1, 2, 4, 9, 20, 48, 115, 286]);
  expect(upTo(8)).toHaveLength(200);
  // Bushy and tall trees of four nodes, and those between.
  expect(
    ofOrder(4)
      .map(({ gamma }) => gamma)
      .sort((a, b) => a - b),
  ).toEqual([4, 8, 12, 24]);
});

interface Case {
  readonly tableau: EmbeddedTableau;
  /** Orders of the embedded formulas. */
  readonly estimates: readonly number[];
  readonly dense: number;
}

const cases: Case[] = [
  { tableau: bogackiShampineTableau, estimates: [2], dense: 3 },
  { tableau: dormandPrinceTableau, estimates: [4], dense: 4 },
  { tableau: tsitourasTableau, estimates: [4], dense: 4 },
  { tableau: dop853Tableau, estimates: [5, 3], dense: 7 },
];

test("every Runge-Kutta method of the registry is among them", () => {
  expect(cases.map(({ tableau }) => tableau.name).sort()).toEqual(
    embedded.map(({ name }) => name).sort(),
  );
});

describe.each(cases)("$tableau.name", ({ tableau, estimates, dense }) => {
  const rows = slopeRows(tableau);
  const b = padded(tableau.b, rows.length);

  test("weighs in each stage the slopes before it", () => {
    const stages = tableau.b.length;
    expect(tableau.a.map(({ length }) => length)).toEqual([...tableau.a.keys()]);
    expect(tableau.a).toHaveLength(stages);
    expect(tableau.c).toHaveLength(stages);
    const added = tableau.denseStages?.a.map(({ length }) => length) ?? [];
    expect(added).toEqual(added.map((_, k) => stages + 1 + k));
    expect(tableau.denseStages?.c ?? []).toHaveLength(added.length);
    for (const error of tableau.errors) expect(error.length).toBeLessThanOrEqual(stages + 1);
    for (const row of tableau.dense) expect(row).toHaveLength(rows.length);
  });

  test("takes each slope at the time that its weights say", () => {
    for (const [k, row] of rows.entries()) {
      const sum = row.reduce((total, weight) => total + weight, 0);
      expect(Math.abs(sum - slopeNodes(tableau)[k])).toBeLessThan(COEFFICIENT_TOLERANCE);
    }
  });

  test("the tableau has its order, and no higher one", () => {
    expect(worstResidual(b, rows, upTo(tableau.order))).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(worstResidual(b, rows, ofOrder(tableau.order + 1))).toBeGreaterThan(UNFULFILLED);
  });

  test("the error estimate has formulas of lower order", () => {
    expect(tableau.errors).toHaveLength(estimates.length);
    for (const [i, order] of estimates.entries()) {
      const lower = b.map((weight, k) => weight - (tableau.errors[i][k] ?? 0));
      expect(worstResidual(lower, rows, upTo(order))).toBeLessThan(COEFFICIENT_TOLERANCE);
      expect(worstResidual(lower, rows, ofOrder(order + 1))).toBeGreaterThan(UNFULFILLED);
    }
  });

  test.each([0.1, 0.25, 0.4, 0.5, 0.7, 0.9])("dense output has its order at %d", (s) => {
    const weights = denseWeights(tableau, s);
    expect(worstResidual(weights, rows, upTo(dense), s)).toBeLessThan(COEFFICIENT_TOLERANCE);
    expect(worstResidual(weights, rows, ofOrder(dense + 1), s)).toBeGreaterThan(UNFULFILLED);
  });
});

describe("the error estimate of dop853", () => {
  const judge = dop853Tableau.judge as (err5: number, err3: number) => number;

  test("uses both estimates", () => {
    expect(judge(3, 40)).toBeCloseTo(9 / 5, 15);
    expect(judge(2, 0)).toBe(2);
  });

  test("returns 0 without an error", () => {
    expect(judge(0, 0)).toBe(0);
    expect(judge(0, 1)).toBe(0);
  });

  test("handles large errors without overflow, and NaN as NaN", () => {
    expect(judge(3e200, 40e200) / 1.8e200).toBeCloseTo(1, 14);
    expect(judge(Number.NaN, 1)).toBeNaN();
    expect(judge(1, Number.NaN)).toBeNaN();
  });
});
