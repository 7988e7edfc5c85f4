// History of Adams methods: it is in the arena, works in both directions of time, and is kept no longer than it
// helps.

import { adams } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { type BoundOde, boundOde, integrate, type Rate } from "./support/bound-ode.js";
import { numbers, orbitError, oscillator, pericentre, twoBody } from "./support/problems.js";

test.each([adams(), adams({ order: 7 })])(
  "$name continues bitwise identically after a copy",
  (kind) => {
    const one = boundOde(kind, twoBody, pericentre(0.3));
    const other = boundOde(kind, twoBody, pericentre(0.1));
    const next = numbers(3);
    let t = 0;
    const step = (ode: BoundOde, h: number) => {
      ode.judgedStep(t, 3 * h, 1e-9);
      ode.refuse();
      const error = ode.judgedStep(t, h, 1e-9);
      ode.stepper.commit(t, h);
      return error;
    };
    for (let i = 0; i < 60; i++) {
      const h = 0.02 * (0.5 + next());
      const error = step(one, h);
      // Copied after the start in parts, too.
      if (i === 4 || i === 30) {
        other.judgedStep(t, 0.1, 1e-9);
        new Uint8Array(other.arena.memory.buffer).set(new Uint8Array(one.arena.memory.buffer));
      } else if (i > 4) {
        expect(step(other, h)).toBe(error);
        expect([...other.y]).toEqual([...one.y]);
        expect(other.stepper.currentOrder).toBe(one.stepper.currentOrder);
      }
      t += h;
    }
  },
);

describe("time", () => {
  test.each([adams(), adams({ order: 5 })])("backwards, $name does the mirrored run", (kind) => {
    const mirrored: Rate = (t, y, out) => {
      twoBody(-t, y, out);
      for (let i = 0; i < 4; i++) out[i] = -out[i];
    };
    const back = boundOde(kind, twoBody, pericentre(0.5));
    const forth = boundOde(kind, mirrored, pericentre(0.5));
    integrate(back, 0, -5, -1e-4, 1e-8);
    integrate(forth, 0, 5, 1e-4, 1e-8);
    expect([...back.y]).toEqual([...forth.y]);
    expect(orbitError(back, 0.5, -5)).toBeLessThan(1e-5);
  });

  test.each([adams(), adams({ order: 5 })])("time may reverse under $name", (kind) => {
    const ode = boundOde(kind, twoBody, pericentre(0.5));
    integrate(ode, 0, 3, 1e-4, 1e-9);
    integrate(ode, 3, -2, -1e-4, 1e-9);
    expect(orbitError(ode, 0.5, -2)).toBeLessThan(1e-6);
    // Back by the very step just made: an earlier slope lies at the end of the new step.
    ode.fixedStep(-2, 0.01);
    ode.fixedStep(-1.99, -0.01);
    expect(orbitError(ode, 0.5, -2)).toBeLessThan(1e-6);
  });

  test.each([adams(), adams({ order: 4 })])("$name restarts when time reverses", (kind) => {
    const ode = boundOde(kind, twoBody, pericentre(0.3));
    for (let i = 0; i < 12; i++) ode.fixedStep(0.05 * i, 0.05);
    const fresh = boundOde(kind, twoBody, [...ode.y]);
    for (let i = 0; i < 6; i++) {
      ode.fixedStep(0.6 - 0.05 * i, -0.05);
      fresh.fixedStep(0.6 - 0.05 * i, -0.05);
      for (const [k, value] of ode.y.entries()) expect(value).toBeCloseTo(fresh.y[k], 13);
      expect(ode.stepper.currentOrder).toBe(fresh.stepper.currentOrder);
    }
  });

  test.each([adams(), adams({ order: 8 })])(
    "steps of any length are allowed under $name",
    (kind) => {
      const next = numbers(11);
      const ode = boundOde(kind, oscillator, [0, 1]);
      let t = 0;
      for (let i = 0; i < 300; i++) {
        const h = 0.05 * 10 ** (-8 * next());
        ode.fixedStep(t, h);
        t += h;
        expect(Math.hypot(ode.y[0] - Math.sin(t), ode.y[1] - Math.cos(t))).toBeLessThan(1e-3);
      }
      expect(t).toBeGreaterThan(0.5);
    },
  );
});

describe("history", () => {
  /** y = t up to 1, then exp(-10 (t - 1)). */
  const broken: Rate = (t, y, out) => out.fill(t < 1 ? Math.cos(t) : -10 * y[0]);
  const pass = (reset: boolean) => {
    const ode = boundOde(adams(), broken, [0]);
    integrate(ode, 0, 1 - 1e-15, 1e-4, 1e-9);
    if (reset) ode.stepper.reset();
    const before = ode.evaluations;
    const order = ode.stepper.currentOrder;
    const run = integrate(ode, 1, 2, reset ? 1e-5 : 0.1, 1e-9);
    expect(Math.abs(ode.y[0] - Math.sin(1) * Math.exp(-10))).toBeLessThan(1e-7);
    return { order, evaluations: ode.evaluations - before, ...run };
  };

  test("a reset clears the history", () => {
    const restarted = pass(true);
    const on = pass(false);
    expect(restarted.order).toBe(1);
    expect(on.order).toBeGreaterThan(4);
    expect(restarted.refused).toBeLessThan(on.refused);
  });

  test.each([adams(), adams({ order: 4 })])("a reset leaves no NaN in $name", (kind) => {
    let bad = false;
    const rate: Rate = (t, y, out) => {
      oscillator(t, y, out);
      if (bad) out.fill(Number.NaN);
    };
    const ode = boundOde(kind, rate, [0, 1]);
    for (let i = 1; i < 30; i++) {
      bad = true;
      ode.stepper.reset();
      expect(ode.judgedStep(0, 0.01, 1e-6)).toBeNaN();
      ode.refuse();
      bad = false;
      ode.stepper.reset();
      for (let k = 0; k < i; k++) ode.fixedStep(k * 0.01, 0.01);
      bad = true;
      expect(ode.judgedStep(i * 0.01, 0.01, 1e-6)).toBeNaN();
      ode.refuse();
      bad = false;
      expect(ode.judgedStep(i * 0.01, 0.01, 1)).toBeLessThan(1);
      ode.stepper.commit(i * 0.01, 0.01);
      expect(Math.abs(Math.hypot(...ode.y) - 1)).toBeLessThan(1e-4);
      ode.y.set([0, 1]);
    }
  });
});
