// The choice of joints that become the tree and of those that are cut.

import { type Body, type Model, model } from "nodrift/bodies";
import { nFourBar } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { planTree, type TreeOptions } from "../../src/systems/relative/plan/relative-plan.js";

const Y = [0, 1, 0] as const;
type V3 = [number, number, number];

const bodyAt = (m: Model, name: string, position: V3 = [0, 0, 0], mass = 1) =>
  m.body({ name, mass, inertia: [1, 1, 1], position });

const hinge = (m: Model, name: string, a: Body, b: Body, at: V3 = [0, 0, 0]) =>
  m.revolute({ name, between: [a, b], at, axis: Y });

/** Names of the chosen joints and bodies. */
function chosen(m: Model, options?: TreeOptions) {
  const data = m.data();
  const plan = planTree(data, options);
  const parentOf = (body: number) => {
    let node = plan.nodes[plan.nodeOf[body]];
    while (node.parent >= 0 && plan.nodes[node.parent].body < 0) node = plan.nodes[node.parent];
    return node.parent < 0 ? -1 : plan.nodes[node.parent].body;
  };
  const depthOf = (body: number): number => (body < 0 ? 0 : 1 + depthOf(parentOf(body)));
  const names = (joints: readonly number[]) => joints.map((joint) => data.joints[joint].name);
  return {
    plan,
    cut: names(plan.cutJoints),
    tree: names(plan.treeJoints),
    free: plan.nodes
      .filter(({ joint, body }) => joint < 0 && body >= 0)
      .map(({ body }) => data.bodies[body].name),
    depth: Object.fromEntries(data.bodies.map(({ name }, body) => [name, depthOf(body)])),
    deepest: Math.max(...data.bodies.map((_, body) => depthOf(body))),
  };
}

/** Checks the invariants of every plan: bodies once, parents first, contiguous indices, each joint in one list. */
function sound(m: Model, options?: TreeOptions) {
  const found = chosen(m, options);
  const { nodes, nodeOf, positions, velocities, treeJoints, cutJoints } = found.plan;
  const data = m.data();
  expect(nodes.filter(({ body }) => body >= 0).length).toBe(data.bodies.length);
  expect(nodeOf.map((node) => nodes[node].body)).toEqual([...data.bodies.keys()]);
  let [position, velocity] = [0, 0];
  for (const [i, node] of nodes.entries()) {
    expect(node.parent).toBeLessThan(i);
    expect([node.position, node.velocity]).toEqual([position, velocity]);
    position += node.positionNames.length;
    velocity += node.velocityNames.length;
  }
  expect([positions, velocities]).toEqual([position, velocity]);
  const all = [...treeJoints, ...cutJoints].sort((a, b) => a - b);
  expect(all).toEqual([...data.joints.keys()]);
  return found;
}

/** Crank, coupler and rocker on the ground; the joint between the last two is of any type. */
function fourBar(last: "revolute" | "spherical" = "revolute"): Model {
  const m = model({ name: "four-bar" });
  const [crank, coupler, rocker] = ["crank", "coupler", "rocker"].map((name) => bodyAt(m, name));
  hinge(m, "a", m.ground, crank);
  hinge(m, "b", crank, coupler, [0, 0, 1]);
  if (last === "revolute") hinge(m, "c", coupler, rocker, [1, 0, 1]);
  else m.spherical({ name: "c", between: [coupler, rocker], at: [1, 0, 1] });
  hinge(m, "d", rocker, m.ground, [1, 0, 0]);
  return m;
}

