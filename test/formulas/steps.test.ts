// Steps of compiled formulas are taken in one call. Interpreted ones are taken call by call: the bits must agree.

import { euler, hong, type Method, projection, rk4, simulate, udwadiaKalaba, welch } from "nodrift";
import { equations, type FormulaDescription, ode } from "nodrift/formulas";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import {
  doublePendulumFormulas,
  sliderCrankFormulas,
  welchSliderCrankFormulas,
} from "../support/paper-formulas.js";

/** Nonholonomic, driven in time, with forces that depend on velocities. */
const skate: FormulaDescription = {
  name: "skate",
  coordinates: ["x", "y", "phi"],
  parameters: { m: 2, inertia: 0.5, g: 3 },
  kinetic: "m/2*(x'^2 + y'^2) + inertia/2*phi'^2",
  potential: "-m*g*x + 0.1*phi^2*sin(0.3*x)",
  forces: { phi: "0.3*sin(2*t) - 0.1*phi'" },
  nonholonomic: { blade: "x'*sin(phi) - y'*cos(phi) - 0.1*sin(t)" },
  start: { "phi'": 1, "x'": 1 },
};

/** The second row repeats the first: the general solver takes over in each stage. */
const redundant: FormulaDescription = {
  name: "redundant",
  coordinates: ["x", "y"],
  parameters: { l: 1 },
  lagrangian: "(x'^2 + y'^2)/2 - 9.81*y",
  holonomic: { length: "x^2 + y^2 - l^2", again: "2*x^2 + 2*y^2 - 2*l^2" },
  start: { x: 1 },
};

/** Its rows become dependent at rest in line: near there single stages are left to the general solver. */
const folded: FormulaDescription = {
  name: "folded",
  coordinates: ["x", "y", "z"],
  lagrangian: "(x'^2 + y'^2 + z'^2)/2 - 9.81*y",
  holonomic: { first: "x^2 + y^2 - 1", second: "(x - 1)^2 + y^2 - z^2" },
  start: { x: 0.6, y: 0.8, z: Math.sqrt(0.8) },
};

const systems = [
  doublePendulumFormulas,
  sliderCrankFormulas,
  welchSliderCrankFormulas,
  skate,
  redundant,
  folded,
];

const methods: Record<string, Method> = {
  "euler's": { formulation: udwadiaKalaba(), integrator: euler() },
  "rk4's": { formulation: udwadiaKalaba(), integrator: rk4() },
  "those of rk4 with projection": {
    formulation: udwadiaKalaba(),
    stabilisation: projection(),
    integrator: rk4(),
  },
  "hong's": { coupled: hong() },
  "welch's, one pass": { coupled: welch({ passes: 1 }) },
  "welch's, two passes": { coupled: welch() },
  "welch's as printed": { coupled: welch({ midpoint: "printed" }) },
};

const both = <Made>(run: (options: { interpret?: boolean }) => Made) =>
  [run({}), run({ interpret: true })] as const;

describe.each(Object.entries(methods))("%s steps", (_, method) => {
  test.each(systems)("for $name have the bits of separate calls", (description) => {
    const [one, other] = both((options) => {
      const system = equations(description, options);
      const { q, v } = system as { q: ArrayLike<number>; v: ArrayLike<number> };
      const run = simulate(system, { method, step: 1e-2, q, v, start: "asGiven" }).advance(40);
      return [...run.q, ...run.v, ...run.multipliers(), ...run.accelerations()];
    });
    expect(one).toEqual(other);
    expect(one.every(Number.isFinite)).toBe(true);
  });
});

