// Random Lagrangians, forces and constraints: accelerations, multipliers and rows against arithmetic with 60 digits, and compiled
// formulas against interpreted ones. 700 others were tried once; these are kept.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations } from "nodrift/formulas";
import { describe, expect, test } from "vitest";
import { randomSystem } from "./support/random-systems.js";

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);
/** Tolerance relative to the largest value, since rows and masses of random systems may differ by a factor of 1000. */
const RELATIVE_TOLERANCE = 1e-12;

const method = { formulation: udwadiaKalaba(), integrator: rk4() };

function readings(seed: number, interpret: boolean) {
  const { description, q, v, time } = randomSystem(seed);
  const system = equations(description, { interpret });
  const run = simulate(system, { method, step: 1e-4, q, v, time, start: "asGiven" });
  const here = {
    a: [...run.accelerations()],
    lambda: [...run.multipliers()],
    phi: [...run.phi()],
    phiDot: [...run.phiDot()],
  };
  run.advance(3);
  return { here, later: [...run.q, ...run.v] };
}

describe.each(SEEDS)("random system %i", (seed) => {
  test("moves according to its Lagrangian", () => {
    const wanted = randomSystem(seed).wanted();
    const { here, later } = readings(seed, false);
    expect(readings(seed, true)).toEqual({ here, later });
    if (!wanted) return;
    for (const name of ["a", "lambda", "phi", "phiDot"] as const) {
      const size = Math.max(1, ...wanted[name].map(Math.abs));
      for (const [i, value] of wanted[name].entries()) {
        expect(Math.abs(here[name][i]! - value) / size).toBeLessThan(RELATIVE_TOLERANCE);
      }
    }
  });
});

describe("rates of functions with infinite slopes somewhere", () => {
  test.each(["sqrt(x^2 + y^2)", "hypot(x, y)", "(x^2 + y^2)^0.5"])(
    "can be used in energies: %s",
    (length) => {
      const common = { coordinates: ["x", "y"], parameters: { m: 2, k: 30 } };
      const polar = equations({
        ...common,
        quantities: { length, angle: "atan2(y, x)" },
        kinetic: "m/2*(length'^2 + length^2*angle'^2)",
        potential: "k/2*(length - 1)^2",
      });
      const plain = equations({
        ...common,
        kinetic: "m/2*(x'^2 + y'^2)",
        potential: "k/2*(sqrt(x^2 + y^2) - 1)^2",
      });
      const [one, other] = [polar, plain].map((system) => {
        const run = simulate(system, { method, step: 1e-3, q: [0.8, 0.9], v: [1, -0.4] });
        return [...run.advance(200).q];
      }) as [number[], number[]];
      for (const [i, each] of one.entries()) expect(each).toBeCloseTo(other[i]!, 12);
    },
  );

  test("do not hide energies that are not quadratic", () => {
    const refused = (kinetic: string) => () => equations({ coordinates: ["x"], kinetic });
    expect(refused("sqrt(1 + x'^2)")).toThrow(/not quadratic in x'/);
    expect(refused("if(x' < 0, 1, 2)*x'^2")).toThrow(/not quadratic in x'/);
  });
});
