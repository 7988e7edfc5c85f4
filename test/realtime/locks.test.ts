// Joints that are locked and unlocked at run time.

import { type Body, compile, type Joint, model, rod } from "nodrift/bodies";
import { solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

type V3 = readonly [number, number, number];

const KINDS = ["maximal", "relative"] as const;

/** Two rods in series, swinging about y; the second hinge is the elbow. */
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

describe.each(KINDS)("lock in %s coordinates", (kind) => {
  test("stops a moving joint by the impulse of its angular momentum", async () => {
    const simulation = (await arm(kind)).simulate({ step: 1e-3 });
    simulation.runTo(0.2);
    const before = simulation.angularMomentum();
    const lower = simulation.body("lower");
    const at = simulation.body("upper").point([0.5, 0, 0]);
    const own = lower.angularMomentum(at)[1];
    const energy = simulation.energy().kinetic;
    const impulses = simulation.lock("elbow");
    // About the elbow only the lock acts on the lower rod. About the shoulder no load acts on both rods together.
    const gained = lower.angularMomentum(at)[1] - own;
    expect(impulses["lock of elbow: angle"]).toBeCloseTo(gained, 10);
    expect(simulation.angularMomentum()[1]).toBeCloseTo(before[1], 10);
    expect(simulation.energy().kinetic).toBeLessThan(energy);
    expect(Math.abs(simulation.joint("elbow").angleRate!)).toBeLessThan(1e-10);
  });

  test("makes a rigid body with a holding torque, and unlock frees the joint", async () => {
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

  test("survives snapshots, and is replayed bit for bit", async () => {
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

test("lock holds both coordinates of a cylindrical joint, beyond full turns", async () => {
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

test("lock rejects joints that cannot be locked by name, and changes nothing", async () => {
  const m = model();
  const ball = m.body({ name: "ball", mass: 1, inertia: [1, 1, 1] });
  m.spherical({ name: "socket", between: [m.ground, ball], at: [0, 0, 1] });
  const bolted = m.body({ name: "bolted", mass: 1, inertia: [1, 1, 1] });
  m.fixed({ name: "weld", between: [ball, bolted] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  expect(() => simulation.lock("weld")).toThrow('fixed "weld" leaves nothing free');
  expect(() => simulation.lock("sockt")).toThrow("did you mean socket");
  expect(() => simulation.unlock("socket")).toThrow("socket");
  const hinged = (await arm("auto")).simulate({ step: 1e-3 });
  expect(() => hinged.unlock("elbow")).toThrow('"elbow" is not locked');
  hinged.lock("elbow");
  expect(() => hinged.lock("elbow")).toThrow("already locked");
});

describe("lock in solve", () => {
  test.each(KINDS)(
    "an event locks a joint and reports the impulse, in %s coordinates",
    async (kind) => {
      const system = await arm(kind);
      const solution = solve(system, {
        span: [0, 1],
        tolerance: 1e-9,
        events: [
          { name: "brake", when: ({ time }) => time - 0.2, action: (event) => event.lock("elbow") },
          {
            name: "free",
            when: ({ time }) => time - 0.6,
            action: (event) => event.unlock("elbow"),
          },
        ],
      });
      expect(solution.status).toBe("finished");
      const [brake, free] = solution.events;
      const at = brake.before.body("upper").point([0.5, 0, 0]);
      const about = (state: typeof brake.before) => state.body("lower").angularMomentum(at)[1];
      expect(brake.impulses["lock of elbow: angle"]).toBeCloseTo(
        about(brake.after) - about(brake.before),
        8,
      );
      expect(brake.after.angularMomentum()[1]).toBeCloseTo(brake.before.angularMomentum()[1], 9);
      expect(solution.at(0.5).joint("elbow").angle).toBeCloseTo(
        brake.after.joint("elbow").angle!,
        9,
      );
      expect(Number.isFinite(solution.at(0.5).joint("lock of elbow").driveForce)).toBe(true);
      expect(free.after.joint("elbow").angleRate).toBeCloseTo(0, 9);
      expect(
        Math.abs(solution.end.joint("elbow").angle! - free.after.joint("elbow").angle!),
      ).toBeGreaterThan(0.01);
    },
  );

  test("a run is locked between steps, saved and restored", async () => {
    const system = await arm("auto");
    const options = { span: [0, 1] as const, tolerance: 1e-8 };
    const run = start(system, options);
    while (run.time < 0.3) run.step();
    const impulse = run.lock("elbow")["lock of elbow: angle"];
    expect(Math.abs(impulse)).toBeGreaterThan(1e-3);
    while (run.time < 0.5) run.step();
    const saved = structuredClone(run.save());
    const end = run.finish().end;
    const other = start(system, options);
    other.restore(saved);
    const again = other.finish().end;
    expect([...again.q, ...again.v]).toEqual([...end.q, ...end.v]);
    expect(() => run.lock("elbow")).toThrow("over");
  });
});

test("locking one hinge of a loop stops all motion, and a second lock changes nothing", async () => {
  const m = model();
  const upright = rod({ length: 1, axis: [0, 0, 1] });
  const a = m.body({ name: "a", mass: 1, shape: upright, position: [0, 0, 0.5] });
  const b = m.body({
    name: "b",
    mass: 1,
    shape: rod({ length: 2, axis: [1, 0, 0] }),
    position: [1, 0, 1],
  });
  const c = m.body({ name: "c", mass: 3, shape: upright, position: [2, 0, 0.5] });
  const axis = [0, 1, 0] as const;
  m.revolute({ name: "A", between: [m.ground, a], at: [0, 0, 0], axis });
  m.revolute({ name: "B", between: [a, b], at: [0, 0, 1], axis });
  m.revolute({ name: "C", between: [b, c], at: [2, 0, 1], axis });
  m.revolute({ name: "D", between: [c, m.ground], at: [2, 0, 0.1], axis });
  const simulation = (await compile(m, { joints: { A: 0.3 } })).simulate({ step: 1e-3 });
  simulation.runTo(0.3);
  simulation.lock("A");
  const q = [...simulation.q];
  expect(Math.max(...simulation.v.map(Math.abs))).toBeLessThan(1e-9);
  simulation.lock("C");
  simulation.runTo(0.5);
  for (const [i, value] of q.entries())
    expect(Math.abs(simulation.q[i] - value)).toBeLessThan(1e-9);
  simulation.unlock("A");
  simulation.unlock("C");
  simulation.runTo(0.6);
  expect(Math.max(...simulation.v.map(Math.abs))).toBeGreaterThan(0.1);
});

test("parameters can be set while a joint is locked, also those of geometry", async () => {
  const simulation = (await arm("auto")).simulate({ step: 1e-3 });
  simulation.runTo(0.1);
  simulation.lock("elbow");
  const angle = simulation.joint("elbow").angle!;
  simulation.set("lower", { mass: 3 });
  simulation.set("upper", { centre: [0.1, 0, 0] });
  simulation.runTo(0.2);
  expect(simulation.joint("elbow").angle).toBeCloseTo(angle, 9);
});

/** Joints with several coordinates, and their numbers of degrees of freedom. */
const FREE = {
  spherical: 3,
  universal: 2,
  planar: 3,
  cylindrical: 2,
  parallel: 4,
  perpendicular: 5,
  pointOnLine: 4,
  pointOnPlane: 5,
  distance: 5,
} as const;

describe.each(KINDS)("lock holds all coordinates of a joint, in %s coordinates", (coordinates) => {
  test.each(Object.entries(FREE))("%s with %i degrees of freedom", async (type, free) => {
    const random = seeded(31);
    const vector = (): V3 => [random() - 0.5, random() - 0.5, random() - 0.5];
    const m = model({ gravity: [0, 0, -9.81] });
    const [base, arm] = [vector(), vector()].map((position) =>
      m.body({ mass: 1 + random(), inertia: [1, 1.2, 0.9], position }),
    ) as [Body, Body];
    m.spherical({ between: [m.ground, base], at: [0, 0, 0] });
    const isCross = type === "universal" || type === "perpendicular";
    const axes = isCross ? { axisA: [1, 0, 0], axisB: [0, 1, 0] } : { axis: [1, 2, 2] };
    const { axis, ...rest } = { at: [0.2, 0.3, -0.1], axis: undefined, ...axes };
    const where = {
      spherical: { at: rest.at },
      distance: { atA: [0.1, 0, 0], atB: [0, 0.3, 1] },
    }[type] ?? { ...rest, ...(axis && { axis }) };
    const add = m[type as keyof typeof FREE] as (options: object) => Joint;
    const joint = add({ name: "it", between: [base, arm], ...where });
    const simulation = (await compile(m, { coordinates })).simulate({ step: 1e-3 });
    simulation.runTo(0.2);
    // Distances from three points of one body to three of the other determine the relative pose.
    const corners: V3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const pose = () => {
      const [ones, others] = [base, arm].map(({ name }) =>
        corners.map((own) => simulation.body(name).point(own)),
      ) as [V3[], V3[]];
      return ones.flatMap((one) =>
        others.map((other) => Math.hypot(...one.map((x, i) => x - other[i]!))),
      );
    };
    const before = pose();
    const impulses = simulation.lock(joint);
    const own = Object.keys(impulses).filter((row) => row.startsWith("lock of it"));
    expect(own).toHaveLength(free);
    const { total } = simulation.energy();
    simulation.runTo(0.7);
    for (const [i, x] of pose().entries()) expect(x).toBeCloseTo(before[i]!, 8);
    expect(simulation.energy().total).toBeCloseTo(total, 6);
    expect(simulation.degreesOfFreedom()).toBe(3);
    simulation.unlock("it");
    simulation.runTo(0.9);
    expect(Math.hypot(...pose().map((x, i) => x - before[i]!))).toBeGreaterThan(1e-4);
  });
});
