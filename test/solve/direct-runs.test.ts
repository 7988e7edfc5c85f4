// Runs of methods that solve for multipliers: saved and restored, backwards, with events, at fixed and variable steps,
// and what is refused.

import { equations, type Method, NodriftError, projection, rk4, simulate } from "nodrift";
import { compile } from "nodrift/bodies";
import { heavyTop } from "nodrift/mechanisms";
import {
  adaptiveIntegrators,
  directFormulations,
  directMethods,
  gearGuptaLeimkuhler,
  generalisedAlpha,
  hilberHughesTaylor,
  index2,
  parseMethod,
  radau5,
  sdirk4,
  solve,
  start,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { freeFall, pendulum, referencePosition, START } from "../methods/support/pendulum.js";
import { difference } from "./support/systems.js";

const IMPLICIT = Object.values(adaptiveIntegrators)
  .map((make) => make())
  .filter(({ highestIndex = 0 }) => highestIndex > 0);
const pairs: { name: string; method: Method }[] = directFormulations.flatMap((formulation) =>
  IMPLICIT.filter(({ highestIndex = 0 }) => highestIndex >= (formulation.index ?? 0)).map(
    (integrator) => ({
      name: `${formulation.name} + ${integrator.name}`,
      method: { formulation, integrator },
    }),
  ),
);
const alphas: { name: string; method: Method }[] = directMethods.map((coupled) => ({
  name: coupled.name,
  method: { coupled },
}));
const variable = [...pairs, ...alphas.filter(({ name }) => !name.includes("index3"))];
const REFERENCE = referencePosition(0.5);

test("every formulation has an integrator", () => {
  expect(pairs.map(({ name }) => name)).toEqual([
    "index3 + radau5",
    "index3 + bdf",
    "index2 + sdirk4-15",
    "index2 + radau5",
    "index2 + bdf",
    "gearGuptaLeimkuhler + sdirk4-15",
    "gearGuptaLeimkuhler + radau5",
    "gearGuptaLeimkuhler + bdf",
    "fuhrerLeimkuhler + sdirk4-15",
    "fuhrerLeimkuhler + radau5",
    "fuhrerLeimkuhler + bdf",
    "fuhrerLeimkuhler(overdetermined) + sdirk4-15",
    "fuhrerLeimkuhler(overdetermined) + radau5",
    "fuhrerLeimkuhler(overdetermined) + bdf",
  ]);
});

describe.each([...pairs, ...alphas])("$name with fixed steps", ({ method }) => {
  const begin = (system = pendulum()) => simulate(system, { method, step: 0.005, ...START });
  const stateOf = ({ q, v }: { q: Float64Array; v: Float64Array }) => [...q, ...v];

  test("returns the same bits twice, and continues a saved run bitwise identically", () => {
    const [once, twice, again] = [begin(), begin(), begin()];
    once.advance(20);
    const saved = once.save();
    once.advance(20);
    twice.advance(40);
    expect(stateOf(twice)).toEqual(stateOf(once));
    again.restore(saved);
    again.advance(20);
    expect(stateOf(again)).toEqual(stateOf(once));
    expect(again.stepMultipliers()).toEqual(once.stepMultipliers());
    expect(Math.abs(Math.hypot(...once.q) - 1)).toBeLessThan(1e-6);
  });

  test("needs no constraints, and has no multipliers before a step", () => {
    const simulation = begin(freeFall());
    simulation.runTo(0.5);
    expect(simulation.q[0]).toBeCloseTo(START.q[0] + 0.5 * START.v[0], 6);
    expect(simulation.v[1]).toBeCloseTo(START.v[1] - 9.81 * 0.5, 6);
    expect(() => begin().stepMultipliers()).toThrow(/take a step first/);
  });

  test("the state is restored after a failed step", () => {
    const simulation = simulate(breaking(), { method, step: 0.01, ...START });
    simulation.advance(3);
    const before = stateOf(simulation);
    expect(() => simulation.advance(40)).toThrow();
    expect(simulation.time).toBeGreaterThan(0.03);
    expect(stateOf(simulation)).not.toEqual(before);
    expect(simulation.constraintError().position).toBeLessThan(1e-6);
  });
});

/** A pendulum whose force is not defined after a while. */
function breaking() {
  return equations({
    name: "breaking",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out, t) => {
      out[0] = 0;
      out[1] = t > 0.2 ? Number.NaN : -9.81;
    },
    holonomic: {
      rows: 1,
      value: (q, out) => {
        out[0] = q[0] ** 2 + q[1] ** 2 - 1;
      },
      jacobian: (q, out) => out.set([2 * q[0], 2 * q[1]]),
      gamma: (_q, v, out) => {
        out[0] = -2 * (v[0] ** 2 + v[1] ** 2);
      },
    },
  });
}

