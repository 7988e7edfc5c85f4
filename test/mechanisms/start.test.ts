import { compile, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { cross, difference, plus, rotation, times, turnAbout, type V3 } from "./support/vectors.js";

// Initial state of a model: poses that are assembled, and velocities that are given or follow.

const bar = { mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] as V3 }) };

describe("initial velocities", () => {
  test("stay as given for a body that moves without rotation, and the others follow", async () => {
    const m = model();
    const cart = m.body({ ...bar, velocity: [2, 0, 0] });
    const trailer = m.body({ ...bar, position: [1, 0, 0] });
    m.spherical({ between: [cart, trailer], at: [0.5, 0, 0] });
    const start = await compile(m);
    expect(difference(stateOf(start, cart).v, [2, 0, 0])).toBeLessThan(1e-13);
    expect(difference(stateOf(start, cart).w, [0, 0, 0])).toBeLessThan(1e-13);
    expect(difference(stateOf(start, trailer).v, [2, 0, 0])).toBeLessThan(1e-13);
  });

  test("make a wheel roll if only its velocity is given", async () => {
    const m = model();
    const ball = m.body({
      mass: 3,
      shape: sphere({ radius: 0.2 }),
      centre: [0.01, 0, 0],
      position: [0, 0, 0.2],
      velocity: [1, -2, 0],
    });
    m.rollingSphere({ body: ball, radius: 0.2 });
    const { v, omega } = stateOf(await compile(m), ball);
    expect(difference([omega[0], omega[1]], [10, 5])).toBeLessThan(1e-11);
    expect(difference(v, plus([1, -2, 0], cross(omega, [0.01, 0, 0])))).toBeLessThan(1e-11);
  });

  test("make a crank rotate if only its angular velocity is given", async () => {
    const m = model();
    const crank = m.body({ ...bar, position: [0.5, 0, 0], angularVelocity: [0, 0, 3] });
    const rocker = m.body({ ...bar, position: [1.5, 0, 0] });
    m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 0, 1] });
    m.revolute({ between: [crank, rocker], at: [1, 0, 0], axis: [0, 0, 1] });
    const start = await compile(m);
    const { v, w } = stateOf(start, crank);
    expect(difference([...v, ...w], [0, 1.5, 0, 0, 0, 3])).toBeLessThan(1e-12);
    const second = stateOf(start, rocker);
    expect(second.v[1] - second.w[2] / 2).toBeCloseTo(3, 12);
  });

  test("must fit the joints, or are approximated if nothing is held", async () => {
    const m = model();
    const slider = m.body({ ...bar, velocity: [1, 2, 3], angularVelocity: [4, 5, 6] });
    m.prismatic({ name: "rail", between: [m.ground, slider], axis: [0, 1, 0] });
    await expect(compile(m)).rejects.toThrow(
      /given velocities of "body 1" are inconsistent with the joints at t = 0: "rail" \(by 6\.00\)/,
    );
    const nearest = await compile(m, { hold: [] });
    expect(difference(nearest.v, [0, 2, 0, 0, 0, 0])).toBeLessThan(1e-13);
  });

  test("refer to the origin, in the world, for any drive of the body", async () => {
    const m = model();
    const crank = m.body({
      ...bar,
      centre: [0.5, 0, 0],
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 4],
    });
    const hinge = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 0, 1] });
    m.driveAngle({ joint: hinge, angle: (t) => 1 + 4 * t });
    const start = await compile(m);
    const R = rotation(turnAbout([0, 0, 1], 1));
    const { r, v, omega } = stateOf(start, crank);
    expect(difference(r, times(R, [0.5, 0, 0]))).toBeLessThan(1e-13);
    expect(difference(v, times(R, [0, 2, 0]))).toBeLessThan(1e-11);
    expect(difference(omega, [0, 0, 4])).toBeLessThan(1e-11);
  });
});

