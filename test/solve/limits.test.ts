// Limits, signals and progress of runs.

import { ode, type SolveOptions, solve, solveAsync, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, onCircle, oscillator } from "./support/systems.js";

const turning = (options: Partial<SolveOptions> = {}) =>
  solve(circle(), { span: [0, 2], ...onCircle(3), ...options });

describe("limits", () => {
  test("maximumSteps ends the run", () => {
    const solution = turning({ maximumSteps: 3 });
    expect([solution.status, solution.length]).toEqual(["maximumSteps", 4]);
    expect(solution.reason).toBe(`3 steps were taken up to t = ${solution.end.time}`);
    expect(solution.at(solution.end.time / 2).time).toBe(solution.end.time / 2);
  });

  test("maximumSeconds ends the run", () => {
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

  test("spans so short that time barely advances are solved", () => {
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

  test("steps that do not advance time, or are too many, are rejected", () => {
    for (const name of ["step", "maximumStep"]) {
      expect(() => turning({ [name]: 1e-20, maximumSteps: 10 })).toThrow(
        `${name} is 1e-20: times would coincide`,
      );
      expect(() => turning({ [name]: 1e-12 })).toThrow(/2\.00e\+12 steps .* set maximumSeconds/);
      expect(turning({ [name]: 1e-12, maximumSteps: 10 }).status).toBe("maximumSteps");
    }
  });

  test("a signal aborted before the start ends the run there", () => {
    const solution = turning({ signal: AbortSignal.abort("not needed") });
    expect([solution.status, solution.length]).toEqual(["aborted", 1]);
    expect(solution.reason).toBe("aborted at t = 0: not needed");
    expect(solution.cause).toBe("not needed");
  });

  test("a signal aborted in each or in progress ends the run", () => {
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

  test("a signal aborted between steps ends solveAsync in time", async () => {
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

  test("solveAsync returns the result of solve, and rejects the same options", async () => {
    const options = { span: [0, 2], ...onCircle(3) } as const;
    const solution = await solveAsync(circle(), options);
    expect([...solution.end.q]).toEqual([...solve(circle(), options).end.q]);
    await expect(solveAsync(circle(), { span: [0, 2] })).rejects.toThrow(/q is missing/);
  });

  test("a run that is not over has a solution", () => {
    const run = start(circle(), { span: [0, 2], ...onCircle(3) });
    run.step();
    run.step();
    const half = run.solution();
    expect(half.length).toBe(3);
    expect([half.status, half.reason]).toEqual([
      "running",
      `the run is at t = ${run.time}, and can continue`,
    ]);
    expect(half.end.time).toBe(run.time);
    const whole = run.finish();
    expect([...whole.end.q]).toEqual([...turning().end.q]);
    expect(run.step()).toBe(false);
  });
});

describe("progress", () => {
  test("progress rises to 1, with the time, steps and seconds of the run", () => {
    const reports: { fraction: number; time: number; steps: number; seconds: number }[] = [];
    const solution = solve(oscillator(1), {
      span: [1, 40_001],
      q: [1],
      output: "ends",
      progress: (progress) => reports.push({ ...progress }),
    });
    const fractions = reports.map(({ fraction }) => fraction);
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions).toEqual([...new Set(fractions)].sort((a, b) => a - b));
    expect(reports[reports.length - 1]).toMatchObject({
      fraction: 1,
      time: 40_001,
      steps: solution.statistics.steps,
    });
  });

  test.each([
    [0, 2],
    [2, 0],
    [1, 1],
  ] as const)("progress is reported at the end of a short run from %d to %d", (...span) => {
    const reports: number[] = [];
    turning({ span, progress: ({ fraction }) => reports.push(fraction) });
    expect(reports).toEqual([1]);
  });
});
