// Bodies that are freed so that not all loops meet in one branch.

import { type Body, compile, type Model, model } from "nodrift/bodies";
import { nFourBar } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { NodeKind } from "../../assembly/layout-tree.js";
import { jointCoordinates } from "../../src/systems/relative/plan/joint-coordinates.js";
import { planTree } from "../../src/systems/relative/plan/relative-plan.js";
import type { TreePlan } from "../../src/systems/relative/plan/tree-forms.js";
import { bodyStates } from "../support/naive-tree.js";

type V3 = [number, number, number];

/**
 * Cells of two rails and a rung, one below the other, attached to the ground at one end. Hinges may be tilted out of
 * the plane.
 */
function ladder(cells: number, tilt = 0): Model {
  const m = model({ name: `ladder of ${cells}` });
  const bar = (name: string, position: V3) =>
    m.body({ name, mass: 1, inertia: [0.1, 0.1, 0.1], position });
  const hinge = (name: string, a: Body, b: Body, at: V3, lean = 0) =>
    m.revolute({ name, between: [a, b], at, axis: [lean, 1, 0] });
  let rung = m.ground;
  for (let i = 0; i < cells; i++) {
    const left = bar(`left ${i}`, [0, 0, -i - 0.5]);
    const right = bar(`right ${i}`, [1, 0, -i - 0.5]);
    const next = bar(`rung ${i}`, [0.5, 0, -i - 1]);
    hinge(`upper left ${i}`, rung, left, [0, 0, -i], tilt);
    hinge(`upper right ${i}`, rung, right, [1, 0, -i], tilt);
    hinge(`lower left ${i}`, left, next, [0, 0, -i - 1]);
    hinge(`lower right ${i}`, right, next, [1, 0, -i - 1]);
    rung = next;
  }
  return m;
}

const freed = (plan: TreePlan) =>
  plan.nodes.filter(({ joint, body }) => joint < 0 && body >= 0).map(({ body }) => body);

