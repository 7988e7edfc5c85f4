// Missing derivatives are found by finite differences, and the equations report it.

import {
  driftElimination,
  type EquationsDescription,
  equations,
  rk4,
  type System,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { braunBiped2, braunPendulum } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { everything } from "../support/skate.js";
import { bound } from "./support/bound-system.js";

const method = {
  formulation: udwadiaKalaba(),
  stabilisation: driftElimination(),
  integrator: rk4(),
};

/** Removes some functions of a group. */
function without(
  description: EquationsDescription,
  group: "holonomic" | "nonholonomic",
  keys: readonly string[],
): EquationsDescription {
  const kept = Object.entries(description[group] ?? {}).filter(([key]) => !keys.includes(key));
  return { ...description, [group]: Object.fromEntries(kept) };
}

/** A bead on a parabola of varying height, y = x^2 + sin(3 t) / 4, and an accelerating wheel. */
const bead: EquationsDescription = {
  name: "bead",
  coordinates: ["x", "y", "spin"],
  mass: [1, 1, 2],
  forces: (_, __, out) => out.set([0, -9.81, 0]),
  holonomic: {
    rows: ["parabola"],
    value: (q, out, t) => out.set([q[1] - q[0] ** 2 - Math.sin(3 * t) / 4]),
    jacobian: (q, out) => out.set([-2 * q[0], 1, 0]),
    timeDerivative: (_, out, t) => out.set([(-3 * Math.cos(3 * t)) / 4]),
    gamma: (_, v, out, t) => out.set([2 * v[0] ** 2 - (9 * Math.sin(3 * t)) / 4]),
  },
  nonholonomic: {
    rows: ["drive"],
    value: (q, v, out, t) => out.set([v[2] - Math.cos(q[0]) * v[0] - t * t]),
    jacobian: (q, _, out) => out.set([-Math.cos(q[0]), 0, 1]),
    gamma: (q, v, out, t) => out.set([-Math.sin(q[0]) * v[0] ** 2 + 2 * t]),
  },
  potential: (q) => 9.81 * q[1] + Math.sin(q[0]),
  potentialGradient: (q, out) => out.set([Math.cos(q[0]), 9.81, 0]),
};

const BEAD = { method, step: 1e-3, q: [1, 1, 0], v: [0, 0.75, 0] };

describe("a bead on a moving parabola", () => {
  const expected = simulate(equations(bead), BEAD).runTo(2);

  test("analytic derivatives are complete", () => {
    expect(equations(bead).differentiated).toEqual([]);
    const { position, velocity } = expected.constraintError();
    expect(position).toBeLessThan(1e-12);
    expect(velocity).toBeLessThan(1e-10);
  });

  test.each<[string, "holonomic" | "nonholonomic", string[], number]>([
    ["the Jacobian", "holonomic", ["jacobian"], 1e-9],
    ["the time derivative", "holonomic", ["timeDerivative"], 1e-9],
    ["gamma", "holonomic", ["gamma"], 1e-9],
    ["time derivative and gamma", "holonomic", ["timeDerivative", "gamma"], 1e-8],
    ["Jacobian and gamma", "holonomic", ["jacobian", "gamma"], 1e-8],
    ["all but the value", "holonomic", ["jacobian", "timeDerivative", "gamma"], 1e-8],
    ["the Jacobian of the drive", "nonholonomic", ["jacobian"], 1e-9],
    ["gamma of the drive", "nonholonomic", ["gamma"], 1e-9],
    ["all but the value of the drive", "nonholonomic", ["jacobian", "gamma"], 1e-9],
  ])("moves the same without %s", (_, group, keys, tolerance) => {
    const system = equations(without(bead, group, keys));
    expect(system.differentiated).toEqual(keys.map((key) => `${group}.${key}`));
    const simulation = simulate(system, BEAD).runTo(2);
    const { position, velocity } = simulation.constraintError();
    expect(position).toBeLessThan(1e-10);
    expect(velocity).toBeLessThan(1e-9);
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(simulation.q[i] - expected.q[i])).toBeLessThan(tolerance);
      expect(Math.abs(simulation.v[i] - expected.v[i])).toBeLessThan(tolerance);
    }
  });

  test("the gradient of its potential is found by finite differences", () => {
    const { potentialGradient: _, ...lazy } = bead;
    expect(equations(lazy).differentiated).toEqual(["potentialGradient"]);
    const gradients = [lazy, bead].map((description) => {
      const { system } = bound(equations(description), BEAD);
      const { views } = system as System & { views: { forces: Float64Array } };
      system.energy.potentialGradient(system.dynamics.forces());
      return Array.from(views.forces);
    });
    for (const [i, value] of gradients[0].entries()) {
      expect(Math.abs(value - gradients[1][i])).toBeLessThan(1e-11);
    }
    expect(gradients[1]).toEqual([Math.cos(1), 9.81, 0]);
  });
});

test("a pendulum needs only its length", () => {
  const system = equations(
    without(braunPendulum.equations.description, "holonomic", ["jacobian", "gamma"]),
  );
  expect(system.differentiated).toEqual(["holonomic.jacobian", "holonomic.gamma"]);
  const start = { method, step: 1e-3, q: [1, 0] };
  const simulation = simulate(system, start).runTo(10);
  const expected = simulate(braunPendulum.equations, start).runTo(10);
  expect(Math.abs(simulation.q[0] - expected.q[0])).toBeLessThan(1e-8);
  expect(simulation.constraintError().position).toBeLessThan(1e-12);
});

test.each([1e-150, 1e-299, 1e-305, 1e-310, 5e-324])(
  "a pendulum with a residual speed of %d m/s stays at rest",
  (speed) => {
    const hanging = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_, __, out) => out.set([0, -9.81]),
      holonomic: {
        rows: ["length"],
        value: ([x, y], out) => {
          out[0] = x * x + y * y - 1;
        },
      },
    });
    const still = simulate(hanging, { method, step: 1e-3, q: [0, -1], v: [speed, 0] });
    expect([...still.advance().q].map(Math.abs)).toEqual([expect.closeTo(0, 12), 1]);
  },
);

test("functions without t are not differentiated with respect to t", () => {
  const lazy = without(everything(), "holonomic", ["timeDerivative"]);
  expect(equations(lazy).differentiated).toEqual(["holonomic.timeDerivative"]);
  const value: EquationsDescription["holonomic"] = {
    ...everything().holonomic,
    value: (q, out) => out.set([q[0] ** 2 + q[1] ** 2 - 1]),
  };
  const timeless = without({ ...everything(), holonomic: value }, "holonomic", ["timeDerivative"]);
  expect(equations(timeless).differentiated).toEqual([]);
});

test("memoised sines and cosines follow the displaced states of finite differences", () => {
  const { equations: given, q, v } = braunBiped2;
  const keys = ["jacobian", "timeDerivative", "gamma"];
  const lazy = equations(without(given.description, "holonomic", keys));
  const simulation = simulate(lazy, { method, step: 1e-2, q, v }).runTo(1);
  const expected = simulate(given, { method, step: 1e-2, q, v }).runTo(1);
  for (let i = 0; i < 9; i++) {
    expect(Math.abs(simulation.q[i] - expected.q[i])).toBeLessThan(1e-9);
    expect(Math.abs(simulation.v[i] - expected.v[i])).toBeLessThan(1e-8);
  }
});
