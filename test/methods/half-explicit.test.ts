// Half-explicit methods: their tableaus against the conditions of order for index 2, orders of positions, velocities and
// multipliers, constraint errors, and loops of bodies in both kinds of coordinates.

import {
  type CoupledMethod,
  equations,
  extrapolation,
  type HalfExplicitTableau,
  halfExplicit,
  halfExplicitTableaus,
  type Method,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { compile } from "nodrift/bodies";
import { bennett, sliderCrank3d } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { formulationProblems } from "#experiments";

/**
 * Trees of y' = f(y) + F(y) z, 0 = g(y) (Hairer, Lubich and Roche 1989, section 5): a node of f has y-trees below it and at most one z-tree,
 * one of g y-trees. Weights are by stage.
 */
interface Tree {
  readonly order: number;
  readonly density: number;
  readonly key: string;
  readonly weights: readonly number[];
}

/** Returns all lists of trees, with repetition, whose orders have the given sum. */
function lists(trees: readonly Tree[], sum: number, from = 0): Tree[][] {
  if (sum === 0) return [[]];
  return trees
    .slice(from)
    .flatMap((tree, i) =>
      tree.order > sum
        ? []
        : lists(trees, sum - tree.order, from + i).map((rest) => [tree, ...rest]),
    );
}

const product = (numbers: readonly number[]) => numbers.reduce((a, b) => a * b, 1);
const dot = (row: readonly number[], weights: readonly number[]) =>
  row.reduce((sum, weight, j) => sum + weight * weights[j], 0);

/**
 * Returns all trees of f up to an order, each with its condition: the sum of weights at the end is one over the
 * density.
 */
function conditions({ a, closed }: HalfExplicitTableau, highest: number): Map<number, number> {
  const [ys, zs]: [Tree[], Tree[]] = [[], []];
  const worst = new Map<number, number>();
  for (let order = 1; order <= highest; order++) {
    // z-trees of the next lower order: of at least two y-trees, or of one that is more than a z-tree.
    for (const below of lists(ys, order).filter((list) => list.length > 0)) {
      const isTrivial = below.length === 1 && /^y(\[z.*\])?$/.test(below[0].key);
      if (order === 1 || isTrivial) continue;
      const wanted = closed.map((row) => row && product(below.map((t) => dot(row, t.weights))));
      const weights: number[] = [];
      for (const [i, row] of closed.entries()) {
        // Multipliers of accelerations are exact at the beginning of a step.
        weights[i] = row ? (wanted[i]! - dot(row.slice(0, -1), weights)) / row.at(-1)! : 0;
      }
      const density = product(below.map((t) => t.density)) / order;
      const key = `z[${below.map((t) => t.key)}]`;
      zs.push({ order: order - 1, density, key, weights });
    }
    const made: Tree[] = [];
    for (const z of [undefined, ...zs]) {
      const left = order - 1 - (z?.order ?? 0);
      if (left < 0) continue;
      for (const below of lists(ys, left)) {
        const weights = a.map(
          (row, i) => product(below.map((t) => dot(row, t.weights))) * (z?.weights[i] ?? 1),
        );
        const density = order * product(below.map((t) => t.density)) * (z?.density ?? 1);
        const inside = [...(z ? [z.key] : []), ...below.map((t) => t.key)];
        made.push({ order, density, key: inside.length ? `y[${inside}]` : "y", weights });
      }
    }
    ys.push(...made);
    const end = closed.at(-1)!;
    const errors = made.map((t) => Math.abs(dot(end, t.weights) - 1 / t.density));
    worst.set(order, Math.max(...errors));
  }
  return worst;
}

describe.each([3, 4, 5] as const)("tableau of order %i", (order) => {
  const worst = conditions(halfExplicitTableaus[order], order + 1);

  test("satisfies all order conditions for index 2, and not those of the next order", () => {
    for (let k = 1; k <= order; k++) expect(worst.get(k), `order ${k}`).toBeLessThan(1e-13);
    expect(worst.get(order + 1)).toBeGreaterThan(1e-4);
  });
});

test("index 2 has more order conditions than ordinary equations", () => {
  // Kutta's method has order 4 for ordinary equations, and 3 for index 2.
  const rows = [[], [1 / 2], [0, 1 / 2], [0, 0, 1], [1 / 6, 1 / 3, 1 / 3, 1 / 6]];
  const worst = conditions({ a: rows.slice(0, -1), closed: rows.slice(1), reference: "" }, 4);
  expect(worst.get(3)).toBeLessThan(1e-14);
  expect(worst.get(4)).toBeGreaterThan(1e-2);
});

const distance = (a: ArrayLike<number>, b: readonly number[]) =>
  Math.hypot(...b.map((value, i) => a[i] - value));
const METHODS: readonly CoupledMethod[] = [
  ...([3, 4, 5] as const).map((order) => halfExplicit({ order })),
  ...[2, 4, 6].map((order) => extrapolation({ order })),
];
const trusted: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};