describe("planTree", () => {
  test("cuts a four-bar at one joint, in the middle", () => {
    const { cut, deepest, free } = sound(fourBar());
    expect(cut).toEqual(["c"]);
    expect(deepest).toBe(2);
    expect(free).toEqual([]);
  });

  test("cuts the joint with the fewest rows, even if the tree becomes deeper", () => {
    const m = model({ name: "loop" });
    const [one, two, three] = ["one", "two", "three"].map((name) => bodyAt(m, name));
    m.spherical({ name: "ball", between: [m.ground, one], at: [0, 0, 0] });
    hinge(m, "b", one, two);
    hinge(m, "c", two, three);
    hinge(m, "d", m.ground, three);
    const { cut, depth } = sound(m);
    expect(cut).toEqual(["ball"]);
    expect(depth).toEqual({ three: 1, two: 2, one: 3 });
    expect(sound(fourBar("spherical")).cut).toEqual(["c"]);
  });

  test("cuts joints without a tree form, but never a fixed joint", () => {
    const m = model({ name: "mixed" });
    const [one, two, three] = ["one", "two", "three"].map((name, i) => bodyAt(m, name, [i, 0, 1]));
    m.distance({ name: "rod", between: [m.ground, one], atA: [0, 0, 0], atB: [0, 0, 1] });
    hinge(m, "a", m.ground, one);
    hinge(m, "b", m.ground, two);
    m.fixed({ name: "weld", between: [two, one] });
    const turn = hinge(m, "c", two, three);
    m.driveAngle({ name: "motor", joint: turn, angle: 0 });
    m.knifeEdge({ name: "blade", body: three, at: [0, 0, 0], direction: [0, 1, 0] });
    const { cut, tree } = sound(m);
    expect(cut).toEqual(["rod", "b", "motor", "blade"]);
    expect(tree).toEqual(["a", "weld", "c"]);
  });

  test.each([2, 10, 40])(
    "gives the N-four-bar of %i cells depth 2, with at most one upright shared by neighbours",
    (n) => {
      const { deepest, plan } = sound(nFourBar(n));
      expect(plan.cutJoints.length).toBe(n);
      expect(deepest).toBe(2);
      const data = nFourBar(n).data();
      const paths = plan.cutJoints.map((joint) => {
        const nodes = new Set<number>();
        for (const marker of data.joints[joint].markers!) {
          const { body } = data.markers[marker];
          for (let i = body < 0 ? -1 : plan.nodeOf[body]; i >= 0; i = plan.nodes[i].parent)
            nodes.add(i);
        }
        return nodes;
      });
      // S has one block next to the diagonal: every loop is coupled with at most two others.
      for (const path of paths) {
        expect(path.size).toBe(3);
        const met = paths.filter((other) => [...other].some((node) => path.has(node)));
        expect(met.length).toBeLessThanOrEqual(3);
      }
    },
  );

  test("cuts five of the six balls of a Stewart platform", () => {
    const m = model({ name: "stewart" });
    const platform = bodyAt(m, "platform", [0, 0, 2], 20);
    for (let index = 0; index < 6; index++) {
      const [x, y] = [Math.cos(index), Math.sin(index)];
      const [lower, upper] = ["lower", "upper"].map((part) => bodyAt(m, `${part} ${index}`));
      m.spherical({ name: `ball ${index}`, between: [upper, platform], at: [x, y, 2] });
      m.prismatic({ name: `slide ${index}`, between: [lower, upper], axis: [0, 0, 1] });
      m.universal({
        name: `cross ${index}`,
        between: [m.ground, lower],
        at: [x, y, 0],
        axisA: [1, 0, 0],
        axisB: [0, 1, 0],
      });
    }
    const { cut, depth } = sound(m);
    expect(cut).toEqual([1, 2, 3, 4, 5].map((index) => `ball ${index}`));
    expect(depth.platform).toBe(3);
  });

  test("cuts no joint of a star", () => {
    const m = model({ name: "star" });
    const hub = bodyAt(m, "hub");
    hinge(m, "axle", m.ground, hub);
    for (let arm = 0; arm < 9; arm++) hinge(m, `arm ${arm}`, bodyAt(m, `tip ${arm}`), hub);
    const { cut, deepest } = sound(m);
    expect(cut).toEqual([]);
    expect(deepest).toBe(2);
  });

  test("traverses a mesh attached on one side breadth first", () => {
    const m = model({ name: "mesh" });
    const size = 6;
    const body: Body[][] = [];
    for (let i = 0; i < size; i++) {
      body.push([]);
      for (let j = 0; j < size; j++) {
        body[i].push(bodyAt(m, `${i} ${j}`));
        const ball = (other: Body) => m.spherical({ between: [other, body[i][j]], at: [i, j, 0] });
        ball(i === 0 ? m.ground : body[i - 1][j]);
        if (j > 0) ball(body[i][j - 1]);
      }
    }
    const { cut, depth } = sound(m);
    expect(cut.length).toBe(size * (size - 1));
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) expect(depth[`${i} ${j}`]).toBe(i + 1);
    }
  });

  test("cuts a closed belt of 200 links once, half way round", () => {
    const m = model({ name: "belt" });
    const links = Array.from({ length: 200 }, (_, i) => bodyAt(m, `link ${i}`, [i, 0, 0]));
    for (const [i, link] of links.entries()) hinge(m, `pin ${i}`, link, links[(i + 1) % 200]);
    hinge(m, "hook", m.ground, links[0]);
    const { cut, deepest, free } = sound(m);
    expect(cut).toHaveLength(1);
    expect(deepest).toBe(101);
    expect(free).toEqual([]);
  });

  test("keeps the joint with more rows of two between the same bodies", () => {
    const m = model({ name: "door" });
    const door = bodyAt(m, "door");
    m.spherical({ name: "lower", between: [m.ground, door], at: [0, 0, 0] });
    hinge(m, "upper", door, m.ground);
    expect(sound(m).cut).toEqual(["lower"]);
  });

  test("frees the heaviest body of a mechanism without ground, and attaches the others to it", () => {
    const m = model({ name: "satellite" });
    const [left, hub, right] = ["left", "hub", "right"].map((name) =>
      bodyAt(m, name, [0, 0, 0], name === "hub" ? 9 : 1),
    );
    bodyAt(m, "stone");
    hinge(m, "a", left, hub);
    hinge(m, "b", hub, right);
    const { free, depth, cut } = sound(m);
    expect(free).toEqual(["hub", "stone"]);
    expect(depth).toEqual({ left: 2, hub: 1, right: 2, stone: 1 });
    expect(cut).toEqual([]);
  });

  test("frees a body held by rows alone", () => {
    const m = model({ name: "hanging" });
    const stone = bodyAt(m, "stone", [0, 0, -1]);
    m.distance({ name: "rope", between: [m.ground, stone], atA: [0, 0, 0], atB: [0, 0, -1] });
    const { plan } = sound(m);
    expect(plan.nodes[0].positionNames).toEqual(
      ["x", "y", "z", "e0", "e1", "e2", "e3"].map((part) => `stone ${part}`),
    );
    expect(plan.nodes[0].velocityNames[5]).toBe("stone w3");
    expect(plan.cutJoints).toEqual([0]);
  });

  test("plans a chain of thousands of bodies", () => {
    const m = model({ name: "chain" });
    let last = m.ground;
    for (let i = 0; i < 1500; i++) {
      const link = bodyAt(m, `${i}`);
      hinge(m, `pin ${i}`, last, link);
      last = link;
    }
    const { plan } = sound(model({ name: "empty" }));
    expect(plan.positions).toBe(0);
    const { nodes } = planTree(m.data());
    expect(nodes.map(({ parent }) => parent)).toEqual(nodes.map((_, i) => i - 1));
  });
});

