// Events at the ends of steps and spans, and of runs that go backwards.

import { ab3, init, projection, rk4, udwadiaKalaba } from "nodrift";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ball,
  cosineZeros,
  drifting,
  farthest,
  none,
  oscillator,
  timesOf,
  x,
  y,
} from "./support/event-systems.js";

beforeAll(() => init());

describe("events at the ends of steps and of the span", () => {
  const method = { formulation: udwadiaKalaba(), integrator: rk4(), stabilisation: projection() };
  const grid = { span: [0, 1], q: [0], v: [1], method, step: 0.1 } as const;

  test("a zero at the end of a step is found once, at 0.3 or exactly at 0.5", () => {
    for (const at of [0.3, 0.5]) {
      for (const action of [{}, { action: none }]) {
        const { events } = solve(drifting(), {
          ...grid,
          step: at === 0.5 ? 0.125 : 0.1,
          events: [{ when: (state) => x(state) - at, direction: "rising", ...action }],
        });
        expect(events.length).toBe(1);
        expect(Math.abs(events[0]!.time - at)).toBeLessThan(1e-13);
      }
    }
  });

  test("a zero at the start is no event, the next one is, in either direction", () => {
    for (const v of [1, -1]) {
      for (const action of [{}, { action: none }]) {
        const { events } = solve(oscillator(), {
          span: [0, 5],
          q: [0],
          v: [v],
          tolerance: 1e-12,
          events: [{ when: x, ...action }],
        });
        expect(events.map(({ direction }) => direction)).toEqual([v > 0 ? "falling" : "rising"]);
        expect(Math.abs(events[0]!.time - Math.PI)).toBeLessThan(1e-11);
      }
    }
  });

  test("a start at rest on the zero leaves without an event and comes back to one", () => {
    // x = 1 - cos t touches zero at 2 pi; x - x(pi / 2) crosses.
    const { events } = solve(oscillator(), {
      span: [0, 4],
      q: [1],
      v: [0],
      tolerance: 1e-12,
      events: [{ when: (state) => x(state) - 1 }, { when: (state) => x(state) ** 3 }],
    });
    expect(events.map(({ index }) => index)).toEqual([1]);
  });

  test("a start that is zero up to rounding is no event either, whichever way it goes", () => {
    for (const v of [1, -1, 0]) {
      for (const sign of [1, -1]) {
        const { events } = solve(oscillator(), {
          span: [0, 5],
          q: [0],
          v: [v],
          tolerance: 1e-12,
          // 0.1 + 0.2 - 0.3 is 5.6e-17
          events: [{ when: (state) => x(state) + sign * (0.1 + 0.2 - 0.3) }],
        });
        expect(events.length).toBe(v === 0 ? 0 : 1);
        for (const { time } of events) expect(Math.abs(time - Math.PI)).toBeLessThan(1e-11);
      }
    }
  });

  test("a zero at the very end of the span is an event", () => {
    const { events, status } = solve(drifting(), {
      ...grid,
      step: 0.125,
      events: [{ when: ({ time }) => time - 1 }],
    });
    expect(status).toBe("finished");
    expect(timesOf({ events })).toEqual([1]);
    const ended = solve(drifting(), {
      ...grid,
      step: 0.125,
      events: [{ when: ({ time }) => time - 1, terminal: true }],
    });
    expect(ended.status).toBe("event");
  });
});

describe("backwards", () => {
  test("zeros are met from the last to the first, and directions are as met", () => {
    const { events, status } = solve(oscillator(), {
      span: [10, 0],
      q: [Math.cos(10)],
      v: [-Math.sin(10)],
      tolerance: 1e-13,
      events: [
        { when: x, action: none },
        { name: "falling", when: x, direction: "falling" },
      ],
    });
    expect(status).toBe("finished");
    const both = events.filter(({ name }) => name === "event 0");
    expect(farthest(timesOf({ events: both }), cosineZeros(10).reverse())).toBeLessThan(1e-11);
    expect(both.map(({ direction }) => direction)).toEqual(["rising", "falling", "rising"]);
    expect(timesOf({ events }, "falling").length).toBe(1);
  });

  test("an elastic bounce runs back the way it came", () => {
    const floor = {
      when: y,
      direction: "falling" as const,
      action: (happening: { bounce(restitution?: number): number }) => {
        happening.bounce();
      },
    };
    const there = solve(ball(), {
      span: [0, 3],
      q: [0, 1],
      v: [1, 0],
      tolerance: 1e-12,
      events: [floor],
    });
    const back = solve(ball(), {
      span: [3, 0],
      q: there.end.q,
      v: there.end.v,
      tolerance: 1e-12,
      events: [floor],
    });
    expect(there.events.length).toBe(3);
    expect(farthest(timesOf(back), timesOf(there).reverse())).toBeLessThan(1e-10);
    expect(farthest(back.end.q, [0, 1])).toBeLessThan(1e-10);
  });
});

describe("ab3, a multistep method of fixed steps", () => {
  // A step of another length restarts the method with a lower error constant: events cost no accuracy.
  test.each([0.3, 0.3049])("accuracy is kept with a step that ends at %d", (cut) => {
    const error = (events: object[]) => {
      const { end } = solve(oscillator(), {
        span: [0, 2],
        q: [1],
        v: [0],
        step: 0.01,
        integrator: ab3(),
        events: events as never,
      });
      return Math.abs(end.q[0]! - Math.cos(2));
    };
    const when = ({ time }: { time: number }) => time - cut;
    expect(error([{ when, action: none }])).toBeLessThan(2 * error([]));
  });
});
