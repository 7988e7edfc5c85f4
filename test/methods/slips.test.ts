import { type EquationsDescription, equations, simulate } from "nodrift";
import { equations as byFormulas } from "nodrift/formulas";
import { ode, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

/** A pendulum with everything given, and some of it replaced. */
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

describe("functions of a description", () => {
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
    ["holonomic.jacobian", pendulum({ jacobian: nothing }), /"length" by "x"/],
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
    const told = (() => {
      try {
        const { status, reason } = run(system);
        return status === "finished" ? "" : reason;
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(told).toContain(name);
    expect(told).toMatch(words);
  });

  test("pass where they are right, and check: false leaves the comparison out", () => {
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

  test("are not refused for a kink at the start", () => {
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

  test("may overwrite what they are given", () => {
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

test("simulate begins at the start of the description, by a method of its own", () => {
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
