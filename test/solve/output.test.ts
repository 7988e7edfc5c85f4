// States of a solution: requested ones, and interpolated ones.

import { lagrange, maggi, projection, rk4, welch } from "nodrift";
import { bs3, dop853, dp5, type OutputOption, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, difference, onCircle } from "./support/systems.js";

const turning = { span: [0, 2], ...onCircle(3) } as const;
const solved = (output: OutputOption, more = {}) =>
  solve(circle(), { ...turning, output, ...more });
const onTheWay = (t: number) => [Math.cos(3 * t), Math.sin(3 * t)];

describe("output", () => {
  test('"steps" keeps the end of every step', () => {
    const solution = solve(circle(), turning);
    expect(solution.length).toBe(solution.statistics.steps + 1);
    expect([solution.time[0], solution.time[solution.length - 1]]).toEqual([0, 2]);
  });

  test('"ends" keeps start and end', () => {
    const solution = solved("ends");
    expect([...solution.time]).toEqual([0, 2]);
    expect([...solution.state(1).q]).toEqual([...solution.end.q]);
  });

  test("requested times are stored exactly: at the ends, twice, and none", () => {
    for (const times of [[0, 2], [0, 0, 0.1, 0.1, 1 / 3, 2, 2], [1.9999999999], [0], [2], []]) {
      expect([...solved({ times }).time]).toEqual(times);
      expect([...solved({ times: Float64Array.from(times) }).time]).toEqual(times);
    }
  });

  test("many times in one step, and backwards", () => {
    const times = Array.from({ length: 1000 }, (_, k) => 2 - k / 999);
    const { q, v } = solved("ends", { tolerance: 1e-10 }).end;
    const back = solve(circle(), { span: [2, 1], q, v, tolerance: 1e-10, output: { times } });
    expect([...back.time]).toEqual(times);
    times.forEach((t, i) => {
      expect(difference(back.state(i).q, onTheWay(t))).toBeLessThan(1e-8);
    });
  });

  test.each([5e-324, 1e-320, 1e-310, 1e-308])("a rate of %d keeps start and end", (rate) => {
    const solution = solved({ rate }, { maximumSteps: 1000 });
    expect(solution.status).toBe("finished");
    expect([...solution.time]).toEqual([0, 2]);
  });

  test.each<[string, OutputOption, RegExp]>([
    ["out of order", { times: [1, 0.5] }, /output\.times are not in order: 1 comes before 0\.5/],
    [
      "beyond the end",
      { times: [1, 2.5] },
      /output\.times\[1\] = 2\.5 lies outside the span from 0 to 2/,
    ],
    ["before the start", { times: [-1] }, /output\.times\[0\] = -1 lies outside/],
    ["no number", { times: [0, Number.NaN] }, /output\.times\[1\] is NaN/],
    ["no times", { times: 3 } as never, /output.times is 3; give a list of numbers/],
    ["rate of zero", { rate: 0 }, /output\.rate is 0; give a positive number/],
    ["rate that is no number", { rate: Number.NaN }, /output\.rate is NaN/],
    ["times and rate", { rate: 1, times: [1] }, /times and a rate; give one/],
    ["another word", "all" as never, /output is "all"; give "steps", "ends"/],
  ])("rejects what is %s", (_, output, message) => {
    expect(() => solved(output)).toThrow(message);
  });

  test.each([60, 3, 1 / 3, 0.7, 1000])("a rate of %d keeps k / rate, and the end", (rate) => {
    const grid = Array.from({ length: Math.floor(2 * rate) + 1 }, (_, k) => k / rate);
    expect([...solved({ rate }).time]).toEqual(grid[grid.length - 1] === 2 ? grid : [...grid, 2]);
  });

  test("a rate counts from the start, backwards too", () => {
    const grid = [5, 4.75, 4.5, 4.25, 4.1];
    expect([...solved({ rate: 4 }, { span: [5, 4.1] }).time]).toEqual(grid);
  });

  test("a grid that meets the end up to rounding ends there exactly once", () => {
    const end = 0.1 + 0.2;
    expect([...solved({ rate: 10 }, { span: [0, end] }).time]).toEqual([0, 0.1, 0.2, end]);
  });

  test("a rate on a span of no length gives its only state", () => {
    expect([...solved({ rate: 10 }, { span: [1, 1] }).time]).toEqual([1]);
  });

  const methods = [
    { formulation: lagrange(), stabilisation: projection(), integrator: bs3() },
    { formulation: lagrange(), stabilisation: projection(), integrator: dp5() },
    { formulation: lagrange(), stabilisation: projection(), integrator: dop853() },
    // Its unknowns are not those of the state: it steps to the times.
    { formulation: maggi(), stabilisation: projection(), integrator: dop853() },
  ];
  test.each(methods)(
    "states at given times are as good as steps: $formulation.name $integrator.name",
    (method) => {
      const tolerance = 1e-7;
      for (const output of [{ rate: 37 }, { times: [0.01, 0.011, 0.5, 1.7] }]) {
        const solution = solved(output, { method, tolerance });
        for (const { time, q, v } of solution.states()) {
          expect(difference(q, onTheWay(time))).toBeLessThan(50 * tolerance);
          const [x, y] = onTheWay(time);
          expect(difference(v, [-3 * y, 3 * x])).toBeLessThan(200 * tolerance);
          expect(Math.abs(q[0] ** 2 + q[1] ** 2 - 1)).toBeLessThan(1e-12);
        }
      }
    },
  );

  test("a coupled method steps to the times", () => {
    const solution = solved({ rate: 7 }, { method: { coupled: welch() }, tolerance: 1e-6 });
    expect(solution.length).toBe(15);
    for (const { time, q } of solution.states()) {
      expect(difference(q, onTheWay(time))).toBeLessThan(5 * 1e-6 ** (2 / 3));
    }
  });
});

