// Event functions that oscillate faster than the motion: all zeros are found, or a note says that some may be missing.

import { init } from "nodrift";
import {
  adaptiveIntegrators,
  type EventOptions,
  ode,
  type RunSnapshot,
  solve,
  start,
} from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { checksumOf } from "../../src/base/memory/checksum.js";
import { seeded } from "../support/random.js";
import { farthest, none, timesOf } from "./support/event-systems.js";

beforeAll(() => init());

/** y' = 1, y = t: steps are as long as they may be. */
const clock = ode({
  name: "clock",
  names: ["t"],
  rate: (_t, _y, out) => {
    out[0] = 1;
  },
});

/** x'' = -w^2 x. */
const oscillator = (w: number) =>
  ode({
    name: "oscillator",
    names: ["x", "v"],
    rate: (_t, y, out) => {
      out[0] = y[1]!;
      out[1] = -w * w * y[0]!;
    },
  });

type When = EventOptions<typeof clock>["when"];

/** Multiples of pi / w in (0, end). */
const multiples = (w: number, end: number) =>
  Array.from({ length: Math.ceil((end * w) / Math.PI) - 1 }, (_, k) => ((k + 1) * Math.PI) / w);

const found = (when: When, more: object = {}) =>
  solve(clock, { span: [0, 10], y: [0], events: [{ name: "e", when }], ...more });

describe("zeros of functions that oscillate within steps", () => {
  test.each([3, 40, 100, 1234.5])("sin(%d t): every one, to 1e-11", (w) => {
    for (const more of [{}, { firstStep: 10 }, { firstStep: Math.PI / 10 }]) {
      const solution = found(({ time }) => Math.sin(w * time), more);
      expect(solution.statistics.steps).toBeLessThan(20);
      expect(farthest(timesOf(solution), multiples(w, 10))).toBeLessThan(1e-11);
      expect(solution.notes).toEqual([]);
    }
  });

  test("products, chirps and functions of the state", () => {
    const product = found(({ time }) => Math.sin(100 * time) * (time - 5));
    expect(product.events.length).toBe(319);
    const chirp = found(({ time }) => Math.sin(10 * time * time));
    const zeros = multiples(10, 100).map(Math.sqrt);
    expect(farthest(timesOf(chirp), zeros)).toBeLessThan(1e-11);
    const fast = found(({ y }) => Math.exp(-y[0]!) * Math.sin(100 * y[0]!));
    expect(farthest(timesOf(fast), multiples(100, 10))).toBeLessThan(1e-11);
  });

  test("each step ends on the next zero of an event with an action", () => {
    const events = [{ when: (({ time }) => Math.sin(30 * time)) as When, action: none }];
    const solution = solve(clock, { span: [0, 5], y: [0], events });
    expect(farthest(timesOf(solution), multiples(30, 5))).toBeLessThan(1e-11);
  });

  test("two zeros close to each other, anywhere in a step", () => {
    const random = seeded(7);
    for (let i = 0; i < 40; i++) {
      const at = 5 + 4.5 * random();
      const apart = 10 ** (-3 + 2 * random());
      for (const sign of [1, -1]) {
        const curve = found(({ time }) => sign * ((time - at) ** 2 - apart ** 2));
        expect(farthest(timesOf(curve), [at - apart, at + apart])).toBeLessThan(1e-9);
      }
      // Dips with a corner are found down to 2^-14 of a step.
      const width = Math.max(apart, 3e-3);
      const corner = found(({ time }) => Math.abs(time - at) - width);
      expect(farthest(timesOf(corner), [at - width, at + width])).toBeLessThan(1e-9);
    }
  });

  test("random functions of fast states: as many zeros as the solution has", () => {
    const random = seeded(11);
    const methods = Object.values(adaptiveIntegrators);
    for (let i = 0; i < 40; i++) {
      const [slow, fast] = [10 ** (0.5 + 0.5 * random()), 10 ** (1 + 0.7 * random())];
      const [phase, level] = [3 * random(), random()];
      const functions: readonly ((t: number, x: number) => number)[] = [
        (_t, x) => Math.sin(fast * x + phase) - level,
        (t, x) => Math.sin(fast * t + phase) * (x - level),
        (t, x) => x + 0.2 * Math.sin(fast * t),
        (_t, x) => x * x - Math.abs(level),
      ];
      const f = functions[i % 4]!;
      const solution = solve(oscillator(slow), {
        span: [0, 2],
        y: [1, 0],
        tolerance: 10 ** (-5 + 2 * random()),
        integrator: methods[i % methods.length]!(),
        dense: true,
        events: [{ when: ({ time, y }) => f(time, y[0]!) }],
      });
      const samples = 10_000;
      let crossings = 0;
      let side = Math.sign(f(0, 1));
      for (let k = 1; k <= samples; k++) {
        const t = (2 * k) / samples;
        const next = Math.sign(f(t, solution.at(t).y[0]!));
        if (next !== side) crossings++;
        side = next;
      }
      expect(solution.events.length).toBeGreaterThanOrEqual(crossings);
    }
  });
});

