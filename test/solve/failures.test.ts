// Runs that cannot continue, and difficult motions: results so far are kept, and the reason is reported.

import { equations } from "nodrift";
import { dop853, ode, type SolveOptions, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, difference, onCircle, oscillator, pushed } from "./support/systems.js";

type Options = Partial<SolveOptions>;

const turning = (options: Options = {}) =>
  solve(circle(), { span: [0, 2], ...onCircle(3), ...options });

/** A function that throws from a time on. */
const throwsAt = (time: number) => (state: { readonly time: number }) => {
  if (state.time >= time) throw new Error("the disk is full");
};

describe("failing user functions", () => {
  const failing = (from: number, fail: (out: Float64Array) => void) =>
    equations({
      name: "probe",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out, t) => {
        out[0] = 0;
        out[1] = -2;
        if (t > from) fail(out);
      },
    });
  const nan = (out: Float64Array) => {
    out[1] = Number.NaN;
  };
  const state = { span: [0, 1], q: [0, 0], v: [1, 0] } as const;

  test("a function that returns NaN from some time on ends the run there, and is named", () => {
    const solution = solve(failing(0.5, nan), state);
    expect(solution.status).toBe("stepUnderflow");
    expect(solution.reason).toMatch(
      /^at t = 0\.4999\d* every step failed, however short: probe: forces gave NaN for "y" at t = 0\.5/,
    );
    expect(solution.cause).toBeInstanceOf(Error);
    const { end, length, time } = solution;
    expect(end.time).toBeCloseTo(0.5, 12);
    expect(end.time).toBe(time[length - 1]);
    for (const { time: t, q, v } of [...solution.states(), end, solution.at(0.25)]) {
      expect(difference([...q, ...v], [t, -t * t, 1, -2 * t])).toBeLessThan(1e-9);
    }
    expect(() => solution.at(0.6)).toThrow(/the solution covers 0 to 0\.4999/);
  });

  test("a function that returns NaN under fixed steps keeps the previous step", () => {
    const solution = solve(failing(0.5, nan), { ...state, step: 0.04 });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toMatch(/^probe: forces gave NaN for "y" at t = 0\.5/);
    expect(solution.end.time).toBeCloseTo(0.48, 12);
    expect(difference(solution.end.q, [0.48, -(0.48 ** 2)])).toBeLessThan(1e-12);
  });

  test("a function that returns NaN at the start keeps the initial state", () => {
    const solution = solve(failing(-1, nan), state);
    expect(solution).toMatchObject({ status: "failed", length: 1 });
    expect(solution.reason).toBe('probe: forces gave NaN for "y" at t = 0');
    expect([...solution.end.q]).toEqual([0, 0]);
  });

  test("an exception of a user function is reported as reason and cause", () => {
    const broken = new RangeError("no data after 0.5");
    const solution = solve(
      failing(0.5, () => {
        throw broken;
      }),
      state,
    );
    expect(solution.status).toBe("stepUnderflow");
    expect(solution.reason).toMatch(/every step failed, however short: no data after 0\.5$/);
    expect(solution.cause).toBe(broken);
    expect(solution.end.time).toBeCloseTo(0.5, 12);
  });

  test("a function that throws when energies are measured keeps the previous state", () => {
    const system = equations({
      coordinates: ["x"],
      mass: [1],
      forces: () => [0],
      potential: (q) => {
        if (q[0] > 0.5) throw new Error("no potential there");
        return 0;
      },
    });
    const { status, reason, end } = solve(system, { span: [0, 1], q: [0], v: [1] });
    expect([status, reason]).toEqual(["failed", "no potential there"]);
    expect(end.time).toBeLessThan(0.5);
    expect(end.q[0]).toBeCloseTo(end.time, 12);
  });

  test.each(["steps", "ends", { rate: 20 }, { times: [0.1, 0.9, 1.1, 1.9] }] as const)(
    "each that throws ends the run, with all states up to there: %j",
    (output) => {
      const solution = turning({ output, each: throwsAt(1) });
      expect(solution.status).toBe("failed");
      expect(solution.reason).toMatch(/^each threw at t = [\d.]+: the disk is full$/);
      expect(solution.cause).toMatchObject({ message: "the disk is full" });
      const times = [...solution.time];
      expect(times).toEqual([...times].sort((a, b) => a - b));
      for (const { time, q } of [...solution.states(), solution.end]) {
        expect(difference(q, [Math.cos(3 * time), Math.sin(3 * time)])).toBeLessThan(1e-4);
      }
      if (output !== "ends") expect(times.filter((t) => t < 1).length).toBeGreaterThan(1);
    },
  );

  test("each that always throws is called once", () => {
    let calls = 0;
    const solution = turning({
      each: () => {
        calls++;
        throw new Error("no");
      },
    });
    expect([solution.status, solution.reason]).toEqual(["failed", "each threw at t = 0: no"]);
    expect([calls, solution.length]).toEqual([1, 1]);
  });

  test("progress that throws ends the run, with everything kept", () => {
    const aborted = AbortSignal.abort("not an error");
    const solution = turning({ progress: () => aborted.throwIfAborted() });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toBe("progress threw at t = 2: not an error");
    expect(solution.cause).toBe("not an error");
    expect(solution.end.time).toBe(2);
  });
});

