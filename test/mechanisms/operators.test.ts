// The block sparse operators of mechanisms, against dense matrices that are multiplied naively.

import { denseMemory } from "nodrift";
import { type CompiledModel, compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { relativeDistance } from "../support/matrix.js";
import { type Random, randomVector, seeded } from "../support/random.js";

/** A tree, a loop and couplings: blocks of 1, 3, 4 and 5 rows on one and two bodies. */
function assorted(): Model {
  const m = model({ name: "assorted", gravity: [1, -2, -9] });
  const body = (name: string, x: number, y: number, z: number) =>
    m.body({
      name,
      mass: 1 + x * x,
      inertia: [
        [0.3, 0.02, 0.01],
        [0.02, 0.4, -0.03],
        [0.01, -0.03, 0.5],
      ],
      centre: [0.1, -0.05, 0.02],
      position: [x, y, z],
      orientation: { axis: [1, 2, 3], angle: x + y },
    });
  const [a, b, c, d] = [
    body("a", 1, 0, 0),
    body("b", 2, 0.5, 0.1),
    body("c", 1.5, 1, -0.3),
    body("d", 0.3, 1, 0.4),
  ];
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, a],
    at: [0.5, 0, 0],
    axis: [0, 1, 1],
  });
  m.spherical({ name: "ball", between: [a, b], at: [1.5, 0.2, 0] });
  m.universal({
    name: "cross",
    between: [b, c],
    at: [1.7, 0.8, 0],
    axisA: [1, 0, 0],
    axisB: [0, 1, 0],
  });
  m.distance({ name: "rod", between: [c, a], atA: [1.5, 1, 0], atB: [1, 0.3, 0] });
  const pin = m.revolute({ name: "pin", between: [m.ground, d], at: [0, 1, 0], axis: [1, 0, 0] });
  m.gear({ name: "gear", joints: [hinge, pin], ratio: -2 });
  m.spring({ between: [a, d], stiffness: 20, length: 0.5, damping: 3 });
  return m;
}

const compiled = await compile(assorted());

interface Bench {
  readonly system: ReturnType<CompiledModel["bodySystem"]>;
  read(address: number, count: number): Float64Array;
  write(values: ArrayLike<number>): number;
  readonly rows: number;
  readonly velocities: number;
}

/** A system with memory for vectors, at a random state. */
function bench(random: Random): Bench {
  const system = compiled.bodySystem();
  for (const kind of ["auto", "cholesky", "cod"] as const)
    system.dynamics.solver(kind, undefined, denseMemory);
  const room = system.workspace.reserve("vectors of the test", 40 * system.coordinates.positions);
  const arena = system.workspace.seal();
  const state = arena.floats({
    name: "trial",
    address: system.trial.q,
    slots: system.coordinates.positions + system.coordinates.velocities,
  });
  state.set(compiled.q);
  const noise = randomVector(random, state.length);
  for (let i = 0; i < state.length; i++) state[i] += 0.3 * noise[i];
  system.at(0.3);
  let next = 0;
  return {
    system,
    rows: system.constraints.rows,
    velocities: system.coordinates.velocities,
    read: (address, slots) => arena.floats({ name: "vector", address, slots }).slice(),
    write(values) {
      const address = room.address + 8 * next;
      next += 8 * Math.ceil(values.length / 8);
      arena.floats({ name: "vector", address, slots: values.length }).set(values);
      return address;
    },
  };
}

/** Returns J and M as dense matrices. */
function matrices({ system, read, rows, velocities: n }: Bench) {
  const jacobian = read(system.matrices.dense.jacobian(), rows * n);
  const mass = read(system.matrices.dense.mass(), n * n);
  const timesJ = (x: ArrayLike<number>) =>
    Float64Array.from({ length: rows }, (_, i) => sum(n, (j) => jacobian[i * n + j] * x[j]));
  const timesJt = (l: ArrayLike<number>) =>
    Float64Array.from({ length: n }, (_, j) => sum(rows, (i) => jacobian[i * n + j] * l[i]));
  const timesM = (x: ArrayLike<number>) =>
    Float64Array.from({ length: n }, (_, i) => sum(n, (j) => mass[i + j * n] * x[j]));
  return { timesJ, timesJt, timesM };
}