describe("zeros that cannot all be found", () => {
  test("missed zeros are noted once, by name and time", () => {
    for (const when of [
      ({ time }) => Math.sin(1e7 * time),
      ({ y }) => Math.sin(1e15 * (1 + y[0]!)),
    ] satisfies When[]) {
      const { notes, status } = found(when);
      expect(status).toBe("finished");
      expect(notes.filter((note) => note.includes('event "e"')).length).toBe(1);
      expect(notes.join()).toMatch(/changes too fast.*from t = .*may be missing.*maximumStep/s);
    }
  });

  test("jumps, corners, and values that stay at zero get no note", () => {
    for (const when of [
      ({ time }) => (time < 10 / 3 ? -1 : 2),
      ({ time }) => Math.abs(time - 3),
      ({ time }) => Math.max(0, time - 3),
      ({ time }) => Math.floor(7 * time) - 20.5,
      ({ time }) => 1 / (time - 3.3),
    ] satisfies When[]) {
      expect(found(when).notes).toEqual([]);
    }
  });
});

test("functions that are zero up to rounding are not reported as fast", () => {
  for (const when of [() => 0, () => -0, ({ y }) => y[0]! - y[0]!] satisfies When[]) {
    const { notes, events } = found(when);
    expect([notes, events]).toEqual([[], []]);
  }
  for (const when of [
    ({ time }) => Math.sin(time) ** 2 + Math.cos(time) ** 2 - 1,
    ({ time }) => (time / 3) * 3 - time,
  ] satisfies When[]) {
    const { notes } = found(when);
    expect(notes.length).toBe(1);
    expect(notes[0]).toMatch(/event "e": `when` is zero up to rounding .* are meaningless/);
  }
});

test("functions that do not oscillate are called a few times in a step", () => {
  let calls = 0;
  const when: EventOptions<ReturnType<typeof oscillator>>["when"] = ({ y }) => {
    calls++;
    return y[0]! - 0.5;
  };
  const { statistics, events } = solve(oscillator(1), {
    span: [0, 100],
    y: [1, 0],
    tolerance: 1e-9,
    events: [{ when }],
  });
  expect(events.length).toBe(32);
  expect(calls / statistics.steps).toBeLessThan(10);
});

test("a restored run finds the same zeros, bit by bit", () => {
  const options = {
    span: [0, 10] as const,
    y: [1, 0],
    events: [{ when: ({ time }: { readonly time: number }) => Math.sin(50 * time) }],
  };
  const whole = start(oscillator(2), options);
  for (let i = 0; i < 8; i++) whole.step();
  const saved = whole.save();
  const rest = start(oscillator(2), options);
  rest.restore(saved);
  const times = (solution: ReturnType<typeof rest.finish>) => timesOf(solution);
  const after = times(rest.finish());
  expect(after.length).toBeGreaterThan(50);
  expect(times(whole.finish()).slice(-after.length)).toEqual(after);
});

test("a snapshot of 0.2.0, without scans, restores; one of other lengths is rejected", () => {
  const options = {
    span: [0, 10] as const,
    y: [1, 0],
    events: [{ when: ({ time }: { readonly time: number }) => Math.sin(50 * time) }],
  };
  const whole = start(oscillator(2), options);
  for (let i = 0; i < 8; i++) whole.step();
  const saved = whole.save();
  const cut = (length: number): RunSnapshot => {
    const [first, ...others] = saved.numbers.events;
    const numbers = { ...saved.numbers, events: [first!.slice(0, length), ...others] };
    const { time, next, last, controller, tally, watch, takeover, events, contacts } = numbers;
    const lists = [[time, next, last], controller, tally, watch, takeover, ...events, contacts];
    const checksum = checksumOf(Object.values(saved.memory), lists.flat());
    return { ...saved, numbers, checksum };
  };
  const rest = start(oscillator(2), options);
  rest.restore(cut(3));
  const solution = rest.finish();
  const zeros = multiples(50, 10).filter((time) => time > saved.numbers.time);
  expect(farthest(timesOf(solution), zeros)).toBeLessThan(1e-11);
  for (const length of [0, 1, 5]) {
    expect(() => start(oscillator(2), options).restore(cut(length))).toThrow(/another version/);
  }
});
