// Particular properties of RODAS. Those it shares with other methods are in stiff-integrators.test.ts.

import { rodas } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { boundOde, type Rate } from "./support/bound-ode.js";
import { pericentre, twoBody } from "./support/problems.js";
import { swung } from "./support/stiff-pendulum.js";

const N = 4;
/** Stages after the first. */
const STAGES = 5;

test("costs a Jacobian by finite differences, df/dt and six evaluations a step", () => {
  const ode = boundOde(rodas(), twoBody, pericentre(0.5));
  const costs: number[] = [];
  for (let k = 0; k < 3; k++) {
    const before = ode.evaluations;
    ode.judgedStep(k / 100, 0.01, 1e-6);
    ode.stepper.commit(k / 100, 0.01);
    costs.push(ode.evaluations - before);
  }
  const each = N + 1 + STAGES + 1;
  expect(costs).toEqual([each + 1, each, each]);
  expect(ode.stepper.costs).toEqual({
    jacobianSource: "by differences",
    jacobians: 3,
    factorisations: 3,
    convergenceFailures: 0,
    checks: 0,
  });
});

test("keeps derivatives after a rejection, and continues as if the longer step had not been tried", () => {
  const [ode, other] = [0, 1].map(() => boundOde(rodas(), twoBody, pericentre(0.5)));
  ode.judgedStep(0, 0.2, 1e-6);
  ode.refuse();
  const before = ode.evaluations;
  const error = ode.judgedStep(0, 0.05, 1e-6);
  expect(ode.evaluations - before).toBe(STAGES + 1);
  expect(ode.stepper.costs).toMatchObject({ jacobians: 1, factorisations: 2 });
  expect(error).toBe(other.judgedStep(0, 0.05, 1e-6));
  expect(ode.y).toEqual(other.y);
});

test("leaves the length of steps to the general controller", () => {
  expect(boundOde(rodas(), twoBody, pericentre(0.5)).stepper.rule).toBeUndefined();
});

describe("steps it cannot take", () => {
  // df/dy = 4 to the bit, and I - h gamma df/dy = 0 for h = 1.
  const growth: Rate = (_, y, out) => {
    out[0] = 4 * y[0];
  };

  test("failed steps are rejected, and shorter ones work", () => {
    const ode = boundOde(rodas(), growth, [1]);
    let factor = 0;
    try {
      ode.stepper.attempt(0, 1);
    } catch (refusal) {
      factor = (refusal as { factor: number }).factor;
      expect((refusal as Error).message).toMatch(/^rodas: .* singular/);
    }
    expect(factor).toBe(0.5);
    expect(ode.y[0]).toBe(1);
    expect(ode.stepper.costs?.convergenceFailures).toBe(1);
    for (let k = 0; k < 100; k++) ode.fixedStep(k / 100, 0.01);
    expect(ode.y[0] / Math.exp(4)).toBeCloseTo(1, 6);
  });

  test("steps with a right-hand side of NaN have no small error", () => {
    const ode = boundOde(rodas(), (t, y, out) => out.fill(t > 0.05 ? Number.NaN : -y[0]), [1, 1]);
    expect(ode.judgedStep(0, 0.1, 1e-3) <= 1).toBe(false);
  });
});

test.each([
  [1e-2, 50],
  [1e-4, 110],
  [1e-6, 300],
])("a stiff motion at %d takes less than %i steps", (tolerance, most) => {
  const { statistics } = swung(rodas(), tolerance);
  expect(statistics.steps).toBeLessThan(most);
  expect(statistics.rejections).toBeLessThan(0.1 * statistics.steps);
});
