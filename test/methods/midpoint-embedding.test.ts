// The midpoint rule with embedded constraints: order 2 also for velocity-dependent forces, errors vanish in a step.

import { driftElimination, midpointEmbedding, rk4, simulate, udwadiaKalaba } from "nodrift";
import { compile } from "nodrift/bodies";
import { chain3d } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { formulationProblems, redundantProblem } from "#experiments";
import { start } from "./support/pendulum.js";

const method = { coupled: midpointEmbedding() };
const problems = Object.entries(formulationProblems).filter(([name]) => name !== "fourBars");

describe.each([...problems, ["redundant row", redundantProblem] as const])("%s", (_, problem) => {
  const { equations: source, q, v } = problem;
  const run = (step: number) => simulate(source, { method, step, q, v }).runTo(0.5);

  test("converges with second order", () => {
    const exact = simulate(source, {
      method: {
        formulation: udwadiaKalaba(),
        stabilisation: driftElimination(),
        integrator: rk4(),
      },
      step: 1e-3,
      q,
      v,
    }).runTo(0.5);
    const error = (step: number) => {
      const simulation = run(step);
      return Math.max(...simulation.q.map((value, i) => Math.abs(value - exact.q[i])));
    };
    const order = Math.log2(error(1 / 1024) / error(1 / 4096)) / 2;
    expect(order).toBeGreaterThan(1.85);
    expect(order).toBeLessThan(2.2);
  });

  test("leaves errors of third order", () => {
    const error = (step: number) => run(step).constraintError().position;
    const [coarse, fine] = [error(1 / 128), error(1 / 512)];
    expect(fine).toBeLessThan(1e-5);
    if (fine > 1e-12) expect(Math.log2(coarse / fine) / 2).toBeGreaterThan(2.7);
  });
});

test("an initial constraint error vanishes in a step, up to the compliance", () => {
  const error = (compliance: number) => {
    const simulation = start({ coupled: midpointEmbedding({ compliance }) }, 1e-4);
    simulation.setState([1 + 1e-7, 0], [1e-3, 0], "asGiven");
    simulation.advance();
    return simulation.constraintError();
  };
  const { position, velocity } = error(1e-12);
  expect(position).toBeLessThan(1e-11);
  expect(velocity).toBeLessThan(1e-6);
  // |Phi + h Phi'| was 4e-7, of which a compliance of 1/100 leaves 1/100.
  expect(error(1e-2).position / (4e-7 / 101)).toBeCloseTo(1, 2);
});

test("rotations of bodies in space have second order", async () => {
  const run = async (step: number) => {
    const simulation = (await compile(chain3d(2), { coordinates: "maximal" })).simulate({
      step,
      method,
    });
    simulation.runTo(0.25);
    return [...simulation.q];
  };
  const [coarse, fine, finest] = [await run(1 / 256), await run(1 / 512), await run(1 / 4096)];
  const error = (q: number[]) => Math.max(...q.map((value, i) => Math.abs(value - finest[i])));
  expect(Math.log2(error(coarse) / error(fine))).toBeGreaterThan(1.8);
});