describe.each(variable)("$name under error control", ({ name, method }) => {
  const options = { ...START, span: [0, 0.5] as [number, number], method };

  test("errors are at most those of the steps", () => {
    for (const tolerance of [1e-4, 1e-6]) {
      const { end, status, statistics } = solve(pendulum(), { ...options, tolerance });
      expect(status).toBe("finished");
      const error = difference(end.q, REFERENCE);
      expect(error).toBeLessThan(Math.max(20, statistics.steps) * tolerance);
      expect(statistics.implicit?.jacobians).toBeGreaterThan(0);
      expect(statistics.implicit?.factorisations).toBeGreaterThan(0);
      expect(statistics.implicit?.jacobianSource).toMatch(
        /by differences: equations are functions/,
      );
    }
  });

  test("finds events, and dense output is near the motion", () => {
    const when = (state: { q: Float64Array }) => state.q[0] - 0.95;
    const solution = solve(pendulum(), {
      ...options,
      tolerance: 1e-6,
      events: [{ name: "there", when, terminal: true }],
    });
    expect(solution.status).toBe("event");
    expect(Math.abs(solution.end.q[0] - 0.95)).toBeLessThan(1e-5);
    const middle = solution.end.time / 2;
    const [x, y] = referencePosition(middle);
    const most = name.includes("radau") ? 1e-5 : 2e-3;
    expect(difference(solution.at(middle).q, [x, y])).toBeLessThan(most);
  });

  test("integrating backwards returns to the start", () => {
    const there = solve(pendulum(), { ...options, tolerance: 1e-6, output: "ends" }).end;
    const back = solve(pendulum(), {
      ...options,
      tolerance: 1e-6,
      span: [0.5, 0],
      q: there.q,
      v: there.v,
      output: "ends",
    });
    expect(back.status, back.reason).toBe("finished");
    expect(difference(back.end.q, START.q)).toBeLessThan(2e-3);
  });

  test("continues a saved run bitwise identically", () => {
    const run = start(pendulum(), { ...options, tolerance: 1e-5 });
    for (let i = 0; i < 5; i++) run.step();
    const saved = structuredClone(run.save());
    const other = start(pendulum(), { ...options, tolerance: 1e-5 });
    other.restore(saved);
    const [one, two] = [run.finish(), other.finish()];
    expect([...two.end.q, ...two.end.v]).toEqual([...one.end.q, ...one.end.v]);
    expect(two.statistics.implicit).toEqual(one.statistics.implicit);
  });
});

describe.each(pairs.filter(({ name }) => name.includes("radau5")))("$name", ({ method }) => {
  test("positions are within ten tolerances, from 1e-3 to 1e-10", () => {
    const options = { ...START, span: [0, 5] as [number, number], output: "ends" } as const;
    const known = solve(pendulum(), { ...options, tolerance: 1e-13 }).end.q;
    for (const tolerance of [1e-3, 1e-5, 1e-7, 1e-9, 1e-10]) {
      const { end, status } = solve(pendulum(), { ...options, tolerance, method });
      expect(status).toBe("finished");
      expect(difference(end.q, known)).toBeLessThan(10 * tolerance);
    }
  });

  test("a failed step is retried with the matrix of the shorter one", async () => {
    const top = await compile(heavyTop(), { coordinates: "maximal" });
    const options = { span: [0, 0.2] as [number, number], output: "ends" } as const;
    const known = solve(top, { ...options, tolerance: 1e-12 }).end.q;
    const { end, status, reason } = solve(top, { ...options, tolerance: 1e-2, method });
    expect(status, reason).toBe("finished");
    expect(difference(end.q, known)).toBeLessThan(1e-1);
  });

  test("fixed steps iterate as long as they converge", () => {
    for (const tolerance of [1e-4, 1e-10, 1e-12]) {
      const options = { q: [-1, 0], v: [0, 0], span: [0, 1] as [number, number], tolerance };
      const { status, reason } = solve(pendulum(), { ...options, step: 0.05, method });
      expect(status, reason).toBe("finished");
    }
  });
});

