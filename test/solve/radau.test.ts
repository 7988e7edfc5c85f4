// Particular properties of Radau IIA. Those it shares with other methods are in stiff-integrators.test.ts.

import type { AdaptiveIntegrator, AdaptiveStepper } from "nodrift";
import { radau5 } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { boundOde, type Rate } from "./support/bound-ode.js";
import { END, swung } from "./support/stiff-pendulum.js";

/** The integrator, and the stepper that was made of it last. */
function observed(): { integrator: AdaptiveIntegrator; stepper: () => AdaptiveStepper } {
  let made: AdaptiveStepper | undefined;
  const inner = radau5();
  const integrator: AdaptiveIntegrator = {
    ...inner,
    bind(ode, workspace) {
      made = inner.bind(ode, workspace);
      return made;
    },
  };
  return { integrator, stepper: () => made as AdaptiveStepper };
}

/** Van der Pol's oscillator, in slow time. */
const vanDerPol: Rate = (_, y, out) => {
  out[0] = y[1];
  out[1] = 1e6 * ((1 - y[0] ** 2) * y[1] - y[0]);
};

/** y' = -rate (y - cos t) - sin t. */
const relaxing =
  (rate: number): Rate =>
  (t, y, out) => {
    out[0] = -rate * (y[0] - Math.cos(t)) - Math.sin(t);
  };

function bound(rate: Rate, start: readonly number[], tolerance: number) {
  const ode = boundOde(radau5(), rate, start);
  ode.stepper.setTolerance({
    relative: tolerance,
    positions: tolerance,
    velocities: tolerance,
  });
  const { rule, costs } = ode.stepper;
  if (rule === undefined || costs === undefined) throw new Error("radau5 has rules and costs");
  return { ...ode, ode, rule, costs };
}

// RADAU as it is in SciPy 1.17, with tolerances transformed in the same way, takes 28, 54, 103 and 213 steps.
test.each([
  [1e-2, 40],
  [1e-4, 65],
  [1e-6, 115],
  [1e-8, 230],
])("a stiff motion at %d takes less than %i steps, and few Jacobians", (tolerance, most) => {
  const { integrator, stepper } = observed();
  const { statistics, end } = swung(integrator, tolerance);
  expect(statistics.steps).toBeLessThan(most);
  expect(statistics.rejections).toBeLessThan(8);
  expect(Math.abs(end.q[0] - END.angle)).toBeLessThan(tolerance);
  const { jacobians, factorisations } = stepper().costs ?? { jacobians: 0, factorisations: 0 };
  expect(jacobians).toBeGreaterThan(0);
  expect(jacobians).toBeLessThan(0.6 * statistics.steps);
  expect(factorisations).toBeLessThanOrEqual(statistics.steps + statistics.rejections);
});

describe("van der Pol's oscillator, stiff by 1e6", () => {
  // Hairer and Wanner, Solving ODEs II, section IV.10: y(1) and y(2).
  const ENDS = [-1.8636462548081303, 1.706167732170457];

  test.each([1e-4, 1e-6, 1e-8])("the error is within a multiple of %d", (tolerance) => {
    const { ode, rule } = bound(vanDerPol, [2, 0], tolerance);
    let [t, h, steps] = [0, 1e-6, 0];
    for (const [i, end] of ENDS.entries()) {
      while (t < i + 1 && steps < 3000) {
        const length = Math.min(h, i + 1 - t);
        let error = Number.NaN;
        let factor = 0;
        try {
          error = ode.judgedStep(t, length, tolerance);
        } catch (refusal) {
          factor = (refusal as { factor: number }).factor;
        }
        if (error <= 1) {
          h = length * rule.accepted(length, error);
          ode.stepper.commit(t, length);
          t = length === i + 1 - t ? i + 1 : t + length;
        } else {
          ode.refuse();
          h = length * (factor || rule.rejected(length, error));
        }
        steps++;
      }
      expect(Math.abs(ode.y[0] - end)).toBeLessThan(5 * tolerance);
    }
    expect(steps).toBeLessThan(1200);
  });
});

describe("the Jacobian and its factors", () => {
  test("serve all steps of a linear system, factors those of one length", () => {
    const { ode, costs } = bound(relaxing(1e5), [1], 1e-6);
    for (let k = 0; k < 10; k++) {
      ode.judgedStep(k / 10, 0.1, 1e-6);
      ode.stepper.commit(k / 10, 0.1);
    }
    expect(costs).toMatchObject({ jacobians: 1, factorisations: 1, convergenceFailures: 0 });
    ode.judgedStep(1, 0.05, 1e-6);
    ode.stepper.commit(1, 0.05);
    expect(costs).toMatchObject({ jacobians: 1, factorisations: 2 });
    ode.stepper.reset();
    ode.judgedStep(1.05, 0.05, 1e-6);
    expect(costs).toMatchObject({ jacobians: 2, factorisations: 3 });
    expect(Math.abs(ode.y[0] - Math.cos(1.1))).toBeLessThan(1e-6);
  });

  test("both are recomputed if iterations contract slowly", () => {
    const { ode, costs } = bound((_, y, out) => out.fill(-20 * y[0] ** 3), [1], 1e-4);
    for (let k = 0; k < 20; k++) ode.fixedStep(k / 50, 0.02);
    expect(costs.jacobians).toBeGreaterThan(1);
    // y = (1 + 40 t)^-1/2
    expect(ode.y[0]).toBeCloseTo(1 / Math.sqrt(17), 2);
  });
});

