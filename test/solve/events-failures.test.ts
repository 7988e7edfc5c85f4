// Failures of `when` and of actions, and invalid events: earlier results are kept.

import { init } from "nodrift";
import { type Solution, type SolveOptions, solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { drifting, farthest, pendulum, x } from "./support/event-systems.js";

beforeAll(() => init());

describe("failures of events", () => {
  const options = { span: [0, 1], q: [0], v: [1], maximumStep: 0.125 } as const;
  const closed = (solution: Pick<Solution, "end" | "time">) => {
    const { time, q } = solution.end;
    expect(Math.abs(q[0]! - time)).toBeLessThan(1e-14);
    expect(solution.time.at(-1)).toBe(time);
    return time;
  };

  test("`when` that returns NaN, no number, or throws ends the run", () => {
    const thrown = new Error("no such thing");
    const cases: [() => number, string][] = [
      [() => Number.NaN, "`when` returned NaN at t = "],
      [() => "0.1" as unknown as number, "`when` returned 0.1 at t = "],
      [() => undefined as unknown as number, "`when` returned undefined at t = "],
      [
        () => {
          throw thrown;
        },
        "no such thing",
      ],
    ];
    for (const [fails, message] of cases) {
      const solution = solve(drifting(), {
        ...options,
        events: [{ name: "bad", when: (state) => (state.time < 0.6 ? 1 : fails()) }],
      });
      expect(solution.status).toBe("failed");
      expect(solution.reason).toContain('event "bad": `when` ');
      expect(solution.reason).toContain(message);
      const time = closed(solution);
      expect(time).toBeGreaterThan(0.4);
      expect(time).toBeLessThan(0.6);
      expect(solution.at(0.3).q[0]).toBeCloseTo(0.3, 13);
    }
  });

  test("`when` that fails at the start keeps the initial state", () => {
    const { status, reason, length } = solve(drifting(), {
      ...options,
      events: [{ when: () => Number.NaN }],
    });
    expect([status, length]).toEqual(["failed", 1]);
    expect(reason).toContain('event "event 0": `when` returned NaN at t = 0');
  });

  test("an action that throws keeps the state before it, and reports its name and error", () => {
    const thrown = new Error("the fuse blew");
    const solution = solve(drifting(), {
      ...options,
      events: [
        {
          name: "half",
          when: (state) => x(state) - 0.5,
          action: ({ q, v }) => {
            q[0] = 7;
            v[0] = 8;
            throw thrown;
          },
        },
      ],
    });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toMatch(
      /^event "half": its action failed at t = [\d.]+: the fuse blew$/,
    );
    expect((solution.cause as Error).cause).toBe(thrown);
    expect(Math.abs(closed(solution) - 0.5)).toBeLessThan(1e-12);
    expect(solution.end.v[0]).toBe(1);
  });

  test("an action that leaves NaN, requests an unknown mode, or bounces with an invalid coefficient is reported", () => {
    const failing = (action: NonNullable<NonNullable<SolveOptions["events"]>[0]["action"]>) => {
      const solution = solve(drifting(), {
        ...options,
        events: [{ name: "half", when: (state) => x(state) - 0.5, action }],
      });
      expect(solution.status).toBe("failed");
      expect(solution.reason).toContain('event "half": its action failed at t = ');
      expect(Math.abs(closed(solution) - 0.5)).toBeLessThan(1e-12);
      return solution.reason;
    };
    expect(failing(({ v }) => v.fill(Number.NaN))).toContain("v[0] (x) was set to NaN");
    expect(failing(({ q }) => q.fill(Number.POSITIVE_INFINITY))).toContain("q[0] (x) was set to I");
    expect(failing(({ switchTo }) => switchTo("off"))).toContain('there is no mode "off"');
    expect(failing(() => Promise.resolve() as never)).toContain("the action must be synchronous");
    expect(failing(({ bounce }) => void bounce(-1))).toContain("restitution is -1");
    expect(failing(({ bounce }) => void bounce(Number.NaN))).toContain("restitution is NaN");
  });

  test("each that throws makes the step before it the last", () => {
    const { status, reason, end } = solve(drifting(), {
      ...options,
      each: ({ time }) => {
        if (time > 0.6) throw new Error("disk full");
      },
    });
    expect([status, reason]).toEqual([
      "failed",
      expect.stringMatching(/^each threw at t = .*: disk full$/),
    ]);
    expect(Math.abs(end.q[0]! - end.time)).toBeLessThan(1e-14);
  });

  test("a state off the constraints is projected", () => {
    const solution = solve(pendulum(), {
      span: [0, 0.5],
      q: [1, 0],
      tolerance: 1e-10,
      events: [
        {
          when: ({ time }) => time - 0.25,
          action: ({ q, v }) => {
            q.set([0.8, 0.8]);
            v.set([3, 0]);
          },
        },
      ],
    });
    expect(solution.status).toBe("finished");
    const [{ after, impulses }] = solution.events as [(typeof solution.events)[0]];
    // The nearest point of the circle, and the part of (3, 0) along its tangent.
    expect(farthest(after.q, [Math.SQRT1_2, Math.SQRT1_2])).toBeLessThan(1e-9);
    expect(farthest(after.v, [1.5, -1.5])).toBeLessThan(1e-9);
    // M dv = J^T L: (-1.5, -1.5) = (1, 1) / sqrt 2 L.
    expect(impulses.rod).toBeCloseTo(-1.5 * Math.SQRT2, 9);
  });

  test("a state that cannot be projected fails, with the row", () => {
    const solution = solve(pendulum(), {
      span: [0, 0.5],
      q: [1, 0],
      events: [{ name: "lost", when: ({ time }) => time - 0.25, action: ({ q }) => q.fill(0) }],
    });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toContain('event "lost": cannot continue');
    expect(solution.end.time).toBeCloseTo(0.25, 12);
    expect(Math.hypot(...solution.end.q)).toBeCloseTo(1, 9);
  });
});

describe("mistakes in options are rejected", () => {
  const given = (events: unknown) => () =>
    solve(drifting(), { span: [0, 1], q: [0], events: events as never });
  test.each([
    ["no list", { when: x }, "events is { when: a function }; give a list"],
    ["nothing", [null], "events[0] is null"],
    ["no function", [{ when: 1 }], 'event "event 0": when is 1; give a function of the state'],
    [
      "typing error",
      [{ when: x, acton: () => {} }],
      "acton is not an option: did you mean action?",
    ],
    ["action", [{ when: x, action: "stop" }], 'action is "stop"; give a function'],
    ["direction", [{ name: "a", when: x, direction: "up" }], 'event "a": direction is "up"'],
    ["terminal", [{ when: x, terminal: 0 }], "terminal is 0"],
    ["half a time", [{ when: x, terminal: 1.5 }], "terminal is 1.5"],
    ["not a time", [{ when: x, terminal: "yes" }], 'terminal is "yes"'],
  ])("%s", (_, events, message) => {
    expect(given(events)).toThrow(message);
  });
});
