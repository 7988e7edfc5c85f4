// Rules for the length and the order of the next step, against the formulas they cite.

import { dop853, dp5 } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { chooseOrder } from "../../src/methods/integrators/adams/adams.js";
import { sdirkRule } from "../../src/methods/integrators/sdirk/sdirk.js";
import { boundOde } from "./support/bound-ode.js";

/** A plain record instead of one in the arena. */
const standIn = <T>(numbers: Partial<T>) => numbers as T;

describe("sdirk4: Hairer and Wanner, section IV.8", () => {
  type Memory = Parameters<typeof sdirkRule>[0];
  const ruleAfter = (numbers: Partial<Memory>) =>
    sdirkRule(
      standIn<Memory>({
        iterations: 1,
        theta: 0.5,
        slowest: 0.01,
        rejected: 0,
        taken: 1,
        fresh: 1,
        ...numbers,
      }),
      4,
    );

  test("a step is followed by one of 0.9 h e^(-1/4), less after many iterations", () => {
    for (const iterations of [1, 3, 7]) {
      for (const error of [0.02, 0.5, 0.9]) {
        const expected = 0.9 * (15 / (14 + iterations)) * error ** -0.25;
        expect(ruleAfter({ iterations }).accepted(0.1, error)).toBeCloseTo(expected, 12);
      }
    }
  });

  test("lengths change fourfold at most, and fourfold down where the error is no number", () => {
    expect(ruleAfter({}).accepted(0.1, 0)).toBe(4);
    expect(ruleAfter({}).rejected(0.1, 1e9)).toBe(1 / 4);
    expect(ruleAfter({}).rejected(0.1, Number.NaN)).toBe(1 / 4);
    expect(ruleAfter({ taken: 0 }).rejected(0.1, 1e9)).toBe(0.1);
  });

  test("it grows no further than its iterations can follow, which contract by 0.5 as h^2", () => {
    expect(ruleAfter({ slowest: 0.125 }).accepted(0.1, 1e-4)).toBeCloseTo(2, 12);
    expect(ruleAfter({ slowest: 0.9 }).accepted(0.1, 1e-4)).toBe(1);
    expect(ruleAfter({ slowest: 0.9 }).accepted(0.1, 0.9)).toBeLessThan(1);
  });

  test("it does not grow after a rejection, nor by little while the factors still serve", () => {
    expect(ruleAfter({ rejected: 1 }).accepted(0.1, 1e-4)).toBe(1);
    expect(ruleAfter({ theta: 1e-4 }).accepted(0.1, 0.5)).toBe(1);
    expect(ruleAfter({ theta: 1e-4 }).accepted(0.1, 0.1)).toBeGreaterThan(1.2);
    expect(ruleAfter({ theta: 1e-4 }).accepted(0.1, 0.9)).toBeLessThan(1);
    expect(ruleAfter({ theta: 1.5e-3 }).accepted(0.1, 0.5)).toBeGreaterThan(1);
  });
});

describe("adams: Shampine and Gordon, chapter 7", () => {
  /** The order and the error after a step of order `used`, whose error would have been `errors[k]` at order k. */
  function chosen(used: number, errors: Record<number, number>, mayFail = true, starting = false) {
    const history = standIn<Parameters<typeof chooseOrder>[0]>({
      starting,
      failures: 0,
      order: used,
    });
    const at = (order: number) => {
      if (errors[order] === undefined) throw new Error(`order ${order} is none to ask for`);
      return errors[order];
    };
    const error = chooseOrder(history, used, 12, 12, at, mayFail);
    return { error, order: history.order, failures: history.failures, starting: history.starting };
  }

  test("order 1 has none below it, and rises where order 2 is twice as good", () => {
    expect(chosen(1, { 1: 0.8, 2: 0.3 })).toMatchObject({ order: 2, error: 0.3 });
    expect(chosen(1, { 1: 0.8, 2: 0.5 })).toMatchObject({ order: 1, error: 0.8 });
  });

  test("order 2 falls where order 1 is twice as good", () => {
    expect(chosen(2, { 1: 0.3, 2: 0.8, 3: 0.9 })).toMatchObject({ order: 1, error: 0.3 });
    expect(chosen(2, { 1: 0.5, 2: 0.8, 3: 0.9 })).toMatchObject({ order: 1, error: 0.5 });
    expect(chosen(2, { 1: 0.5, 2: 0.8, 3: 0.4 })).toMatchObject({ order: 3, error: 0.4 });
  });

  test("higher ones fall where both below are as good, or that below is the best of three", () => {
    expect(chosen(5, { 3: 0.5, 4: 0.6, 5: 0.7 })).toMatchObject({ order: 4, error: 0.6 });
    expect(chosen(5, { 3: 0.9, 4: 0.6, 5: 0.7, 6: 0.65 })).toMatchObject({ order: 4, error: 0.6 });
    expect(chosen(5, { 3: 0.9, 4: 0.6, 5: 0.7, 6: 0.5 })).toMatchObject({ order: 6, error: 0.5 });
    expect(chosen(5, { 3: 0.9, 4: 0.8, 5: 0.7, 6: 0.75 })).toMatchObject({ order: 5, error: 0.7 });
  });

  test("every accepted step of the starting phase raises the order", () => {
    const start = chosen(2, { 1: 0.9, 2: 0.7 }, true, true);
    expect(start).toMatchObject({ order: 3, error: 0.7, starting: true });
    expect(chosen(2, { 1: 0.1, 2: 0.7 }, true, true)).toMatchObject({ order: 1, starting: false });
  });

  test("a step that fails is judged at its own order, ends the start, and never raises it", () => {
    const failed = { failures: 1, starting: false };
    expect(chosen(2, { 1: 3, 2: 2 }, true, true)).toEqual({ order: 2, error: 2, ...failed });
    expect(chosen(2, { 1: 1, 2: 3 }, true, true)).toEqual({ order: 1, error: 3, ...failed });
    expect(chosen(2, { 1: 9, 2: 3, 3: 2 }, false)).toMatchObject({ order: 3, failures: 0 });
  });
});

describe("stiffness", () => {
  const RATE = -3;
  // In a linear system the slopes at two states differ by the matrix times the states' difference.
  test.each([dp5(), dop853()])("the stiffness of y' = l y is h |l| under $name", (integrator) => {
    const ode = boundOde(integrator, (_t, y, out) => out.set([RATE * y[0]]), [1]);
    ode.judgedStep(0, 0.1, 1e-6);
    expect(ode.stepper.stiffness?.(0.1)).toBeCloseTo(0.3, 6);
    // The last stage is of order 1 at least, so that it differs from the end by less than (h l)^2 / 2 of the step.
    expect(ode.stepper.stiffness?.(0.1, 1e-9)).toBeCloseTo(0.3, 6);
    expect(ode.stepper.stiffness?.(0.1, 0.045)).toBe(0);
  });
});
