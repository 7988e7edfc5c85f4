// Matrices of a tree and derivatives of its equations, compared with products and finite differences: random trees of
// all joints, with forces of all kinds, loops and couplings, at random states.

import type { Body, Joint, Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { addForces, addLoops } from "./support/random-forces.js";
import { randomParts, randomTypes } from "./support/random-trees.js";
import { relativeError, type TreeState, treeState } from "./support/tree-state.js";

function partsOf(seed: number): { m: Model; bodies: Body[]; joints: Joint[] } {
  return randomParts({
    seed,
    types: randomTypes(seeded(seed), 2 + (seed % 7)),
    free: seed % 3 === 0,
    chain: seed % 2 === 0,
  });
}

const hasAngle = ({ type }: Joint) => type === "revolute" || type === "cylindrical";

const seeds = Array.from({ length: 24 }, (_, i) => 3000 + i);

describe.each(seeds)("matrices and derivatives of random tree %i", (seed) => {
  test("match finite differences with inertia and gravity", async () => {
    const { m } = partsOf(seed);
    await checkForces(m, seed);
  });

  test("match finite differences with forces of all kinds", async () => {
    const { m, bodies, joints } = partsOf(seed);
    addForces(m, seed, bodies, joints.filter(hasAngle));
    await checkForces(m, seed);
  });

  test("match finite differences with couplings and drives", async () => {
    const { m, joints } = partsOf(seed);
    const [first, second, third] = joints.filter(hasAngle);
    if (first && second) m.gear({ name: "gear", joints: [first, second], ratio: -1.7 });
    if (third ?? first) {
      m.driveAngle({ name: "drive", joint: third ?? first, angle: (t) => 0.3 * t * t });
    }
    await checkForces(m, seed);
    await checkRows(m, seed);
  });

  test("match finite differences with open loops", async () => {
    const { m, bodies } = partsOf(seed);
    addLoops(m, seed, bodies);
    await checkForces(m, seed);
    await checkRows(m, seed);
  });

  test("match finite differences with a closed loop", async () => {
    const { m, bodies } = partsOf(seed);
    addLoops(m, seed, bodies, seed % 4);
    await checkClosed(m, seed);
  });
});

async function checkForces(m: Model, seed: number): Promise<void> {
  const state = await treeState(m, seed);
  const { system, derivatives } = state;
  const { velocities } = system.coordinates;
  const { forces, dampingOffset } = derivatives;
  const mass = state.dense(state.sparse.mass, velocities);
  const stiffness = state.dense(forces, velocities);
  const damping = state.dense(forces, velocities, dampingOffset);
  expect(relativeError(mass, state.mass())).toBeLessThan(1e-13);
  const equations = () => state.equations();
  expect(relativeError(damping, state.differences(false, equations))).toBeLessThan(1e-8);
  expect(relativeError(stiffness, state.differences(true, equations))).toBeLessThan(1e-8);
}

/** Open loops: rows of relative positions omit terms of common motion, which vanish if the loops are closed. */
async function checkRows(m: Model, seed: number): Promise<void> {
  const state = await treeState(m, seed);
  const { system } = state;
  const { rows: count } = system.constraints;
  const pattern = new Set(state.sparse.jacobian.map(({ row, column }) => row + count * column));
  for (const { found, expected } of rowMatrices(state)) {
    const listed = expected.map((value, place) => (pattern.has(place) ? value : 0));
    expect(relativeError(found, listed)).toBeLessThan(1e-8);
  }
}

/** Closed loops, also for velocities and accelerations. */
async function checkClosed(m: Model, seed: number): Promise<void> {
  const state = await treeState(m, seed, true);
  for (const { found, expected } of rowMatrices(state)) {
    expect(relativeError(found, expected)).toBeLessThan(1e-8);
  }
}

function rowMatrices(state: TreeState) {
  const { system, derivatives } = state;
  const { rows: count } = system.constraints;
  const { rows, biasOffset, gyroscopicOffset } = derivatives;
  return [
    {
      found: state.dense(state.sparse.jacobian, count),
      expected: state.jacobian(),
    },
    { found: state.dense(rows, count), expected: state.differences(true, state.phiDot) },
    {
      found: state.dense(rows, count, biasOffset),
      expected: state.differences(true, state.bias),
    },
    {
      found: state.dense(rows, count, gyroscopicOffset),
      expected: state.differences(false, state.gamma),
    },
  ];
}
