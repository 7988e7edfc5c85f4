// Errors of user functions name the function, the index and the time, and keep the last valid state.

import { type EquationsDescription, equations, simulate } from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything, method, projected, START } from "../support/skate.js";
import { bound } from "./support/bound-system.js";

/** Wraps a function, and writes NaN at an index from t = 1 on. */
function spoiled<F extends (...parameters: never[]) => unknown>(user: F, index: number): F {
  return ((...parameters: unknown[]) => {
    const result = user(...(parameters as never[]));
    const t = parameters[parameters.length - 1] as number;
    if (t >= 1) (parameters[parameters.length - 2] as Float64Array)[index] = Number.NaN;
    return result;
  }) as unknown as F;
}

type Spoil = (good: ReturnType<typeof everything>) => EquationsDescription;
const inHolonomic =
  (key: "value" | "jacobian" | "timeDerivative" | "gamma", index: number): Spoil =>
  (good) => ({
    ...good,
    holonomic: { ...good.holonomic, [key]: spoiled(good.holonomic[key] as () => void, index) },
  });
const inNonholonomic =
  (key: "value" | "jacobian" | "gamma", index: number): Spoil =>
  (good) => ({
    ...good,
    nonholonomic: {
      ...(good.nonholonomic as object),
      [key]: spoiled(good.nonholonomic?.[key] as () => void, index),
    } as EquationsDescription["nonholonomic"] & object,
  });

describe("NaN returned by a user function", () => {
  const cases: [string, string, Spoil][] = [
    ["mass", '"x", "turn"', (good) => ({ ...good, mass: { full: spoiled(massOf(good), 2) } })],
    ["forces", '"y"', (good) => ({ ...good, forces: spoiled(good.forces, 1) })],
    ["holonomic.value", '"rod"', inHolonomic("value", 0)],
    ["holonomic.jacobian", '"rod", "y"', inHolonomic("jacobian", 1)],
    ["holonomic.timeDerivative", '"rod"', inHolonomic("timeDerivative", 0)],
    ["holonomic.gamma", '"rod"', inHolonomic("gamma", 0)],
    ["nonholonomic.value", '"spin"', inNonholonomic("value", 0)],
    ["nonholonomic.jacobian", '"spin", "turn"', inNonholonomic("jacobian", 2)],
    ["nonholonomic.gamma", '"spin"', inNonholonomic("gamma", 0)],
  ];

  test.each(cases)(
    "%s is reported with its index and time, and the state is kept",
    (name, place, spoil) => {
      for (const tried of [method, projected]) {
        const simulation = simulate(equations(spoil(everything())), { method: tried, ...START });
        simulation.advance(7);
        const [q, v] = [simulation.q.slice(), simulation.v.slice()];
        expect(simulation.time).toBe(0.875);
        expect(() => simulation.advance()).toThrow(
          error("EVALUATION", `skate: ${name} gave NaN for ${place} at t = 1`),
        );
        expect(simulation.time).toBe(0.875);
        expect(simulation.q).toEqual(q);
        expect(simulation.v).toEqual(v);
      }
    },
  );

  test.each(cases)("%s at the initial state is reported", (name, place, spoil) => {
    const start = { method, ...START, time: 1 };
    const run = () => simulate(equations(spoil(everything())), start).advance();
    expect(run).toThrow(error("EVALUATION", `skate: ${name} gave NaN for ${place} at t = 1`));
  });

  test("a diagonal mass is reported with its coordinate", () => {
    const { nonholonomic: _, ...good } = everything();
    const mass = {
      diagonal: spoiled(
        (__q: Float64Array, out: Float64Array, __t: number) => out.set([1, 1, 1]),
        1,
      ),
    };
    const simulation = simulate(equations({ ...good, mass }), { method, ...START });
    expect(() => simulation.runTo(2)).toThrow('skate: mass gave NaN for "y" at t = 1');
  });

  test.each(["potential", "power"] as const)("%s is reported when it is read", (key) => {
    const bad = equations({ ...everything(), [key]: () => Number.NaN });
    const run = () => {
      const { simulation, system } = bound(bad, { method, ...START });
      if (key === "potential") simulation.energy();
      else system.energy.power();
    };
    expect(run).toThrow(error("EVALUATION", `skate: ${key} gave NaN at t = 0`));
  });

  test("the gradient of the potential is reported at the initial state and when it is read", () => {
    const spoilt = { ...everything(), potentialGradient: () => [0, Number.NaN, 0] };
    expect(() => bound(equations(spoilt), { method, ...START })).toThrow(
      error("EVALUATION", 'skate: potentialGradient gave NaN for "y" at t = 0'),
    );
    const { system } = bound(equations({ ...spoilt, check: false }), { method, ...START });
    expect(() => system.energy.potentialGradient(system.trial.q)).toThrow(
      error("EVALUATION", 'skate: potentialGradient gave NaN for "y" at t = 0'),
    );
  });

  test("the simulation continues from a new state after a failure", () => {
    let bad = true;
    const good = everything();
    const forces: EquationsDescription["forces"] = (_, __, out) =>
      out.set([0, bad ? Number.NaN : -1, 0]);
    const system = equations({ ...good, forces });
    const simulation = simulate(system, { method, ...START });
    expect(() => simulation.advance()).toThrow("forces gave NaN");
    bad = false;
    const other = simulate(system, { method, ...START }).advance(5);
    expect(simulation.advance(5).q).toEqual(other.q);
  });

  test("a failure is not attributed to the values of an earlier one", () => {
    let bad: "forces" | "jacobian" = "forces";
    const good = everything();
    const simulation = simulate(
      equations({
        ...good,
        forces: (_, __, out) => out.set([0, bad === "forces" ? Number.NaN : -1, 0]),
        holonomic: {
          ...good.holonomic,
          jacobian: (q, out) => out.set([2 * q[0], bad === "jacobian" ? Number.NaN : 2 * q[1], 0]),
        },
      }),
      { method, ...START },
    );
    expect(() => simulation.advance()).toThrow("forces gave NaN");
    bad = "jacobian";
    expect(() => simulation.advance()).toThrow('holonomic.jacobian gave NaN for "rod", "y"');
  });

  test("an error thrown by a function is passed on unchanged, and the state is kept", () => {
    const own = new RangeError("mine");
    const good = everything();
    const forces: EquationsDescription["forces"] = (q, v, out, t) => {
      if (t > 1) throw own;
      return good.forces(q, v, out, t);
    };
    const simulation = simulate(equations({ ...good, forces }), { method, ...START });
    expect(() => simulation.runTo(2)).toThrow(own);
    expect(simulation.time).toBe(1);
    expect(simulation.constraintError().position).toBeLessThan(1e-3);
  });
});

