// Records of events, and simultaneous events.

import { init } from "nodrift";
import { type SolveOptions, solve, start } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ball,
  drifting,
  farthest,
  GRAVITY,
  oscillator,
  timesOf,
  x,
  y,
} from "./support/event-systems.js";

beforeAll(() => init());

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

  test("an action that only reads does not change the motion", () => {
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
  test("simultaneous events call their actions in the given order, each with all names", () => {
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

test("a run saved between events continues bitwise identically", () => {
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