describe("coordinateNames", () => {
  test("returns the names of the joints", () => {
    const m = model({ name: "all" });
    const ends = (name: string) => ({ name, between: [m.ground, bodyAt(m, name)] as const });
    const at = [0, 0, 0] as const;
    m.revolute({ ...ends("r"), at, axis: Y });
    m.prismatic({ ...ends("p"), axis: Y });
    m.cylindrical({ ...ends("c"), at, axis: Y });
    m.screw({ ...ends("s"), at, axis: Y, pitch: 1 });
    m.spherical({ ...ends("b"), at });
    m.planar({ ...ends("t"), axis: Y });
    m.universal({ ...ends("u"), at, axisA: Y, axisB: [1, 0, 0] });
    m.fixed(ends("f"));
    const { nodes } = planTree(m.data());
    expect(nodes.flatMap(({ positionNames }) => positionNames)).toEqual([
      "r angle",
      "p displacement",
      "c displacement",
      "c angle",
      "s angle",
      ...["e0", "e1", "e2", "e3"].map((part) => `b ${part}`),
      "t displacement x",
      "t displacement y",
      "t angle",
      "u angle 1",
      "u angle 2",
    ]);
    expect(nodes.flatMap(({ velocityNames }) => velocityNames).slice(5, 8)).toEqual([
      "b w1",
      "b w2",
      "b w3",
    ]);
    // Sensors of the coordinates, by the names of the coordinates.
    const data = m.data();
    for (const { sensor, joint, positionNames } of nodes) {
      const measured = Object.entries(data.joints[joint].sensors).find(([, i]) => i === sensor);
      expect(sensor < 0 || positionNames[0].endsWith(measured![0])).toBe(true);
    }
    expect(nodes.filter(({ sensor }) => sensor >= 0).length).toBe(6);
  });
});

