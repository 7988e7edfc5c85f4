// What is kept of events, and what happens when several come together.

import { init } from "nodrift";
import { type SolveOptions, solve, start } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { ball, drifting, farthest, GRAVITY, oscillator, timesOf } from "./support/event-systems.js";

beforeAll(() => init());

const x = (state: { readonly q: Float64Array }) => state.q[0] as number;
const y = (state: { readonly q: Float64Array }) => state.q[1] as number;

/** Dropped from 1, elastic floor: down and up once in 1.2. */
const LANDS = Math.sqrt(2 / GRAVITY);
const bouncing = {
  span: [0, 0.8],
  q: [0, 1],
  v: [1, 0],
  tolerance: 1e-11,
  events: [
    {
      name: "floor",
      when: y,
      direction: "falling",
      action: (happening) => {
        happening.bounce();
      },
    },
  ],
} satisfies SolveOptions;

describe("both sides", () => {
  test("records have the state before and after, and the rows are doubled", () => {
    const solution = solve(ball(), bouncing);
    const [{ before, after, time, direction, mode, impulses }] = solution.events as [
      (typeof solution.events)[0],
    ];
    const speed = GRAVITY * LANDS;
    expect(farthest(before.v, [1, -speed])).toBeLessThan(1e-11);
    expect(farthest(after.v, [1, speed])).toBeLessThan(1e-11);
    expect([before.time, after.time, direction, mode]).toEqual([time, time, "falling", "start"]);
    expect(impulses).toEqual({});
    const rows = [...solution.states()].filter((state) => state.time === time);
    expect(rows.map((state) => Math.sign(state.v[1]!))).toEqual([-1, 1]);
    expect([...solution.at(time).v]).toEqual([...after.v]);
    const dense = solve(ball(), { ...bouncing, output: "ends", dense: true });
    expect(farthest(dense.at(dense.events[0]!.time).v, after.v)).toBeLessThan(1e-11);
  });

  test("states beside the event are on their side, by at(t) and by output times", () => {
    const times = [0.2, LANDS - 1e-6, LANDS + 1e-6, 0.7];
    const height = (t: number) =>
      t < LANDS ? 1 - (GRAVITY * t * t) / 2 : 1 - (GRAVITY * (2 * LANDS - t) ** 2) / 2;
    const rate = (t: number) => (t < LANDS ? -GRAVITY * t : GRAVITY * (2 * LANDS - t));
    const dense = solve(ball(), bouncing);
    const seen: number[] = [];
    const given = solve(ball(), {
      ...bouncing,
      output: { times },
      each: (state) => {
        seen.push(state.v[1]!);
      },
    });
    expect([...given.time]).toEqual(times);
    for (const [i, t] of times.entries()) {
      for (const state of [dense.at(t), given.state(i)]) {
        expect(farthest([...state.q, ...state.v], [t, height(t), 1, rate(t)])).toBeLessThan(1e-10);
      }
    }
    expect(seen).toEqual([...given.column("y'")]);
  });

  test("each sees both sides in order", () => {
    const seen: [number, number][] = [];
    const { events, length } = solve(ball(), {
      ...bouncing,
      keep: false,
      each: ({ time, v }) => {
        seen.push([time, Math.sign(v[1]!)]);
      },
    });
    expect(length).toBe(0);
    const at = seen.findIndex(([time]) => time === events[0]!.time);
    expect(seen.slice(at, at + 2).map(([, sign]) => sign)).toEqual([-1, 1]);
    expect(seen.every(([time], i) => i === 0 || time >= seen[i - 1]![0])).toBe(true);
  });

  test("an action that only looks leaves the motion alone", () => {
    const times: number[] = [];
    const watched = solve(oscillator(), {
      span: [0, 5],
      q: [1],
      tolerance: 1e-9,
      events: [
        {
          when: x,
          action: ({ time, before }) => {
            times.push(time);
            expect(before.time).toBe(time);
          },
        },
      ],
    });
    expect(times).toEqual(timesOf(watched));
    for (const { before, after, time } of watched.events) {
      expect(after).toBe(before);
      expect([...watched.time].filter((each) => each === time).length).toBe(1);
    }
    expect(Math.abs(watched.end.q[0]! - Math.cos(5))).toBeLessThan(1e-7);
  });
});

