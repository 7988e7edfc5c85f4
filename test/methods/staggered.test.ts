// Staggered multipliers of Park and Chiou: the printed step, its orders, and constraint errors.

import { projection, rk4, simulate, staggered, udwadiaKalaba } from "nodrift";
import { describe, expect, test } from "vitest";
import { formulationProblems, redundantProblem } from "#experiments";
import { start } from "./support/pendulum.js";

const method = { coupled: staggered() };

test("staggered takes the printed step for a pendulum of unit mass", () => {
  const [h, compliance] = [0.05, 0.4];
  const d = h / 2;
  const simulation = start({ coupled: staggered({ compliance }) }, h);
  let [q, v] = [[...simulation.q], [...simulation.v]];
  let lambda = simulation.multipliers()[0];
  // Phi = (q q - 1), J = 2 q, M = 1, Q = (0, -9.81).
  for (let i = 0; i < 5; i++) {
    const middle = [q[0] + d * v[0], q[1] + d * v[1]];
    const s = 4 * (middle[0] ** 2 + middle[1] ** 2);
    const epsilon = compliance * d * d * s;
    const product = 2 * (middle[0] * v[0] + middle[1] * v[1]) + d * 2 * middle[1] * -9.81;
    const half = (epsilon * lambda - d * product) / (epsilon + d * d * s);
    v = [v[0] + h * 2 * middle[0] * half, v[1] + h * (-9.81 + 2 * middle[1] * half)];
    q = [middle[0] + d * v[0], middle[1] + d * v[1]];
    lambda = 2 * half - lambda;
    simulation.advance();
    expect(Math.abs(simulation.stepMultipliers()[0] - half)).toBeLessThan(1e-11);
    expect(Math.hypot(simulation.q[0] - q[0], simulation.q[1] - q[1])).toBeLessThan(1e-13);
    expect(Math.hypot(simulation.v[0] - v[0], simulation.v[1] - v[1])).toBeLessThan(1e-12);
  }
});

const problems = Object.entries(formulationProblems).filter(([name]) => name !== "fourBars");

describe.each([...problems, ["redundant row", redundantProblem] as const])("%s", (_, problem) => {
  const { equations: source, q, v } = problem;
  const exactly = (steps: number, h: number) =>
    simulate(source, {
      method: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() },
      step: h,
      q,
      v,
    }).advance(steps);
  const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
  /** Returns the errors of q, v and of the mean multipliers of two steps, and Phi'. */
  const errors = (steps: number) => {
    const h = 0.5 / steps;
    const simulation = simulate(source, { method, step: h, q, v }).advance(steps);
    const before = [...simulation.stepMultipliers()];
    const error = [
      distance(simulation.q, exactly(2 * steps, h / 2).q),
      distance(simulation.v, exactly(2 * steps, h / 2).v),
    ];
    simulation.advance();
    const mean = before.map((value, i) => (value + simulation.stepMultipliers()[i]) / 2);
    const multipliers = exactly(2 * steps, h / 2).multipliers();
    return [...error, distance(mean, multipliers), simulation.constraintError().velocity];
  };

  test("staggered has order 2 in positions, velocities and the mean multipliers of two steps", () => {
    const [coarse, fine] = [errors(256), errors(1024)];
    for (const [i, error] of coarse.entries()) {
      expect(Math.abs(Math.log2(error / fine[i]) / 2 - 2), `${i}`).toBeLessThan(0.2);
    }
  });
});

test("staggered satisfies velocity constraints up to h^2, and positions drift with time", () => {
  const { equations: source, q, v } = formulationProblems.bowl;
  const drift = (step: number, end: number) =>
    simulate(source, { method, step, q, v }).runTo(end).constraintError();
  const [early, late] = [drift(1e-3, 2), drift(1e-3, 20)];
  expect(late.position).toBeLessThan(40 * early.position);
  expect(late.velocity).toBeLessThan(20 * early.velocity);
  expect(drift(2e-3, 20).position / late.position).toBeGreaterThan(3.5);
});
