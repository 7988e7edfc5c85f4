// The kernels of a tree, compared with the reference implementation at random states of random trees of all joints.

import { compile, type Model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { NodeKind } from "../../assembly/layout-tree.js";
import type { RelativeSystem } from "../../src/systems/relative/system/system.js";
import { bodyStates, massMatrix, moved, treeAccelerations } from "../support/naive-tree.js";
import { randomVector, seeded } from "../support/random.js";
import { randomTree, randomTypes } from "./support/random-trees.js";

/** A tree in relative coordinates at a random state, with its memory. */
async function treeAt(m: Model, seed: number) {
  const compiled = await compile(m, { coordinates: "relative" });
  const system = compiled.system() as RelativeSystem;
  const { workspace, trial } = system;
  const plan = system.plan.tree;
  const solver = system.dynamics.solver("auto");
  const vectors = [0, 1, 2].map((i) => workspace.reserve(`test ${i}`, plan.positions + 1));
  const bodies = workspace.reserve("test bodies", 13 * m.data().bodies.length);
  const arena = workspace.seal();
  const random = seeded(seed);
  const q = arena.floats({ name: "q", address: trial.q, slots: plan.positions });
  const v = arena.floats({ name: "v", address: trial.v, slots: plan.velocities });
  q.set(randomVector(random, plan.positions).map((x) => 5 * x));
  v.set(randomVector(random, plan.velocities));
  for (const { kind, position } of plan.nodes) {
    if (kind !== NodeKind.FREE && kind !== NodeKind.BALL) continue;
    const at = kind === NodeKind.FREE ? position + 3 : position;
    const length = Math.hypot(...q.subarray(at, at + 4));
    for (let i = at; i < at + 4; i++) q[i] /= length;
  }
  system.at(0);
  const read = (address: number, slots = plan.velocities) =>
    arena.floats({ name: "read", address, slots });
  return { system, plan, solver, q, v, vectors, bodies, read, data: m.data() };
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let [most, size] = [0, 1e-300];
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i] - b[i]));
    size = Math.max(size, Math.abs(b[i]));
  }
  return most / size;
}

const seeds = Array.from({ length: 40 }, (_, i) => 1000 + i);
const treeOf = (seed: number) =>
  randomTree({
    seed,
    types: randomTypes(seeded(seed), 1 + (seed % 9)),
    free: seed % 3 === 0,
    chain: seed % 2 === 0,
  });

describe.each(seeds)("kernels of random tree %i", (seed) => {
  test("compute poses and velocities of bodies", async () => {
    const { system, plan, q, v, bodies, read, data } = await treeAt(treeOf(seed), seed);
    system.publicState.write(system.trial.q, bodies.address);
    const naive = bodyStates(plan, data, q, v);
    const count = data.bodies.length;
    const found = read(bodies.address, 13 * count);
    for (let body = 0; body < count; body++) {
      const e = found.subarray(7 * body + 3, 7 * body + 7);
      const sign = e.reduce((sum, x, i) => sum + x * naive.q[7 * body + 3 + i], 0) < 0 ? -1 : 1;
      for (let i = 0; i < 4; i++) e[i] *= sign;
    }
    expect(difference(found.subarray(0, 7 * count), naive.q)).toBeLessThan(1e-13);
    expect(difference(found.subarray(7 * count), naive.v)).toBeLessThan(1e-13);
  });

  test("compute accelerations, masses and forces", async () => {
    const { system, plan, solver, q, v, vectors, read, data } = await treeAt(treeOf(seed), seed);
    const [one, other] = vectors.map(({ address }) => address);
    solver.accelerate(system.constraints.gamma(), one);
    const naive = treeAccelerations(plan, data, q, v);
    expect(difference(read(one), naive)).toBeLessThan(1e-10);
    const mass = massMatrix(plan, data, q);
    const x = randomVector(seeded(seed + 1), plan.velocities);
    read(one).set(x);
    system.dynamics.massTimes(one, other);
    const product = Array.from(x, (_, i) =>
      x.reduce((sum, value, j) => sum + mass[plan.velocities * j + i] * value, 0),
    );
    expect(difference(read(other), product)).toBeLessThan(1e-12);
    solver.massSolve(other, one);
    expect(difference(read(one), x)).toBeLessThan(1e-9);
    solver.massSolve(system.dynamics.forces(), one);
    expect(difference(read(one), naive)).toBeLessThan(1e-9);
  });

  test("compute energy gradients that match finite differences", async () => {
    const { system, plan, q, v, vectors, read } = await treeAt(treeOf(seed), seed);
    const [gradient, rates] = vectors.map(({ address }) => address);
    const { energy } = system;
    const start = q.slice();
    const x = randomVector(seeded(seed + 2), plan.velocities);
    const h = 1e-5;
    for (const kind of ["kinetic", "potential"] as const) {
      q.set(start);
      system.at(0);
      if (kind === "kinetic") energy.kineticGradient(gradient);
      else energy.potentialGradient(gradient);
      const own = v.slice();
      v.set(x);
      system.coordinates.positionRate(system.trial.v, 0, system.trial.v, rates);
      v.set(own);
      const slope = read(rates, plan.positions).reduce(
        (sum, rate, i) => sum + rate * read(gradient, plan.positions)[i],
        0,
      );
      const [before, after] = [-h, h].map((t) => {
        q.set(moved(plan, start, x, t));
        system.at(0);
        return energy[kind]();
      });
      const size = Math.max(1, Math.abs(before));
      expect(Math.abs((after - before) / (2 * h) - slope) / size).toBeLessThan(1e-6);
    }
  });
});
