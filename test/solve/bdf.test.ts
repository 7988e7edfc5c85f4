// BDF: its formula, its orders, its history, and an independent code with the same errors and as many steps.

import { baumgarte, lagrange, simulate } from "nodrift";
import { bdf, ode, radau5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { pendulum, START } from "../methods/support/pendulum.js";
import { referenceBdf } from "../reference/bdf.js";
import { bdfProblems } from "../support/bdf-problems.js";
import { bindToMotion, swings } from "../support/integrator-order.js";

const ORDERS = [1, 2, 3, 4, 5];

/** The largest error at the ends of steps of one length, and of dense output within them. */
function errorsOf(order: number, steps: number) {
  const bound = bindToMotion(bdf({ order }));
  const h = 2 / steps;
  const worst = { ends: 0, within: 0 };
  bound.begin(0);
  for (let k = 0; k < steps; k++) {
    bound.advance(k * h, h);
    bound.judge(k * h, h);
    bound.prepareDense(k * h, h);
    for (let i = 0; i < bound.y.length; i++) {
      worst.ends = Math.max(worst.ends, Math.abs(bound.y[i] - swings.exact((k + 1) * h, i)));
      for (const s of [0.2, 0.5, 0.8]) {
        const error = Math.abs(bound.dense(s, i) - swings.exact((k + s) * h, i));
        worst.within = Math.max(worst.within, error);
      }
    }
    bound.stepper.commit(k * h, h);
  }
  return worst;
}

describe.each(ORDERS)("order %d", (order) => {
  test("convergence has this order at the ends of fixed steps and between them", () => {
    const [coarse, fine] = [256, 512].map((steps) => errorsOf(order, steps / (order > 3 ? 2 : 1)));
    expect(Math.abs(Math.log2(coarse.ends / fine.ends) - order)).toBeLessThan(0.2);
    expect(Math.abs(Math.log2(coarse.within / fine.within) - order)).toBeLessThan(0.2);
  });

  test("polynomials of this degree are integrated exactly, whatever the step lengths", () => {
    // y' = d/dt (1 + t)^k, with steps of unequal lengths once the history is long enough.
    const exact = (t: number) => (1 + t) ** order;
    const motion = {
      dimension: 2,
      exact,
      rate: (t: number, y: Float64Array, out: Float64Array) => {
        out.fill(order * (1 + t) ** (order - 1));
        out[1] -= 100 * (y[1] - exact(t));
      },
    };
    const bound = bindToMotion(bdf({ order }), motion);
    bound.begin(0);
    let t = 0;
    const even = new Array<number>(14).fill(0.02);
    for (const h of [...even, 0.03, 0.025, 0.04, 0.02, 0.035, 0.015, 0.03]) {
      bound.advance(t, h);
      t += h;
      // Starts are of low order: their errors are removed, as by a projection, until whole steps are remembered alone.
      if (t < 0.281) bound.y.fill(exact(t));
      bound.stepper.commit(t - h, h);
      expect(Math.abs(bound.y[0] - exact(t))).toBeLessThan(1e-11);
      expect(Math.abs(bound.y[1] - exact(t))).toBeLessThan(1e-11);
    }
  });
});

/** Errors of y at the end of a step and at the ends of equal steps before it. */
const FORMULAS = [
  [],
  [1, -1],
  [3 / 2, -2, 1 / 2],
  [11 / 6, -3, 3 / 2, -1 / 3],
  [25 / 12, -4, 3, -4 / 3, 1 / 4],
  [137 / 60, -5, 5, -10 / 3, 5 / 4, -1 / 5],
];
const H = 0.05;

/** Even steps whose ends are exact but for the last. */
function evenSteps(
  order: number,
  exact: (t: number) => number,
  rate: (y: number, t: number) => number,
) {
  const motion = {
    dimension: 1,
    exact,
    rate: (t: number, y: Float64Array, out: Float64Array) => {
      out[0] = rate(y[0], t);
    },
  };
  const bound = bindToMotion(bdf({ order }), motion);
  bound.begin(0);
  for (let k = 0; k < 20; k++) {
    bound.advance(k * H, H);
    if (k === 19) break;
    bound.y[0] = exact((k + 1) * H);
    bound.stepper.commit(k * H, H);
  }
  return bound;
}

test.each(ORDERS)("fixed steps are those of BDF of order %d", (order) => {
  const exact = (t: number) => Math.exp(Math.sin(3 * t));
  const { y } = evenSteps(order, exact, (value, t) => -5 * value + t);
  const [own, ...others] = FORMULAS[order];
  const known = others.reduce((sum, weight, i) => sum + weight * exact((19 - i) * H), 0);
  expect(y[0]).toBeCloseTo((H * 20 * H - known) / (own + 5 * H), 11);
});

test.each(ORDERS)(
  "the error of order %d is the difference from the prediction over k + 1",
  (order) => {
    // y = t^(k+1): its difference is (k + 1)! h^(k+1), and the formula adds 1 / ((k + 1) alpha_k) of that.
    const bound = evenSteps(
      order,
      (t) => t ** (order + 1),
      (_y, t) => (order + 1) * t ** order,
    );
    const factorial = ORDERS.slice(0, order).reduce((product, k) => product * (k + 1), 1);
    const difference = factorial * H ** (order + 1) * (1 + 1 / ((order + 1) * FORMULAS[order][0]));
    // At the tolerance of these steps a tenth of it is allowed.
    const found = bound.judge(19 * H, H) / 10;
    expect(found / (difference / (order + 1))).toBeCloseTo(1, 3);
  },
);

test("orders rise where the motion is smooth, and begin again at 1 after a reset", () => {
  const bound = bindToMotion(bdf());
  bound.begin(0);
  for (let k = 0; k < 30; k++) {
    bound.advance(k / 100, 0.01);
    bound.stepper.commit(k / 100, 0.01);
  }
  expect(bound.stepper.currentOrder).toBe(5);
  bound.stepper.reset();
  expect(bound.stepper.currentOrder).toBe(1);
});

test("an attempt in parts that is not accepted leaves no trace", () => {
  const [bound, other] = [bindToMotion(bdf({ order: 4 })), bindToMotion(bdf({ order: 4 }))];
  for (const each of [bound, other]) each.begin(0);
  for (let k = 0; k < 10; k++) {
    const t = k / 50;
    const before = bound.y.slice();
    bound.advance(t, 0.03);
    bound.y.set(before);
    for (const each of [bound, other]) {
      each.advance(t, 0.02);
      each.stepper.commit(t, 0.02);
    }
    for (let i = 0; i < before.length; i++) expect(bound.y[i]).toBeCloseTo(other.y[i], 11);
  }
});

describe.each(bdfProblems())("$name", (problem) => {
  const exact = problem.run(radau5(), 1e-11).values;
  const errorOf = (values: readonly number[]) =>
    Math.max(...exact.map((value, i) => Math.abs(values[i] - value) / (1 + Math.abs(value))));

  test.each([1e-3, 1e-5, 1e-7])("errors are at most ten tolerances of %d", (tolerance) => {
    const { status, values } = problem.run(bdf(), tolerance);
    expect(status).toBe("finished");
    expect(errorOf(values)).toBeLessThan(10 * tolerance);
  });

  test("takes as many steps as an independent code, with errors of that size", () => {
    const { plain, times } = problem;
    if (plain === undefined) return;
    const local = 0.2 * (plain.positions === undefined ? 1 : 0.05) * 1e-5 ** 1.2;
    const oracle = referenceBdf(plain, times, local, 1e-3 * Math.sqrt(local));
    const found = problem.run(bdf(), 1e-5);
    expect(found.steps / oracle.steps).toBeGreaterThan(0.5);
    expect(found.steps / oracle.steps).toBeLessThan(2);
    expect(errorOf(found.values)).toBeLessThan(10 * errorOf(oracle.values));
  });

  test("takes few factorisations", () => {
    const { steps, factorisations, jacobians } = problem.run(bdf(), 1e-6);
    expect(factorisations).toBeLessThan(steps / 3);
    expect(jacobians).toBeLessThan(steps / 8);
  });
});

test("A-stable orders alone follow an oscillation without damping that others leave", () => {
  // y' = i 1e3 (y - cos t) - sin t: BDF of order 5 is unstable for h |lambda| near 2.
  const system = ode({
    names: ["re", "im"],
    y: [1, 0],
    rate: (t, [re, im], out) => {
      out[0] = -1e3 * im - Math.sin(t);
      out[1] = 1e3 * (re - Math.cos(t));
    },
  });
  const common = { span: [0, 10], tolerance: 1e-4, output: "ends" } as const;
  const { end, statistics } = solve(system, { ...common, integrator: bdf({ maximumOrder: 2 }) });
  expect(Math.abs(end.y[0] - Math.cos(10))).toBeLessThan(1e-3);
  expect(statistics.steps).toBeLessThan(2000);
  const all = solve(system, { ...common, integrator: bdf() });
  expect(all.status).toBe("finished");
  expect(Math.abs(all.end.y[0] - Math.cos(10))).toBeLessThan(1e-3);
});

test("options are checked, and one name has one object", () => {
  expect(bdf()).toBe(bdf({ maximumOrder: 5 }));
  expect(bdf({ order: 2 }).name).toBe("bdf of order 2");
  expect(bdf({ maximumOrder: 2 }).name).toBe("bdf up to 2");
  expect(() => bdf({ order: 6 })).toThrow(/order/);
  expect(() => bdf({ order: 2, maximumOrder: 3 })).toThrow(/give order or maximumOrder, not both/);
});

test("gains that follow the step are rejected, fixed ones are not", () => {
  const begin = (stabilisation: ReturnType<typeof baumgarte>) => {
    const method = { formulation: lagrange(), stabilisation, integrator: bdf() };
    return simulate(pendulum(), { method, step: 0.01, ...START });
  };
  expect(() => begin(baumgarte())).toThrow(/gains that follow the step/);
  const run = begin(baumgarte({ alpha: 5, beta: 5 })).advance(100);
  expect(run.constraintError().position).toBeLessThan(1e-5);
});
