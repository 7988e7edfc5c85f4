// States, steps, matrices and settings that are wrong are refused in words, and change nothing.

import {
  ab3,
  baumgarte,
  type EquationsDescription,
  equations,
  lagrange,
  type Method,
  NodriftError,
  none,
  projection,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything, method, START } from "../support/skate.js";

describe("a state", () => {
  const system = equations(everything());
  test.each([
    ["q too short", { q: [1, 0] }, "q has 2 numbers; the system has 3 coordinates"],
    ["q missing", { q: undefined }, "q has no numbers; the system has 3 coordinates"],
    ["v too long", { v: [0, 0, 1, 0] }, "v has 4 numbers; the system has 3 coordinates"],
    ["q not finite", { q: [1, Number.NaN, 0] }, 'q of "y" is NaN'],
    ["v not finite", { v: [0, 0, Number.POSITIVE_INFINITY] }, 'v of "turn" is Infinity'],
    ["time", { time: Number.NaN }, "time is NaN"],
    ["start", { start: "nearby" }, 'start is "nearby"; give "assemble" or "asGiven"'],
    ["no step", { step: undefined }, "step is undefined; give a positive number of seconds"],
    ["step zero", { step: 0 }, "step is 0; give a positive number of seconds"],
    ["step negative", { step: -1 }, "step is -1; give a positive number of seconds"],
    ["step NaN", { step: Number.NaN }, "step is NaN; give a positive number of seconds"],
    [
      "step infinite",
      { step: Number.POSITIVE_INFINITY },
      "step is Infinity; give a positive number of seconds",
    ],
  ])("or time that is wrong is refused: %s", (_, change, message) => {
    expect(() => simulate(system, { method, ...START, ...change } as never)).toThrow(
      error("STEP", message),
    );
  });

  test.each<[string, (simulation: Simulation) => unknown, string]>([
    ["setStep", (s) => s.setStep(-2), "step is -2; give a positive number of seconds"],
    ["advance", (s) => s.advance(1.5), "advance takes a whole number of steps, not 1.5"],
    ["advance back", (s) => s.advance(-1), "advance takes a whole number of steps, not -1"],
    ["runTo NaN", (s) => s.runTo(Number.NaN), "runTo: the time is NaN"],
    ["runTo the past", (s) => s.runTo(0.1), "runTo(0.1) lies before the present time 0.25"],
    [
      "setState",
      (s) => s.setState([1], [0, 0, 1]),
      "q has 1 numbers; the system has 3 coordinates",
    ],
    [
      "setState start",
      (s) => s.setState([1, 0, 0], [0, 0, 1], "no" as never),
      'start is "no"; give "assemble" or "asGiven"',
    ],
  ])("survives a bad call: %s", (_, call, message) => {
    const simulation = simulate(system, { method, ...START }).advance(2);
    const before = simulation.save();
    expect(() => call(simulation)).toThrow(error("STEP", message));
    expect(simulation.time).toBe(0.25);
    expect(simulation.save()).toEqual(before);
  });

  test("that cannot be assembled leaves the old one", () => {
    const simulation = simulate(system, { method, ...START }).advance(2);
    const [q, v] = [simulation.q.slice(), simulation.v.slice()];
    // The rod's gradient vanishes at the pivot: there is no way to go from there.
    expect(() => simulation.setState([0, 0, 0], [0, 0, 1])).toThrow(NodriftError);
    expect([simulation.q, simulation.v, simulation.time]).toEqual([q, v, 0.25]);
  });

  test("that overflows in a step is not accepted", () => {
    const fast = equations({
      name: "fast",
      coordinates: ["x"],
      mass: [1],
      forces: (_, __, out) => out.set([1e308]),
    });
    const free = { formulation: udwadiaKalaba(), integrator: rk4() };
    const simulation = simulate(fast, { method: free, step: 10, q: [3] });
    expect(() => simulation.advance()).toThrow(
      expect.objectContaining({
        code: "STEP",
        message: expect.stringContaining("blew up. Try a shorter step"),
      }),
    );
    expect([...simulation.q, ...simulation.v, simulation.time]).toEqual([3, 0, 0]);
  });
});

