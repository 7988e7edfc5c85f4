// Adams methods that choose their order, and Adams methods in simulations.

import { lagrange, NodriftError, projection } from "nodrift";
import { adams, adaptiveIntegrators } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { measuredOrder, start } from "../methods/support/pendulum.js";
import { boundOde, integrate, type Rate } from "./support/bound-ode.js";
import { numbers, orbitError, oscillator, pericentre, twoBody } from "./support/problems.js";

describe("adams of variable order", () => {
  // DVODE (Adams, SciPy 1.17, both tolerances 1e-8) takes 799 evaluations for this and is wrong by
  // 3.9e-6, LSODA 913 and 6.2e-6; problem D3 of Hull et al., SIAM J. Numer. Anal. 9 (1972) 603.
  test("needs fewer evaluations than DVODE for two bodies, and is as accurate", () => {
    const ode = boundOde(adaptiveIntegrators.adams(), twoBody, pericentre(0.5));
    const { steps, refused, highest } = integrate(ode, 0, 20, 1e-5, 1e-8);
    expect(orbitError(ode, 0.5, 20)).toBeLessThan(1e-5);
    expect(ode.evaluations).toBeLessThan(799);
    expect(ode.evaluations).toBe(2 * (steps + refused) + 1);
    expect(refused).toBeLessThan(0.1 * steps);
    expect(highest).toBeGreaterThanOrEqual(9);
  });

  test("errors are proportional to the tolerance over eight decades", () => {
    for (const tolerance of [1e-5, 1e-7, 1e-9, 1e-11, 1e-13]) {
      const ode = boundOde(adams(), twoBody, pericentre(0.5));
      integrate(ode, 0, 20, 0.1 * Math.sqrt(tolerance), tolerance);
      const ratio = orbitError(ode, 0.5, 20) / tolerance;
      expect(ratio, `${tolerance}`).toBeGreaterThan(20);
      expect(ratio, `${tolerance}`).toBeLessThan(5000);
    }
  });

  test("keeps to the highest order it may use", () => {
    const low = boundOde(adams({ maximumOrder: 4 }), twoBody, pericentre(0.5));
    expect(integrate(low, 0, 20, 1e-5, 1e-8).highest).toBe(4);
    expect(low.stepper.interpolantRows).toBe(6);
    expect(orbitError(low, 0.5, 20)).toBeLessThan(5e-5);
    const all = boundOde(adams(), twoBody, pericentre(0.5));
    integrate(all, 0, 20, 1e-5, 1e-8);
    expect(low.evaluations).toBeGreaterThan(1.5 * all.evaluations);
  });

  test("stays at low order where slopes are rough", () => {
    const next = numbers(7);
    const rough: Rate = (_, y, out) => out.fill(-y[0] + 1e-3 * next());
    const ode = boundOde(adams(), rough, [1]);
    let sum = 0;
    for (let i = 0; i < 200; i++) {
      ode.judgedStep(i / 20, 1 / 20, 1);
      sum += ode.stepper.currentOrder ?? 0;
      ode.stepper.commit(i / 20, 1 / 20);
    }
    expect(sum / 200).toBeLessThan(4);
  });

  test("gives dense output as accurate as its steps", () => {
    const ode = boundOde(adams(), oscillator, [0, 1]);
    let t = 0;
    let h = 1e-5;
    let worst = 0;
    while (t < 20) {
      const error = ode.judgedStep(t, h, 1e-9);
      const order = ode.stepper.currentOrder ?? 0;
      if (error <= 1) {
        for (const s of [0.3, 0.7]) {
          const [[sine]] = ode.between(t, h, [s]);
          worst = Math.max(worst, Math.abs(sine - Math.sin(t + s * h)));
        }
        ode.stepper.commit(t, h);
        t += h;
      } else ode.refuse();
      h *= Math.min(2, 0.9 * error ** (-1 / (order + 1)));
    }
    expect(worst).toBeLessThan(1e-7);
    expect(Math.abs(ode.y[0] - Math.sin(t))).toBeLessThan(1e-7);
  });

  test("works with fixed steps without an error test", () => {
    const ode = boundOde(adams(), oscillator, [0, 1]);
    for (let i = 0; i < 2000; i++) ode.fixedStep(i / 100, 0.01);
    expect(ode.stepper.currentOrder).toBeGreaterThan(5);
    // The first step has order 1 and is wrong by h^3 / 12 or so.
    expect(Math.hypot(ode.y[0] - Math.sin(20), ode.y[1] - Math.cos(20))).toBeLessThan(3e-7);
  });
});

describe("adams in a simulation", () => {
  test.each([2, 4, 6])("order %i gives a pendulum one order more", (order) => {
    const measured = measuredOrder({ formulation: lagrange(), integrator: adams({ order }) });
    expect(Math.abs(measured - order - 1)).toBeLessThan(0.2);
  });

  test.each([adams(), adams({ order: 6 })])("$name stays on the circle", (integrator) => {
    const method = { formulation: lagrange(), stabilisation: projection(), integrator };
    const one = start(method, 0.005);
    const before = one.energy().total;
    one.advance(50);
    const saved = one.save();
    one.advance(150);
    expect(one.constraintError().position).toBeLessThan(1e-12);
    expect(Math.abs(one.energy().total - before)).toBeLessThan(1e-6);
    const again = start(method, 0.005);
    again.advance(3);
    again.restore(saved);
    again.advance(150);
    expect([...again.q, ...again.v]).toEqual([...one.q, ...one.v]);
  });
});

test("orders that do not exist are rejected", () => {
  for (const order of [0, 13, 2.5, Number.NaN]) {
    expect(() => adams({ order })).toThrow(NodriftError);
    expect(() => adams({ maximumOrder: order })).toThrow(/maximumOrder is .* from 1 to 12/);
  }
});
