// Runs that are told to stop, and what they tell on the way.

import { ode, type SolveOptions, solve, solveAsync, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, onCircle, oscillator } from "./support/systems.js";

const turning = (options: Partial<SolveOptions> = {}) =>
  solve(circle(), { span: [0, 2], ...onCircle(3), ...options });

describe("limits", () => {
  test("on steps", () => {
    const solution = turning({ maximumSteps: 3 });
    expect([solution.status, solution.length]).toEqual(["maximumSteps", 4]);
    expect(solution.reason).toBe(`3 steps were taken up to t = ${solution.end.time}`);
    expect(solution.at(solution.end.time / 2).time).toBe(solution.end.time / 2);
  });

  test("on real time", () => {
    const solution = solve(oscillator(1), {
      span: [0, 1e9],
      q: [1],
      output: "ends",
      maximumSeconds: 0.05,
    });
    expect(solution.status).toBe("maximumSeconds");
    expect(solution.reason).toBe(`0.05 s have passed at t = ${solution.end.time}`);
    // A loaded machine may look at its clock late, but it would be at this for hours.
    expect(solution.end.time).toBeLessThan(1e9);
    expect([...solution.time]).toEqual([0, solution.end.time]);
  });

  test("of numbers: spans so short that time hardly moves", () => {
    const clock = ode({ name: "clock", names: ["t"], rate: () => [1], y: [0] });
    const ulps = (t: number, count: number) => [t, t + count * 2 ** -52 * t] as const;
    const spans = [ulps(1, 1), ulps(1, 16), ulps(1, -1), ulps(-1e9, 3), ulps(1e16, 20)];
    for (const span of [...spans, [1e299, -1e299], [0, 1e-299]] as const) {
      const { status, end } = solve(clock, { span, maximumSteps: 1000, maximumSeconds: 20 });
      expect([status, end.time]).toEqual(["finished", span[1]]);
      const length = span[1] - span[0];
      expect(Math.abs(end.y[0]! - length)).toBeLessThan(1e-14 * Math.abs(length));
    }
    for (const span of [
      [0, 5e-324],
      [0, 1e-320],
      [0, Number.MAX_VALUE],
      [-Number.MAX_VALUE, Number.MAX_VALUE],
    ] as const) {
      expect(() => solve(clock, { span })).toThrow(/span is .* long; give from 1e-300 to 1e\+300/);
    }
  });

  test("of numbers: steps that do not move time, or that are too many", () => {
    for (const name of ["step", "maximumStep"]) {
      expect(() => turning({ [name]: 1e-20, maximumSteps: 10 })).toThrow(
        `${name} is 1e-20: times would coincide`,
      );
      expect(() => turning({ [name]: 1e-12 })).toThrow(/2\.00e\+12 steps .* set maximumSeconds/);
      expect(turning({ [name]: 1e-12, maximumSteps: 10 }).status).toBe("maximumSteps");
    }
  });

  test("by a signal: aborted before the start", () => {
    const solution = turning({ signal: AbortSignal.abort("not needed") });
    expect([solution.status, solution.length]).toEqual(["aborted", 1]);
    expect(solution.reason).toBe("aborted at t = 0: not needed");
    expect(solution.cause).toBe("not needed");
  });

  test("by a signal: aborted in each, and in progress", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const each = ({ time }: { time: number }) => {
      if (time > 0.5) controller.abort();
    };
    const solution = turning({ signal, each });
    expect(solution.status).toBe("aborted");
    expect(solution.time[solution.length - 2]).toBeLessThan(0.5);
    expect(solution.end.time).toBe(solution.time[solution.length - 1]);
    const other = new AbortController();
    const long = solve(oscillator(1), {
      span: [0, 1e9],
      q: [1],
      output: "ends",
      signal: other.signal,
      progress: () => other.abort(),
    });
    expect(long.status).toBe("aborted");
  });

  test("by a signal in time, when others have their turn", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const solution = await solveAsync(oscillator(1), {
      span: [0, 1e9],
      q: [1],
      output: "ends",
      signal: AbortSignal.timeout(150),
    });
    clearInterval(timer);
    expect(solution.status).toBe("aborted");
    expect(solution.reason).toMatch(/timeout/i);
    expect(ticks).toBeGreaterThan(2);
    expect(Math.abs(solution.end.q[0])).toBeLessThan(1.1);
  });

  test("solveAsync gives what solve gives, and refuses the same", async () => {
    const options = { span: [0, 2], ...onCircle(3) } as const;
    const solution = await solveAsync(circle(), options);
    expect([...solution.end.q]).toEqual([...solve(circle(), options).end.q]);
    await expect(solveAsync(circle(), { span: [0, 2] })).rejects.toThrow(/q is missing/);
  });

  test("a run that is not over can be looked at", () => {
    const run = start(circle(), { span: [0, 2], ...onCircle(3) });
    run.step();
    run.step();
    const half = run.solution();
    expect(half.length).toBe(3);
    expect([half.status, half.reason]).toEqual([
      "running",
      `the run is at t = ${run.time}, and can go on`,
    ]);
    expect(half.end.time).toBe(run.time);
    const whole = run.finish();
    expect([...whole.end.q]).toEqual([...turning().end.q]);
    expect(run.step()).toBe(false);
  });
});

describe("progress", () => {
  test("rises to 1, with numbers of the run", () => {
    const told: { fraction: number; time: number; steps: number; seconds: number }[] = [];
    const solution = solve(oscillator(1), {
      span: [1, 40_001],
      q: [1],
      output: "ends",
      progress: (progress) => told.push({ ...progress }),
    });
    const fractions = told.map(({ fraction }) => fraction);
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions).toEqual([...new Set(fractions)].sort((a, b) => a - b));
    expect(told[told.length - 1]).toMatchObject({
      fraction: 1,
      time: 40_001,
      steps: solution.statistics.steps,
    });
  });

  test.each([
    [0, 2],
    [2, 0],
    [1, 1],
  ] as const)("is told at the end of a short run from %d to %d", (...span) => {
    const told: number[] = [];
    turning({ span, progress: ({ fraction }) => told.push(fraction) });
    expect(told).toEqual([1]);
  });
});
