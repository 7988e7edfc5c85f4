// Penalty and augmented Lagrangian: contraction of the iterations, redundant and rank-deficient rows.

import {
  augmentedLagrangian,
  baumgarte,
  type Formulation,
  penalty,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { drift, formulationProblems, redundantProblem, simulated } from "#experiments";

const { fourBars, sliderCrank } = formulationProblems;

const accelerations = (formulation: Formulation, problem = sliderCrank) =>
  simulated(problem, formulation, 1e-3).accelerations();

const apart = (a: Float64Array, b: Float64Array) =>
  Math.max(...a.map((value, i) => Math.abs(value - b[i]))) / Math.max(...b.map(Math.abs));

describe("augmentedLagrangian at one state of the slider-crank", () => {
  const exact = accelerations(udwadiaKalaba());

  test("the error of a penalty is proportional to its inverse", () => {
    const errors = [1e3, 1e4, 1e5].map((factor) =>
      apart(accelerations(penalty({ penalty: factor })), exact),
    );
    expect(errors[0] / errors[1]).toBeCloseTo(10, 0);
    expect(errors[1] / errors[2]).toBeCloseTo(10, 1);
  });

  test("each iteration leaves the same fraction of the error", () => {
    const errors = [1, 2, 3, 4].map((iterations) =>
      apart(accelerations(augmentedLagrangian({ penalty: 1e3, iterations, tolerance: 0 })), exact),
    );
    for (let i = 1; i < errors.length; i++) {
      // The eigenvalue of the slowest direction is at least a tenth of the largest diagonal element.
      expect(errors[i] / errors[i - 1]).toBeLessThan(0.05);
    }
    expect(apart(accelerations(penalty({ penalty: 1e3 })), exact)).toBeCloseTo(errors[0], 15);
  });

  test.each([1e2, 1e5, 1e7, 1e9, 1e11])("a penalty of %f leads to the exact result", (factor) => {
    const formulation = augmentedLagrangian({ penalty: factor });
    expect(apart(accelerations(formulation), exact)).toBeLessThan(1e-13);
  });
});

test("augmentedLagrangian is unaffected by a duplicate row", () => {
  const formulation = augmentedLagrangian();
  const [once, twice] = [sliderCrank, redundantProblem].map((problem) =>
    simulated(problem, formulation, 0.01, projection({ solver: "penalty" })).runTo(1),
  );
  expect(apart(twice.q, once.q)).toBeLessThan(1e-10);
});

test("augmentedLagrangian with mass-orthogonal projections passes singular poses, with redundant rows too", () => {
  const stabilisation = projection({ solver: "penalty" });
  const method = simulated(fourBars, augmentedLagrangian(), 1e-2, stabilisation);
  expect(drift(method, 10).position).toBeLessThan(1e-8);
});

test("the printed penalty formulation equals penalty with Baumgarte's terms", () => {
  // (M + J^T J / c) a = Q - J^T (J' v + 2 xi omega Phi' + omega^2 Phi) / c, from an initial state off the circle.
  const { equations: source } = formulationProblems.pendulum;
  const [xi, omega, factor] = [0.7, 12, 50];
  const [q, v] = [
    [0.9, -0.5],
    [0.4, 0.6],
  ];
  const stabilisation = baumgarte({ alpha: xi * omega, beta: omega });
  const method = { formulation: penalty({ penalty: factor }), stabilisation, integrator: rk4() };
  const simulation = simulate(source, { method, step: 1e-9, q, v, start: "asGiven" });
  const before = [...simulation.v];
  simulation.advance();
  const a = [...simulation.v].map((value, i) => (value - before[i]) / 1e-9);
  const row = simulation.phi().length;
  expect(row).toBe(1);
  const [x, y] = q;
  const mass = source.mass.constant?.[0] ?? Number.NaN;
  const scale = source.description.holonomic?.jacobian ? jacobianScale(source, q) : Number.NaN;
  const j = [scale * x, scale * y];
  const compliance = (j[0] ** 2 + j[1] ** 2) / mass / factor;
  const phi = (scale / 2) * (x * x + y * y - 1);
  const phiDot = j[0] * v[0] + j[1] * v[1];
  const bias = scale * (v[0] ** 2 + v[1] ** 2) + 2 * xi * omega * phiDot + omega ** 2 * phi;
  for (const i of [0, 1]) {
    const left = mass * a[i] + (j[i] * (j[0] * a[0] + j[1] * a[1] + bias)) / compliance;
    expect(left / compliance ** -1).toBeCloseTo((i === 1 ? -9.81 * mass : 0) * compliance, 4);
  }
});

/** Factor of (x, y) in J of a circle. */
function jacobianScale(source: typeof formulationProblems.pendulum.equations, q: number[]): number {
  const out = new Float64Array(2);
  source.description.holonomic?.jacobian?.(Float64Array.from(q), out, 0);
  return out[0] / q[0];
}