describe("difficult motions", () => {
  test("a force that jumps in time costs rejections, not accuracy", () => {
    const tolerance = 1e-8;
    const bang = pushed((t) => (t < 1 ? 1 : -1));
    const { status, end, statistics } = solve(bang, { span: [0, 3], q: [0], tolerance });
    expect(status).toBe("finished");
    expect(statistics.rejections).toBeGreaterThan(3);
    // x = 1/2 + s - s^2/2, x' = 1 - s with s = t - 1. An estimate says little of a step with a jump in it.
    expect(Math.abs(end.q[0] - 0.5)).toBeLessThan(200 * tolerance);
    expect(Math.abs(end.v[0] + 1)).toBeLessThan(200 * tolerance);
  });

  test("a motion that goes to infinity ends before it, with the reason", () => {
    // y'' = 6 y^2 from (1, 2): y = 1 / (1 - t)^2.
    const system = equations({
      coordinates: ["y"],
      mass: [1],
      forces: (q, _v, out) => {
        out[0] = 6 * q[0] ** 2;
      },
    });
    const solution = solve(system, { span: [0, 2], q: [1], v: [2], tolerance: 1e-10 });
    expect(["stepUnderflow", "failed"]).toContain(solution.status);
    expect(Math.abs(solution.end.time - 1)).toBeLessThan(1e-5);
    expect(solution.reason).toMatch(/no step longer than .* meets the tolerance.*"y".*singularity/);
    expect(solution.at(0.9).q[0]).toBeCloseTo(100, 5);
  });

  test("a stiff system is solved, and noted", () => {
    // Very strong damping: x falls like exp(-50 t) after a jerk of 1e-6.
    const system = equations({
      coordinates: ["x"],
      mass: [1],
      forces: (q, v, out) => {
        out[0] = -1e7 * q[0] - 2e5 * v[0];
      },
    });
    const options = { span: [0, 0.1], q: [1], tolerance: 1e-4 } as const;
    const slow = 1e5 - Math.sqrt(1e10 - 1e7);
    for (const [more, note] of [
      [{}, /^the motion is stiff: .* on it is solved by stateSpace \+ (sdirk4-15|radau5)$/],
      [{ integrator: dop853() }, /^the system is stiff from about t = .*implicit integrator/],
    ] as const) {
      const { status, end, notes } = solve(system, { ...options, ...more });
      expect(status).toBe("finished");
      expect(Math.abs(end.q[0] - Math.exp(-0.1 * slow))).toBeLessThan(1e-3);
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(note);
    }
  });

  test("a system that is only fast is not called stiff", () => {
    const { status, notes } = solve(oscillator(1000), { span: [0, 0.1], q: [1] });
    expect([status, [...notes]]).toEqual(["finished", []]);
  });
});

describe("finite escape", () => {
  // A pointer that turns with (1 - t)^-p: its phase grows as (1 - t)^(1 - p), with all lengths of steps before t = 1.
  const pointer = (p: number, end: number) =>
    solve(
      ode({
        names: ["x", "y"],
        rate: (t, [x, y]) => {
          const rate = Math.abs(end - t) ** -p;
          return [-rate * y!, rate * x!];
        },
      }),
      { span: [0, 2], y: [1, 0], tolerance: 1e-6, integrator: dop853(), keep: false },
    );

  test("a run ends with the time that no step passes", () => {
    const run = pointer(1.6, 1);
    expect(run.status).toBe("stepUnderflow");
    const limit = Number(/towards t = ([\d.]+),/.exec(run.reason)![1]);
    expect(Math.abs(limit - 1)).toBeLessThan(1e-3);
    expect(run.statistics.steps).toBeLessThan(20_000);
  });

  test("motion that becomes fast but can be followed is no finite escape", () => {
    // The same problem after the end of the span: steps shrink throughout, and the run finishes.
    const run = pointer(1.6, 2.0005);
    expect(run.status, run.reason).toBe("finished");
  });
});
