// Location of events, and the choice of those that count.

import { init, rk4, udwadiaKalaba, welch } from "nodrift";
import { adaptiveIntegrators, solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ball,
  cosineZeros,
  drifting,
  ellipticK,
  farthest,
  GRAVITY,
  none,
  oscillator,
  pendulum,
  timesOf,
  x,
  y,
} from "./support/event-systems.js";

beforeAll(() => init());

const swing = { q: [1], v: [0], span: [0, 10] } as const;

describe("location of events", () => {
  // x = cos t: events are as accurate as the motion, so those of low orders need a tolerance to match.
  const tolerances: Record<string, number> = { bs3: 1e-12, dp5: 1e-13 };
  for (const [name, make] of Object.entries(adaptiveIntegrators)) {
    for (const action of [undefined, none]) {
      const how = action ? "landed on" : "passed";
      test(`${name}: zeros of cos t, ${how}, as accurate as the motion`, () => {
        const tolerance = tolerances[name] ?? 1e-14;
        const events = [{ when: x, ...(action && { action }) }];
        const solution = solve(oscillator(), {
          ...swing,
          span: [0, 5],
          integrator: make(),
          tolerance,
          events,
        });
        expect(solution.status).toBe("finished");
        const times = timesOf(solution);
        expect(farthest(times, cosineZeros(5))).toBeLessThan(name === "bs3" ? 2e-9 : 5e-12);
        expect(solution.events.map(({ direction }) => direction)).toEqual(["falling", "rising"]);
      });
    }

    test(`${name}: free fall to the ground, within 1e-12`, () => {
      const { status, events, end } = solve(ball(), {
        span: [0, 5],
        q: [0, 3],
        v: [2, 1],
        integrator: make(),
        tolerance: 1e-6,
        events: [{ name: "ground", when: y, terminal: true }],
      });
      const time = (1 + Math.sqrt(1 + 6 * GRAVITY)) / GRAVITY;
      expect(status).toBe("event");
      // BDF begins with order 1, which has errors in free fall.
      const exact = name === "bdf" ? 1e-7 : 1e-12;
      expect(Math.abs(events[0]!.time - time)).toBeLessThan(exact);
      expect(Math.abs(end.q[1]!)).toBeLessThan(1e-12);
      expect(Math.abs(end.q[0]! - 2 * time)).toBeLessThan(exact);
    });
  }

  test("pendulum from the horizontal passes the lowest point at K(1/sqrt 2)", () => {
    const quarter = ellipticK(Math.SQRT1_2) / Math.sqrt(GRAVITY);
    const solution = solve(pendulum(), {
      span: [0, 6],
      q: [1, 0],
      tolerance: 1e-13,
      events: [{ when: x }, { name: "turn", when: ({ v }) => v[1]!, direction: "falling" }],
    });
    const lowest = timesOf(solution, "event 0");
    expect(lowest.length).toBeGreaterThan(4);
    expect(
      farthest(
        lowest,
        lowest.map((_, i) => (2 * i + 1) * quarter),
      ),
    ).toBeLessThan(3e-12);
    const turns = timesOf(solution, "turn");
    expect(
      farthest(
        turns,
        turns.map((_, i) => (2 * i + 2) * quarter),
      ),
    ).toBeLessThan(3e-12);
  });

  test("fixed steps: rk4, with an action or without", () => {
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    for (const action of [{}, { action: none }]) {
      const solution = solve(oscillator(), {
        ...swing,
        method,
        step: 1 / 512,
        events: [{ when: x, ...action }],
      });
      // (h^4 / 120) t, and the zeros themselves far better: the value at the end of the step is zero.
      expect(farthest(timesOf(solution), cosineZeros(10))).toBeLessThan(2e-12);
      if ("action" in action) {
        for (const { before } of solution.events) expect(Math.abs(x(before))).toBeLessThan(1e-13);
      }
    }
  });

  test("fixed steps: welch's coupled method, to its own order", () => {
    const quarter = ellipticK(Math.SQRT1_2) / Math.sqrt(GRAVITY);
    const errors = [1 / 64, 1 / 128].map((step) => {
      const solution = solve(pendulum(), {
        span: [0, 2],
        q: [1, 0],
        method: { coupled: welch() },
        step,
        events: [{ when: x, action: none }],
      });
      for (const { before } of solution.events) expect(Math.abs(x(before))).toBeLessThan(1e-12);
      return Math.abs(timesOf(solution)[0]! - quarter);
    });
    expect(errors[1]!).toBeLessThan(1e-4);
    expect(errors[0]! / errors[1]!).toBeGreaterThan(3);
  });

  test("short spans: times are found relative to the span", () => {
    const span = 1e-7;
    const { events } = solve(drifting(), {
      span: [0, span],
      q: [-1],
      v: [Math.E / span],
      events: [{ when: x, action: none }],
    });
    expect(Math.abs(events[0]!.time / span - 1 / Math.E)).toBeLessThan(1e-12);
  });
});

