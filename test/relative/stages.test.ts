// Stages of implicit methods along a tree, compared with the matrices of the same tree.

import { type Body, compile, type Model, model } from "nodrift/bodies";
import { sdirk4, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { stiffMemory } from "../../src/base/memory/stiff-memory.js";
import type { MatrixEntry } from "../../src/interfaces/index.js";
import type { RelativeSystem } from "../../src/systems/relative/system/system.js";
import { randomVector, seeded } from "../support/random.js";
import { addJoint, randomBody, three } from "./support/random-trees.js";

const TYPES = ["revolute", "prismatic", "screw", "revolute", "fixed"] as const;

/** A tree of some 60 bodies, deep enough, with springs between neighbours and to the ground. */
function deepTree(seed: number, chain: boolean): { m: Model; bodies: Body[] } {
  const random = seeded(seed);
  const m = model({ name: `deep ${seed}`, gravity: [1, -9, 2] });
  const bodies: Body[] = [m.ground];
  for (let i = 0; i < 60; i++) {
    const back = !chain && random() < -0.85 ? 2 : 1;
    const parent = bodies[Math.max(0, bodies.length - back)];
    const child = randomBody(m, random, `b${i}`);
    const type = TYPES[Math.floor(((random() + 1) / 2) * TYPES.length)];
    const between: [Body, Body] = random() < 0 ? [parent, child] : [child, parent];
    addJoint(m, random, type, `j${i}`, between);
    m.bushing({
      between,
      at: three(random),
      stiffness: { translation: 50, rotation: 20 },
      damping: { translation: 5, rotation: 2 },
    });
    m.spring({
      between: [m.ground, child],
      atB: three(random),
      stiffness: 9,
      damping: 1,
      length: 1,
    });
    bodies.push(child);
  }
  m.drag({ on: bodies[20], linear: 2, angular: 1 });
  return { m, bodies };
}

async function stagesOf(m: Model, complex: boolean) {
  const compiled = await compile(m, { coordinates: "relative" });
  const system = compiled.system() as unknown as RelativeSystem;
  const { workspace, trial } = system;
  const { velocities: n } = system.coordinates;
  const stiff = stiffMemory(workspace);
  const stages = system.matrices.stages(stiff);
  if (stages === undefined) throw new Error("no stages");
  const solver = stages.shifted(complex);
  const derivatives = system.matrices.derivatives(stiff);
  if (typeof derivatives === "string") throw new Error(derivatives);
  const { mass } = system.matrices.sparse(stiff);
  const parts = complex ? 2 : 1;
  const a = workspace.reserve("a", n);
  const [b, x] = [workspace.reserve("b", 2 * n * parts), workspace.reserve("x", 2 * n * parts)];
  const arena = workspace.seal();
  const random = seeded(7);
  arena.floats({ name: "q", address: trial.q, slots: n }).set(randomVector(random, n));
  arena.floats({ name: "v", address: trial.v, slots: n }).set(randomVector(random, n));
  arena.floats(a).set(randomVector(random, n));
  arena.floats(b).set(randomVector(random, 2 * n * parts));
  system.at(0);
  stages.evaluate(a.address);
  derivatives.evaluate(a.address, a.address);
  const times = (entries: readonly MatrixEntry[], shift: number, vector: ArrayLike<number>) => {
    const out = new Float64Array(n);
    for (const { row, column, address } of entries) {
      const [value] = arena.floats({ name: "value", address: address + shift, slots: 1 });
      out[row] += value * vector[column];
    }
    return out;
  };
  const { forces, dampingOffset } = derivatives;
  return {
    n,
    solver,
    b,
    x,
    floats: (segment: typeof b) => arena.floats(segment),
    massTimes: (vector: ArrayLike<number>) => times(mass, 0, vector),
    stiffnessTimes: (vector: ArrayLike<number>) => times(forces, 0, vector),
    dampingTimes: (vector: ArrayLike<number>) => times(forces, dampingOffset, vector),
  };
}

/** M (x2 - b2) - alpha (K x1 + C x2) and x1 - b1 - alpha x2, both zero, relative to their largest terms. */
async function residual(m: Model, real: number, imaginary: number): Promise<number> {
  const complex = imaginary !== 0;
  const { n, solver, b, x, floats, massTimes, stiffnessTimes, dampingTimes } = await stagesOf(
    m,
    complex,
  );
  expect(solver.factor(real, imaginary)).toBe(true);
  const given = floats(b).slice();
  solver.solve(b.address, x.address);
  expect(floats(b)).toEqual(given);
  const found = floats(x).slice();
  solver.solve(b.address, b.address);
  expect(floats(b)).toEqual(found);
  const part = (values: Float64Array, k: number) =>
    complex || k < 2 ? values.slice(n * k, n * (k + 1)) : new Float64Array(n);
  const [x1, x2, y1, y2] = [0, 1, 2, 3].map((k) => part(found, k));
  const [b1, b2, c1, c2] = [0, 1, 2, 3].map((k) => part(given, k));
  const less = (one: Float64Array, other: Float64Array) => one.map((value, i) => value - other[i]);
  const pull = (one: Float64Array, two: Float64Array) => {
    const damping = dampingTimes(two);
    return stiffnessTimes(one).map((value, i) => value + damping[i]);
  };
  const [inertia, turned] = [massTimes(less(x2, b2)), massTimes(less(y2, c2))];
  const [force, other] = [pull(x1, x2), pull(y1, y2)];
  let [most, size] = [0, 0];
  for (let i = 0; i < n; i++) {
    const errors = [
      inertia[i] - real * force[i] + imaginary * other[i],
      turned[i] - real * other[i] - imaginary * force[i],
    ];
    most = Math.max(most, ...errors.map(Math.abs));
    size = Math.max(size, Math.abs(inertia[i]), Math.abs(turned[i]));
    const along = x1[i] - b1[i] - real * x2[i] + imaginary * y2[i];
    const across = y1[i] - c1[i] - real * y2[i] - imaginary * x2[i];
    expect(Math.abs(along) + Math.abs(across)).toBeLessThan(1e-12 * (1 + Math.abs(x1[i])));
  }
  return most / size;
}

describe.each([1, 2, 3, 4])("stages of deep tree %i", (seed) => {
  test.each([
    [1e-3, 0],
    [0.1, 0],
    [0.3, -0.2],
  ])("satisfy the equations for alpha = %f + %f i", async (real, imaginary) => {
    expect(await residual(deepTree(seed, seed % 2 === 0).m, real, imaginary)).toBeLessThan(1e-9);
  });
});

test("stages of shallow trees, or with forces between distant bodies, use matrices", async () => {
  const shallow = model({ name: "shallow" });
  const body = randomBody(shallow, seeded(1), "b");
  addJoint(shallow, seeded(2), "revolute", "j", [shallow.ground, body]);
  const { m: far, bodies } = deepTree(1, true);
  far.spring({ between: [bodies[3], bodies[9]], stiffness: 1, length: 1 });
  for (const m of [shallow, far]) {
    const compiled = await compile(m, { coordinates: "relative" });
    const system = compiled.system() as unknown as RelativeSystem;
    expect(system.matrices.stages(stiffMemory(system.workspace))).toBeUndefined();
  }
});

test("solve rejects a tree too deep for matrices and names it", async () => {
  const m = model({ name: "cable" });
  let last: Body = m.ground;
  for (let i = 0; i < 500; i++) {
    const link = m.body({ name: `link ${i}`, mass: 1, inertia: [1, 1, 1], position: [i, 0, 0] });
    m.spherical({ between: [last, link], at: [i - 0.5, 0, 0] });
    last = link;
  }
  const compiled = await compile(m, { coordinates: "relative" });
  const method = { formulation: stateSpace(), integrator: sdirk4() };
  expect(() => solve(compiled, { span: [0, 1], method })).toThrow(
    /cable: the mass matrix of 1500 joint coordinates.*coordinates: "maximal"/,
  );
});
