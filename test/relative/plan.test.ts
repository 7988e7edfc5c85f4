// The tree of a model's joints: joint coordinates compared with poses of bodies, for every joint and from both sides.

import { compile, type Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { NodeKind } from "../../assembly/layout-tree.js";
import { jointCoordinates } from "../../src/systems/relative/plan/joint-coordinates.js";
import { planTree } from "../../src/systems/relative/plan/relative-plan.js";
import type { TreePlan } from "../../src/systems/relative/plan/tree-forms.js";
import { bodyAccelerations, bodyStates, moved, treeAccelerations } from "../support/naive-tree.js";
import { randomVector, seeded } from "../support/random.js";
import { type RandomTree, randomTree, randomTypes, treeTypes } from "./support/random-trees.js";

/** Random joint coordinates: angles over several revolutions, Euler parameters of unit length. */
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

/** Converts coordinates to bodies and back, and checks the misfits of the joints. */
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

/** The joint on the ground, on a free body and on the body of another joint. */
const places: (Omit<RandomTree, "types"> & { name: string; before: "revolute"[] })[] = [
  { name: "on the ground", seed: 1, before: [] },
  { name: "on a free body", seed: 2, free: true, before: [] },
  { name: "behind a hinge", seed: 3, chain: true, before: ["revolute"] },
];

describe("joint coordinates", () => {
  test.each(pairs)(
    "survive the conversion to bodies and back for $type with parent $side",
    (pair) => {
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
    },
  );

  test("survive the conversion for chains and branches of all joints", () => {
    for (let seed = 100; seed < 160; seed++) {
      const types = randomTypes(seeded(seed), 12);
      roundTrip(randomTree({ seed, types, free: seed % 3 === 0, chain: seed % 2 === 0 }), seed);
    }
  });

  test.each(treeTypes)("keep their values from either side of a %s joint", (type) => {
    for (let seed = 400; seed < 410; seed++) {
      const m = randomTree({ seed, types: [type], free: true, side: "A" }).data();
      const [fromA, fromB] = ["root", "b0"].map((name) => planTree(m, { free: [name] }));
      const { q, v } = randomState(fromA, seed);
      const states = bodyStates(fromA, m, q, v);
      const [one, other] = [fromA, fromB].map((plan) => {
        const found = jointCoordinates(plan, m, states);
        const named = plan.nodes
          .filter(({ joint, kind }) => joint >= 0 && kind !== NodeKind.BALL)
          .flatMap((node) =>
            node.positionNames.map(
              (name) => [name, found.q[node.position], found.v[node.velocity]] as const,
            ),
          );
        return named.sort(([a], [b]) => (a < b ? -1 : 1));
      });
      expect(other.map(([name]) => name)).toEqual(one.map(([name]) => name));
      for (const [i, [, position, velocity]] of one.entries()) {
        expect(other[i][1]).toBeCloseTo(position, 11);
        expect(other[i][2]).toBeCloseTo(velocity, 11);
      }
    }
  });

  test("change at the rates that the velocities state", () => {
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

describe("rows of tree joints", () => {
  test.each(pairs)("vanish for $type with parent $side", async (pair) => {
    for (let seed = 300; seed < 304; seed++) {
      const m = randomTree({ seed, types: ["revolute", pair.type], side: pair.side, chain: true });
      await satisfied(m, seed);
    }
  });

  test("vanish for trees of all joints, which accelerate as in maximal coordinates", async () => {
    for (let seed = 320; seed < 332; seed++) {
      const m = randomTree({ seed, types: randomTypes(seeded(seed), 8), free: seed % 3 === 0 });
      await satisfied(m, seed);
    }
  });
});

/**
 * Checks at random coordinates that rows are zero, sensors measure the coordinates, and bodies accelerate as in the
 * maximal system.
 */
async function satisfied(m: Model, seed: number) {
  const { plan, q, v, states } = roundTrip(m, seed);
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const turns: Record<string, number> = {};
  const joints = m.data().joints;
  for (const { sensor, position, joint, kind } of plan.nodes) {
    if (sensor >= 0 && kind !== NodeKind.SLIDE) turns[joints[joint].name] = q[position];
  }
  simulation.setState(states.q, states.v, { unwrappedAngles: turns, start: "asGiven" });
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
