// The benchmark models of relative coordinates have the expected bodies and degrees of freedom, and initial states that
// their joints allow.

import { compile, type Model } from "nodrift/bodies";
import { bennett, chain3d, hmmwv, nFourBar } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import {
  belt,
  inlineFourBarModel,
  ladder,
  mesh,
  star,
  stewartPlatform,
} from "../support/relative-loops.js";
import { hingeChain, hingeTree, humanoid } from "../support/relative-trees.js";

const models: Record<string, readonly [make: () => Model, bodies: number, freedoms: number]> = {
  "7 skew hinges": [() => hingeChain(7), 7, 7],
  "30 parallel hinges": [() => hingeChain(30, { axes: "parallel" }), 30, 30],
  "10 balls": [() => chain3d(10), 10, 30],
  humanoid: [humanoid, 24, 29],
  "tree of 30 hinges": [() => hingeTree(30), 30, 30],
  "N-four-bar": [() => nFourBar(10), 21, 1],
  Bennett: [() => bennett(), 3, 1],
  "four-bar that lies in line": [() => inlineFourBarModel(), 3, 1],
  ladder: [() => ladder(20), 60, 20],
  mesh: [() => mesh(3, 4), 27, 3],
  star: [() => star(6), 13, 1],
  "Stewart platform": [stewartPlatform, 13, 6],
  // In its plane: three as a whole, and one for each link except the last three. Out of it: those of a rigid body.
  belt: [() => belt(200), 200, 203],
  HMMWV: [() => hmmwv(), 14, 18],
};

describe.each(Object.entries(models))("%s", (_, [make, bodies, freedoms]) => {
  test("contains its bodies and degrees of freedom, and starts in a state that its joints allow", async () => {
    const m = make();
    const given = m.data().bodies.map(({ velocity }) => velocity);
    const compiled = await compile(m);
    expect(compiled.report.degreesOfFreedom).toBe(freedoms);
    expect(given.length).toBe(bodies);
    const simulation = compiled.simulate({ step: 1e-4 });
    const { position, velocity } = simulation.constraintError();
    expect(position).toBeLessThan(1e-12);
    expect(velocity).toBeLessThan(1e-11);
    given.forEach((expected, i) => {
      if (expected === undefined) return;
      const found = simulation.body(simulation.bodies[i]).velocity;
      for (let k = 0; k < 3; k++) expect(found[k]).toBeCloseTo(expected[k], 10);
    });
  });
});

test("the collinear four-bar stays collinear, and its crank rotates fully", async () => {
  const simulation = (await compile(inlineFourBarModel())).simulate({ step: 1e-3 });
  simulation.runTo(5);
  expect(simulation.joint("ground to crank").angle).toBeGreaterThan(2 * Math.PI);
  expect(simulation.constraintError().position).toBeLessThan(1e-10);
});