describe("direct methods", () => {
  const options = { ...START, span: [0, 1] as [number, number] };

  test("rejects explicit integrators", () => {
    for (const formulation of directFormulations) {
      const method = { formulation, integrator: rk4() };
      expect(() => simulate(pendulum(), { method, step: 0.01, ...START })).toThrow(
        /multipliers among its unknowns, .* rk4 they would not be solved for; use radau5\(\)/,
      );
    }
  });

  test("rejects index 3 of alpha methods at variable steps", () => {
    const method = { coupled: generalisedAlpha({ form: "index3" }) };
    expect(() => solve(pendulum(), { ...options, method })).toThrow(
      /generalisedAlpha\(0.8, index3\) is accurate only with a fixed step/,
    );
    expect(solve(pendulum(), { ...options, method, step: 0.01 }).status).toBe("finished");
  });

  test("rejects redundant rows of equations by name", () => {
    for (const { method } of variable) {
      const run = () => solve(pendulum(2), { ...options, method });
      let reason = "";
      try {
        reason = run().reason;
      } catch (error) {
        expect(error).toBeInstanceOf(NodriftError);
        reason = (error as Error).message;
      }
      expect(reason).toMatch(/dependent .*redundant there: ".*udwadiaKalaba\(\)/);
    }
  });

  test("rejects invalid options", () => {
    expect(() => generalisedAlpha({ rhoInfinity: 1 })).toThrow(/from 0 to less than 1/);
    expect(() => generalisedAlpha({ rhoInfinity: -0.1 })).toThrow(/from 0 to less than 1/);
    expect(() => hilberHughesTaylor({ alpha: 0 })).toThrow(/from -1\/3 to less than 0/);
    expect(() => generalisedAlpha({ form: "index1" as "index3" })).toThrow(/stabilised/);
  });
});

test("a fixed step whose iterations do not converge is an error with a code and a time", () => {
  const method = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
  const simulation = simulate(pendulum(), { method, step: 1, ...START });
  const failure = expect.objectContaining({ name: "SimulationError", code: "STEP", time: 0 });
  expect(() => simulation.advance()).toThrow(failure);
});

test("names create the same methods, in brackets too", () => {
  const options = { ...START, span: [0, 0.01] as [number, number] };
  for (const text of ["gearGuptaLeimkuhler + radau5", "index2 + projection + sdirk4-15"]) {
    expect(solve(pendulum(), { ...options, method: parseMethod(text) }).method).toBe(text);
  }
  expect(solve(pendulum(), { ...options, method: parseMethod("generalisedAlpha(0)") }).method).toBe(
    "generalisedAlpha(0)",
  );
  const method = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
  expect(solve(pendulum(), { ...options, method }).method).toBe("gearGuptaLeimkuhler + radau5");
});

test("projection keeps the constraints to rounding", () => {
  const method = {
    formulation: index2(),
    stabilisation: projection(),
    integrator: radau5(),
  };
  const { statistics } = solve(pendulum(), { ...START, span: [0, 2], tolerance: 1e-5, method });
  expect(statistics.maximumDrift.position).toBeLessThan(1e-12);
  const plain = solve(pendulum(), {
    ...START,
    span: [0, 2],
    tolerance: 1e-5,
    method: { formulation: index2(), integrator: sdirk4() },
  });
  expect(plain.statistics.maximumDrift.position).toBeGreaterThan(1e-9);
  const stabilised = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
  const simulation = simulate(pendulum(), { method: stabilised, step: 0.01, ...START });
  simulation.advance(200);
  expect(simulation.constraintError().position).toBeLessThan(1e-13);
  expect(simulation.constraintError().velocity).toBeLessThan(1e-12);
});