describe("which zeros count", () => {
  test("direction: rising, falling, both", () => {
    const counted = (direction: "rising" | "falling" | "both") => {
      const { events } = solve(oscillator(), {
        ...swing,
        tolerance: 1e-10,
        events: [{ when: x, direction }],
      });
      return events.map((event) => `${event.direction} ${Math.round(event.time / (Math.PI / 2))}`);
    };
    expect(counted("falling")).toEqual(["falling 1", "falling 5"]);
    expect(counted("rising")).toEqual(["rising 3"]);
    expect(counted("both")).toEqual(["falling 1", "rising 3", "falling 5"]);
  });

  test("terminal: a number ends the run at that time", () => {
    const { status, end, events, reason } = solve(oscillator(), {
      ...swing,
      tolerance: 1e-10,
      events: [{ name: "middle", when: x, terminal: 2 }],
    });
    expect(status).toBe("event");
    expect(reason).toContain('event "middle"');
    expect(events.map(({ name }) => name)).toEqual(["middle", "middle"]);
    expect(Math.abs(end.time - 1.5 * Math.PI)).toBeLessThan(1e-9);
    expect(events[1]!.time).toBe(end.time);
  });

  test("many zeros in one step are found with maximumStep", () => {
    // Without forces steps would be as long as the span; sin 40 x has a zero each pi / 40.
    const { events } = solve(drifting(), {
      span: [0, 1],
      q: [0.01],
      v: [1],
      maximumStep: Math.PI / 40,
      events: [{ when: (state) => Math.sin(40 * x(state)) }],
    });
    const expected = Array.from({ length: 12 }, (_, k) => ((k + 1) * Math.PI) / 40 - 0.01);
    expect(farthest(timesOf({ events }), expected)).toBeLessThan(1e-12);
    expect(events.map(({ direction }) => direction === "falling")).toEqual(
      expected.map((_, k) => k % 2 === 0),
    );
  });

  test("several zeros in one step are all reported, and a terminal number counts them", () => {
    const options = { span: [0, 1], q: [0], v: [1], firstStep: 1 } as const;
    const when = (state: { readonly q: Float64Array }) =>
      (x(state) - 0.2) * (x(state) - 0.4) * (x(state) - 0.7);
    const all = solve(drifting(), { ...options, events: [{ when }] });
    expect(all.statistics.steps).toBe(1);
    expect(farthest(timesOf(all), [0.2, 0.4, 0.7])).toBeLessThan(1e-12);
    const second = solve(drifting(), { ...options, events: [{ when, terminal: 2 }] });
    expect(farthest(timesOf(second), [0.2, 0.4])).toBeLessThan(1e-12);
    expect(second.end.time).toBeCloseTo(0.4, 12);
    const acted = solve(drifting(), { ...options, events: [{ when, action: none }] });
    expect(farthest(timesOf(acted), [0.2, 0.4, 0.7])).toBeLessThan(1e-12);
  });

  test("a value that touches zero is no event, wherever steps end", () => {
    const touch = (at: number) => (state: { readonly time: number }) => (state.time - at) ** 2;
    const { events } = solve(drifting(), {
      span: [0, 1],
      q: [0],
      v: [1],
      method: { formulation: udwadiaKalaba(), integrator: rk4() },
      step: 0.125,
      events: [0.25, 0.28125, 0.3].map((at) => ({ when: touch(at), action: none })),
    });
    expect(events).toEqual([]);
  });

  test("a value that jumps is located at its jump", () => {
    for (const action of [{}, { action: none }]) {
      const { events } = solve(drifting(), {
        span: [0, 1],
        q: [0],
        v: [1],
        events: [{ when: (state) => (x(state) < 1 / 3 ? -1 : 2), ...action }],
      });
      expect(events.length).toBe(1);
      expect(events[0]!.direction).toBe("rising");
      expect(Math.abs(events[0]!.time - 1 / 3)).toBeLessThan(1e-12);
    }
  });
});
