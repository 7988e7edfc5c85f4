// Joints that are locked and freed while a mechanism runs.

import { compile, model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

const KINDS = ["maximal", "relative"] as const;

/** Two rods in a row, swinging about y; the second hinge is the elbow. */
async function arm(coordinates: "auto" | "relative" | "maximal", speed = 2) {
  const m = model();
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const upper = m.body({ name: "upper", mass: 2, shape, position: [0.5, 0, 0] });
  const lower = m.body({ name: "lower", mass: 1, shape, position: [1.5, 0, 0] });
  m.revolute({ name: "shoulder", between: [m.ground, upper], at: [0, 0, 0], axis: [0, 1, 0] });
  m.revolute({ name: "elbow", between: [upper, lower], at: [1, 0, 0], axis: [0, 1, 0] });
  return compile(m, {
    coordinates,
    joints: { shoulder: { angle: 0.3, angleRate: speed }, elbow: { angle: 0.5, angleRate: -3 } },
  });
}

describe.each(KINDS)("in %s coordinates", (kind) => {
  test("a moving joint is stopped by an impulse: that of the momentum about its axis", async () => {
    const simulation = (await arm(kind)).simulate({ step: 1e-3 });
    simulation.runTo(0.2);
    const before = simulation.angularMomentum();
    const lower = simulation.body("lower");
    const at = simulation.body("upper").point([0.5, 0, 0]);
    const own = lower.angularMomentum(at)[1];
    const energy = simulation.energy().kinetic;
    const impulses = simulation.lock("elbow");
    // About the elbow only the lock acts on the lower rod. About the shoulder nothing does on both.
    const gained = lower.angularMomentum(at)[1] - own;
    expect(impulses["lock of elbow: angle"]).toBeCloseTo(gained, 10);
    expect(simulation.angularMomentum()[1]).toBeCloseTo(before[1], 10);
    expect(simulation.energy().kinetic).toBeLessThan(energy);
    expect(Math.abs(simulation.joint("elbow").angleRate!)).toBeLessThan(1e-10);
  });

  test("what is locked moves as one body, holds by a torque, and turns freely after unlock", async () => {
    const system = await arm(kind, 0);
    const simulation = system.simulate({ step: 1e-3 });
    simulation.runTo(0.1);
    simulation.lock("elbow");
    const angle = simulation.joint("elbow").angle!;
    const total = simulation.energy().total;
    simulation.runTo(0.6);
    expect(simulation.joint("elbow").angle).toBeCloseTo(angle, 10);
    expect(simulation.energy().total).toBeCloseTo(total, 7);
    const torque = simulation.joint("lock of elbow").driveForce!;
    const holding = simulation.joint("lock of elbow").torque({ on: "lower" })[1];
    expect(Math.abs(torque)).toBeGreaterThan(0.1);
    expect(holding).toBeCloseTo(torque, 9);
    simulation.unlock("elbow");
    simulation.runTo(0.8);
    expect(Math.abs(simulation.joint("elbow").angle! - angle)).toBeGreaterThan(1e-3);
    expect(() => simulation.joint("lock of elbow")).toThrow("lock of elbow");
  });

  test("snapshots keep locks, and recordings replay them, bit for bit", async () => {
    const system = await arm(kind);
    const simulation = system.simulate({ step: 1e-3 });
    const recording = simulation.record();
    simulation.advance(50);
    simulation.lock("elbow");
    simulation.advance(50);
    const saved = structuredClone(simulation.save());
    simulation.advance(50);
    simulation.unlock("elbow");
    simulation.advance(50);
    const end = [...simulation.q, ...simulation.v];
    const other = system.simulate({ step: 1e-3 });
    other.replay(recording.stop());
    expect([...other.q, ...other.v]).toEqual(end);
    const third = system.simulate({ step: 1e-3 });
    third.restore(saved);
    third.advance(50);
    third.unlock("elbow");
    third.advance(50);
    expect([...third.q, ...third.v]).toEqual(end);
  });
});

test("a cylindrical joint is locked in both coordinates, beyond full turns", async () => {
  const m = model({ gravity: [0, 0, 0] });
  const shaft = m.body({
    name: "shaft",
    mass: 1,
    inertia: [1, 1, 1],
    velocity: [0, 0, 3],
    angularVelocity: [0, 0, 20],
  });
  m.cylindrical({ name: "bush", between: [m.ground, shaft], at: [0, 0, 0], axis: [0, 0, 1] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  simulation.runTo(1);
  const impulses = simulation.lock("bush");
  expect(Object.values(impulses).sort((a, b) => a - b)).toEqual([
    expect.closeTo(-20, 9),
    expect.closeTo(-3, 9),
  ]);
  simulation.runTo(1.1);
  expect(simulation.joint("bush").angle).toBeCloseTo(20, 9);
  expect(simulation.joint("bush").displacement).toBeCloseTo(3, 9);
});

test("what cannot be locked is refused by name, and nothing changes", async () => {
  const m = model();
  const ball = m.body({ name: "ball", mass: 1, inertia: [1, 1, 1] });
  m.spherical({ name: "socket", between: [m.ground, ball], at: [0, 0, 1] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  expect(() => simulation.lock("socket")).toThrow('spherical "socket" has no angle');
  expect(() => simulation.lock("sockt")).toThrow("did you mean socket");
  expect(() => simulation.unlock("socket")).toThrow("socket");
  const hinged = (await arm("auto")).simulate({ step: 1e-3 });
  expect(() => hinged.unlock("elbow")).toThrow('"elbow" is not locked');
  hinged.lock("elbow");
  expect(() => hinged.lock("elbow")).toThrow("locked already");
});
