// d(lambda)/dp: against a closed form, and against differences of multipliers of random systems.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations } from "nodrift/formulas";
import { describe, expect, test } from "vitest";
import { randomSystem } from "./support/random-systems.js";

const method = { formulation: udwadiaKalaba(), integrator: rk4() };

describe("derivatives of multipliers by parameters", () => {
  test("match the closed form of the pendulum", () => {
    const system = equations({
      coordinates: ["x", "y"],
      parameters: { m: 2, g: 9.81, l: 1.5, s: 3 },
      lagrangian: "m*(x'^2 + y'^2)/2 - m*g*y",
      holonomic: { length: "s*(x^2 + y^2 - l^2)" },
    });
    const [x, y, vx, vy] = [0.7, -1.2, 0.4, 0.9];
    const state = { time: 0, q: Float64Array.of(x, y), v: Float64Array.of(vx, vy) };
    // lambda = m (g y - v^2) / (2 s r^2).
    const [m, g, s] = [2, 9.81, 3];
    const rest = (g * y - vx * vx - vy * vy) / (2 * (x * x + y * y));
    const wanted = [rest / s, (m * y) / (2 * s * (x * x + y * y)), 0, (-m * rest) / (s * s)];
    const derivatives = system.byParameters();
    for (let again = 0; again < 2; again++) {
      const { multipliers, accelerations, forces } = derivatives.at(state);
      for (const [k, each] of wanted.entries()) expect(multipliers![k]).toBeCloseTo(each, 13);
      // Neither has been disturbed: constant forces are not evaluated again.
      expect([...forces.slice(0, 4)]).toEqual([0, -g, 0, -m]);
      expect(accelerations[2]).toBeCloseTo((-x * -y) / (x * x + y * y), 13);
    }
  });

  test("do not exist for redundant constraints, and have no entries without constraints", () => {
    const state = { time: 0, q: Float64Array.of(0.6, 0.8), v: Float64Array.of(0.8, -0.6) };
    const common = {
      coordinates: ["x", "y"],
      parameters: { g: 9.81 },
      lagrangian: "(x'^2 + y'^2)/2 - g*y",
    };
    const holonomic = { one: "x^2 + y^2 - 1", again: "3*(x^2 + y^2 - 1)" };
    const redundant = equations({ ...common, holonomic })
      .byParameters()
      .at(state);
    expect("multipliers" in redundant).toBe(false);
    expect([...redundant.accelerations].every(Number.isFinite)).toBe(true);
    expect(equations(common).byParameters().at(state).multipliers).toEqual(new Float64Array(0));
  });

  const constrained = Array.from({ length: 60 }, (_, i) => i + 1).filter((seed) => {
    const { holonomic, nonholonomic } = randomSystem(seed).description;
    return Object.keys({ ...holonomic, ...nonholonomic }).length > 0;
  });

  test.each(constrained.slice(0, 12))("match finite differences for random system %i", (seed) => {
    const { description, q, v, time } = randomSystem(seed);
    const system = equations(description);
    const state = { time, q: Float64Array.from(q), v: Float64Array.from(v) };
    const found = system.byParameters(["p", "k"]).at(state);
    const at = (name: string, shift: number) => {
      const changed = system.with({ [name]: system.parameters[name]! + shift });
      const run = simulate(changed, { method, step: 1e-3, q, v, time, start: "asGiven" });
      return { a: [...run.accelerations()], lambda: [...run.multipliers()] };
    };
    for (const [k, name] of ["p", "k"].entries()) {
      for (const [what, matrix] of [
        ["a", found.accelerations],
        ["lambda", found.multipliers!],
      ] as const) {
        const central = (h: number) => {
          const [up, down] = [at(name, h)[what], at(name, -h)[what]];
          return up.map((each, i) => (each - down[i]!) / (2 * h));
        };
        const [near, far] = [central(1e-4), central(2e-4)];
        for (const [i, each] of near.entries()) {
          const wanted = (4 * each - far[i]!) / 3;
          const error = Math.abs(matrix[i + near.length * k]! - wanted);
          expect(error / (1 + Math.abs(wanted))).toBeLessThan(1e-7);
        }
      }
    }
  });
});
