// Compiled equations are integrated by radau5 in kernels that take whole steps, and many of them: with the bits, the counts
// and the errors of the same steps made call by call, which interpreted equations are.

import { type FormulaOdeDescription, ode } from "nodrift/formulas";
import { radau5, solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";

interface Problem {
  readonly equations: FormulaOdeDescription;
  readonly options: { readonly span: readonly [number, number]; readonly y: readonly number[] };
}

const PROBLEMS: Record<string, Problem> = {
  "Robertson's reaction": {
    equations: {
      unknowns: ["a", "b", "c"],
      rates: { a: "-0.04*a + 1e4*b*c", b: "0.04*a - 1e4*b*c - 3e7*b^2", c: "3e7*b^2" },
    },
    options: { span: [0, 1e4], y: [1, 0, 0] },
  },
  "Van der Pol's oscillator": {
    equations: { unknowns: ["y", "z"], rates: { y: "z", z: "1000*((1 - y^2)*z) - y" } },
    options: { span: [0, 2000], y: [2, 0] },
  },
  "a driven oscillator": {
    equations: { unknowns: ["x", "v"], rates: { x: "v", v: "-1e4*(x - sin(3*t)) - 300*v" } },
    options: { span: [0, 4], y: [0, 0] },
  },
  "an oscillator, backwards": {
    equations: { unknowns: ["x", "v"], rates: { x: "v", v: "-9*x + 0.1*v*(x^2 - 1)" } },
    options: { span: [3, -2], y: [1, 0] },
  },
  "a reaction that runs out of its domain in rejected steps": {
    equations: { unknowns: ["x", "s"], rates: { x: "-900*(sqrt(x) - 0.02)", s: "-s*x" } },
    options: { span: [0, 2], y: [4, 1] },
  },
};

const integrator = radau5();
const cases = Object.entries(PROBLEMS).flatMap(([name, problem]) =>
  [1e-3, 1e-6, 1e-9].map((tolerance) => [name, tolerance, problem] as const),
);

describe("many steps in one call match steps taken one by one", () => {
  test.each(cases)("%s at %d", (_name, tolerance, { equations, options }) => {
    const given = { ...options, tolerance, integrator, output: "ends" } as const;
    const byCalls = solve(ode(equations, { interpret: true }), given);
    const compiled = ode(equations);
    const atOnce = solve(compiled, given);
    const oneByOne = start(compiled, given);
    let steps = 0;
    while (oneByOne.step()) steps++;
    for (const found of [atOnce, oneByOne.solution()]) {
      expect(found.status).toBe(byCalls.status);
      expect(found.reason).toBe(byCalls.reason);
      expect(found.notes).toEqual(byCalls.notes);
      expect({ ...found.statistics, seconds: 0 }).toEqual({ ...byCalls.statistics, seconds: 0 });
      expect(found.end.time).toBe(byCalls.end.time);
      expect([...found.end.q]).toEqual([...byCalls.end.q]);
    }
    expect(byCalls.statistics.steps).toBeGreaterThan(10);
    if (byCalls.status === "finished") expect(steps).toBe(byCalls.statistics.steps - 1);
  });
});

describe("steps in one call match single steps", () => {
  const { equations, options } = PROBLEMS["Van der Pol's oscillator"]!;
  const both = (more: object) =>
    [true, false].map((interpret) =>
      solve(ode(equations, { interpret }), { ...options, tolerance: 1e-6, integrator, ...more }),
    );

  test("for output between steps", () => {
    const [byCalls, atOnce] = both({ output: { times: [0, 3, 800, 807.1, 1999, 2000] } });
    expect(atOnce!.time.length).toBe(6);
    for (const name of ["y", "z"]) expect(atOnce!.column(name)).toEqual(byCalls!.column(name));
  });

  test("for events and output at each step", () => {
    const events = [{ name: "zero", when: (state: { q: Float64Array }) => state.q[0]! }];
    const [byCalls, atOnce] = both({ events, output: "steps" });
    expect(atOnce!.events.map(({ time }) => time)).toEqual(byCalls!.events.map(({ time }) => time));
    expect(atOnce!.events.length).toBeGreaterThan(1);
    expect(atOnce!.time).toEqual(byCalls!.time);
  });

  test.each([1, 2, 99, 100, 101, 150])("after %d steps, and no more", (maximumSteps) => {
    const [byCalls, atOnce] = both({ maximumSteps, output: "ends" });
    expect(atOnce!.status).toBe("maximumSteps");
    expect(atOnce!.statistics.steps).toBe(maximumSteps);
    expect(atOnce!.reason).toBe(byCalls!.reason);
    expect([...atOnce!.end.q]).toEqual([...byCalls!.end.q]);
  });

  test("for limited step sizes", () => {
    const [byCalls, atOnce] = both({ maximumStep: 3, output: "ends" });
    expect(atOnce!.statistics.longestStep).toBeCloseTo(3, 9);
    expect([...atOnce!.end.q]).toEqual([...byCalls!.end.q]);
  });

  test("when a run is stopped", () => {
    let looks = 0;
    const signal = {
      get aborted() {
        looks++;
        return looks > 5;
      },
    };
    const stopped = solve(ode(equations), { ...options, integrator, tolerance: 1e-9, signal });
    expect(stopped.status).toBe("aborted");
  });

  test("for changed parameters in the next run", () => {
    const decay = ode({ unknowns: ["x"], parameters: { k: 1 }, rates: { x: "-k*x" } });
    const end = () => solve(decay, { span: [0, 1], y: [1], tolerance: 1e-9, integrator }).end.q[0]!;
    expect(end()).toBeCloseTo(Math.exp(-1), 7);
    decay.parameters.k = 3;
    expect(end()).toBeCloseTo(Math.exp(-3), 7);
  });
});