function sum(count: number, term: (index: number) => number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += term(i);
  return total;
}

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

describe.each(SEEDS)("system operators at random state %i", (seed) => {
  const random = seeded(seed);
  const b = bench(random);
  const { system, rows, velocities: n } = b;
  const { timesJ, timesJt, timesM } = matrices(b);
  const out = b.write(new Float64Array(system.coordinates.positions));

  test("products with J, its transpose and M match the matrices", () => {
    const x = randomVector(random, n);
    const lambda = randomVector(random, rows);
    system.constraints.jacobianTimes(b.write(x), out);
    expect(relativeDistance(b.read(out, rows), timesJ(x))).toBeLessThan(1e-14);
    system.constraints.jacobianTransposeTimes(b.write(lambda), out);
    expect(relativeDistance(b.read(out, n), timesJt(lambda))).toBeLessThan(1e-14);
    system.dynamics.massTimes(b.write(x), out);
    expect(relativeDistance(b.read(out, n), timesM(x))).toBeLessThan(1e-14);
    system.dynamics.solver("auto").massSolve(out, out);
    expect(relativeDistance(b.read(out, n), x)).toBeLessThan(1e-13);
  });

  test.each(["auto", "cholesky"] as const)(
    "%s solves like the orthogonal decomposition",
    (kind) => {
      const r = b.write(randomVector(random, rows));
      const gamma = b.write(b.read(system.constraints.gamma(), rows));
      const [sparse, dense] = [system.dynamics.solver(kind), system.dynamics.solver("cod")];
      const results = [sparse, dense].map((solver) => {
        const [step, a, lambda] = [n, n, rows].map((size) => b.write(new Float64Array(size)));
        solver.minnorm(1, r, step);
        solver.accelerate(gamma, a);
        solver.multipliers(gamma, lambda);
        return [b.read(step, n), b.read(a, n), b.read(lambda, rows)];
      });
      results[0].forEach((values, i) => {
        expect(relativeDistance(values, results[1][i])).toBeLessThan(1e-9);
      });
      expect(sparse.rank()).toBe(dense.rank());
    },
  );

  test("positions follow velocities, and forces are the negative gradient of the potential", () => {
    const v = randomVector(random, n);
    const h = 2 ** -12;
    const [rate, gradient] = [out, b.write(new Float64Array(system.coordinates.positions))];
    system.coordinates.positionRate(b.write(v), 0, b.write(v), rate);
    const rates = b.read(rate, system.coordinates.positions);
    system.energy.potentialGradient(gradient);
    const slope = b.read(gradient, system.coordinates.positions);
    const at = (scale: number) => {
      const q = b.read(system.trial.q, system.coordinates.positions);
      const address = b.write(q);
      system.coordinates.displace(address, b.write(v.map((x) => scale * x)));
      const moved = b.read(address, system.coordinates.positions);
      const before = q;
      const view = system.arrays.q;
      view.set(moved);
      system.at(0.3);
      const potential = system.energy.potential();
      view.set(before);
      system.at(0.3);
      return { moved, potential };
    };
    const [plus, minus] = [at(h), at(-h)];
    const difference = plus.moved.map((x, i) => (x - minus.moved[i]) / (2 * h));
    expect(relativeDistance(difference, rates)).toBeLessThan(1e-6);
    const fall = (plus.potential - minus.potential) / (2 * h);
    const expected = sum(system.coordinates.positions, (i) => slope[i] * rates[i]);
    expect(Math.abs(fall - expected)).toBeLessThan(1e-5 * (1 + Math.abs(fall)));
  });
});
