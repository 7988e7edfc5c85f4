// The sparse matrix of a stage against the dense one, made of M J1 and M J2.

import { none } from "nodrift";
import { compile, type Model } from "nodrift/bodies";
import { bennett, chain3d, hmmwv, sliderCrank3d, stiffPendulum } from "nodrift/mechanisms";
import { dop853, radau5, solve, start, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { randomVector, seeded } from "../support/random.js";
import { bushedChain, hingedChain } from "../support/stiff-chains.js";
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

// More than 210 positions: independent ones are chosen by sparse pivots; on bushings stages are sparse as well.
describe.each([
  ["hinges with springs", hingedChain],
  ["bushings", bushedChain],
] as const)("40 links on %s", (_, make) => {
  const options = {
    span: [0, 0.03],
    tolerance: 1e-6,
    integrator: radau5(),
    output: "ends",
  } as const;

  test("end where an explicit method without independent positions takes them", async () => {
    const source = await compile(make(40), { coordinates: "maximal" });
    const implicit = solve(source, { ...options, tolerance: 1e-8 });
    const explicit = solve(source, { ...options, tolerance: 1e-9, integrator: dop853() });
    expect([implicit.status, explicit.status]).toEqual(["finished", "finished"]);
    expect(distance(implicit.end.q, explicit.end.q)).toBeLessThan(1e-7);
    expect(implicit.statistics.maximumDrift.position).toBeLessThan(1e-10);
  });

  test("move alike in new memory, in that of another run, and from a saved state", async () => {
    const source = await compile(make(40), { coordinates: "maximal" });
    const [first, again] = [solve(source, options), solve(source, options)];
    const run = start(source, options);
    for (let i = 0; i < 4; i++) run.step();
    const saved = run.save();
    run.finish();
    const other = start(source, options);
    other.step();
    other.restore(saved);
    for (const { end } of [again, run.solution(), other.finish()]) {
      expect([...end.q, ...end.v]).toEqual([...first.end.q, ...first.end.v]);
    }
  });
});

test("memory of chains grows in proportion to their length", async () => {
  const bytes = await Promise.all(
    [hingedChain, bushedChain].flatMap((make) =>
      [250, 500].map(async (links) => {
        const system = (await compile(make(links), { coordinates: "maximal" })).system();
        const { ode } = stateSpace().bind(system, none().bind(system));
        for (const complex of [false, true]) ode?.jacobian?.().shifted(complex);
        return system.workspace.seal().memory.buffer.byteLength;
      }),
    ),
  );
  const [hinged, moreHinged, bushed, moreBushed] = bytes;
  expect(moreHinged / hinged).toBeLessThan(2.1);
  expect(moreBushed / bushed).toBeLessThan(2.1);
});
