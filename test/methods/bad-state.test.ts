// Invalid states, steps and settings are rejected with an explanation, and change nothing.

import {
  ab3,
  baumgarte,
  type EquationsDescription,
  equations,
  type Method,
  NodriftError,
  projection,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything, method, START } from "../support/skate.js";

describe("simulate with an invalid state", () => {
  const system = equations(everything());
  test.each([
    ["q too short", { q: [1, 0] }, "q has 2 numbers; the system has 3 coordinates"],
    [
      "q missing",
      { q: undefined },
      "simulate: q is missing: give the positions at the start (x, y, turn)",
    ],
    ["v too long", { v: [0, 0, 1, 0] }, "v has 4 numbers; the system has 3 coordinates"],
    ["q not finite", { q: [1, Number.NaN, 0] }, 'q of "y" is NaN'],
    ["v not finite", { v: [0, 0, Number.POSITIVE_INFINITY] }, 'v of "turn" is Infinity'],
    ["time", { time: Number.NaN }, "simulate: time is NaN; give a finite number"],
    ["start", { start: "nearby" }, 'simulate: start is "nearby"; give "assemble" or "asGiven"'],
    [
      "no step",
      { step: undefined },
      "simulate: step is missing; give a positive number of seconds",
    ],
    ["step zero", { step: 0 }, "simulate: step is 0; give a positive number of seconds"],
    ["step negative", { step: -1 }, "simulate: step is -1; give a positive number of seconds"],
    ["step NaN", { step: Number.NaN }, "simulate: step is NaN; give a positive number of seconds"],
    [
      "step infinite",
      { step: Number.POSITIVE_INFINITY },
      "simulate: step is Infinity; give a positive number of seconds",
    ],
  ])("or time that is wrong is refused: %s", (_, change, message) => {
    expect(() => simulate(system, { method, ...START, ...change } as never)).toThrow(
      error("STEP", message),
    );
  });

  test.each<[string, (simulation: Simulation) => unknown, string]>([
    ["setStep", (s) => s.setStep(-2), "step is -2; give a positive number of seconds"],
    ["advance", (s) => s.advance(1.5), "advance: the number of steps is 1.5; give an integer >= 0"],
    [
      "advance back",
      (s) => s.advance(-1),
      "advance: the number of steps is -1; give an integer >= 0",
    ],
    ["runTo NaN", (s) => s.runTo(Number.NaN), "runTo: the time is NaN; give a finite number"],
    [
      "runTo where steps do not move time",
      (s) => s.runTo(1e30),
      "runTo(1e+30): steps of 0.125 do not move the time there, by rounding: give longer steps",
    ],
    ["runTo the past", (s) => s.runTo(0.1), "runTo(0.1) lies before the present time 0.25"],
    [
      "setState",
      (s) => s.setState([1], [0, 0, 1]),
      "q has 1 numbers; the system has 3 coordinates",
    ],
    [
      "setState start",
      (s) => s.setState([1, 0, 0], [0, 0, 1], "no" as never),
      'setState: start is "no"; give "assemble" or "asGiven"',
    ],
  ])("survives a bad call: %s", (_, call, message) => {
    const simulation = simulate(system, { method, ...START }).advance(2);
    const before = simulation.save();
    expect(() => call(simulation)).toThrow(error("STEP", message));
    expect(simulation.time).toBe(0.25);
    expect(simulation.save()).toEqual(before);
  });

  test("a state that cannot be assembled leaves the old one unchanged", () => {
    const simulation = simulate(system, { method, ...START }).advance(2);
    const [q, v] = [simulation.q.slice(), simulation.v.slice()];
    // The rod's gradient vanishes at the pivot, so assembly has no direction.
    expect(() => simulation.setState([0, 0, 0], [0, 0, 1])).toThrow(NodriftError);
    expect([simulation.q, simulation.v, simulation.time]).toEqual([q, v, 0.25]);
  });

  test("a state that diverged is reported before the functions it breaks", () => {
    const wild = equations({
      name: "wild",
      coordinates: ["x"],
      mass: [1],
      forces: (q, v, out) => out.set([1e200 * q[0] * (v[0] ** 2 / (1 + v[0] ** 2))]),
    });
    const free = { formulation: udwadiaKalaba(), integrator: rk4() };
    const simulation = simulate(wild, { method: free, step: 1, q: [1], v: [1] });
    expect(() => simulation.advance()).toThrow(
      expect.objectContaining({
        code: "STEP",
        message: expect.stringMatching(/^wild: the velocity of "x" is .*: the motion diverged/),
      }),
    );
    expect([...simulation.q, ...simulation.v, simulation.time]).toEqual([1, 1, 0]);
  });

  test("a state that overflows in a step is not accepted", () => {
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
        message: expect.stringContaining("diverged. Try a shorter step"),
      }),
    );
    expect([...simulation.q, ...simulation.v, simulation.time]).toEqual([3, 0, 0]);
  });
});

describe("simulate with invalid settings", () => {
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
      () => udwadiaKalaba({ tolerance: Number.NaN }),
      "udwadiaKalaba: tolerance is NaN; give a number from 0 to 1",
    ],
    [
      "solver",
      () => udwadiaKalaba({ solver: "qr" as never }),
      'udwadiaKalaba: solver is "qr"; give one of "auto", "cod", "svd", "gram-schmidt", "cholesky"',
    ],
    [
      "no method",
      run({} as never),
      "simulate: method.formulation is missing; give a formulation like udwadiaKalaba()",
    ],
  ])("that make no sense are refused: %s", (_, make, message) => {
    expect(make).toThrow(error("METHOD", message));
  });

  test("multistep methods restart after a failure", () => {
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
