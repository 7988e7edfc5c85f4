// The JavaScript recursion that relative coordinates are timed against: it finds the accelerations of the package, and
// moves alike.

import { compile, type Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { dot, subtract, three, type Vector } from "../../bench/reference/vectors.js";
import { plainTree } from "../../bench/support/plain-tree.js";
import { MAXIMAL } from "../../bench/support/relative-options.js";
import { hingeChain, hingeTree } from "../../bench/support/relative-trees.js";

const models: Record<string, () => Model> = {
  "7 skew hinges": () => hingeChain(7, { rate: 2 }),
  "100 skew hinges": () => hingeChain(100),
  "20 parallel hinges": () => hingeChain(20, { axes: "parallel" }),
  "a tree of 30 hinges": () => hingeTree(30),
};

/** q'' of each hinge, from the angular accelerations of its bodies: they differ by that and what is across the axis. */
async function maximal(m: Model) {
  const simulation = (await compile(m, MAXIMAL)).simulate({ step: 1e-4 });
  const { joints, markers } = m.data();
  const turning = (body: number): Vector =>
    body < 0 ? [0, 0, 0] : three(simulation.body(simulation.bodies[body]).angularAcceleration, 0);
  const accelerations = joints.map(({ markers: ends }) => {
    const [a, b] = ends!.map((marker) => markers[marker]);
    // Bodies of these models have the world's axes at the start.
    return dot(three(b.axes, 6), subtract(turning(b.body), turning(a.body)));
  });
  return { simulation, accelerations };
}

describe.each(Object.entries(models))("%s", (_, make) => {
  test("accelerate alike", async () => {
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

test("a step leads to the same angles", async () => {
  const m = hingeChain(7, { rate: 2 });
  const simulation = (await compile(m, MAXIMAL)).simulate({ step: 1e-4 });
  const tree = plainTree(m);
  simulation.advance(1000);
  for (let i = 0; i < 1000; i++) tree.step(1e-4);
  const angles = simulation.joints.map((name) => simulation.joint(name).angle ?? Number.NaN);
  expect(Math.max(...angles.map(Math.abs))).toBeGreaterThan(0.1);
  angles.forEach((angle, i) => {
    // Both are of order four: their errors differ, and are below this.
    expect(Math.abs(angle - tree.q[i])).toBeLessThan(1e-9);
  });
});
