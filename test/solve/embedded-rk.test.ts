// Measured properties of the steps of embedded Runge-Kutta methods.

import { adaptiveIntegrators, bs3 } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import {
  bindToMotion,
  integratorOrders,
  type Motion,
  swings,
} from "../support/integrator-order.js";
import { embedded } from "../support/integrators.js";

/** f at a state. */
function rateAt(t: number, y: Float64Array): Float64Array {
  const out = new Float64Array(y.length);
  swings.rate(t, y, out);
  return out;
}

test("the registry finds integrators by name", () => {
  for (const [name, make] of Object.entries(adaptiveIntegrators)) expect(make().name).toBe(name);
});

describe.each(embedded)("$name", (integrator) => {
  const { stages } = integrator;

  test("runs, dense output and error estimate have their declared orders", () => {
    const { global, dense, estimate } = integratorOrders(integrator);
    expect(Math.abs(global - integrator.order)).toBeLessThan(0.2);
    expect(Math.abs(dense - integrator.order)).toBeLessThan(0.2);
    expect(Math.abs(estimate - integrator.errorOrder)).toBeLessThan(0.2);
  });

  test("evaluates once for the end of a step and the beginning of the next", () => {
    const bound = bindToMotion(integrator);
    bound.begin(0);
    const costs: number[] = [];
    for (let k = 0; k < 3; k++) {
      const before = bound.evaluations;
      bound.advance(0.1 * k, 0.1);
      bound.judge(0.1 * k, 0.1);
      bound.stepper.commit(0.1 * k, 0.1);
      costs.push(bound.evaluations - before);
    }
    expect(costs).toEqual([stages + 1, stages, stages]);
  });

  test("continues after a rejection as if the longer step had not been tried", () => {
    const [bound, other] = [bindToMotion(integrator), bindToMotion(integrator)];
    bound.begin(0);
    other.begin(0);
    const start = bound.y.slice();
    bound.advance(0, 0.2);
    bound.judge(0, 0.2);
    bound.y.set(start);
    const before = bound.evaluations;
    bound.advance(0, 0.1);
    expect(bound.evaluations - before).toBe(stages - 1);
    other.advance(0, 0.1);
    expect(bound.y).toEqual(other.y);
    expect(bound.judge(0, 0.1)).toBe(other.judge(0, 0.1));
  });

  test("begins the next step where a correction has put the last one", () => {
    const [bound, other] = [bindToMotion(integrator), bindToMotion(integrator)];
    bound.begin(0);
    bound.advance(0, 0.1);
    for (let i = 0; i < bound.y.length; i++) bound.y[i] += 0.01 * (i + 1);
    bound.judge(0, 0.1);
    bound.stepper.commit(0, 0.1);
    other.stepper.reset();
    other.y.set(bound.y);
    bound.advance(0.1, 0.1);
    other.advance(0.1, 0.1);
    expect(bound.y).toEqual(other.y);
  });

  test.each(["without a judgement", "after a reset"])(
    "evaluates its first slope again %s",
    (how) => {
      const bound = bindToMotion(integrator);
      bound.begin(0);
      bound.advance(0, 0.1);
      if (how === "after a reset") {
        bound.judge(0, 0.1);
        bound.stepper.reset();
      }
      bound.y.fill(1.5);
      bound.stepper.commit(0, 0.1);
      const other = bindToMotion(integrator);
      other.y.fill(1.5);
      bound.advance(0.1, 0.1);
      other.advance(0.1, 0.1);
      expect(bound.y).toEqual(other.y);
    },
  );

  test("dense output has the values and slopes of both ends, corrected or not", () => {
    const [t, h] = [0.3, 0.2];
    for (const correction of [0, 1e-3]) {
      const bound = bindToMotion(integrator);
      bound.begin(t);
      const start = bound.y.slice();
      bound.advance(t, h);
      for (let i = 0; i < bound.y.length; i++) bound.y[i] += correction;
      bound.judge(t, h);
      bound.prepareDense(t, h);
      const [first, last] = [rateAt(t, start), rateAt(t + h, bound.y)];
      // A difference of fourth order, which is exact to rounding for so small a step.
      const slopeOf = (s: number, i: number, d = 1e-3) =>
        (8 * (bound.dense(s + d, i) - bound.dense(s - d, i)) -
          (bound.dense(s + 2 * d, i) - bound.dense(s - 2 * d, i))) /
        (12 * d * h);
      for (let i = 0; i < bound.y.length; i++) {
        expect(bound.dense(0, i)).toBe(start[i]);
        expect(bound.dense(1, i)).toBeCloseTo(bound.y[i], 14);
        expect(slopeOf(0, i)).toBeCloseTo(first[i], 9);
        expect(slopeOf(1, i)).toBeCloseTo(last[i], 9);
      }
    }
  });

  test("leaves the accepted state alone until a step is accepted", () => {
    const bound = bindToMotion(integrator);
    bound.begin(0);
    const start = bound.y.slice();
    bound.stepper.attempt(0, 0.1);
    expect(bound.y).toEqual(start);
  });
});

/** y' = -50 y: a step shows its rate. */
const decay: Motion = {
  dimension: 3,
  exact: (t, index) => (index + 1) * Math.exp(-50 * t),
  rate(_, y, out) {
    for (let i = 0; i < y.length; i++) out[i] = -50 * y[i];
  },
};

describe("stiffness", () => {
  const known = embedded.filter((each) => bindToMotion(each, decay).stepper.stiffness);

  test.each(known)("the stiffness is h times the rate of a decay, $name", (integrator) => {
    const bound = bindToMotion(integrator, decay);
    bound.begin(0);
    bound.advance(0, 0.06);
    bound.judge(0, 0.06);
    expect(bound.stepper.stiffness?.(0.06)).toBeCloseTo(3, 10);
  });

  test("methods with a stage at the end of the step report their stiffness", () => {
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(["dp5", "dop853"]));
  });

  test("methods without a stage at the end of the step report no stiffness", () => {
    expect(bindToMotion(bs3(), decay).stepper.stiffness).toBeUndefined();
  });
});