function massOf({ mass }: EquationsDescription) {
  return (mass as { full: (q: Float64Array, out: Float64Array, t: number) => void }).full;
}

describe("values returned by user functions", () => {
  const good = everything();
  test.each([
    ["mass", 8, 9, { mass: { full: () => new Array(8).fill(1) } }],
    ["forces", 2, 3, { forces: () => [0, 0] }],
    ["holonomic.value", 2, 1, { holonomic: { ...good.holonomic, value: () => [0, 0] } }],
    ["holonomic.jacobian", 2, 3, { holonomic: { ...good.holonomic, jacobian: () => [[1, 0]] } }],
    [
      "holonomic.timeDerivative",
      0,
      1,
      { holonomic: { ...good.holonomic, timeDerivative: () => [] } },
    ],
    ["holonomic.gamma", 2, 1, { holonomic: { ...good.holonomic, gamma: () => [0, 0] } }],
    ["nonholonomic.value", 2, 1, { nonholonomic: { ...good.nonholonomic, value: () => [0, 0] } }],
    [
      "nonholonomic.jacobian",
      4,
      3,
      { nonholonomic: { ...good.nonholonomic, jacobian: () => [1, 1, 1, 1] } },
    ],
    [
      "nonholonomic.gamma",
      3,
      1,
      { nonholonomic: { ...good.nonholonomic, gamma: () => [0, 0, 0] } },
    ],
  ])("%s must have the right length", (name, returned, expected, change) => {
    const bad = equations({ ...good, ...change } as EquationsDescription);
    expect(() => simulate(bad, { method, ...START }).advance()).toThrow(
      error(
        "EVALUATION",
        `skate: ${name} returned ${returned} numbers at t = 0; return ${expected} numbers, or write them to \`out\` and return nothing`,
      ),
    );
  });

  test.each([
    ["5", () => 5],
    ["null", () => null],
  ])("that are no array (%s) are refused", (what, forces) => {
    const bad = equations({ ...good, forces: forces as never });
    expect(() => simulate(bad, { method, ...START }).advance()).toThrow(
      `skate: forces returned ${what} at t = 0; return 3 numbers, or write them to \`out\` and return nothing`,
    );
  });
});
