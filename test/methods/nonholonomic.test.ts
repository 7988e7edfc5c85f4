import {
  ab3,
  baumgarte,
  driftElimination,
  type EquationsDescription,
  energyVelocity,
  equations,
  lagrange,
  projection,
  rk4,
  type Simulation,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import {
  chaplyginSleigh,
  chaplyginSleighMotion,
  knifeEdge,
  knifeEdgeMotion,
  type Mechanism,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { sleighMaxima } from "#experiments";

function run(
  { equations: system, q, v }: Mechanism,
  until: number,
  stabilisation: readonly Stabilisation[] = [],
  step = 0.01,
): Simulation {
  const method = { formulation: lagrange(), stabilisation, integrator: rk4() };
  return simulate(system, { method, step, q, v }).runTo(until);
}

function forwardOf({ q, v }: Simulation): number {
  return v[0] * Math.cos(q[2]) + v[1] * Math.sin(q[2]);
}

describe("Chaplygin's sleigh", () => {
  test.each([
    ["no control", "pi", 6.46e-6, []],
    ["eta = 10", "pi", 8.08e-7, [baumgarte({ eta: 10 })]],
    ["eta = 10", "psi", 9.86e-6, [baumgarte({ eta: 10 })]],
    ["eta = 10, rho = 5", "psi", 7.76e-7, [baumgarte({ eta: 10 }), energyVelocity({ gain: 5 })]],
  ] as const)("%s: largest %s", (_, quantity, expected, list) => {
    expect(Math.abs(sleighMaxima(list)[quantity] - expected)).toBeLessThan(0.02 * expected);
  });

  test.each([0.5, 2, 5])("follows its closed form at t = %d", (t) => {
    const simulation = run(chaplyginSleigh, t);
    const { forward, turning } = chaplyginSleighMotion(t);
    expect(Math.abs(forwardOf(simulation) - forward)).toBeLessThan(1e-8);
    expect(Math.abs(simulation.v[2] - turning)).toBeLessThan(1e-8);
  });

  test("counts no position constraint and two degrees of freedom, and its force does no work", () => {
    const simulation = run(chaplyginSleigh, 1);
    expect([...simulation.phi()]).toEqual([0]);
    expect(simulation.degreesOfFreedom()).toBe(2);
    const force = simulation.constraintForces();
    expect(Math.hypot(...force)).toBeGreaterThan(0.1);
    const work = force.reduce((sum, entry, i) => sum + entry * simulation.v[i], 0);
    expect(Math.abs(work)).toBeLessThan(1e-8);
  });
});

describe("a knife edge on an incline", () => {
  test.each([0.4, 1, 3])("follows its closed form at t = %d", (t) => {
    const { q } = run(knifeEdge, t);
    const { x, y, phi } = knifeEdgeMotion(t);
    expect(Math.max(Math.abs(q[0] - x), Math.abs(q[1] - y), Math.abs(q[2] - phi))).toBeLessThan(
      5e-8,
    );
  });

  test("satisfies its constraint with every method", () => {
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    const { equations: system, q, v } = knifeEdge;
    for (const stabilisation of [projection(), driftElimination(), baumgarte({ eta: 20 })]) {
      const simulation = simulate(system, {
        method: { ...method, stabilisation },
        step: 0.01,
        q,
        v,
      });
      let largest = 0;
      simulation.runTo(10, () => {
        largest = Math.max(largest, simulation.constraintError().velocity);
      });
      expect(largest).toBeLessThan(1e-6);
      expect(Math.abs(simulation.q[1] - knifeEdgeMotion(10).y)).toBeLessThan(1e-5);
    }
  });
});

test("missing derivatives of nonholonomic rows are found by finite differences", () => {
  const { description } = chaplyginSleigh.equations;
  type Given = Required<NonNullable<EquationsDescription["nonholonomic"]>>;
  const { rows, value, jacobian, gamma } = description.nonholonomic as Given;
  const exact = run(chaplyginSleigh, 2, [baumgarte({ eta: 10 })]);
  for (const [nonholonomic, names] of [
    [{ rows, value, jacobian }, ["nonholonomic.gamma"]],
    [{ rows, value, gamma }, ["nonholonomic.jacobian"]],
    [{ rows, value }, ["nonholonomic.jacobian", "nonholonomic.gamma"]],
  ] as const) {
    const system = equations({ ...description, nonholonomic });
    expect(system.differentiated).toEqual(names);
    const { q } = run({ ...chaplyginSleigh, equations: system }, 2, [baumgarte({ eta: 10 })]);
    for (let i = 0; i < 3; i++) expect(Math.abs(q[i] - exact.q[i])).toBeLessThan(1e-10);
  }
});

describe("velocities that break the constraint", () => {
  const { equations: system, q } = chaplyginSleigh;
  const start = { q, v: [1, 0.3, 2], step: 0.01 };
  const pi = ([x, y, omega]: ArrayLike<number> & Iterable<number>, theta: number) =>
    -x * Math.sin(theta) + y * Math.cos(theta) - 0.4 * omega;

  test("project initially to the nearest in the metric of the mass matrix", () => {
    const method = { formulation: lagrange(), integrator: rk4() };
    const { v } = simulate(system, { method, ...start });
    // v - M^-1 J^T (J M^-1 J^T)^-1 Pi with J = (0, 1, -0.4), M = diag(1, 1, 0.5).
    const multiplier = pi(start.v, 0) / (1 + 0.4 ** 2 / 0.5);
    const expected = [1, 0.3 - multiplier, 2 + (0.4 / 0.5) * multiplier];
    for (const [i, value] of expected.entries()) expect(v[i]).toBeCloseTo(value, 14);
  });

  test("decay like exp(-eta t) under Baumgarte's eta", () => {
    const method = {
      formulation: lagrange(),
      stabilisation: baumgarte({ eta: 3 }),
      integrator: rk4(),
    };
    const simulation = simulate(system, { method, ...start, start: "asGiven" });
    const before = simulation.phiDot()[0];
    expect(before).toBeCloseTo(-0.5, 15);
    simulation.runTo(2);
    expect(simulation.phiDot()[0] / before).toBeCloseTo(Math.exp(-6), 8);
  });

  test("project to the constraint after each step", () => {
    const method = { formulation: lagrange(), stabilisation: projection(), integrator: ab3() };
    const simulation = simulate(system, { method, ...start, start: "asGiven" });
    simulation.advance(200);
    expect(Math.abs(pi(simulation.v, simulation.q[2]))).toBeLessThan(1e-14);
  });
});