describe("solution.at", () => {
  const dense = solve(circle(), { ...turning, tolerance: 1e-9 });

  test("returns the motion at any time, and stored states bitwise", () => {
    for (let k = 0; k <= 200; k++) {
      const state = dense.at(k / 100);
      expect(state.time).toBe(k / 100);
      expect(difference(state.q, onTheWay(k / 100))).toBeLessThan(2e-8);
    }
    for (const state of dense.states()) expect([...dense.at(state.time).q]).toEqual([...state.q]);
  });

  test("does not depend on what was read before", () => {
    const once = dense.at(0.123);
    dense.at(1.9);
    expect([...dense.at(0.123).q, ...dense.at(0.123).v]).toEqual([...once.q, ...once.v]);
  });

  test("dense output is continuous from step to step", () => {
    for (const t of dense.time.subarray(1, -1)) {
      const [before, after] = [dense.at(t * (1 - 1e-12)), dense.at(t * (1 + 1e-12))];
      expect(difference(before.q, after.q)).toBeLessThan(1e-10);
    }
  });

  test.each([-1e-9, 2.0000001, Number.NaN, Number.POSITIVE_INFINITY])("rejects %d", (time) => {
    expect(() => dense.at(time)).toThrow(`at(${time}): the solution covers 0 to 2`);
  });

  test("can be requested with any output, or left out", () => {
    const [x, y] = onTheWay(0.7);
    expect(difference(solved("ends", { dense: true }).at(0.7).q, [x, y])).toBeLessThan(1e-4);
    expect(difference(solved({ rate: 1 }, { dense: true }).at(0.7).q, [x, y])).toBeLessThan(1e-4);
    const sparse = solved("steps", { dense: false });
    expect(() => sparse.at(0.7)).toThrow(/only requested states were stored.*dense: true/);
    for (const time of sparse.time) expect(sparse.at(time).time).toBe(time);
    expect(() => solved("ends").at(0.7)).toThrow(/dense: true/);
    expect(solved({ times: [] }).at(2).time).toBe(2);
  });

  test("methods without dense output are interpolated by a cubic between fixed steps", () => {
    const method = { formulation: lagrange(), stabilisation: projection(), integrator: rk4() };
    const solution = solved("steps", { method, step: 0.01 });
    for (const t of [0.003, 0.777, 1.999]) {
      expect(difference(solution.at(t).q, onTheWay(t))).toBeLessThan(1e-6);
    }
  });
});

test("methods that interpolate by cubics note it, and meet the tolerance at requested times", () => {
  const method = { formulation: maggi(), stabilisation: projection(), integrator: dop853() };
  const dense = solved("steps", { method, tolerance: 1e-9 });
  expect(dense.notes.join()).toMatch(/cubic interpolants.*output: { times }/);
  const worst = Math.max(
    ...Array.from({ length: 99 }, (_, k) => difference(dense.at(k / 50).q, onTheWay(k / 50))),
  );
  expect(worst).toBeGreaterThan(1e-7);
  const asked = solved({ rate: 50 }, { method, tolerance: 1e-9 });
  expect(asked.notes).toEqual([]);
  for (const { time, q } of asked.states()) {
    expect(difference(q, onTheWay(time))).toBeLessThan(1e-7);
  }
  expect(solved("steps").notes).toEqual([]);
});

describe("each", () => {
  test.each<OutputOption>(["steps", "ends", { rate: 10 }, { times: [0.3, 0.3, 1] }])(
    "each receives the stored states: %j",
    (output) => {
      const given: number[][] = [];
      const each = ({ time, q, v }: { time: number; q: Float64Array; v: Float64Array }) => {
        given.push([time, ...q, ...v]);
      };
      const kept = solved(output, { each });
      expect(given).toEqual([...kept.states()].map(({ time, q, v }) => [time, ...q, ...v]));
      given.length = 0;
      const none = solved(output, { each, keep: false });
      expect(given).toEqual([...kept.states()].map(({ time, q, v }) => [time, ...q, ...v]));
      expect(none.length).toBe(0);
      expect([...none.states()]).toEqual([]);
      expect([...none.end.q]).toEqual([...kept.end.q]);
      expect(() => none.at(1.234)).toThrow(/only requested states were stored/);
    },
  );

  test("each receives the same object again", () => {
    const seen = new Set<object>();
    solved("steps", { each: (state: object) => seen.add(state) });
    expect(seen.size).toBe(1);
  });
});
