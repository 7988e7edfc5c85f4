import { type BodySimulation, compile, type Model, model, type Vector } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { cross, imbalance, minus, plus, size, turn } from "./support/balance.js";
import { bennett, chain, door, fourBars } from "./support/linkages.js";

const G = 9.81;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;
const step = 1e-3;

async function start(m: Model, steps = 0): Promise<BodySimulation> {
  return (await compile(m)).simulate({ step }).advance(steps);
}

/** One of each: a drive, gears, a slide, a screw, a Cardan joint, a rod, and user rows. */
function machine(): Model {
  const m = model({ name: "machine", gravity: [0.3, -0.2, -G] });
  const part = (name: string, position: Vector, mass = 1) =>
    m.body({ name, mass, inertia: [0.11, 0.13, 0.17], position, centre: [0.05, -0.02, 0.03] });
  const wheels = [part("wheel0", [0, 0, 0]), part("wheel1", [1, 0, 0], 2)];
  const hinges = wheels.map((wheel, i) =>
    m.revolute({ name: `shaft${i}`, between: [m.ground, wheel], at: [i, 0, 0], axis: Y }),
  );
  m.driveAngle({ name: "motor", joint: hinges[0]!, angle: (t) => 2 * t + Math.sin(3 * t) });
  m.gear({ name: "mesh", joints: [hinges[0]!, hinges[1]!], ratio: -0.5 });
  const slider = part("slider", [1, 0, 1]);
  m.prismatic({ name: "slide", between: [wheels[1]!, slider], at: [1, 0, 1], axis: Z });
  const nut = part("nut", [0, 1, 0]);
  m.screw({ name: "thread", between: [wheels[0]!, nut], at: [0, 1, 0], axis: Y, pitch: 0.1 });
  const cross = part("cross", [0, 2, 0]);
  m.universal({
    name: "cardan",
    between: [nut, cross],
    at: [0, 2, 0],
    axisA: [1, 0, 0],
    axisB: [0, 0, 1],
  });
  const bob = part("bob", [2, 0, -1]);
  m.distance({ name: "rod", between: [slider, bob], atA: [1, 0, 1], atB: [2, 0, -1] });
  const bead = part("bead", [3, 1, 0.5]);
  m.constraint({
    name: "bowl",
    bodies: [bead],
    rows: ["surface"],
    value: ([b]) => [b!.position[2]! - 0.5 * (b!.position[0]! - 3) ** 2 - 0.5 * b!.position[1]!],
  });
  return m;
}

/** A rolling ball and a sleigh on a blade. */
function rolling(): Model {
  const m = model({ name: "rolling" });
  const ball = m.body({
    name: "ball",
    mass: 1,
    inertia: [0.3, 0.4, 0.5],
    position: [0, 0, 1],
    angularVelocity: [1, 2, 3],
  });
  m.rollingSphere({ name: "floor", body: ball, radius: 1 });
  const sleigh = m.body({
    name: "sleigh",
    mass: 2,
    inertia: [0.3, 0.4, 0.5],
    position: [3, 0, 0],
    centre: [0.2, 0.1, 0.3],
    velocity: [1, 0, 0],
    angularVelocity: [0, 0, 2],
  });
  m.planar({ name: "ice", between: [m.ground, sleigh], at: [3, 0, 0], axis: Z });
  m.knifeEdge({ name: "blade", body: sleigh, at: [3, 0, 0], direction: [1, 0, 0] });
  return m;
}