describe("the error", () => {
  test("the error of a first step ignores components that decay immediately", () => {
    const { ode } = bound(relaxing(1e7), [1.05], 1e-4);
    expect(ode.judgedStep(0, 0.01, 1e-4)).toBeLessThan(1);
    expect(Math.abs(ode.y[0] - Math.cos(0.01))).toBeLessThan(1e-5);
  });

  test("the error is a root mean square in the tolerance of the estimate", () => {
    // Twice the tolerance allows 2^(2/3) times the estimate.
    const [one, two] = [1e-6, 2e-6].map((tolerance) => {
      const { ode } = bound(relaxing(1), [1], tolerance);
      return ode.judgedStep(0, 0.5, tolerance);
    });
    expect(one / two).toBeCloseTo(2 ** (2 / 3), 5);
  });
});

describe("the rule for steps", () => {
  /** After a step of the oscillator's length that took some iterations. */
  function stepped() {
    const { ode, rule } = bound(relaxing(1e3), [1], 1e-6);
    ode.judgedStep(0, 0.01, 1e-6);
    return { ode, rule };
  }

  test("keeps the length, and with it the factors, where little would be gained", () => {
    const { rule } = stepped();
    // 0.9 e^-1/4 is 1.1, then 2.
    expect(rule.accepted(0.01, (0.9 / 1.1) ** 4)).toBe(1);
    expect(rule.accepted(0.01, 1e-4)).toBeGreaterThan(2);
  });

  test("predicts from the step before", () => {
    const { ode, rule } = stepped();
    rule.accepted(0.01, 0.02);
    ode.stepper.commit(0, 0.01);
    ode.judgedStep(0.01, 0.01, 1e-6);
    // The error has grown 20 times: it will again, h_new = 0.9 h (e' / e^2)^1/4.
    expect(rule.accepted(0.01, 0.4)).toBeCloseTo(0.9 * (0.02 / 0.16) ** 0.25, 12);
  });

  test("shortens after a rejection, and does not grow right after it", () => {
    const { rule } = stepped();
    expect(rule.rejected(0.01, 16)).toBeCloseTo(0.45, 1);
    expect(rule.rejected(0.01, 1e9)).toBeCloseTo(0.2, 12);
    expect(rule.rejected(0.01, Number.NaN)).toBe(0.1);
    expect(rule.accepted(0.01, 1e-6)).toBe(1);
  });
});

describe("iterations that do not converge", () => {
  const steep: Rate = (_, y, out) => out.fill(-Math.exp(8 * y[0]));

  test("reject the step, and a shorter one works as if nothing had been tried", () => {
    const [{ ode, costs }, other] = [0, 1].map(() => bound(steep, [1], 1e-6));
    let h = 1;
    let refusals = 0;
    for (let tries = 0; tries < 40 && h > 0; tries++) {
      try {
        ode.judgedStep(0, h, 1e-6);
        break;
      } catch (refusal) {
        const { factor, message, name } = refusal as Error & { factor: number };
        expect(name).toBe("StepFailure");
        expect(message).toMatch(/^radau5: Newton's iteration did not converge/);
        expect(factor).toBeGreaterThan(0.3);
        expect(factor).toBeLessThan(0.9);
        expect(ode.y[0]).toBe(1);
        h *= factor;
        refusals++;
      }
    }
    expect(refusals).toBeGreaterThan(0);
    expect(costs.convergenceFailures).toBe(refusals);
    expect(costs.jacobians).toBe(1);
    other.ode.judgedStep(0, h, 1e-6);
    expect(ode.y).toEqual(other.ode.y);
  });

  test("only cost attempts in a run", () => {
    const { integrator, stepper } = observed();
    const { status, end, statistics } = swung(integrator, 1e-6, { firstStep: 0.5 });
    expect(status).toBe("finished");
    expect(statistics.rejections).toBeGreaterThan(0);
    expect(stepper().costs?.convergenceFailures).toBeGreaterThan(0);
    expect(Math.abs(end.q[0] - END.angle)).toBeLessThan(1e-6);
  });
});

test("the error test uses the given norm while no tolerance is set", () => {
  const ode = boundOde(radau5(), relaxing(10), [2]);
  ode.stepper.attempt(0, 0.1);
  ode.stepper.accept();
  expect(ode.stepper.error(0, 0.1, () => 0.25)).toBe(0.25);
});

test("a tolerance of velocities has no effect without velocities", () => {
  const [one, other] = [1e-6, 1e-12].map((velocities) => {
    const ode = boundOde(radau5(), relaxing(10), [2]);
    ode.stepper.setTolerance({ relative: 1e-6, positions: 1e-6, velocities });
    return ode.judgedStep(0, 0.02, 1);
  });
  expect(one).toBeGreaterThan(0);
  expect(other).toBe(one);
});
