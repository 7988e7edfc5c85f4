// The JavaScript recursion of the benchmarks of relative coordinates finds the accelerations of the package, and
// has the same motion.

import { compile, type Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { plainTree } from "../../bench/baseline/models.js";
import { dot, subtract, three, type Vector } from "../reference/vectors.js";
import { MAXIMAL } from "../support/relative-options.js";
import { hingeChain, hingeTree } from "../support/relative-trees.js";

const models: Record<string, () => Model> = {
  "7 skew hinges": () => hingeChain(7, { rate: 2 }),
  "100 skew hinges": () => hingeChain(100),
  "20 parallel hinges": () => hingeChain(20, { axes: "parallel" }),
  "a tree of 30 hinges": () => hingeTree(30),
};

/**
 * Returns q'' of each hinge, from the angular accelerations of its bodies, which differ by q'' and components across
 * the axis.
 */
async function maximal(m: Model) {
  const simulation = (await compile(m, MAXIMAL)).simulate({ step: 1e-4 });
  const { joints, markers } = m.data();
  const turning = (body: number): Vector =>
    body < 0 ? [0, 0, 0] : three(simulation.body(simulation.bodies[body]).angularAcceleration, 0);
  const accelerations = joints.map(({ markers: ends }) => {
    const [a, b] = ends!.map((marker) => markers[marker]);
    // Bodies of these models initially have the world's axes.
    return dot(three(b.axes, 6), subtract(turning(b.body), turning(a.body)));
  });
  return { simulation, accelerations };
}

describe.each(Object.entries(models))("tree baseline: %s", (_, make) => {
  test("accelerates like the package", async () => {
    const m = make();
    const { accelerations } = await maximal(m);
    const found = plainTree(m).accelerations();
    const largest = Math.max(...accelerations.map(Math.abs));
    expect(largest).toBeGreaterThan(0.1);
    accelerations.forEach((expected, i) => {
      expect(Math.abs(found[i] - expected) / largest).toBeLessThan(1e-11);
    });
  });
});

test("reaches the same angles after a step", async () => {
  const m = hingeChain(7, { rate: 2 });
  const simulation = (await compile(m, MAXIMAL)).simulate({ step: 1e-4 });
  const tree = plainTree(m);
  simulation.advance(1000);
  for (let i = 0; i < 1000; i++) tree.step(1e-4);
  const angles = simulation.joints.map((name) => simulation.joint(name).angle ?? Number.NaN);
  expect(Math.max(...angles.map(Math.abs))).toBeGreaterThan(0.1);
  angles.forEach((angle, i) => {
    // Both methods are of fourth order: their errors differ, and are below this bound.
    expect(Math.abs(angle - tree.q[i])).toBeLessThan(1e-9);
  });
});
