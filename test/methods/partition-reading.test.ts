// Reading the independent coordinates chosen by a method, and the number and times of their changes.

import { coordinatePartitioning, maggi, rk4, simulate, udwadiaKalaba } from "nodrift";
import { compile } from "nodrift/bodies";
import { threeLinkPendulum } from "nodrift/mechanisms";
import { sdirk4, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { pendulum, START } from "./support/pendulum.js";

const run = (formulation: ReturnType<typeof coordinatePartitioning>) =>
  simulate(pendulum(), { method: { formulation, integrator: rk4() }, step: 0.005, ...START });

describe.each([
  ["pivoting", coordinatePartitioning()],
  ["projective", coordinatePartitioning({ criterion: "projective" })],
  ["state space", stateSpace()],
])("%s", (_, formulation) => {
  test("reports the coordinate that moved faster when chosen, and each change", () => {
    const simulation = run(formulation);
    expect(simulation.partition).toBeUndefined();
    let known = "";
    const seen: number[] = [];
    while (simulation.time < 3) {
      const before = simulation.time;
      simulation.advance();
      const { positions, velocities, changes, times } = simulation.partition!;
      expect(velocities).toEqual(positions);
      expect(positions).toHaveLength(1);
      if (known !== "" && positions[0] !== known) seen.push(before);
      if (known !== positions[0]) {
        // Chosen at the beginning of the step, at which it was the faster one.
        const [vx, vy] = simulation.v.map(Math.abs);
        expect(positions[0] === "x" ? vx! / vy! : vy! / vx!).toBeGreaterThan(0.9);
      }
      known = positions[0]!;
      expect(changes).toBe(seen.length);
      expect(times).toEqual(seen);
    }
    expect(seen.length).toBeGreaterThan(3);
  });

  test("restores with a saved state", () => {
    const simulation = run(formulation);
    simulation.advance(200);
    const saved = simulation.save();
    const { partition } = simulation;
    simulation.advance(300);
    simulation.restore(saved);
    expect(simulation.partition).toEqual(partition);
  });
});

test("partition() keeps the coordinates named by the user", () => {
  const { partition } = run(coordinatePartitioning({ independent: ["y"] })).advance(20);
  expect(partition).toEqual({ positions: ["y"], velocities: ["y"], changes: 0, times: [] });
});

test("partition() has velocities only if positions are not partitioned, and is undefined for other methods", () => {
  const { partition } = run(maggi({ basis: "lu" })).advance(3);
  expect(partition?.positions).toEqual([]);
  expect(partition?.velocities).toHaveLength(1);
  expect(run(udwadiaKalaba()).advance(3).partition).toBeUndefined();
});

test("solutions have a partition", () => {
  const method = { formulation: stateSpace(), integrator: sdirk4() };
  const solution = solve(pendulum(), { span: [0, 3], method, tolerance: 1e-5, ...START });
  const { positions, changes, times } = solution.partition!;
  expect(["x", "y"]).toContain(positions[0]);
  expect(changes).toBeGreaterThan(2);
  expect(times).toHaveLength(changes);
  for (const [i, time] of times.entries()) expect(time).toBeGreaterThan(times[i - 1] ?? 0);
  expect(solve(pendulum(), { span: [0, 0.1], ...START }).partition).toBeUndefined();
});

test("partition() names positions of bodies, with a prime for rates that are no velocities", async () => {
  const links = await compile(threeLinkPendulum(), { coordinates: "maximal" });
  const method = { formulation: stateSpace(), integrator: rk4() };
  const { partition } = links.simulate({ step: 1e-3, method }).advance(2);
  expect(partition?.positions).toHaveLength(7);
  expect(partition?.velocities).toEqual(partition?.positions.map((name) => `${name}'`));
});
