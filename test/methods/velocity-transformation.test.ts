// Columns of the velocity transformation, computed separately and by operators: on trees with loops, sparse bodies
// and dense matrices.

import { maggi, projection, rk4, simulate, udwadiaKalaba, velocityTransformation } from "nodrift";
import { compile } from "nodrift/bodies";
import { bennett, chain3d, sliderCrank3d } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { formulationProblems } from "#experiments";

const method = { formulation: velocityTransformation(), integrator: rk4() };
const distance = (a: ArrayLike<number>, b: readonly number[]) =>
  Math.max(...b.map((value, i) => Math.abs(a[i] - value)));

describe.each(["maximal", "relative"] as const)("%s coordinates", (coordinates) => {
  test("integrates loops to order 4, with redundant rows too", async () => {
    for (const model of [sliderCrank3d(), bennett({ angle: 1, rate: 3 }), chain3d(4)]) {
      const source = await compile(model, { coordinates });
      const trusted = {
        formulation: udwadiaKalaba(),
        stabilisation: projection(),
        integrator: rk4(),
      };
      const exact = [...source.simulate({ method: trusted, step: 1 / 8192 }).runTo(0.125).q];
      const run = source.simulate({ method, step: 1 / 512 });
      expect(run.coordinateChoice.kind).toBe(coordinates);
      const error = (step: number) =>
        distance(source.simulate({ method, step }).runTo(0.125).q, exact);
      const [coarse, fine] = [error(1 / 256), error(1 / 1024)];
      if (fine > 1e-12) expect(Math.log2(coarse / fine) / 2).toBeGreaterThan(3.7);
      expect(fine).toBeLessThan(1e-8);
      run.runTo(0.125);
      expect(run.constraintError().velocity).toBeLessThan(1e-10);
    }
  });
});

test("velocityTransformation has the accelerations of extraction on dense matrices", () => {
  const { equations: source, q, v } = formulationProblems.fourBars;
  const dense = { formulation: maggi({ basis: "extraction" }), integrator: rk4() };
  const [own, other] = [method, dense].map((used) =>
    simulate(source, { method: used, step: 1e-3, q, v }).runTo(0.2).accelerations(),
  );
  expect(distance(own, [...other])).toBeLessThan(1e-9);
});

test("velocityTransformation changes independent velocities with the motion, and follows moving rows", () => {
  // A driven crank makes one revolution, so each coordinate of its pin becomes independent.
  const { equations: source, q, v } = formulationProblems.drivenPendulum;
  const run = simulate(source, { method, step: 1e-3, q, v });
  run.runTo(5, () => expect(run.constraintError().velocity).toBeLessThan(1e-12));
  expect(run.constraintError().position).toBeLessThan(1e-6);
});
