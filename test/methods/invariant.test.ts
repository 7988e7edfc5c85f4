// The stabilised ODE of Ascher et al., and post-stabilisation: decay rates, orders, and the residual and direction of
// one correction.

import {
  ascher,
  equations,
  postStabilisation,
  projection,
  projectionOperator,
  rk4,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { compile } from "nodrift/bodies";
import { sliderCrank3d } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { formulationProblems } from "#experiments";

/** A particle with two different masses on an ellipse, without forces. */
const ellipse = equations({
  coordinates: ["x", "y"],
  mass: [1, 4],
  forces: () => [0, 0],
  holonomic: { rows: ["ellipse"], value: ([x, y]) => [(x * x + 2 * y * y - 1.64) / 2] },
});

const off = (stabilisation: Stabilisation, step: number, q: number[], v: number[]) => {
  const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
  const run = simulate(ellipse, { method, step, q, v, start: "asGiven" });
  return run;
};

describe.each(["mass", "identity"] as const)("metric %s", (metric) => {
  test.each([2, 20])("errors decay with the gain, %d", (gain) => {
    const run = off(ascher({ gain, metric }), 1e-3, [0.6 * 1.0001, 0.8 * 1.0001], [-1.6, 0.6]);
    const before = run.constraintError().position;
    run.runTo(0.1);
    // The omitted block couples the position error to that of the velocities by a term t exp(-gain t).
    const rate = Math.log(before / run.constraintError().position) / 0.1;
    expect(rate / gain).toBeCloseTo(1, 0);
    const moving = off(ascher({ gain, metric }), 1e-3, [0.6, 0.8], [-1.6 + 1e-4, 0.6]);
    const speed = moving.constraintError().velocity;
    moving.runTo(0.1);
    expect(Math.log(speed / moving.constraintError().velocity) / 0.1 / gain).toBeCloseTo(1, 1);
  });

  test("a fixed gain keeps the order of the integrator on bodies, a step-dependent one does not", async () => {
    const source = await compile(sliderCrank3d(), { coordinates: "maximal" });
    const run = (step: number, stabilisation: Stabilisation) => {
      const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
      return [...source.simulate({ method, step }).runTo(0.25).q];
    };
    const exact = run(1 / 4096, projection());
    const order = (stabilisation: Stabilisation) => {
      const error = (step: number) =>
        Math.max(...run(step, stabilisation).map((x, i) => Math.abs(x - exact[i])));
      return Math.log2(error(1 / 256) / error(1 / 512));
    };
    expect(order(ascher({ gain: 10, metric }))).toBeGreaterThan(3.8);
    expect(order(ascher({ metric }))).toBeLessThan(2.5);
  });

  test("one correction squares an error; its diagonal form leaves the velocity error unchanged", () => {
    const left = (error: number, stabilisation: Stabilisation) => {
      const q = [0.6 * (1 + error), 0.8 * (1 + error)];
      // Along y, dPhi'/dq times the correction of positions is nonzero.
      return off(stabilisation, 1e-9, q, [0.3, 0.4]).advance().constraintError();
    };
    const slope = (stabilisation: Stabilisation) => {
      const [large, small] = [left(1e-2, stabilisation), left(1e-3, stabilisation)];
      return [
        Math.log10(large.position / small.position),
        Math.log10(large.velocity / small.velocity),
      ];
    };
    const [position] = slope(postStabilisation({ metric }));
    expect(position).toBeCloseTo(2, 1);
    expect(left(1e-2, postStabilisation({ metric })).velocity).toBeLessThan(1e-15);
    const [, alone] = slope(postStabilisation({ metric, form: "diagonal" }));
    expect(alone).toBeCloseTo(1, 1);
    const twice = slope(postStabilisation({ metric, form: "diagonal", times: 2 }));
    expect(twice[1]).toBeGreaterThan(1.9);
  });

  test("corrections have the direction B = M^-1 J^T or J^T", () => {
    const q = [0.6 * 1.01, 0.8 * 1.01];
    const { q: moved } = off(postStabilisation({ metric }), 1e-9, q, [0, 0]).advance();
    const slope = (moved[1] - q[1]) / (moved[0] - q[0]);
    expect(slope).toBeCloseTo(1.6 / 0.6 / (metric === "mass" ? 4 : 1), 6);
  });
});

test("postStabilisation satisfies constraints like projection, with constant work per step", () => {
  const { equations: source, q, v } = formulationProblems.sliderCrank;
  for (const stabilisation of [
    postStabilisation(),
    postStabilisation({ form: "diagonal", times: 2 }),
    postStabilisation({ metric: "identity" }),
  ]) {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
    const run = simulate(source, { method, step: 0.01, q, v });
    run.runTo(5, () => {
      const { position, velocity } = run.constraintError();
      expect(Math.max(position, velocity)).toBeLessThan(1e-13);
    });
  }
});

test("projectionOperator supports vanishing and redundant rows", () => {
  // J = (2x, 2y) of x^2 + y^2 vanishes at the origin; the second row fixes z, the third repeats it.
  const made = (rows: number) =>
    equations({
      coordinates: ["x", "y", "z"],
      mass: [1, 2, 3],
      forces: () => [1, 2, 3],
      holonomic: {
        rows,
        value: ([x, y, z], out) => {
          out.set([z, x * x + y * y, 2 * z].slice(0, rows));
        },
      },
    });
  for (const rows of [1, 2, 3]) {
    const method = { formulation: projectionOperator(), integrator: rk4() };
    const run = simulate(made(rows), { method, step: 1e-3, q: [0, 0, 0] });
    const [x, y, z] = run.accelerations();
    expect([x, y, z]).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(1, 12),
      expect.closeTo(0, 12),
    ]);
  }
});