describe("reactions", () => {
  const models: [string, () => Model][] = [
    ["a chain", () => chain(5)],
    ["a door", () => door()],
    ["four-bars", () => fourBars(2, 1.2, { speed: -2 })],
    ["forty four-bars", () => fourBars(40, 1.2, { speed: 1 })],
    ["Bennett's linkage", () => bennett({ speed: 2 })],
    ["four-bars at a singular pose", () => fourBars(2, 0, { speed: 1 })],
    ["four-bars at rest on a singular pose", () => fourBars(2, 0)],
    ["four-bars near a singular pose", () => fourBars(2, 1e-4, { speed: 1 })],
    ["a machine of many joints", machine],
    ["what rolls and glides", rolling],
  ];
  test.each(models)(
    "satisfy Newton's and Euler's equations of each body of %s",
    async (_, make) => {
      const m = make();
      const simulation = await start(m);
      expect(imbalance(simulation, m)).toBeLessThan(1e-12);
      simulation.advance(7);
      expect(imbalance(simulation, m)).toBeLessThan(1e-12);
    },
  );

  test("match tension and weight of a pendulum", async () => {
    const m = model({ name: "pendulum" });
    const bob = m.body({
      name: "bob",
      mass: 2,
      inertia: [0.1, 0.1, 0.1],
      position: [0, 0, -1],
      velocity: [3, 0, 0],
      angularVelocity: [0, -3, 0],
    });
    m.revolute({ name: "hinge", between: [m.ground, bob], at: [0, 0, 0], axis: Y });
    const simulation = await start(m);
    const hinge = simulation.joint("hinge");
    expect(hinge.force()[2]).toBeCloseTo(2 * (G + 9), 12);
    expect(hinge.force({ on: "ground" })[2]).toBeCloseTo(-2 * (G + 9), 12);
    expect(size(hinge.torque())).toBeLessThan(1e-12);
    expect([hinge.unique, hinge.assumption, hinge.sharedRows]).toEqual([true, undefined, []]);
    expect(hinge.angle).toBeCloseTo(0, 14);
    expect(hinge.angleRate).toBeCloseTo(-3, 14);
    expect([hinge.displacement, hinge.length]).toEqual([undefined, undefined]);
    expect(hinge.error).toBeLessThan(1e-13);
    expect(hinge.bodies).toEqual(["bob"]);
    simulation.runTo(0.5);
    // The same reading has the new state.
    expect(hinge.angle).toBeLessThan(-0.5);
    const { rotation } = simulation.body("bob");
    const world = hinge.force();
    expect(size(minus(turn(rotation, hinge.force({ frame: "bob" })), world))).toBeLessThan(1e-12);
    // The joint's frame is on the ground: z is the axis.
    expect(hinge.force({ frame: "joint" })[2]).toBeCloseTo(world[1], 12);
    expect(Math.hypot(...hinge.force({ frame: "joint" }))).toBeCloseTo(Math.hypot(...world), 12);
  });

  test("act in opposite directions on the two bodies", async () => {
    const simulation = await start(fourBars(1, 1.2, { speed: 1 }));
    const joint = simulation.joint("topR0");
    const [one, other] = ["bar0", "coupler0"].map((on) => [
      joint.force({ on }),
      joint.torque({ on }),
    ]);
    expect(size(plus(one![0]!, other![0]!))).toBeLessThan(1e-12);
    expect(size(plus(one![1]!, other![1]!))).toBeLessThan(1e-12);
    const sum = simulation.joints
      .filter((name) => name.startsWith("ground"))
      .map((name) => simulation.joint(name).force({ on: "ground" }))
      .reduce(plus);
    const momentumRate = simulation.bodies
      .map((name) => simulation.body(name).centreAcceleration)
      .reduce(plus);
    // All masses are 1: the load on the ground is the weight minus the rate of momentum.
    expect(size(plus(sum, plus(momentumRate, [0, 0, 3 * G])))).toBeLessThan(1e-11);
  });

  test("lie along a rod, and those of a slide refer to its marker", async () => {
    const simulation = await start(machine(), 20);
    const [rod, slide] = [simulation.joint("rod"), simulation.joint("slide")];
    expect(size(rod.torque())).toBeLessThan(1e-12);
    const along = minus(
      simulation.body("bob").point([0, 0, 0]),
      simulation.body("slider").position,
    );
    expect(size(cross(along, rod.force()))).toBeLessThan(1e-10);
    expect(rod.length).toBeCloseTo(Math.sqrt(5), 12);
    expect(Math.abs(slide.force({ frame: "joint" })[2])).toBeLessThan(1e-12);
    expect(Math.abs(slide.displacement!)).toBeGreaterThan(1e-4);
    expect(size(slide.torque())).toBeGreaterThan(1e-3);
  });

  test("reject unknown joints, bodies and frames", async () => {
    const simulation = await start(machine());
    expect(() => simulation.joint("motr")).toThrow(
      'machine: there is no joint "motr": did you mean motor?',
    );
    expect(() => simulation.joint("rod").force({ on: "wheel0" })).toThrow(
      'joint "rod" does not act on "wheel0"',
    );
    expect(() => simulation.joint("rod").force({ frame: "sldier" })).toThrow(
      "did you mean slider?",
    );
    expect(() => simulation.joint("mesh").force({ frame: "joint" })).toThrow("has no frame");
  });

  test("leave the simulation's own values unchanged", async () => {
    const [read, unread] = [await start(fourBars(2, 1.2)), await start(fourBars(2, 1.2))];
    for (let i = 0; i < 20; i++) {
      read.advance();
      for (const name of read.joints) read.joint(name).force();
      unread.advance();
    }
    expect(read.q).toEqual(unread.q);
    expect(read.v).toEqual(unread.v);
  });

  test("follow user functions that were changed at the same state", async () => {
    let push = 1;
    const m = model({ name: "pushed", gravity: [0, 0, 0] });
    const block = m.body({ name: "block", mass: 1, inertia: [1, 1, 1] });
    m.fixed({ name: "weld", between: [m.ground, block] });
    m.userForce({
      bodies: [block],
      apply: (_, [load]) => {
        load!.force[0] = push;
      },
    });
    const simulation = await start(m);
    expect(simulation.joint("weld").force()[0]).toBeCloseTo(-1, 14);
    push = 5;
    expect(simulation.joint("weld").force()[0]).toBeCloseTo(-5, 14);
  });
});

