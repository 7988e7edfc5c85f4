// Derivatives that plain differential equations give: against differences, and as implicit methods see them.

import { robertson, robertsonReference, vanDerPol, vanDerPolReference } from "nodrift/mechanisms";
import { dop853, ode, type PlainOde, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { complexSolve, linearlyImplicitEuler } from "./support/linearly-implicit.js";

/** Central differences, column-major; exact up to rounding if the rate is quadratic. */
function differences({ description, names }: PlainOde, y: readonly number[]): number[] {
  const n = names.length;
  const rateAt = (at: readonly number[]) => {
    const out = new Float64Array(n);
    description.rate(0, Float64Array.from(at), out);
    return out;
  };
  return y.flatMap((value, j) => {
    const h = 1e-5 * Math.max(Math.abs(value), 1e-4);
    const [right, left] = [h, -h].map((d) =>
      rateAt(y.map((each, k) => (k === j ? value + d : each))),
    );
    return Array.from(right, (each, i) => (each - left[i]) / (2 * h));
  });
}

const states: readonly { problem: PlainOde; state: readonly number[] }[] = [
  { problem: vanDerPol(), state: [2, 0] },
  { problem: vanDerPol(), state: [1.7, -0.89] },
  { problem: vanDerPol(), state: [-0.3, 1000] },
  { problem: vanDerPol({ epsilon: 0.1 }), state: [1, 2] },
  { problem: robertson(), state: [1, 0, 0] },
  { problem: robertson(), state: [0.7158, 9.1855e-6, 0.2842] },
  { problem: robertson(), state: [0.1, 0.5, 0.4] },
];

describe("both problems", () => {
  test.each(states)(
    "Jacobians equal the derivatives of the rates: $problem.name at $state",
    ({ problem, state }) => {
      const n = problem.names.length;
      const out = new Float64Array(n * n);
      problem.description.jacobian?.(0, Float64Array.from(state), out);
      const wanted = differences(problem, state);
      const size = Math.max(...wanted.map(Math.abs));
      expect(size).toBeGreaterThan(0);
      wanted.forEach((each, index) => {
        expect(Math.abs(out[index] - each)).toBeLessThanOrEqual(1e-7 * size);
      });
    },
  );
});

test("the reference of Robertson's reaction is met", () => {
  const { time, y, sdirkSteps } = robertsonReference;
  const tolerance = { relative: 1e-8, absolute: 1e-13 };
  const options = { span: [0, time], tolerance, output: "ends" } as const;
  const solution = solve(robertson(), { ...options, integrator: dop853() });
  y.forEach((value, i) => {
    expect(Math.abs(solution.end.y[i] / value - 1)).toBeLessThan(1e-7);
  });
  expect(y.reduce((sum, value) => sum + value)).toBeCloseTo(1, 14);
  expect(solution.notes.join()).toContain("stiff");
  // Problems for stiff methods.
  expect(solution.statistics.steps).toBeGreaterThan(100 * sdirkSteps[3].steps);
});

test("the reference of Van der Pol's oscillator is met, at the cost of very many steps", () => {
  const { time, y, sdirkSteps } = vanDerPolReference;
  const options = { span: [0, time], tolerance: 1e-8, output: "ends" } as const;
  const solution = solve(vanDerPol(), { ...options, integrator: dop853() });
  y.forEach((value, i) => {
    expect(Math.abs(solution.end.y[i] - value)).toBeLessThan(1e-8);
  });
  expect(solution.statistics.steps).toBeGreaterThan(500 * sdirkSteps[3].steps);
});

test("the reference of Van der Pol's oscillator lies on the slow curve", () => {
  // (1 - y^2) z = y + epsilon z z', with z' = dz/dy z on the curve z0 = y / (1 - y^2).
  const [y, z] = vanDerPolReference.y;
  const slow = y / (1 - y * y);
  const slope = (1 + y * y) / (1 - y * y) ** 2;
  const corrected = slow + (1e-6 * slope * slow) / (1 - y * y);
  expect(Math.abs(z - slow)).toBeGreaterThan(1e-7);
  expect(Math.abs(z - corrected)).toBeLessThan(1e-11);
});

describe("implicit methods see", () => {
  // y' = A y with A by columns: not symmetric, so that rows and columns cannot be confused.
  const linear = (jacobian = true) =>
    ode({
      name: "linear",
      names: ["a", "b"],
      rate: (_t, [a, b], out) => out.set([-a + 3 * b, -2 * b]),
      ...(jacobian && {
        jacobian: (_t: number, _y: Float64Array, out: Float64Array) => out.set([-1, 0, 3, -2]),
      }),
      y: [1, 2],
    });

  test("analytic derivatives: a step is (I - h A)^-1 y", () => {
    const found: string[] = [];
    const h = 0.5;
    const integrator = linearlyImplicitEuler(found);
    const { end } = solve(linear(), { span: [0, h], step: h, integrator });
    // I - h A = [[1.5, -1.5], [0, 2]].
    expect(end.y[1]).toBeCloseTo(1, 14);
    expect(end.y[0]).toBeCloseTo((1 + 1.5 * 1) / 1.5, 14);
    expect(found).toEqual(["analytic"]);
  });

  test("complex multiples of analytic derivatives", () => {
    const x: number[] = [];
    const { status } = solve(linear(), {
      span: [0, 1],
      step: 1,
      integrator: complexSolve(0, 1, x),
    });
    expect(status).toBe("finished");
    // (I - i A) x = y: x2 = 2 / (1 + 2i), x1 = (1 + 3i x2) / (1 + i).
    const [a, b, aImaginary, bImaginary] = x;
    expect([b, bImaginary].map((part) => part.toFixed(12))).toEqual([
      (0.4).toFixed(12),
      (-0.8).toFixed(12),
    ]);
    // 1 + 3i (0.4 - 0.8i) = 3.4 + 1.2i; divided by 1 + i: 2.3 - 1.1i.
    expect(a).toBeCloseTo(2.3, 12);
    expect(aImaginary).toBeCloseTo(-1.1, 12);
  });

  test("none where none are given", () => {
    const integrator = linearlyImplicitEuler();
    expect(() => solve(linear(false), { span: [0, 1], step: 1, integrator })).toThrow(
      "no derivatives",
    );
  });

  test("those of stiff problems: steps of a hundredth are stable", () => {
    const integrator = linearlyImplicitEuler();
    const { time, y } = robertsonReference;
    const { end, statistics } = solve(robertson(), { span: [0, time], step: 0.01, integrator });
    y.forEach((value, i) => {
      expect(Math.abs(end.y[i] / value - 1)).toBeLessThan(1e-3);
    });
    expect(statistics.steps).toBe(4000);
  });

  test("mistakes in them: named with row, column and time", () => {
    const run = (jacobian: (t: number, y: Float64Array, out: Float64Array) => void) =>
      solve(ode({ name: "bad", names: ["a", "b"], rate: () => [0, 0], jacobian, y: [0, 0] }), {
        span: [0, 1],
        step: 1,
        integrator: linearlyImplicitEuler(),
      });
    const nan = run((_t, _y, out) => {
      out[2] = Number.NaN;
    });
    expect(nan.status).toBe("failed");
    expect(nan.reason).toContain(
      'bad: jacobian gave NaN for the derivative of the rate of "a" by "b", out[2], at t = 0',
    );
    expect(run(() => [[0, 1]]).reason).toContain(
      "jacobian returned an array at t = 0; it must write",
    );
  });
});
