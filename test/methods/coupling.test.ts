import { ab3, equations, lagrange, simulate } from "nodrift";
import { energyCoupling } from "nodrift/analysis";
import { chaplyginSleigh, knifeEdge, yoonPendulum } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { sleighMaxima } from "#experiments";

const method = { formulation: lagrange(), integrator: ab3() };

describe("energyCoupling", () => {
  test("returns g Y for the pendulum", () => {
    const { equations: system, q, v } = yoonPendulum;
    const coupling = energyCoupling(system);
    simulate(system, { method, step: 0.1, q, v }).runTo(5, (simulation) => {
      expect(coupling(simulation)[0]).toBe(simulation.q[1]);
    });
  });

  test("returns (m - J) a theta' for the sleigh, at most 0.4", () => {
    const { equations: system, q, v } = chaplyginSleigh;
    const coupling = energyCoupling(system);
    expect(coupling({ q, v })[0]).toBeCloseTo(0.4, 14);
    simulate(system, { method, step: 0.01, q, v }).runTo(2, (simulation) => {
      // On the constraint; off it by m Pi more.
      const expected = 0.5 * 0.4 * simulation.v[2] + simulation.phiDot()[0];
      expect(coupling(simulation)[0]).toBeCloseTo(expected, 14);
    });
    expect(sleighMaxima([]).coupling).toBeCloseTo(0.4, 14);
  });

  test("returns zero for a knife edge whose mass is at the edge", () => {
    const coupling = energyCoupling(knifeEdge.equations);
    const [speed, phi] = [3, 0.7];
    const v = [speed * Math.cos(phi), speed * Math.sin(phi), 2];
    expect(Math.abs(coupling({ q: [1, 2, phi], v })[0])).toBeLessThan(1e-12);
  });

  test("includes both products, each with a row, and time", () => {
    const coupling = energyCoupling(
      equations({
        coordinates: ["r", "angle"],
        mass: { diagonal: (q) => [2, 2 * q[0] ** 2] },
        forces: () => [0, 0],
        potential: (q) => 3 * q[0] + q[1],
        holonomic: { rows: 1, value: (q, _, t) => [q[0] * q[1] - t] },
        nonholonomic: { rows: 1, value: (q, v, _, t) => [q[0] * v[1] - t * q[1] * v[0]] },
      }),
    );
    const [r, angle, rRate, angleRate, t] = [1.3, 0.4, 0.7, -1.1, 2];
    // dpsi/dq = (3 + 2 r angle'^2, 1), dpsi/dv = (2 r', 2 r^2 angle').
    const force = [3 + 2 * r * angleRate ** 2, 1];
    const momentum = [2 * rRate, 2 * r ** 2 * angleRate];
    const [first, second] = coupling({ q: [r, angle], v: [rRate, angleRate], time: t });
    expect(first).toBeCloseTo(force[0] * angle + force[1] * r, 10);
    const byPositions = force[0] * angleRate - force[1] * t * rRate;
    const byVelocities = -momentum[0] * t * angle + momentum[1] * r;
    expect(second).toBeCloseTo(byPositions + byVelocities, 10);
  });

  test("requires a potential, and a state of the right size", () => {
    const free = equations({ name: "free", coordinates: 1, mass: [1], forces: () => [0] });
    expect(() => energyCoupling(free)).toThrow(
      "free: energyCoupling needs the energy: add `potential`",
    );
    const coupling = energyCoupling(yoonPendulum.equations);
    expect(() => coupling({ q: [1], v: [0, 0] })).toThrow(
      "q has 1 numbers; the system has 2 coordinates",
    );
  });
});
