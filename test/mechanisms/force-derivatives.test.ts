// Force derivatives of compiled models, against finite differences of the forces of the system.

import { box, type CompiledModel, compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stiffMemory } from "../../src/base/memory/stiff-memory.js";
import { functionsOf } from "../../src/systems/bodies/system/derivatives.js";
import { randomVector, seeded } from "../support/random.js";

const TIME = 0.3;

/** Returns the system's derivatives, and fourth-order finite differences: stiffness, then damping, column-major. */
function derivatives(compiled: CompiledModel) {
  const system = compiled.bodySystem();
  const { workspace, trial } = system;
  const { positions, velocities: n } = system.coordinates;
  // The same classes, once imported from the package and once from its sources.
  const stiff = stiffMemory(workspace as unknown as Parameters<typeof stiffMemory>[0]);
  const bound = system.matrices.derivatives(stiff);
  if (typeof bound === "string") throw new Error(bound);
  const zeros = workspace.vector("no accelerations, no multipliers", n + system.constraints.rows);
  const displacement = workspace.reserve("displacement", n);
  const arena = workspace.seal();
  const [state, moved] = [
    arena.floats({ name: "trial", address: trial.q, slots: positions + n }),
    arena.floats(displacement),
  ];
  const random = seeded(5);
  const v = compiled.v.map((value) => value + random() - 0.5);
  const turned = [...randomVector(random, n)].map((x) => 0.2 * x);
  const place = (d: readonly number[], change: readonly number[]) => {
    state.set([...compiled.q, ...v.map((value, i) => value + change[i])]);
    for (const step of [turned, d]) {
      moved.set(step);
      system.coordinates.displace(trial.q, displacement.address);
    }
    system.at(TIME);
  };
  const none = turned.map(() => 0);
  place(none, none);
  bound.evaluate(zeros, zeros);
  const found = [bound.stiffness, bound.damping].flatMap((address) => {
    const values = arena.floats({ name: "matrix", address, slots: 36 * bound.blocks.length });
    const dense = new Array<number>(n * n).fill(0);
    for (const [index, { row, column, from }] of bound.blocks.entries()) {
      for (let k = 0; k < 36; k++) {
        const [i, j] = [k % 6, Math.floor(k / 6)];
        dense[row + i + n * (column + j)] = values[36 * index + k];
        // Entries omitted by blocks of rotations are zero.
        if (i < from || j < from) expect(values[36 * index + k]).toBe(0);
      }
    }
    return dense;
  });
  const forces = () => [
    ...arena.floats({ name: "forces", address: system.dynamics.forces(), slots: n }),
  ];
  const column = (j: number, displaced: boolean) => {
    const at = (amount: number) => {
      const along = none.map((_, i) => (i === j ? amount : 0));
      place(displaced ? along : none, displaced ? none : along);
      return forces();
    };
    const h = 1e-3;
    const [far, near, ahead, beyond] = [at(-2 * h), at(-h), at(h), at(2 * h)];
    return far.map((x, i) => (8 * (ahead[i] - near[i]) - (beyond[i] - x)) / (12 * h));
  };
  const expected = [true, false].flatMap((displaced) =>
    none.flatMap((_, j) => column(j, displaced)),
  );
  return { found, expected };
}

function error({ found, expected }: ReturnType<typeof derivatives>): number {
  const size = Math.max(...expected.map(Math.abs));
  expect(size).toBeGreaterThan(1);
  return Math.max(...expected.map((x, i) => Math.abs(x - found[i]))) / size;
}

function pair(): {
  m: Model;
  carrier: ReturnType<Model["body"]>;
  wheel: ReturnType<Model["body"]>;
} {
  const m = model({ name: "pair" });
  const shape = box({ x: 1, y: 0.8, z: 0.5 });
  const carrier = m.body({
    name: "carrier",
    mass: 30,
    shape,
    centre: [0.1, 0, 0.05],
    velocity: [0.5, 1, 0.2],
    angularVelocity: [0.3, -0.2, 0.6],
  });
  const wheel = m.body({
    name: "wheel",
    mass: 5,
    shape,
    position: [0.4, 0.2, 0.35],
    velocity: [3, -1, 0.4],
    angularVelocity: [0.1, 5, 0.4],
  });
  return { m, carrier, wheel };
}

const height = (x: number, y: number, t: number) =>
  0.05 * Math.sin(2 * x + t) * Math.cos(y) + 0.02 * x * t;
const slope = (x: number, y: number, t: number) =>
  [
    0.1 * Math.cos(2 * x + t) * Math.cos(y) + 0.02 * t,
    -0.05 * Math.sin(2 * x + t) * Math.sin(y),
  ] as const;

describe("force derivatives of tyres on a road given by a function", () => {
  const roads = { "slopes given": { height, slope }, "slopes by differences": { height } };
  const cases = Object.entries(roads).flatMap(([name, road]) =>
    [false, true].map(
      (carried) => [name, carried ? "a body" : "the ground", carried, road] as const,
    ),
  );
  test.each(cases)("match finite differences: %s, carried by %s", async (_, _by, carried, road) => {
    const { m, carrier, wheel } = pair();
    m.tyre({
      wheel,
      ...(carried ? { road: carrier } : {}),
      at: [0.4, 0.3, 0.3],
      normal: [0.1, -0.2, 1],
      stiffness: 2e4,
      damping: 500,
      radius: 0.5,
      bilateral: true,
      ...road,
    });
    const compiled = await compile(m, { hold: [] });
    expect(functionsOf(compiled.plan)).toEqual([]);
    expect(error(derivatives(compiled))).toBeLessThan(1e-7);
  });
});

test("force derivatives of springs on joints, bushings and drag match after all updates", async () => {
  const { m, carrier, wheel } = pair();
  const hinge = m.revolute({ between: [carrier, wheel], at: [0.2, 0, 0.3], axis: [0, 1, 0] });
  m.torsionSpring({ joint: hinge, stiffness: 40, damping: 3, angle: 0.2 });
  m.spring({ between: [m.ground, wheel], atA: [1, 1, 1], stiffness: 100, damping: 10, length: 1 });
  m.bushing({
    between: [m.ground, carrier],
    at: [0, 0.3, 0],
    stiffness: [300, 200, 100, 30, 20, 10],
    damping: [9, 8, 7, 6, 5, 4],
  });
  m.drag({ on: wheel, linear: 2, quadratic: 3 });
  m.pointForce({ on: wheel, at: [0.5, 0.3, 0.2], force: [3, -8, 5], frame: "body" });
  expect(error(derivatives(await compile(m, { hold: [] })))).toBeLessThan(1e-8);
});

test("user laws, forces and rows without derivatives are named", async () => {
  const { m, carrier, wheel } = pair();
  m.spring({ name: "motor", between: [carrier, wheel], force: (length) => 3 * length });
  m.spring({ name: "plain", between: [carrier, wheel], force: 3 });
  m.tyre({ name: "tyre", wheel, stiffness: 100, height });
  m.userForce({ name: "wind", bodies: [carrier], apply: () => {} });
  m.constraint({
    name: "rail",
    bodies: [carrier],
    rows: ["x"],
    value: ([{ position }], out) => {
      out[0] = position[0] as number;
    },
  });
  const { plan } = await compile(m, { hold: [] });
  expect(functionsOf(plan)).toEqual(["motor", "wind", "rail"]);
});