describe("several at one time", () => {
  test("simultaneous events: actions in the order given, each told of all", () => {
    // The second reaches zero a little earlier by rounding: 3 (x - 1/3) against x - 1/3.
    const called: string[] = [];
    const action =
      (name: string) =>
      ({ events, v }: { readonly events: readonly string[]; readonly v: Float64Array }) => {
        called.push(`${name} of ${events.join(" and ")} at ${v[0]}`);
        v[0] = v[0]! + 1;
      };
    const third = 1 / 3;
    const { events, end } = solve(drifting(), {
      span: [0, 1],
      q: [0],
      v: [1],
      events: [
        { name: "late", when: (state) => x(state) - third - 1e-14, action: action("late") },
        { name: "passive", when: (state) => third - x(state) },
        { name: "early", when: (state) => 3 * x(state) - 1, action: action("early") },
      ],
    });
    expect(called).toEqual([
      "late of late and passive and early at 1",
      "early of late and passive and early at 2",
    ]);
    expect(events.map(({ name }) => name)).toEqual(["late", "passive", "early"]);
    expect(new Set(timesOf({ events })).size).toBe(1);
    expect(events[1]!.direction).toBe("falling");
    expect(Math.abs(end.q[0]! - third - 2)).toBeLessThan(1e-12);
  });

  test("events closer than the error of the polynomial are neither lost nor doubled", () => {
    for (const gap of [1e-5, 1e-7, 1e-9, 1e-10, 1e-11, 3e-12]) {
      const { events } = solve(oscillator(), {
        span: [0, 3],
        q: [1],
        tolerance: 1e-3,
        events: [
          { name: "second", when: (state) => x(state) + gap, action: () => {} },
          { name: "first", when: x, action: () => {} },
          { name: "passive", when: (state) => x(state) + gap / 2 },
        ],
      });
      expect(events.map(({ name }) => name).sort()).toEqual(["first", "passive", "second"]);
    }
  });

  test("stop ends the run with its reason, after the other actions", () => {
    let other = 0;
    const { status, reason, end } = solve(drifting(), {
      span: [0, 1],
      q: [0],
      v: [1],
      events: [
        { when: (state) => x(state) - 0.5, action: ({ stop }) => stop("half way") },
        { when: (state) => x(state) - 0.5, action: () => other++ },
      ],
    });
    expect([status, reason, other]).toEqual(["event", "half way", 1]);
    expect(end.time).toBeCloseTo(0.5, 12);
    const silent = solve(drifting(), {
      span: [0, 1],
      q: [0],
      v: [1],
      events: [{ name: "half", when: (state) => x(state) - 0.5, action: ({ stop }) => stop() }],
    });
    expect(silent.reason).toBe('stopped by event "half"');
  });
});

describe("failures keep what there is", () => {
  const options = { span: [0, 1], q: [0], v: [1], maximumStep: 0.125 } as const;
  const closed = (solution: ReturnType<typeof solve>) => {
    const { time, q } = solution.end;
    expect(Math.abs(q[0]! - time)).toBeLessThan(1e-14);
    expect(solution.time.at(-1)).toBe(time);
    return time;
  };

  test("`when` gives NaN, no number, or throws", () => {
    const thrown = new Error("no such thing");
    const cases: [() => number, string][] = [
      [() => Number.NaN, "`when` gave NaN at t = "],
      [() => "0.1" as unknown as number, "`when` gave 0.1 at t = "],
      [() => undefined as unknown as number, "`when` gave undefined at t = "],
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

  test("`when` that fails at the start: the start is kept", () => {
    const { status, reason, length } = solve(drifting(), {
      ...options,
      events: [{ when: () => Number.NaN }],
    });
    expect([status, length]).toEqual(["failed", 1]);
    expect(reason).toContain('event "event 0": `when` gave NaN at t = 0');
  });

  test("an action that throws: the state before it, its name, its error", () => {
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

  test("an action that leaves NaN, asks for a mode there is not, or bounces badly", () => {
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
    expect(failing(async () => {})).toContain("it is asynchronous");
    expect(failing(({ bounce }) => void bounce(-1))).toContain("restitution is -1");
    expect(failing(({ bounce }) => void bounce(Number.NaN))).toContain("restitution is NaN");
  });

  test("each that throws: the step before it is the last", () => {
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

  test("a state off the constraints is brought onto them", () => {
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

  test("a state from which there is no way back fails, with the row", () => {
    const solution = solve(pendulum(), {
      span: [0, 0.5],
      q: [1, 0],
      events: [{ name: "lost", when: ({ time }) => time - 0.25, action: ({ q }) => q.fill(0) }],
    });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toContain('event "lost": the motion cannot go on');
    expect(solution.end.time).toBeCloseTo(0.25, 12);
    expect(Math.hypot(...solution.end.q)).toBeCloseTo(1, 9);
  });
});

describe("mistakes in options are refused", () => {
  const given = (events: unknown) => () =>
    solve(drifting(), { span: [0, 1], q: [0], events: events as never });
  test.each([
    ["no list", { when: x }, "events must be a list"],
    ["nothing", [null], "events[0] is null"],
    ["no function", [{ when: 1 }], 'event "event 0": `when` must be a function of the state'],
    ["typing error", [{ when: x, acton: () => {} }], 'there is no option "acton"'],
    ["action", [{ when: x, action: "stop" }], "`action` must be a function"],
    ["direction", [{ name: "a", when: x, direction: "up" }], 'event "a": direction is "up"'],
    ["terminal", [{ when: x, terminal: 0 }], "terminal is 0"],
    ["half a time", [{ when: x, terminal: 1.5 }], "terminal is 1.5"],
    ["not a time", [{ when: x, terminal: "yes" }], "terminal is yes"],
  ])("%s", (_, events, message) => {
    expect(given(events)).toThrow(message);
  });
});

test("a run saved between events goes on with the same bits", () => {
  const options = { ...bouncing, span: [0, 3] as const };
  const whole = start(ball(), options);
  while (whole.time < 1) whole.step();
  const saved = whole.save();
  const rest = start(ball(), options);
  rest.restore(saved);
  const [one, two] = [whole.finish(), rest.finish()];
  expect([...two.end.q, ...two.end.v]).toEqual([...one.end.q, ...one.end.v]);
  expect(timesOf(one).slice(-timesOf(two).length)).toEqual(timesOf(two));
});
