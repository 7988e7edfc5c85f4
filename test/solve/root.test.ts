// The root finder, through events of functions of time that are hard on it.

import { init } from "nodrift";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { drifting } from "./support/event-systems.js";

beforeAll(() => init());

/** Time at which an event of a function of time is located, and the number of calls of the function. */
function found(f: (t: number) => number, span: readonly [number, number] = [0, 1]) {
  let calls = 0;
  const { events, status } = solve(drifting(), {
    span,
    q: [0],
    v: [1],
    firstStep: 1,
    events: [
      {
        when: ({ time }) => {
          calls++;
          return f(time);
        },
      },
    ],
  });
  expect(status).toBe("finished");
  return { times: events.map(({ time }) => time), calls };
}

describe("zeros of hard functions", () => {
  const root = 0.3141592653589793;
  test.each<[string, (t: number) => number]>([
    ["flat on one side", (t) => Math.exp(30 * (t - root)) - 1],
    ["steep", (t) => Math.tanh(1e6 * (t - root))],
    ["flat but for a kink", (t) => (t < root ? -1e-9 * (root - t) : 1e9 * (t - root))],
    ["like a cube root", (t) => Math.cbrt(t - root)],
    ["very small", (t) => 1e-300 * (t - root)],
    ["very large", (t) => 1e300 * (t - root)],
    ["infinite on one side", (t) => (t < root ? Number.NEGATIVE_INFINITY : t - root)],
    ["a pole", (t) => 1 / (t - root)],
  ])("%s", (name, f) => {
    const { times, calls } = found(f);
    expect(times.length).toBe(1);
    expect(Math.abs(times[0]! - root)).toBeLessThan(1e-12);
    // Next to a pole the step is halved until it is narrow: zeros could hide there.
    expect(calls).toBeLessThan(name === "a pole" ? 400 : 150);
  });

  test("a ninth power: as well as its values tell", () => {
    const { times } = found((t) => (t - root) ** 9);
    expect(times.length).toBe(1);
    // Below (1e-308)^(1/9) the function is zero.
    expect(Math.abs(times[0]! - root)).toBeLessThan(1e-12);
  });

  test("simple zeros cost a handful of calls", () => {
    expect(found((t) => Math.sin(3 * (t - root))).calls).toBeLessThan(25);
  });

  test("zeros are found on and beside the samples of a step", () => {
    for (const place of [0.25, 0.5, 0.75, 0.25 + 1e-15, 0.5 - 1e-16, 1e-9, 1 - 1e-9]) {
      const { times } = found((t) => t - place);
      expect(times.length).toBe(1);
      expect(Math.abs(times[0]! - place)).toBeLessThan(1e-13);
    }
  });

  test("late times are found to their own rounding", () => {
    const place = 123456.789;
    const { times } = found((t) => t - place, [123456, 123457]);
    expect(Math.abs(times[0]! - place)).toBeLessThan(1e-9);
  });
});