describe("indeterminate reactions", () => {
  test("share the weight of a door equally, and state the assumption", async () => {
    const simulation = await start(door());
    const [lower, upper] = [simulation.joint("lower"), simulation.joint("upper")];
    expect(lower.unique).toBe(false);
    expect(lower.assumption).toBe(
      "assumes equal compliance; L = 0.75; across the plane of motion the least forces, then the least torques",
    );
    expect(lower.force()[2]).toBeCloseTo(5 * G, 11);
    expect(upper.force()[2]).toBeCloseTo(5 * G, 11);
    expect(lower.force()[0] + upper.force()[0]).toBeCloseTo(-10 * 1.5 ** 2 * 0.5, 11);
    // As in textbooks, hinges have no torques. The weight, 0.5 m away, and m w^2 r, 0.05 m below the middle of both,
    // are held by forces at a distance of 1.5 m: the lower hinge pushes against one and pulls against the other.
    for (const hinge of [lower, upper]) expect(size(hinge.torque())).toBeLessThan(1e-11);
    const couple = 10 * G * 0.5 - 10 * 1.5 ** 2 * 0.5 * 0.05;
    expect((lower.force()[0] - upper.force()[0]) * 0.75).toBeCloseTo(couple, 10);
  });

  test("minimise the given compliance energy: no null vector reduces it", async () => {
    const { length } = await compile(door());
    const tilt = 1 / length ** 2;
    const given = {
      "transverse 1": 1,
      "transverse 2": 1,
      axial: 1,
      "tilt 1": tilt,
      "tilt 2": tilt,
    };
    const simulation = await start(door({ lower: given, upper: given }));
    const [a, b] = [simulation.joint("lower").multipliers, simulation.joint("upper").multipliers];
    // Equal hinges deflect alike: moments are shared by their compliances, (l_a - l_b) c = 0 in the rows
    // with the null vector (1, -1).
    expect(a["tilt 1"]).toBeCloseTo(b["tilt 1"]!, 12);
    expect(a["tilt 2"]).toBeCloseTo(b["tilt 2"]!, 12);
    expect(a.axial).toBeCloseTo(b.axial!, 12);
    // One unit of force more on the lower hinge, one less on the upper, and 1.5 Nm of tilt to balance, half on each.
    const gradient = a["transverse 1"]! - b["transverse 1"]!;
    const moment = (1.5 / 2) * (a["tilt 1"]! + b["tilt 1"]!) * tilt;
    expect(Math.abs(moment)).toBeGreaterThan(1);
    expect(Math.abs(Math.abs(gradient) - Math.abs(moment))).toBeLessThan(1e-11);
  });

  test("follow the given compliances", async () => {
    const soft = await start(door({ lower: 1, upper: 3 }));
    expect(soft.joint("upper").assumption).toBe("shared by the compliances given");
    expect(soft.joint("lower").force()[2]).toBeCloseTo(7.5 * G, 10);
    expect(soft.joint("upper").force()[2]).toBeCloseTo(2.5 * G, 10);
    const stiff = await start(door({ upper: 0 }));
    expect(stiff.joint("upper").force()[2]).toBeCloseTo(10 * G, 10);
  });

  test("leave reactions in the plane of a four-bar unchanged", async () => {
    const simulation = await start(fourBars(1, 1.2, { speed: 1 }), 5);
    const joint = simulation.joint("ground0");
    expect(joint.sharedRows).toEqual(["axial", "tilt 1", "tilt 2"]);
    expect(joint.error).toBeLessThan(1e-12);
    // The four-bar with spherical joints at the top is statically determinate in its plane, and has the same motion.
    const same = await start(plane(1.2, 1), 5);
    for (const name of ["ground0", "ground1", "topR0"]) {
      const difference = minus(simulation.joint(name).force(), same.joint(name).force());
      expect(size(difference)).toBeLessThan(1e-9);
    }
  });

  test("include reactions in the plane at a singular pose", async () => {
    const simulation = await start(fourBars(1, 0, { speed: 1 }));
    expect(simulation.joint("ground0").sharedRows).toContain("transverse 1");
    const symmetric = ["ground0", "ground1"].map((name) => simulation.joint(name).force()[2]);
    expect(symmetric[0]).toBeCloseTo(symmetric[1]!, 9);
  });
});