describe("matrices", () => {
  test.each<[string, Method]>([
    ["cod", method],
    ["svd", { ...method, formulation: udwadiaKalaba({ solve: "svd" }) }],
    ["cholesky", { ...method, formulation: lagrange() }],
    ["kkt", { ...method, formulation: lagrange({ solve: "kkt" }) }],
  ])("an indefinite mass matrix is named (%s)", (_, tried) => {
    const bad = equations({ ...everything(), mass: { full: () => [1, 2, 0, 2, 1, 0, 0, 0, 1] } });
    expect(() => simulate(bad, { method: tried, ...START, start: "asGiven" }).advance()).toThrow(
      error(
        "MASS",
        'skate: the mass matrix is not positive definite at t = 0: no positive pivot for "y"',
      ),
    );
  });

  test("a diagonal mass that falls to zero is named", () => {
    const { holonomic: _, nonholonomic: __, ...free } = everything();
    const mass = {
      diagonal: (_q: Float64Array, out: Float64Array, t: number) => out.set([1, 1, 1 - t]),
    };
    const simulation = simulate(equations({ ...free, mass }), {
      method: { ...method, stabilisation: none() },
      ...START,
    });
    expect(() => simulation.runTo(2)).toThrow(
      error(
        "MASS",
        'skate: the mass matrix is not positive definite at t = 1: no positive pivot for "turn"',
      ),
    );
    expect(simulation.time).toBe(0.875);
  });

  test("constraints that repeat each other stop a method that cannot take them", () => {
    const good = everything();
    const twice = equations({
      ...good,
      holonomic: {
        rows: ["rod", "rod again"],
        value: (q, out) => out.fill(q[0] ** 2 + q[1] ** 2 - 1),
        jacobian: (q, out) => out.set([2 * q[0], 2 * q[1], 0, 2 * q[0], 2 * q[1], 0]),
        gamma: (_, v, out) => out.fill(-2 * (v[0] ** 2 + v[1] ** 2)),
      },
    });
    const tried = { ...method, formulation: lagrange() };
    expect(() => simulate(twice, { method: tried, ...START }).advance()).toThrow(
      error(
        "SINGULAR",
        'skate: the constraints depend on each other at t = 0 ("rod again" repeats others): use a method ' +
          'that takes dependent constraints, for instance udwadiaKalaba({ solve: "cod" })',
      ),
    );
    expect(
      simulate(twice, { method, ...START })
        .advance(3)
        .rank(),
    ).toBe(2);
  });

  test("constraints that contradict each other are named at assembly, with what is left", () => {
    const contradiction = equations({
      name: "torn",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, 0],
      holonomic: {
        rows: ["at zero", "at one", "level"],
        value: (q, out) => out.set([q[0], q[0] - 1, q[1]]),
        jacobian: (_, out) => out.set([1, 0, 1, 0, 0, 1]),
        gamma: (_, __, out) => out.fill(0),
      },
    });
    expect(() => simulate(contradiction, { method, step: 1, q: [0.25, 3] })).toThrow(
      error(
        "ASSEMBLY",
        "the positions given do not satisfy the constraints at t = 0 and no state near them does: residual " +
          '5.00e-1 ("at zero" 5.00e-1, "at one" -5.00e-1). Do the constraints contradict each other? A ' +
          'start that shall be taken as it is: start: "asGiven"',
      ),
    );
  });

  test("so are velocities that no motion can have", () => {
    const contradiction = equations({
      name: "torn",
      coordinates: ["x"],
      mass: [1],
      forces: () => [0],
      nonholonomic: {
        rows: ["slow", "fast"],
        value: (_, v, out) => out.set([v[0] - 1, v[0] - 2]),
        jacobian: (_, __, out) => out.set([1, 1]),
        gamma: (_, __, out) => out.fill(0),
      },
    });
    expect(() => simulate(contradiction, { method, step: 1, q: [0] })).toThrow(
      expect.objectContaining({
        code: "ASSEMBLY",
        message: expect.stringMatching(
          /^the velocities given .* residual 5\.00e-1 \("slow" 5\.00e-1, "fast" -5\.00e-1\)/,
        ),
      }),
    );
  });
});

describe("settings", () => {
  const run = (tried: Method) => () =>
    simulate(equations(everything()), { method: tried, ...START });
  test.each<[string, () => unknown, string]>([
    [
      "alpha",
      () => baumgarte({ alpha: Number.NaN }),
      "baumgarte: alpha is NaN; give a number >= 0",
    ],
    ["beta", () => baumgarte({ beta: -1 }), "baumgarte: beta is -1; give a number >= 0"],
    [
      "eta",
      () => baumgarte({ eta: Number.POSITIVE_INFINITY }),
      "baumgarte: eta is Infinity; give a number >= 0",
    ],
    [
      "iterations",
      () => projection({ iterations: 0.5 }),
      "projection: iterations is 0.5; give an integer >= 1",
    ],
    [
      "tolerance",
      () => projection({ tolerance: Number.NaN }),
      "projection: tolerance is NaN; give a number >= 0",
    ],
    [
      "rank tolerance",
      run({ ...method, formulation: udwadiaKalaba({ tolerance: Number.NaN }) }),
      "rank tolerance is NaN; give a number from 0 to 1",
    ],
    [
      "solver",
      run({ ...method, formulation: udwadiaKalaba({ solve: "qr" as never }) }),
      'no solver is named "qr"; there are: cod, svd, cholesky, kkt',
    ],
    [
      "no method",
      run(undefined as never),
      "method is missing: give { formulation, integrator } or { coupled }",
    ],
  ])("that make no sense are refused: %s", (_, make, message) => {
    expect(make).toThrow(error("METHOD", message));
  });

  test("methods with a memory start anew after a failure", () => {
    let bad = false;
    const { holonomic: _, nonholonomic: __, ...good } = everything();
    const forces: EquationsDescription["forces"] = (q, ___, out) =>
      out.set([0, bad ? Number.NaN : -q[1], 0]);
    const remembering = { formulation: udwadiaKalaba(), integrator: ab3() };
    const start = { method: remembering, ...START, q: [0, 1, 0] };
    const simulation = simulate(equations({ ...good, forces }), start).advance(6);
    bad = true;
    expect(() => simulation.advance()).toThrow("forces gave NaN");
    bad = false;
    const { q, v, time } = simulation;
    const fresh = simulate(equations({ ...good, forces }), { ...start, q, v, time });
    expect(simulation.advance(6).q).toEqual(fresh.advance(6).q);
  });
});
