import {
  driftElimination,
  type EquationsDescription,
  equations,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { controlForces, type TrackingReference, withTracking } from "nodrift/analysis";
import { braunBiped1 } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { arm, elbow, G, inverseDynamics, shoulder } from "../support/arm.js";
import { functionsOf } from "../support/description.js";
import { solve } from "../support/elimination.js";

const method = {
  formulation: udwadiaKalaba(),
  stabilisation: driftElimination(),
  integrator: rk4(),
};

describe("an arm driven along two references", () => {
  const driven = equations(withTracking(arm, [shoulder, elbow]));
  const start = { method, step: 1e-3, q: [0, 0], v: [1, 0] };

  test("follows the references, with inverse dynamics as control", () => {
    const simulation = simulate(driven, start);
    for (const t of [0.5, 1.3, 3]) {
      simulation.runTo(t);
      expect(Math.abs(simulation.q[0] - Math.sin(t))).toBeLessThan(1e-12);
      expect(Math.abs(simulation.q[1] - 0.5 * t * t)).toBeLessThan(1e-12);
      const [first, second] = inverseDynamics(t);
      const force = controlForces(simulation, ["shoulder", "elbow"]);
      expect(Math.abs(force[0] - first)).toBeLessThan(1e-10);
      expect(Math.abs(force[1] - second)).toBeLessThan(1e-10);
    }
  });

  test("splits the control by rows", () => {
    const simulation = simulate(driven, start).runTo(0.7);
    const [first, second] = inverseDynamics(0.7);
    const [alone, other] = controlForces(simulation, ["shoulder"]);
    expect(Math.abs(alone - first)).toBeLessThan(1e-10);
    expect(other).toBe(0);
    expect(controlForces(simulation, ["elbow"])[0]).toBe(0);
    expect(Math.abs(controlForces(simulation, ["elbow"])[1] - second)).toBeLessThan(1e-10);
    expect(controlForces(simulation, [])).toEqual(new Float64Array(2));
    expect(controlForces(simulation, ["elbow", "shoulder"])).toEqual(simulation.constraintForces());
  });

  test("needs no derivatives, but notes that they are missing", () => {
    const { rate: _, acceleration: __, ...bare } = shoulder;
    const lazy = equations(withTracking(arm, [bare, elbow]));
    expect(lazy.differentiated).toEqual(["holonomic.timeDerivative", "holonomic.gamma"]);
    expect(driven.differentiated).toEqual([]);
    const simulation = simulate(lazy, start).runTo(1.3);
    expect(Math.abs(simulation.q[0] - Math.sin(1.3))).toBeLessThan(1e-9);
    expect(
      Math.abs(controlForces(simulation, ["shoulder"])[0] - inverseDynamics(1.3)[0]),
    ).toBeLessThan(1e-6);
  });
});

describe("a pendulum on a circle driven by a function of its positions", () => {
  /** x of a pendulum in Cartesian coordinates with its length as a constraint. */
  const circle: EquationsDescription = {
    name: "circle",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -G],
    holonomic: {
      rows: ["length"],
      value: (q) => [q[0] ** 2 + q[1] ** 2 - 1],
      jacobian: (q) => [[2 * q[0], 2 * q[1]]],
      gamma: (_, v) => [-2 * (v[0] ** 2 + v[1] ** 2)],
    },
  };
  /** atan2(y, x) = -pi/2 + sin(t) / 2. */
  const angle: TrackingReference = {
    name: "angle",
    follows: {
      value: (q) => Math.atan2(q[1], q[0]),
      gradient: (q, out) => {
        const squared = q[0] ** 2 + q[1] ** 2;
        out[0] = -q[1] / squared;
        out[1] = q[0] / squared;
      },
      curvature: (q, v) => {
        const squared = q[0] ** 2 + q[1] ** 2;
        const turn = q[0] * v[1] - q[1] * v[0];
        return (-2 * turn * (q[0] * v[0] + q[1] * v[1])) / squared ** 2;
      },
    },
    reference: (t) => -Math.PI / 2 + 0.5 * Math.sin(t),
    rate: (t) => 0.5 * Math.cos(t),
    acceleration: (t) => -0.5 * Math.sin(t),
  };

  test("keeps its own constraint first, and the torque is that of the driven pendulum", () => {
    const driven = equations(withTracking(circle, [angle]));
    expect(driven.holonomicNames).toEqual(["length", "angle"]);
    expect(driven.differentiated).toEqual([]);
    const start = { method, step: 1e-3, q: [0, -1], v: [0.5, 0] };
    const simulation = simulate(driven, start).runTo(2);
    const [x, y] = simulation.q;
    const theta = -Math.PI / 2 + 0.5 * Math.sin(2);
    expect(Math.abs(Math.atan2(y, x) - theta)).toBeLessThan(1e-12);
    const [fx, fy] = controlForces(simulation, ["angle"]);
    const torque = -0.5 * Math.sin(2) + G * Math.cos(theta);
    expect(Math.abs(x * fy - y * fx - torque)).toBeLessThan(1e-10);
    // The control acts along the circle; the length has its own force.
    expect(Math.abs(x * fx + y * fy)).toBeLessThan(1e-10);
  });

  test("works without gradient and curvature", () => {
    const follows = { value: (q: Float64Array) => Math.atan2(q[1], q[0]) };
    const lazy = equations(withTracking(circle, [{ ...angle, follows }]));
    expect(lazy.differentiated).toEqual(["holonomic.jacobian", "holonomic.gamma"]);
    const simulation = simulate(lazy, { method, step: 1e-3, q: [0, -1], v: [0.5, 0] }).runTo(1);
    const theta = -Math.PI / 2 + 0.5 * Math.sin(1);
    expect(Math.abs(Math.atan2(simulation.q[1], simulation.q[0]) - theta)).toBeLessThan(1e-8);
  });
});

test("controlForces of the biped match a calculation by hand", () => {
  const { q, v } = braunBiped1;
  const simulation = simulate(braunBiped1.equations, { method, step: 1e-2, q, v }).runTo(0.8);
  const f = functionsOf(braunBiped1);
  const [position, velocity] = [Float64Array.from(simulation.q), Float64Array.from(simulation.v)];
  // Nine independent constraints on nine coordinates: J a = gamma, then J^T lambda = M a - Q.
  const j = Array.from({ length: 9 }, (_, i) =>
    Array.from(f.jacobian(position, 0.8).slice(9 * i, 9 * i + 9)),
  );
  const a = solve(j, Array.from(f.gamma(position, velocity, 0.8)));
  const forces = f.forces(position, velocity);
  const total = Array.from(f.massTimes(position, Float64Array.from(a)), (x, i) => x - forces[i]);
  const lambda = solve(
    j.map((_, i) => j.map((row) => row[i])),
    total,
  );
  const drives = ["torso", "forward knee", "backward knee"];
  const expected = Array.from({ length: 9 }, (_, k) =>
    drives.reduce((sum, name) => {
      const row = braunBiped1.equations.holonomicNames.indexOf(name);
      return sum + j[row][k] * lambda[row];
    }, 0),
  );
  const control = controlForces(simulation, drives);
  const size = Math.max(...expected.map(Math.abs));
  expect(size).toBeGreaterThan(10);
  for (const [k, value] of expected.entries()) {
    expect(Math.abs(control[k] - value) / size).toBeLessThan(1e-10);
  }
  // A knee's torque acts on thigh and shank with opposite signs, and on nothing else.
  const knee = controlForces(simulation, ["forward knee"]);
  expect(knee[3]).toBe(-knee[4]);
  expect(Array.from(knee).filter((x) => x !== 0).length).toBe(2);
});
