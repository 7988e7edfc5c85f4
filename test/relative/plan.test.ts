// The tree of a model's joints: coordinates of joints against poses of bodies, for every joint and from both sides.

import { compile, type Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { NodeKind } from "../../assembly/layout-tree.js";
import { randomVector, seeded } from "../../bench/support/random.js";
import { jointCoordinates } from "../../src/systems/relative/plan/joint-coordinates.js";
import { planTree } from "../../src/systems/relative/plan/plan-tree.js";
import type { TreePlan } from "../../src/systems/relative/plan/tree-plan.js";
import { bodyAccelerations, bodyStates, moved, treeAccelerations } from "../support/naive-tree.js";
import { type RandomTree, randomTree, randomTypes, treeTypes } from "./support/random-trees.js";

/** Random joint coordinates: angles over several turns, Euler parameters of unit length. */
function randomState(plan: TreePlan, seed: number) {
  const random = seeded(seed);
  const q = randomVector(random, plan.positions).map((x) => 8 * x);
  for (const { kind, position } of plan.nodes) {
    const at = kind === NodeKind.FREE ? position + 3 : position;
    if (kind !== NodeKind.FREE && kind !== NodeKind.BALL) continue;
    const length = Math.hypot(...q.subarray(at, at + 4));
    for (let i = at; i < at + 4; i++) q[i] /= length;
  }
  return { q, v: randomVector(random, plan.velocities) };
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
};

/** Coordinates to bodies and back; what the joints say of it. */
function roundTrip(m: Model, seed: number) {
  const plan = planTree(m.data());
  const { q, v } = randomState(plan, seed);
  const states = bodyStates(plan, m.data(), q, v);
  const found = jointCoordinates(plan, m.data(), states, q);
  expect(distance(found.q, q)).toBeLessThan(1e-12);
  expect(distance(found.v, v)).toBeLessThan(1e-12);
  for (const { distance, turn, velocity, angularVelocity } of found.misfits) {
    expect(Math.max(distance, turn, velocity, angularVelocity)).toBeLessThan(1e-12);
  }
  return { plan, q, v, states };
}

const SIDES = ["A", "B"] as const;
const pairs = treeTypes.flatMap((type) => SIDES.map((side) => ({ type, side })));

/** The joint on the ground, on a free body and on another joint's body. */
const places: (Omit<RandomTree, "types"> & { name: string; before: "revolute"[] })[] = [
  { name: "on the ground", seed: 1, before: [] },
  { name: "on a free body", seed: 2, free: true, before: [] },
  { name: "behind a hinge", seed: 3, chain: true, before: ["revolute"] },
];

describe("joint coordinates", () => {
  test.each(pairs)("$type with $side for parent: coordinates, bodies, coordinates", (pair) => {
    for (const { before, name, ...where } of places) {
      for (let i = 0; i < 10; i++) {
        const m = randomTree({
          ...where,
          seed: 10 * where.seed + i,
          types: [...before, pair.type],
          side: pair.side,
        });
        roundTrip(m, i);
      }
    }
  });

  test("chains and branches of all joints", () => {
    for (let seed = 100; seed < 160; seed++) {
      const types = randomTypes(seeded(seed), 12);
      roundTrip(randomTree({ seed, types, free: seed % 3 === 0, chain: seed % 2 === 0 }), seed);
    }
  });

  test("velocities are how positions change", () => {
    for (let seed = 200; seed < 230; seed++) {
      const m = randomTree({ seed, types: randomTypes(seeded(seed), 8), free: seed % 2 === 0 });
      const plan = planTree(m.data());
      const { q, v } = randomState(plan, seed);
      const h = 1e-6;
      const [before, after] = [-h, h].map((t) =>
        bodyStates(plan, m.data(), moved(plan, q, v, t), v),
      );
      const now = bodyStates(plan, m.data(), q, v);
      for (const [body] of m.data().bodies.entries()) {
        for (let i = 0; i < 3; i++) {
          const rate = (after.q[7 * body + i] - before.q[7 * body + i]) / (2 * h);
          expect(Math.abs(rate - now.v[6 * body + i])).toBeLessThan(1e-6);
        }
      }
    }
  });
});

describe("the rows of today's joints", () => {
  test.each(pairs)("$type with $side for parent: nothing is left of them", async (pair) => {
    for (let seed = 300; seed < 304; seed++) {
      const m = randomTree({ seed, types: ["revolute", pair.type], side: pair.side, chain: true });
      await satisfied(m, seed);
    }
  });

  test("trees of all joints, and accelerations", async () => {
    for (let seed = 320; seed < 332; seed++) {
      const m = randomTree({ seed, types: randomTypes(seeded(seed), 8), free: seed % 3 === 0 });
      await satisfied(m, seed);
    }
  });
});

/** At random coordinates rows are zero, sensors say the coordinates, and bodies accelerate as in the maximal system. */
async function satisfied(m: Model, seed: number) {
  const { plan, q, v, states } = roundTrip(m, seed);
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const turns: Record<string, number> = {};
  const joints = m.data().joints;
  for (const { sensor, position, joint, kind } of plan.nodes) {
    if (sensor >= 0 && kind !== NodeKind.SLIDE) turns[joints[joint].name] = q[position];
  }
  simulation.setState(states.q, states.v, { turns, start: "asGiven" });
  expect(Math.max(...simulation.phi().map(Math.abs), 0)).toBeLessThan(1e-11);
  expect(Math.max(...simulation.phiDot().map(Math.abs), 0)).toBeLessThan(1e-11);
  for (const { sensor, position, velocity, joint, kind } of plan.nodes) {
    if (sensor < 0) continue;
    const read = simulation.joint(joints[joint].name);
    const [value, rate] =
      kind === NodeKind.SLIDE
        ? [read.displacement, read.displacementRate]
        : [read.angle, read.angleRate];
    expect(value).toBeCloseTo(q[position], 11);
    expect(rate).toBeCloseTo(v[velocity], 11);
  }
  const accelerations = treeAccelerations(plan, m.data(), q, v);
  const found = bodyAccelerations(plan, m.data(), q, v, accelerations);
  const expected = simulation.accelerations();
  const size = Math.max(1, ...expected.map(Math.abs));
  expect(distance(found, expected) / size).toBeLessThan(1e-11);
}
