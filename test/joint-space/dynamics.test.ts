// Mass matrix, inverse dynamics, forces and Jacobians in joint coordinates, against closed forms and against the dense
// formulas of a naive tree.

import {
  type CompiledModel,
  compile,
  jointSpace,
  model,
  type NamedMatrix,
  rod,
  sphere,
} from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { randomTree, randomTypes } from "../relative/support/random-trees.js";
import { generalisedForces, massMatrix, velocityMap } from "../support/naive-tree.js";
import { randomVector, seeded } from "../support/random.js";
import { randomTree as forcedTree } from "../support/random-mechanisms.js";
import { driven } from "./support/models.js";

const Y = [0, 1, 0] as const;
const G = 9.81;

const apart = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  let [most, size] = [0, 1];
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i] - b[i]));
    size = Math.max(size, Math.abs(b[i]));
  }
  return most / size;
};
const flat = ({ values }: NamedMatrix) => values.flat();
const numbersOf = (record: Readonly<Record<string, number>>) => Object.values(record);

/** A rod of length 2 l suspended at its end; the angle is measured from straight down, about y. */
async function pendulum(angle: number, rate: number) {
  const m = model({ name: "pendulum" });
  const [mass, l] = [3, 0.7];
  const body = m.body({
    name: "rod",
    mass,
    shape: rod({ length: 2 * l, axis: [0, 0, 1] }),
    position: [0, 0, -l],
  });
  m.revolute({ name: "pin", between: [m.ground, body], at: [0, 0, 0], axis: Y });
  const system = await compile(m, { joints: { pin: { angle, angleRate: rate } } });
  return { system, mass, l };
}

/** A cart on rails with a point-like bob on a massless arm below it. */
async function cartPole(angle: number, rate: number, speed: number) {
  const m = model({ name: "cart-pole" });
  const [cartMass, bobMass, length, radius] = [2, 0.5, 0.8, 0.1];
  const cart = m.body({ name: "cart", mass: cartMass, shape: sphere({ radius }) });
  const bob = m.body({
    name: "bob",
    mass: bobMass,
    shape: sphere({ radius }),
    position: [0, 0, -length],
  });
  m.prismatic({ name: "rails", between: [m.ground, cart], axis: [1, 0, 0] });
  m.revolute({ name: "pin", between: [cart, bob], at: [0, 0, 0], axis: Y });
  const system = await compile(m, {
    joints: {
      rails: { displacement: 0.3, displacementRate: speed },
      pin: { angle, angleRate: rate },
    },
  });
  const spin = 0.4 * bobMass * radius * radius;
  return { system, cartMass, bobMass, length, spin };
}

describe("jointSpace of a pendulum", () => {
  test("matches the mass, weight and torque of the textbook", async () => {
    const [angle, rate] = [0.6, 2];
    const { system, mass, l } = await pendulum(angle, rate);
    const space = jointSpace(system);
    expect(space.velocityNames).toEqual(["pin angle"]);
    const inertia = (4 * mass * l * l) / 3;
    expect(space.massMatrix().values[0][0]).toBeCloseTo(inertia, 12);
    const weight = -mass * G * l * Math.sin(angle);
    expect(space.gravityForces()["pin angle"]).toBeCloseTo(weight, 12);
    expect(space.coriolisForces()["pin angle"]).toBeCloseTo(0, 12);
    expect(space.accelerations()["pin angle"]).toBeCloseTo(weight / inertia, 12);
    const torque = space.inverseDynamics({ "pin angle": 5 })["pin angle"];
    expect(torque).toBeCloseTo(5 * inertia - weight, 12);
    const { position, velocity } = space.centreOfMass();
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    // Rotation about y from straight down moves the bob towards -x.
    expect(apart(position, [-l * s, 0, -l * c])).toBeLessThan(1e-14);
    expect(apart(velocity, [-l * c * rate, 0, l * s * rate])).toBeLessThan(1e-14);
    const { linear, angular } = space.centroidalMomentum();
    expect(apart(linear, [-mass * l * c * rate, 0, mass * l * s * rate])).toBeLessThan(1e-13);
    expect(apart(angular, [0, (mass * l * l * rate) / 3, 0])).toBeLessThan(1e-13);
    const tip = space.pointJacobian("rod", [0, 0, -l]);
    expect(tip.rows).toEqual(["vx", "vy", "vz", "wx", "wy", "wz"]);
    expect(apart(flat(tip), [-2 * l * c, 0, 2 * l * s, 0, 1, 0])).toBeLessThan(1e-14);
  });
});

describe("jointSpace of a cart-pole", () => {
  test("matches the coupled equations of the textbook", async () => {
    const [angle, rate, speed] = [0.8, -1.5, 0.4];
    const { system, cartMass, bobMass, length, spin } = await cartPole(angle, rate, speed);
    const space = jointSpace(system);
    const names = ["rails displacement", "pin angle"];
    expect(space.velocityNames).toEqual(names);
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    // x of the bob: x - length sin(angle).
    const coupling = -bobMass * length * c;
    const mass = [
      [cartMass + bobMass, coupling],
      [coupling, bobMass * length * length + spin],
    ];
    const { rows, columns, values } = space.massMatrix();
    expect([rows, columns]).toEqual([names, names]);
    expect(apart(values.flat(), mass.flat())).toBeLessThan(1e-14);
    const coriolis = numbersOf(space.coriolisForces());
    expect(apart(coriolis, [-bobMass * length * s * rate * rate, 0])).toBeLessThan(1e-13);
    const gravity = numbersOf(space.gravityForces());
    expect(apart(gravity, [0, -bobMass * G * length * s])).toBeLessThan(1e-14);
    const forces = numbersOf(space.inverseDynamics([2, 3]));
    const expected = mass.map(([a, b], i) => 2 * a + 3 * b - coriolis[i] - gravity[i]);
    expect(apart(forces, expected)).toBeLessThan(1e-13);
  });
});