describe.each(METHODS)("$name", (coupled) => {
  const { drivenPendulum, sleigh } = formulationProblems;
  // Moving rows and a nonholonomic row. The worst of eight times, as leading terms may cancel at a single one.
  test.each([
    ["pendulum that is driven", drivenPendulum, 0.5],
    ["sleigh", sleigh, 2],
  ] as const)(
    "reaches its order in positions, velocities and multipliers: %s",
    (_, { equations: source, q, v }, end) => {
      const path = (method: Method, steps: number) => {
        const run = simulate(source, { method, step: end / steps, q, v });
        return Array.from({ length: 8 }, () => {
          run.advance(steps / 8);
          return [[...run.q], [...run.v], [...run.multipliers()]];
        });
      };
      const exact = path(trusted, 8192);
      const errors = (steps: number) => {
        const found = path({ coupled }, steps);
        return [0, 1, 2].map((i) =>
          Math.max(...found.map((at, k) => distance(at[i], exact[k][i]))),
        );
      };
      const steps = coupled.order === 6 ? 16 : 64;
      const [coarse, fine] = [errors(steps), errors(2 * steps)];
      for (const i of [0, 1, 2]) {
        const order = Math.log2(coarse[i] / fine[i]);
        expect(Math.abs(order - coupled.order)).toBeLessThan(0.25);
      }
    },
  );

  test("satisfies velocity constraints to rounding; positions drift by its error, or not at all", () => {
    const { equations: source, q, v } = formulationProblems.sliderCrank;
    const run = simulate(source, { method: { coupled }, step: 0.01, q, v });
    let [position, velocity] = [0, 0];
    run.runTo(5, () => {
      position = Math.max(position, run.constraintError().position);
      velocity = Math.max(velocity, run.constraintError().velocity);
    });
    expect(velocity).toBeLessThan(1e-13);
    if (coupled.level === "position") expect(position).toBeLessThan(1e-13);
    else expect(position).toBeGreaterThan(1e-10);
    expect(position).toBeLessThan(1e-4);
  });

  test.each(["maximal", "relative"] as const)(
    "integrates loops of bodies in %s coordinates",
    async (coordinates) => {
      for (const model of [sliderCrank3d(), bennett({ angle: 1, rate: 3 })]) {
        const source = await compile(model, { coordinates });
        const run = (method: Method, step: number) => source.simulate({ method, step }).runTo(0.1);
        const exact = [...run(trusted, 1e-4).q];
        expect(source.simulate({ method: { coupled }, step: 0.01 }).coordinateChoice.kind).toBe(
          coordinates,
        );
        expect(distance(run({ coupled }, 1e-3).q, exact)).toBeLessThan(
          [0, 0, 1e-3, 1e-6][coupled.order] ?? 1e-8,
        );
      }
    },
  );
});

test("order 5 is kept for rows that are redundant on the constraints only", async () => {
  // Stages are off the constraints. Weighed by the rows of another state, their residual reduces the order.
  const source = await compile(bennett({ angle: 1, rate: 3 }), { coordinates: "maximal" });
  const run = (method: Method, step: number) => [
    ...source.simulate({ method, step }).runTo(0.25).q,
  ];
  const exact = run(trusted, 1 / 16384);
  const error = (step: number) =>
    distance(run({ coupled: halfExplicit({ order: 5 }) }, step), exact);
  expect(Math.log2(error(1 / 32) / error(1 / 128)) / 2).toBeGreaterThan(4.7);
});

test.each([4, 6])("extrapolation(%i) controls its error, in fewer steps than order 2", (order) => {
  const { equations: source, q, v } = formulationProblems.pendulum;
  const exact = [...simulate(source, { method: trusted, step: 1 / 8192, q, v }).runTo(0.5).q];
  const run = (coupled: CoupledMethod, tolerance: number) =>
    solve(source, { span: [0, 0.5], q, v, tolerance, method: { coupled }, output: "ends" });
  for (const tolerance of [1e-5, 1e-8]) {
    expect(distance(run(extrapolation({ order }), tolerance).end.q, exact)).toBeLessThan(
      20 * tolerance,
    );
  }
  const [few, many] = [extrapolation({ order }), extrapolation({ order: 2 })].map(
    (coupled) => run(coupled, 1e-6).statistics.steps,
  );
  expect(few).toBeLessThan(many);
});

test("near a singular pose multipliers are those of accelerations, and velocities still satisfy the constraints", () => {
  // A double pendulum whose end slides on a line is singular when stretched.
  const source = equations({
    coordinates: ["x", "y", "u"],
    mass: [1, 1, 1],
    forces: () => [0, -9.81, 0],
    holonomic: {
      rows: 2,
      value: ([x, y, u]) => [x * x + y * y - 1, (u - x) ** 2 + y * y - 1],
    },
  });
  const angle = Math.PI / 2 - 0.02;
  const start = { q: [Math.cos(angle), Math.sin(angle), 2 * Math.cos(angle)], v: [1, 0, 2] };
  const run = simulate(source, { method: { coupled: halfExplicit() }, step: 0.01, ...start });
  run.runTo(0.3, () => expect(run.constraintError().velocity).toBeLessThan(1e-9));
  expect([...run.q, ...run.v].every(Number.isFinite)).toBe(true);
});