describe("tree options", () => {
  test("determine which joints are cut or kept and which bodies are free", () => {
    expect(sound(fourBar(), { cut: ["a"] }).cut).toEqual(["a"]);
    const kept = sound(fourBar(), { keep: ["a", "b", "c"] });
    expect(kept.cut).toEqual(["d"]);
    expect(kept.depth.rocker).toBe(3);
    const { cut, free, depth } = sound(fourBar(), { free: ["coupler"] });
    expect(free).toEqual(["coupler"]);
    expect(depth).toEqual({ crank: 1, coupler: 1, rocker: 1 });
    expect(cut).toHaveLength(2);
    // They hang on the freed body if these joints are kept.
    expect(sound(fourBar(), { free: ["coupler"], keep: ["b", "c"] }).cut).toEqual(["a", "d"]);
    const maximal = sound(fourBar(), { cut: ["a", "b", "c", "d"] });
    expect(maximal.free).toEqual(["crank", "coupler", "rocker"]);
    // Hinges keep them in a plane, so three coordinates suffice.
    expect([maximal.plan.positions, maximal.plan.velocities]).toEqual([9, 9]);
  });

  test("prefer a kept joint to one with more rows", () => {
    const cut = sound(fourBar("spherical"), { keep: ["c"] }).cut;
    expect(cut).toHaveLength(1);
    expect(cut).not.toContain("c");
  });

  test.each<[TreeOptions, RegExp]>([
    [{ cut: ["A"] }, /four-bar: tree: cut: there is no joint "A"/],
    [{ keep: ["hinge"] }, /keep: there is no joint "hinge"/],
    [{ free: ["cranck"] }, /there is no body "cranck".*crank/],
    [{ cut: ["a"], keep: ["a"] }, /"a" is in cut and in keep/],
    [{ keep: ["a", "b", "c", "d"] }, /"d" closes a loop of joints that are kept/],
    [{ free: ["crank"], keep: ["a"] }, /"a" closes a loop .*free/],
    [{ keep: ["stay"] }, /"stay" \(distance\) always stays rows/],
  ])("%j are rejected", (options, message) => {
    const m = fourBar();
    m.distance({ name: "stay", between: [m.ground, bodyAt(m, "extra", [3, 3, 3])] });
    expect(() => planTree(m.data(), options)).toThrow(message);
  });

  test("give the same tree for the same model", () => {
    expect(planTree(nFourBar(7).data())).toEqual(planTree(nFourBar(7).data()));
  });
});
