// The sparse matrix of a stage against the dense one, made of M J1 and M J2.

import { compile, type Model } from "nodrift/bodies";
import { bennett, chain3d, hmmwv, sliderCrank3d, stiffPendulum } from "nodrift/mechanisms";
import { rodas, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { randomVector, seeded } from "../../bench/support/random.js";
import { bushedChain, hingedChain } from "../../bench/support/stiff-chains.js";
import { allJoints, eachJoint } from "./support/all-joints.js";
import { openSparse, openStateSpace } from "./support/bound-state-space.js";

const cases: Record<string, () => Model> = {
  "stiff double pendulum": stiffPendulum,
  HMMWV: () => hmmwv(),
  "chain of 3 rods": () => chain3d(3),
  "Bennett linkage, with rows that repeat others": () => bennett(),
  "slider-crank in space": sliderCrank3d,
  "all joints, drives and forces": allJoints,
  "bodies on bushings": () => bushedChain(5),
  "hinges with springs": () => hingedChain(8),
  ...Object.fromEntries(
    eachJoint.filter(({ freedom }) => freedom > 0).map(({ type, make }) => [type, make]),
  ),
};

const distance = (found: Float64Array, expected: Float64Array) => {
  const size = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return expected.reduce((most, x, i) => Math.max(most, Math.abs(x - found[i])), 0) / size;
};

describe.each(Object.entries(cases))("%s", (_, make) => {
  const start = make === allJoints ? { hold: [] } : {};

  test("sparse and dense solutions are the same, for short and long steps", async () => {
    const [dense, sparse] = [await openStateSpace(make(), start), await openSparse(make(), start)];
    const { n } = dense;
    const random = seeded(7);
    for (let state = 0; state < 5; state++) {
      const y = dense.near(random, { positions: 0.05, velocities: 1 });
      dense.evaluate(0.02 * state, y);
      sparse.evaluate(0.02 * state, y);
      // Factors are those of this state, though made at another.
      sparse.rate(
        0.02 * state,
        y.map((x) => x + 0.01),
      );
      const b = randomVector(random, 4 * n);
      for (const alpha of [1e-6, 1e-3, 3e-2]) {
        const real = b.subarray(0, 2 * n);
        const found = [sparse.solve(alpha, real), dense.solve(alpha, real)] as const;
        for (const half of [0, n]) {
          const [x, wanted] = found.map((all) => all.subarray(half, half + n));
          expect(distance(x, wanted)).toBeLessThan(1e-9);
        }
        const pair = [0.7 * alpha, -0.6 * alpha] as const;
        expect(distance(sparse.solve(pair, b), dense.solve(pair, b))).toBeLessThan(1e-9);
      }
    }
  });
});

test("a long chain ends where one of short steps does", async () => {
  const source = await compile(hingedChain(30));
  const run = (tolerance: number) =>
    solve(source, { span: [0, 0.05], tolerance, integrator: rodas(), output: "ends" });
  const [coarse, fine] = [run(1e-5), run(1e-8)];
  expect([coarse.status, fine.status]).toEqual(["finished", "finished"]);
  expect(distance(coarse.end.q, fine.end.q)).toBeLessThan(1e-5);
  expect(fine.statistics.maximumDrift.position).toBeLessThan(1e-10);
});