/** A random tree in motion, along which all quantities are compared. */
async function movingTree(seed: number): Promise<CompiledModel> {
  const m = randomTree({ seed, types: randomTypes(seeded(seed), 6), free: seed % 3 === 0 });
  const system = await compile(m);
  const { v } = system;
  // Velocities that the joints allow, from random joint velocities.
  const { plan } = system.tree;
  const own = randomVector(seeded(seed + 500), plan.tree.velocities);
  const { q } = system;
  const tree = system.tree.plan.tree;
  const joint = jointSpace(system).coordinates();
  const map = velocityMap(tree, system.data, numbersOf(joint.positions));
  for (let i = 0; i < v.length; i++) {
    v[i] = 0;
    for (let j = 0; j < own.length; j++) v[i] += map[i + v.length * j] * own[j];
  }
  expect(q.length).toBe((v.length / 6) * 7);
  return system;
}

describe("jointSpace of random trees with all joints", () => {
  test.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "agrees with dense formulas: %i",
    async (seed) => {
      const system = await movingTree(seed);
      const { data } = system;
      const space = jointSpace(system);
      const { tree } = system.tree.plan;
      const { positions, velocities } = space.coordinates();
      const [q, v] = [numbersOf(positions), numbersOf(velocities)];
      const n = v.length;
      const mass = massMatrix(tree, data, q);
      expect(apart(flat(space.massMatrix()), mass)).toBeLessThan(1e-11);
      const all = generalisedForces(tree, data, q, v);
      const weights = generalisedForces(tree, data, q, new Float64Array(n));
      expect(apart(numbersOf(space.gravityForces()), weights)).toBeLessThan(1e-11);
      const turning = all.map((x, i) => x - weights[i]);
      expect(apart(numbersOf(space.coriolisForces()), turning)).toBeLessThan(1e-11);
      const wanted = randomVector(seeded(seed + 900), n);
      const forces = numbersOf(space.inverseDynamics(wanted));
      const expected = all.map((force, i) => {
        let product = -force;
        for (let j = 0; j < n; j++) product += mass[i + n * j] * wanted[j];
        return product;
      });
      expect(apart(forces, expected)).toBeLessThan(1e-11);
    },
  );

  test.each([1, 2, 3, 4, 5, 6])(
    "predicts the motion of points and centres of mass by Jacobians: %i",
    async (seed) => {
      const system = await movingTree(seed);
      const simulation = system.simulate({ step: 1e-3 });
      const space = jointSpace(simulation);
      const v = numbersOf(space.coordinates().velocities);
      const times = ({ values }: NamedMatrix) =>
        values.map((row) => row.reduce((sum, x, j) => sum + x * v[j], 0));
      for (const name of simulation.bodies) {
        const body = simulation.body(name);
        const point = [0.3, -0.2, 0.5] as const;
        const moving = [...body.pointVelocity(point), ...body.angularVelocity];
        expect(apart(times(space.pointJacobian(name, point)), moving)).toBeLessThan(1e-12);
      }
      const { jacobian, velocity, position, mass } = space.centreOfMass();
      expect(apart(times(jacobian), velocity)).toBeLessThan(1e-12);
      const { matrix, linear, angular } = space.centroidalMomentum();
      expect(apart(linear, simulation.momentum())).toBeLessThan(1e-12);
      expect(apart(angular, simulation.angularMomentum(position))).toBeLessThan(1e-12);
      expect(apart(times(matrix), [...linear, ...angular])).toBeLessThan(1e-12);
      expect(
        apart(
          linear,
          velocity.map((x) => mass * x),
        ),
      ).toBeLessThan(1e-12);
      const { values } = space.massMatrix();
      const energy = values.reduce(
        (sum, row, i) => sum + row.reduce((part, x, j) => part + (x * v[i] * v[j]) / 2, 0),
        0,
      );
      expect(energy).toBeCloseTo(simulation.energy().kinetic, 10);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "finds the applied forces by inverse dynamics of the motion: %i",
    async (seed) => {
      const space = jointSpace(await compile(forcedTree(seed).model));
      const none = numbersOf(space.inverseDynamics());
      const scale = numbersOf(space.gravityForces()).reduce((m, x) => Math.max(m, Math.abs(x)), 1);
      for (const force of none) expect(Math.abs(force) / scale).toBeLessThan(1e-11);
      const accelerations = space.accelerations();
      const { values } = space.massMatrix();
      const parts = ["coriolisForces", "gravityForces", "appliedForces"] as const;
      const total = parts.map((part) => numbersOf(space[part]()));
      const product = values.map((row) =>
        row.reduce((sum, x, j) => sum + x * accelerations[space.velocityNames[j]], 0),
      );
      const sum = product.map((_, i) => total.reduce((all, part) => all + part[i], 0));
      expect(apart(product, sum)).toBeLessThan(1e-11);
      expect(total[2].some((x) => x !== 0)).toBe(true);
    },
  );
});

test("inverse dynamics of the motion is the force of a drive", async () => {
  const simulation = (await compile(driven())).simulate({ step: 1e-3 });
  simulation.setCoordinates({ shoulder: { angle: 0.7, angleRate: 2 } });
  const { motor } = simulation.driveForces();
  const forces = jointSpace(simulation).inverseDynamics();
  expect(Math.abs(motor)).toBeGreaterThan(0.1);
  expect(forces["elbow angle"]).toBeCloseTo(motor, 11);
  expect(forces["shoulder angle"]).toBeCloseTo(0, 11);
});
