// Adams methods of one order: the order itself, dense output, and the start.

import { adams } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { boundOde } from "./support/bound-ode.js";
import { numbers, oscillator } from "./support/problems.js";

const orders = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** Errors of y and of dense output during the run, at a single order and equal steps. */
function errorsAt(order: number, steps: number): { end: number; between: number } {
  const ode = boundOde(adams({ order }), oscillator, [0, 1]);
  const h = 20 / steps;
  let between = 0;
  for (let i = 0; i < steps; i++) {
    ode.judgedStep(i * h, h, 1);
    const places = [0.25, 0.5, 0.8];
    for (const [k, [sine, cosine]] of ode.between(i * h, h, places).entries()) {
      const t = (i + places[k]) * h;
      between = Math.max(between, Math.hypot(sine - Math.sin(t), cosine - Math.cos(t)));
    }
    ode.stepper.commit(i * h, h);
  }
  return { end: Math.hypot(ode.y[0] - Math.sin(20), ode.y[1] - Math.cos(20)), between };
}

describe("adams at a single order", () => {
  test.each(orders(9))("results and dense output of order %i have one order more", (k) => {
    const coarse = errorsAt(k, 200);
    const fine = errorsAt(k, 400);
    expect(Math.abs(Math.log2(coarse.end / fine.end) - k - 1)).toBeLessThan(0.2);
    expect(Math.abs(Math.log2(coarse.between / fine.between) - k - 1)).toBeLessThan(0.3);
  });

  test.each([10, 11, 12])("order %i is accurate to rounding when order 9 is not", (k) => {
    expect(errorsAt(9, 300).end).toBeGreaterThan(1e-12);
    expect(errorsAt(k, k === 12 ? 600 : 300).end).toBeLessThan(8e-13);
  });

  test.each(orders(8))(
    "order %i integrates polynomials exactly, also between steps, whatever their lengths",
    (k) => {
      const degree = k;
      const next = numbers(k);
      const ode = boundOde(adams({ order: k }), (t, _, out) => out.fill((t - 1) ** degree), [0]);
      const exact = (t: number) => ((t - 1) ** (degree + 1) - (-1) ** (degree + 1)) / (degree + 1);
      let t = 0;
      while (t < 2) {
        const h = 0.05 * (0.8 + 0.5 * next());
        expect(ode.judgedStep(t, h, 1e-6)).toBeLessThan(1e6);
        const places = [0, 0.1, 0.5, 0.9, 1];
        for (const [i, [value]] of ode.between(t, h, places).entries()) {
          expect(Math.abs(value - exact(t + places[i] * h))).toBeLessThan(1e-12);
        }
        ode.stepper.commit(t, h);
        t += h;
      }
      expect(Math.abs(ode.y[0] - exact(t))).toBeLessThan(1e-13);
    },
  );

  test("takes two evaluations a step after the start, with and without an error test", () => {
    const ode = boundOde(adams({ order: 6 }), oscillator, [0, 1]);
    for (let i = 0; i < 8; i++) ode.fixedStep(i / 10, 0.1);
    // Thirty-four parts, and the slope at the beginning.
    expect(ode.evaluations).toBe(69);
    for (let i = 8; i < 18; i++) ode.fixedStep(i / 10, 0.1);
    expect(ode.evaluations).toBe(89);
    ode.judgedStep(1.8, 0.1, 1e-6);
    ode.stepper.commit(1.8, 0.1);
    expect(ode.evaluations).toBe(91);
  });

  test("recovers from rejections, at the start and later", () => {
    const run = (refusals: boolean) => {
      const ode = boundOde(adams({ order: 5 }), oscillator, [0, 1]);
      for (let i = 0; i < 20; i++) {
        if (refusals) {
          ode.judgedStep(i / 10, 0.4, 1e-6);
          ode.refuse();
        }
        ode.judgedStep(i / 10, 0.1, 1e-6);
        ode.stepper.commit(i / 10, 0.1);
      }
      return Math.hypot(ode.y[0] - Math.sin(2), ode.y[1] - Math.cos(2));
    };
    expect(run(true)).toBeLessThan(1.5 * run(false));
    expect(run(false)).toBeLessThan(1e-7);
  });

  test("continues from the corrected y", () => {
    const onCircle = (y: Float64Array) => {
      const radius = Math.hypot(...y);
      y[0] /= radius;
      y[1] /= radius;
    };
    const run = (correct?: (y: Float64Array) => void) => {
      const ode = boundOde(adams({ order: 4 }), oscillator, [0, 1], correct);
      for (let i = 0; i < 100; i++) {
        ode.judgedStep(i / 5, 0.2, 1);
        ode.stepper.commit(i / 5, 0.2);
      }
      const radial = Math.abs(Math.hypot(...ode.y) - 1);
      return { radial, all: Math.hypot(ode.y[0] - Math.sin(20), ode.y[1] - Math.cos(20)) };
    };
    expect(run().radial).toBeGreaterThan(1e-5);
    expect(run(onCircle).radial).toBeLessThan(1e-15);
    expect(run(onCircle).all).toBeLessThan(run().all);
  });
});