/** The four-bar without redundant rows, closed by a spherical joint and a pin in a plane. */
function plane(angle: number, speed: number): Model {
  const m = model({ name: "plane", gravity: [0, 0, -G] });
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const rod = { mass: 1, inertia: [0.01, 0.09, 0.09] as const };
  const bars = [0, 1].map((i) =>
    m.body({
      ...rod,
      name: `bar${i}`,
      position: [i + c / 2, 0, s / 2],
      orientation: { axis: [0, 1, 0], angle: -angle },
      velocity: [(-s * speed) / 2, 0, (c * speed) / 2],
      angularVelocity: [0, -speed, 0],
    }),
  );
  const coupler = m.body({
    ...rod,
    name: "coupler0",
    position: [0.5 + c, 0, s],
    velocity: [-s * speed, 0, c * speed],
    angularVelocity: [0, 0, 0],
  });
  bars.forEach((bar, i) => {
    m.revolute({ name: `ground${i}`, between: [m.ground, bar], at: [i, 0, 0], axis: Y });
  });
  m.revolute({ name: "topR0", between: [bars[0]!, coupler], at: [c, 0, s], axis: Y });
  m.pointOnLine({ name: "topL1", between: [coupler, bars[1]!], at: [1 + c, 0, s], axis: Y });
  return m;
}