describe("solve with compiled steps", () => {
  const named = ["dop853", "bs3", "udwadiaKalaba + projection + dp5"];

  test.each(systems)("yields the same bits, steps and costs for $name", (description) => {
    for (const method of named) {
      const [one, other] = both((options) => {
        const system = equations(description, options);
        const { q, v } = system as { q: ArrayLike<number>; v: ArrayLike<number> };
        const { end, statistics } = solve(system, {
          span: [0, 0.5],
          q,
          v,
          method: parseMethod(method),
        });
        const { seconds: _, ...costs } = statistics;
        return { q: [...end.q], v: [...end.v], costs };
      });
      expect(one).toEqual(other);
    }
  });

  test("yields the same bits for time-dependent differential equations", () => {
    const description = {
      unknowns: ["y", "z"],
      parameters: { mu: 5 },
      rates: { y: "z + 0.1*sin(t)", z: "mu*(1 - y^2)*z - y + cos(3*t)" },
    };
    for (const method of ["dop853", "bs3"]) {
      const [one, other] = both((options) => {
        const { end, statistics } = solve(ode(description, options), {
          span: [0, 5],
          y: [2, 0],
          method: parseMethod(method),
        });
        return { y: [...end.q], evaluations: statistics.evaluations, steps: statistics.steps };
      });
      expect(one).toEqual(other);
    }
  });

  test("stops at NaN rates with their location, compiled or not", () => {
    const falling = { unknowns: ["y"], rates: { y: "-1/sqrt(y)" } };
    const [one, other] = both((options) => solve(ode(falling, options), { span: [0, 5], y: [1] }));
    expect(one.status).toBe(other.status);
    expect(one.reason).toBe(other.reason);
    expect(one.end.time).toBe(other.end.time);
  });
});

describe("runs of the same formulas with other parameters share memory and nothing else", () => {
  const pendulum: FormulaDescription = {
    name: "pendulum of steps",
    coordinates: ["x", "y"],
    parameters: { m: 1, g: 9.81, l: 1 },
    lagrangian: "m*(x'^2 + y'^2)/2 - m*g*y",
    holonomic: { length: "x^2 + y^2 - l^2" },
  };
  const span = [0, 1] as const;
  const endOf = (system: Parameters<typeof solve>[0], l: number) => {
    const { end } = solve(system, { span, q: [l, 0], v: [0, 0], method: parseMethod("dop853") });
    return [
      ...end.q,
      ...end.v,
      ...(end as unknown as { multipliers(): Float64Array }).multipliers(),
    ];
  };

  test("even if parameters change between runs and a solution is read later", () => {
    const wanted = [9.81, 1.62, 3.7].map((g) =>
      endOf(equations({ ...pendulum, parameters: { m: 1, g, l: 2 } }, { interpret: true }), 2),
    );
    const first = equations(pendulum).with({ l: 2 });
    const second = first.with({ g: 1.62 });
    const kept = solve(first, {
      span,
      q: [2, 0],
      v: [0, 0],
      method: parseMethod("dop853"),
      dense: true,
    });
    const before = [...kept.at(0.37).q];
    expect(endOf(second, 2)).toEqual(wanted[1]);
    expect(endOf(first, 2)).toEqual(wanted[0]);
    first.parameters.g = 3.7;
    expect(endOf(first, 2)).toEqual(wanted[2]);
    expect(endOf(second, 2)).toEqual(wanted[1]);
    first.parameters.g = 9.81;
    expect([...kept.at(0.37).q]).toEqual(before);
  });

  test("even after parameters without a mass matrix", () => {
    const system = equations(pendulum).with({ l: 2 });
    const wanted = endOf(system, 2);
    expect(() => endOf(system.with({ m: 0 }), 2)).toThrow();
    system.parameters.m = 0;
    expect(() => endOf(system, 2)).toThrow();
    system.parameters.m = 1;
    expect(endOf(system, 2)).toEqual(wanted);
  });

  test("for differential equations as well", () => {
    const growth = { unknowns: ["y"], parameters: { k: 1 }, rates: { y: "k*y" } };
    const end = (k: number) =>
      solve(ode(growth).with({ k }), {
        span,
        y: [1],
        method: parseMethod("dop853"),
        tolerance: 1e-10,
      }).end.q[0];
    for (const k of [1, 2, 1, -3]) expect(end(k)).toBeCloseTo(Math.exp(k), 8);
  });
});
