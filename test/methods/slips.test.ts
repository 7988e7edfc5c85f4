import { type EquationsDescription, equations, simulate } from "nodrift";
import { equations as byFormulas } from "nodrift/formulas";
import { ode, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { awkwardRefusals } from "../support/awkward-functions.js";
import { slipOutcomes } from "../support/user-slips.js";

/** A pendulum with all functions given, some of them replaced. */
function pendulum(
  holonomic: Partial<NonNullable<EquationsDescription["holonomic"]>> = {},
  rest: Partial<EquationsDescription> = {},
) {
  return equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -9.81],
    potential: (q) => 9.81 * q[1]!,
    potentialGradient: () => [0, 9.81],
    holonomic: {
      rows: ["length"],
      value: (q) => [q[0]! ** 2 + q[1]! ** 2 - 1],
      jacobian: (q) => [2 * q[0]!, 2 * q[1]!],
      gamma: (_q, v) => [-2 * (v[0]! ** 2 + v[1]! ** 2)],
      ...holonomic,
    },
    ...rest,
  });
}

const start = { q: [0.6, -0.8], v: [0.8, 0.6] };
const run = (system: ReturnType<typeof pendulum>) => solve(system, { span: [0, 1], ...start });
const nothing = (() => {}) as never;

describe("checks of user-given derivatives", () => {
  test.each([
    [
      "holonomic.jacobian",
      pendulum({ jacobian: (q) => [2 * q[0]!, -2 * q[1]!] }),
      /"length" by "y"/,
    ],
    [
      "holonomic.jacobian",
      pendulum({ jacobian: (q) => [2 * q[1]!, 2 * q[0]!] }),
      /"length" by "x"/,
    ],
    ["holonomic.jacobian", pendulum({ jacobian: nothing }), /wrote nothing/],
    [
      "holonomic.gamma",
      pendulum({ gamma: (_q, v) => [2 * (v[0]! ** 2 + v[1]! ** 2)] }),
      /"length"/,
    ],
    ["holonomic.gamma", pendulum({ gamma: nothing }), /wrote nothing/],
    ["holonomic.value", pendulum({ value: nothing }), /wrote nothing/],
    ["forces", pendulum({}, { forces: nothing }), /wrote nothing/],
    [
      "potentialGradient",
      pendulum({}, { potentialGradient: () => [0, -9.81] }),
      /"potential" by "y"/,
    ],
    ["mass", pendulum({}, { mass: { full: () => [2, 1, 0, 2] } }), /not symmetric/],
  ])("refuses a slip in %s by name", (name, system, words) => {
    const reported = (() => {
      try {
        const { status, reason } = run(system);
        return status === "finished" ? "" : reason;
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(reported).toContain(name);
    expect(reported).toMatch(words);
  });

  test("pass correct functions, and check: false disables them", () => {
    const right = run(pendulum());
    expect([right.status, right.notes]).toEqual(["finished", []]);
    expect(right.statistics.maximumDrift.position).toBeLessThan(1e-9);
    const wrong = { jacobian: (q: Float64Array) => [2 * q[0]!, -2 * q[1]!] };
    const step = { ...start, step: 1e-3 };
    expect(() => simulate(pendulum(wrong), step)).toThrow(/holonomic.jacobian/);
    expect(() =>
      simulate(pendulum(wrong, { check: false }), { ...step, start: "asGiven" }),
    ).not.toThrow();
  });

  test("never reject correct functions, however awkward", () => {
    expect(awkwardRefusals(400)).toEqual([]);
  });

  test("note doubtful functions, and power that disagrees with forces", () => {
    const rough = (q: Float64Array) => [2.002 * q[0]!, 2.002 * q[1]!];
    const { status, notes } = run(pendulum({ jacobian: rough }));
    expect(status).toBe("finished");
    expect(notes.join()).toMatch(/holonomic.jacobian is in doubt.*differences give 1.2/);
    const damped = (_q: Float64Array, v: Float64Array) => [-v[0]!, -9.81 - v[1]!];
    expect(run(pendulum({}, { forces: damped })).notes.join()).toMatch(/power is in doubt/);
    const power = (_q: Float64Array, [u, w]: Float64Array) => -u! * u! - w! * w!;
    expect(run(pendulum({}, { forces: damped, power })).notes).toEqual([]);
  });

  test("compare functions whose value is zero, and at inconsistent velocities", () => {
    // J v - r' = 0 along the radius at the initial state, so gamma is zero there.
    const growing = equations({
      name: "growing",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, -9.81],
      holonomic: {
        rows: ["radius"],
        value: (q, _out, t) => [q[0]! ** 2 + q[1]! ** 2 - (1 + Math.sin(t)) ** 2],
        gamma: (_q, v) => [-2 * (v[0]! ** 2 + v[1]! ** 2)],
      },
    });
    const grown = solve(growing, { span: [0, 0.1], q: [0.6, -0.8], maximumSeconds: 5 });
    expect([grown.reason, ...grown.notes].join()).toMatch(/growing: holonomic.gamma/);
    const skate = equations({
      name: "skate",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, 0],
      nonholonomic: {
        rows: ["push"],
        value: (_q, v) => [v[0]! + 2 * v[1]! - 0.2],
        jacobian: () => [1, -2],
      },
    });
    expect(() => solve(skate, { span: [0, 1], q: [0, 0] })).toThrow(
      /skate: nonholonomic.jacobian contradicts.*"push" by "y", where differences give 2/,
    );
  });

  test("need few evaluations for any number of coordinates", () => {
    const n = 60;
    const counted = (check: boolean) => {
      let evaluations = 0;
      const value = (q: Float64Array, out: Float64Array) => {
        evaluations++;
        for (let i = 0; i < n / 2; i++) out[i] = q[2 * i]! ** 2 + q[2 * i + 1]! ** 2 - 1;
      };
      const system = equations({
        coordinates: n,
        mass: Array.from({ length: n }, () => 1),
        check,
        forces: () => Array.from({ length: n }, () => -1),
        holonomic: {
          rows: n / 2,
          value,
          jacobian: (q, out) => {
            for (let i = 0; i < n; i++) out[Math.floor(i / 2) * n + i] = 2 * q[i]!;
          },
          gamma: (_q, v, out) => {
            for (let i = 0; i < n / 2; i++) out[i] = -2 * (v[2 * i]! ** 2 + v[2 * i + 1]! ** 2);
          },
        },
      });
      const q = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0.6 : 0.8));
      simulate(system, { step: 1e-3, q }).advance(20);
      return evaluations;
    };
    expect(counted(true) - counted(false)).toBeLessThan(4 * n);
  });

  test("do not reject a kink at the initial state", () => {
    const bent = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, -9.81],
      holonomic: {
        rows: ["ramp"],
        value: (q) => [q[1]! - Math.max(0, q[0]!)],
        jacobian: (q) => [q[0]! >= 0 ? -1 : 0, 1],
      },
    });
    expect(() => simulate(bent, { step: 1e-3, q: [0, 0] })).not.toThrow();
  });

  test("allow functions to overwrite their arguments", () => {
    const spoilt = (q: Float64Array, v: Float64Array) => {
      q.fill(7);
      v.fill(7);
      return [0, -9.81];
    };
    expect(run(pendulum({}, { forces: spoilt })).end.q).toEqual(run(pendulum()).end.q);
    const decay = (isSpoilt: boolean) =>
      ode({
        names: ["y"],
        rate: (_t, y, out) => {
          out[0] = -y[0]!;
          if (isSpoilt) y.fill(3);
        },
      });
    const end = (isSpoilt: boolean) => solve(decay(isSpoilt), { span: [0, 1], y: [1] }).end.y[0]!;
    expect(end(true)).toBe(end(false));
    expect(end(true)).toBeCloseTo(Math.exp(-1), 5);
  });
});

test("mistakes in all kinds of functions are rejected or noted by name, and do not change a state", async () => {
  const missed: string[] = [];
  for await (const { slip, isNamed, isSame, words } of slipOutcomes(1)) {
    if (isNamed || (slip.expects === "same" && isSame)) continue;
    missed.push(`${slip.kind.name}: ${slip.name}: ${words}`);
  }
  expect(missed).toEqual([]);
});

test("simulate starts at the state of the description, with a default method", () => {
  const falling = byFormulas({
    coordinates: ["y"],
    lagrangian: "y'^2/2 - 9.81*y",
    start: { y: 2, "y'": 1 },
  });
  const simulation = simulate(falling, { step: 1e-2 });
  expect(simulation.method).toContain("rk4");
  expect(simulation.runTo(0.5).q[0]).toBeCloseTo(2 + 0.5 - (9.81 * 0.25) / 2, 12);
  expect(() => simulate(pendulum(), { step: 1e-2 })).toThrow(/q is missing.*x, y/);
});