/** Number of cuts that pass the root of each branch. */
function cutsOfBranches(m: Model, plan: TreePlan): number[] {
  const data = m.data();
  const counts = new Map<number, number>();
  for (const joint of plan.cutJoints) {
    const roots = data.joints[joint].markers!.map((marker) => {
      const { body } = data.markers[marker];
      let node = body < 0 ? -1 : plan.nodeOf[body];
      while (node >= 0 && plan.nodes[node].parent >= 0) node = plan.nodes[node].parent;
      return node;
    });
    for (const root of new Set(roots)) if (root >= 0) counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** Two chains of rails from the ground, and struts between them: hinged rungs, or massless rods. */
function rails(cells: number, strut: "rung" | "rod"): Model {
  const m = model({ name: `rails of ${cells}` });
  const bar = (name: string, position: V3) =>
    m.body({ name, mass: 1, inertia: [0.1, 0.1, 0.1], position });
  const hinge = (a: Body, b: Body, at: V3) => m.revolute({ between: [a, b], at, axis: [0, 1, 0] });
  let [left, right] = [m.ground, m.ground];
  for (let i = 0; i < cells; i++) {
    const lower = [bar(`left ${i}`, [0, 0, -i - 0.5]), bar(`right ${i}`, [1, 0, -i - 0.5])];
    hinge(left, lower[0], [0, 0, -i]);
    hinge(lower[1], right, [1, 0, -i]);
    [left, right] = lower;
    if (strut === "rod") {
      m.distance({ between: [left, right], atA: [0, 0, -i - 0.5], atB: [1, 0, -i - 0.5] });
      continue;
    }
    const rung = bar(`rung ${i}`, [0.5, 0, -i - 0.5]);
    hinge(left, rung, [0, 0, -i - 0.5]);
    hinge(rung, right, [1, 0, -i - 0.5]);
  }
  return m;
}

describe("planTree with freed bodies", () => {
  test.each(["rung", "rod"] as const)(
    "keeps the cost linear on long rails with a %s in each cell",
    (strut) => {
      const [short, long] = [30, 90].map((cells) => rails(cells, strut));
      const [few, many] = [short, long].map((m) => planTree(m.data()));
      expect(freed(many).length).toBeGreaterThan(9);
      expect(many.multiplications / few.multiplications).toBeLessThan(3.3);
      expect(Math.max(...cutsOfBranches(long, many))).toBeLessThan(20);
      const whole = planTree(long.data(), { free: [] });
      expect(whole.multiplications).toBeGreaterThan(4 * many.multiplications);
    },
  );

  test.each([20, 60, 180])("frees one body every few loops on a ladder of %i cells", (cells) => {
    const m = ladder(cells);
    const plan = planTree(m.data());
    // The ground has a branch as well.
    const loopsEach = cells / (freed(plan).length + 1);
    expect(loopsEach).toBeGreaterThanOrEqual(2);
    expect(loopsEach).toBeLessThanOrEqual(4);
    expect(Math.max(...cutsOfBranches(m, plan))).toBeLessThanOrEqual(12);
    // Without freed bodies all loops meet at the first hinge.
    const whole = planTree(m.data(), { free: [] });
    expect(freed(whole)).toEqual([]);
    expect(Math.max(...cutsOfBranches(m, whole))).toBe(cells);
  });

  test("gives a freed body three coordinates if hinges keep it in a plane, else six", () => {
    const kinds = (m: Model) => {
      const plan = planTree(m.data(), { free: ["rung 1"] });
      return plan.nodes.filter(({ joint }) => joint < 0).map(({ kind }) => kind);
    };
    expect(kinds(ladder(3))).toEqual([NodeKind.SLIDE, NodeKind.SLIDE, NodeKind.HINGE]);
    expect(kinds(ladder(3, 1e-9))).toEqual([NodeKind.FREE]);
    const plan = planTree(ladder(3).data(), { free: ["rung 1"] });
    expect(plan.nodes.flatMap((node) => (node.joint < 0 ? node.positionNames : []))).toEqual([
      "rung 1 displacement x",
      "rung 1 displacement y",
      "rung 1 angle",
    ]);
  });

  test("starts freed bodies at the poses of the model and keeps them in their plane", async () => {
    const m = ladder(12);
    const plan = planTree(m.data());
    expect(freed(plan).length).toBeGreaterThan(1);
    const compiled = await compile(m);
    const found = jointCoordinates(plan, m.data(), compiled);
    for (const { distance, turn } of found.misfits) {
      expect(Math.max(distance, turn)).toBeLessThan(1e-13);
    }
    const back = bodyStates(plan, m.data(), found.q, found.v);
    for (const [i, x] of back.q.entries()) expect(x).toBeCloseTo(compiled.q[i], 13);
    // At any pose: rows out of the plane leave nothing, not even rounding of the tree.
    const anywhere = bodyStates(
      plan,
      m.data(),
      found.q.map((x, i) => x + Math.sin(5 * i)),
      found.v,
    );
    const simulation = compiled.simulate({ step: 1e-3 });
    simulation.setState(anywhere.q, anywhere.v, { start: "asGiven" });
    const names = compiled.plan.rowNames;
    for (const [row, x] of simulation.phi().entries()) {
      if (/axial|tilt/.test(names[row])) expect(Math.abs(x)).toBeLessThan(1e-13);
    }
  });

  test("finds the plane of hinges on a body that only slides, or is welded to the ground", () => {
    const m = model({ name: "on a slide" });
    const body = (name: string) =>
      m.body({ name, mass: 1, inertia: [1, 1, 1], orientation: { axis: [1, 2, 3], angle: 1 } });
    const [plate, slider, arm, tip, spoon] = ["plate", "slider", "arm", "tip", "spoon"].map(body);
    m.fixed({ name: "weld", between: [m.ground, plate], axis: [1, 1, 0] });
    m.prismatic({ name: "slide", between: [slider, plate], axis: [0, 1, 1] });
    m.revolute({ name: "elbow", between: [slider, arm], at: [0, 0, 0], axis: [1, 0, 0] });
    m.planar({ name: "table", between: [tip, arm], axis: [-1, 0, 0] });
    m.revolute({ name: "askew", between: [spoon, arm], at: [0, 0, 0], axis: [1, 1e-6, 0] });
    for (const { name } of [slider, arm, tip, spoon]) {
      const { nodes, nodeOf } = planTree(m.data(), { free: [name] });
      const number = m.data().bodies.findIndex((each) => each.name === name);
      const kind = name === "spoon" ? NodeKind.FREE : NodeKind.HINGE;
      expect(nodes[nodeOf[number]]).toMatchObject({ kind, joint: -1 });
    }
  });

  test("frees no body if loops are side by side, or few", () => {
    for (const m of [nFourBar(2), nFourBar(10), nFourBar(40), ladder(2)]) {
      expect(freed(planTree(m.data()))).toEqual([]);
    }
  });
});
