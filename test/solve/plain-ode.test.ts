// Plain differential equations against closed forms, invariants and published numbers.

import { ode, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { explicit, fixedStep } from "../support/integrators.js";

const decay = ode({
  name: "decay",
  names: ["x"],
  rate: (_t, [x], out) => {
    out[0] = -x;
  },
});

/** x'' = -x. */
const oscillator = ode({
  name: "oscillator",
  names: ["x", "v"],
  rate: (_t, [x, v], out) => {
    out[0] = v;
    out[1] = -x;
  },
});

/** y' = cos t: depends on time alone. */
const ofTime = ode({ names: 1, rate: (t) => [Math.cos(t)], y: [0] });

describe("closed forms", () => {
  test("the exponential, at the end, at all states and between them", () => {
    const solution = solve(decay, { span: [0, 5], y: [3], tolerance: 1e-10 });
    expect(solution.status).toBe("finished");
    expect(solution.method).toBe("firstOrder + dop853");
    expect(solution.methodReason).toContain("plain differential equation");
    for (const { time, y } of solution.states()) {
      expect(Math.abs(y[0] - 3 * Math.exp(-time))).toBeLessThan(1e-9);
    }
    for (const time of [0.01, 1.234, 2.5, 4.999]) {
      expect(Math.abs(solution.at(time).y[0] - 3 * Math.exp(-time))).toBeLessThan(1e-9);
    }
  });

  test("a right-hand side of time alone, in names that are made", () => {
    const solution = solve(ofTime, { span: [1, 4], tolerance: 1e-10 });
    expect(solution.names).toEqual(["y0"]);
    expect(solution.end.y[0]).toBeCloseTo(Math.sin(4) - Math.sin(1), 10);
  });

  test.each(explicit)(
    "$name: the error of the oscillator goes down with the tolerance",
    (integrator) => {
      const errorAt = (tolerance: number) => {
        const { end } = solve(oscillator, { span: [0, 10], y: [1, 0], tolerance, integrator });
        return Math.hypot(end.y[0] - Math.cos(10), end.y[1] + Math.sin(10));
      };
      const errors = [1e-4, 1e-6, 1e-8].map(errorAt);
      [1e-4, 1e-6, 1e-8].forEach((tolerance, i) => {
        expect(errors[i]).toBeLessThan(100 * tolerance);
      });
      expect(errors[2]).toBeLessThan(errors[0] / 100);
    },
  );

  const anyUnknowns = fixedStep.filter(({ needsVelocities }) => !needsVelocities);
  test.each(anyUnknowns)("$name has its order under fixed steps", (integrator) => {
    const errorAt = (step: number) => {
      const solution = solve(oscillator, { span: [0, 1], y: [1, 0], step, integrator });
      expect(solution.length).toBe(Math.round(1 / step) + 1);
      return Math.hypot(solution.end.y[0] - Math.cos(1), solution.end.y[1] + Math.sin(1));
    };
    const rate = Math.log2(errorAt(1 / 32) / errorAt(1 / 64));
    expect(Math.abs(rate - integrator.order)).toBeLessThan(0.15);
  });

  test("backwards: the way there and back, and against the closed form", () => {
    const options = { tolerance: 1e-11 } as const;
    const there = solve(oscillator, { span: [0, 7], y: [0.3, -2], ...options });
    const back = solve(oscillator, { span: [7, 0], y: there.end.y, ...options });
    expect(back.end.y[0]).toBeCloseTo(0.3, 9);
    expect(back.end.y[1]).toBeCloseTo(-2, 9);
    const growth = solve(decay, { span: [0, -3], y: [1], ...options });
    expect(growth.end.y[0]).toBeCloseTo(Math.exp(3), 8);
    expect(growth.at(-1.5).y[0]).toBeCloseTo(Math.exp(1.5), 8);
  });
});

test("Lotka and Volterra's invariant stays", () => {
  const foxes = ode({
    names: ["prey", "predators"],
    rate: (_t, [u, v], out) => {
      out[0] = u * (v - 2);
      out[1] = v * (1 - u);
    },
  });
  const solution = solve(foxes, { span: [0, 50], y: [2, 2], tolerance: 1e-11 });
  // Hairer, Lubich and Wanner, Geometric Numerical Integration, eq. I.1.4.
  const invariant = ([u, v]: Float64Array) => Math.log(u) - u + 2 * Math.log(v) - v;
  const start = invariant(Float64Array.of(2, 2));
  const values = solution.column(({ y }) => Math.abs(invariant(y) - start));
  expect(Math.max(...values)).toBeLessThan(1e-9);
  const prey = solution.column("prey");
  expect(Math.max(...prey) - Math.min(...prey)).toBeGreaterThan(1);
});

test("Arenstorf's orbit closes after its period", () => {
  // Hairer, Norsett and Wanner, Solving ODEs I, section II.0: earth, moon and a satellite.
  const moon = 0.012277471;
  const earth = 1 - moon;
  const orbit = ode({
    name: "Arenstorf",
    names: ["x", "y", "x'", "y'"],
    rate: (_t, [x, y, vx, vy], out) => {
      const d1 = ((x + moon) ** 2 + y ** 2) ** 1.5;
      const d2 = ((x - earth) ** 2 + y ** 2) ** 1.5;
      out[0] = vx;
      out[1] = vy;
      out[2] = x + 2 * vy - (earth * (x + moon)) / d1 - (moon * (x - earth)) / d2;
      out[3] = y - 2 * vx - (earth * y) / d1 - (moon * y) / d2;
    },
  });
  const period = 17.065216560157964;
  const y = [0.994, 0, 0, -2.0015851063790824];
  const errorAt = (tolerance: number) => {
    const { end } = solve(orbit, { span: [0, period], y, tolerance });
    return Math.hypot(end.y[0] - y[0], end.y[1]);
  };
  // Errors grow by about 1e5 while passing the moon.
  expect(errorAt(1e-10)).toBeLessThan(1e-4);
  expect(errorAt(1e-13)).toBeLessThan(1e-6);
});

describe("events", () => {
  const g = 9.81;
  const ball = ode({
    name: "ball",
    names: ["height", "speed"],
    rate: (_t, [, speed], out) => {
      out[0] = speed;
      out[1] = -g;
    },
  });

  test("a ball falls and bounces when it should", () => {
    const { events, statistics } = solve(ball, {
      span: [0, 3],
      y: [1, 0],
      tolerance: 1e-9,
      events: [
        {
          name: "floor",
          when: ({ y }) => y[0],
          direction: "falling",
          action: ({ y }) => {
            y[1] *= -0.8;
          },
        },
      ],
    });
    const fall = Math.sqrt(2 / g);
    let wanted = fall;
    let flights = 0;
    for (const { time, before, after } of events) {
      expect(time).toBeCloseTo(wanted, 9);
      expect(before.y[1]).toBeCloseTo(-g * fall * 0.8 ** flights, 8);
      expect(after.y[1]).toBe(-0.8 * before.y[1]);
      expect(after.y[0]).toBe(before.y[0]);
      flights++;
      wanted += 2 * fall * 0.8 ** flights;
    }
    expect(wanted).toBeGreaterThan(3);
    expect(flights).toBe(6);
    expect(statistics.steps).toBeGreaterThanOrEqual(flights);
  });

  test("backwards they come in the other order, and terminal ones end the run", () => {
    const crossings = { name: "zero", when: ({ y }: { y: Float64Array }) => y[0] };
    const there = solve(oscillator, { span: [0, 10], y: [1, 0], events: [crossings] });
    const wanted = [0.5, 1.5, 2.5].map((part) => part * Math.PI);
    there.events.forEach(({ time }, i) => {
      expect(time).toBeCloseTo(wanted[i], 5);
    });
    expect(there.events).toHaveLength(3);
    const back = solve(oscillator, {
      span: [10, 0],
      y: [Math.cos(10), -Math.sin(10)],
      events: [{ ...crossings, terminal: 2 }],
    });
    expect(back.status).toBe("event");
    expect(back.end.time).toBeCloseTo(wanted[1], 5);
  });

  test("modes are other right-hand sides for the same unknowns", () => {
    const resting = ode({ names: ["height", "speed"], rate: () => [0, 0] });
    const land = {
      when: ({ y }: { y: Float64Array }) => y[0],
      modes: ["start"],
      action: ({ y, switchTo }: { y: Float64Array; switchTo(mode: string): void }) => {
        y.set([0, 0]);
        switchTo("resting");
      },
    };
    const options = { span: [0, 2], y: [1, 0], events: [land] } as const;
    const solution = solve(ball, { ...options, modes: { resting } });
    expect(solution.events[0]).toMatchObject({ mode: "resting" });
    expect(solution.events[0].time).toBeCloseTo(Math.sqrt(2 / g), 9);
    expect([...solution.end.y]).toEqual([0, 0]);
    const wrong = solve(ball, {
      ...options,
      modes: { resting: ode({ names: 2, rate: () => [0, 0] }) },
    });
    expect(wrong.status).toBe("failed");
    expect(wrong.reason).toContain("give the same names, and change the rate only");
  });

  test("an action that leaves no number is named", () => {
    const spoil = ({ y }: { y: Float64Array }) => y.fill(Number.NaN, 1);
    const events = [{ name: "floor", when: ({ y }: { y: Float64Array }) => y[0], action: spoil }];
    const { status, reason } = solve(ball, { span: [0, 2], y: [1, 0], events });
    expect(status).toBe("failed");
    expect(reason).toContain("y[1] (speed) was set to NaN");
  });

  test("bounce is rejected without velocities", () => {
    const { status, reason } = solve(ball, {
      span: [0, 2],
      y: [1, 0],
      events: [{ name: "floor", when: ({ y }) => y[0], action: ({ bounce }) => bounce() }],
    });
    expect(status).toBe("failed");
    expect(reason).toContain("ball is an ODE: change y instead");
  });
});