describe("initial poses", () => {
  /** A four-bar linkage whose crank is held, with its bars open by some amount. */
  async function linkage(apart: number) {
    const m = model();
    const places: [V3, number, number][] = [
      [[0, 0.2, 0], Math.PI / 2, 0.4],
      [[0.5, 0.4 + 0.1, 0], 0.19, 1.02],
      [[1, 0.3, 0], Math.PI / 2, 0.6],
    ];
    const shake: V3[] = [
      [0.3, -0.2, 0.5],
      [-0.4, 0.6, 0.1],
      [0.2, 0.3, -0.7],
    ];
    const bars = places.map(([position, angle, length], i) => ({
      length,
      body: m.body({
        mass: 1 + i,
        shape: rod({ length, axis: [1, 0, 0] }),
        position: plus(position, shake[i].map((x) => apart * x) as V3),
        orientation: { axis: [apart, 2 * apart, 1], angle: angle + apart },
      }),
    }));
    const end = (index: number, side: number) =>
      bars[index].body.marker({ at: [(side * bars[index].length) / 2, 0, 0] });
    const held = m.revolute({ between: [m.ground.marker({ at: [0, 0, 0] }), end(0, -1)] });
    m.revolute({ between: [end(0, 1), end(1, -1)] });
    m.revolute({ between: [end(1, 1), end(2, 1)] });
    m.revolute({ between: [m.ground.marker({ at: [1, 0, 0] }), end(2, -1)] });
    m.driveAngle({ joint: held, angle: Math.PI / 2 });
    return compile(m);
  }

  test("close to the same pose if slightly open", async () => {
    const closed = await linkage(0);
    const rotations = (at: typeof closed) =>
      [0, 1, 2].flatMap((body) => [...stateOf(at, body).r, ...stateOf(at, body).R.flat()]);
    for (const apart of [1e-6, 1e-3, 0.05, -0.05]) {
      const open = await linkage(apart);
      expect(open.assembly.residual).toBeLessThan(1e-13);
      expect(difference(rotations(open), rotations(closed))).toBeLessThan(1e-11);
      if (apart === 0.05) expect(open.assembly.moved).toBeGreaterThan(0.02);
    }
  });

  test("start on the turn of the drive with angles of more than half a turn", async () => {
    for (const angle of [3.3, -7, 100]) {
      const m = model();
      const crank = m.body({ ...bar, position: [0.5, 0, 0] });
      const wheel = m.body({ ...bar, position: [3, 0, 0] });
      const hinge = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 0, 1] });
      const other = m.revolute({ between: [m.ground, wheel], at: [3, 0, 0], axis: [0, 0, 1] });
      m.driveAngle({ joint: hinge, angle });
      m.gear({ joints: [hinge, other], ratio: -3 });
      m.torsionSpring({ joint: hinge, stiffness: 2, angle: 1 });
      const system = await compile(m);
      expect(
        difference(stateOf(system, crank).r, [Math.cos(angle) / 2, Math.sin(angle) / 2, 0]),
      ).toBeLessThan(1e-12);
      const x = [Math.cos(-3 * angle), Math.sin(-3 * angle), 0];
      expect(difference(times(stateOf(system, wheel).R, [1, 0, 0]), x)).toBeLessThan(1e-11);
      const simulation = system.simulate({ step: 0.01 });
      const { potential } = simulation.energy();
      expect(potential).toBeCloseTo((angle - 1) ** 2, 8);
      simulation.runTo(0.5);
      expect(simulation.constraintError().position).toBeLessThan(1e-12);
      expect(simulation.energy().potential).toBeCloseTo(potential, 8);
    }
  });

  test("follow many turns of a drive at a later time", async () => {
    const m = model();
    const crank = m.body({ ...bar, position: [0.5, 0, 0] });
    const hinge = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 0, 1] });
    m.driveAngle({ joint: hinge, angle: (t) => 10 * t });
    const system = await compile(m, { time: 5.3 });
    const place = (t: number) => [Math.cos(10 * t) / 2, Math.sin(10 * t) / 2, 0];
    expect(difference(stateOf(system, crank).r, place(5.3))).toBeLessThan(1e-12);
    const simulation = system.simulate({ step: 1e-3 }).runTo(6);
    expect(difference(stateOf(simulation, crank).r, place(6))).toBeLessThan(1e-12);
  });
});
