import { box, compile, cylinder, model, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import {
  column,
  cross,
  difference,
  plus,
  rotation,
  scaled,
  times,
  turnAbout,
  type V3,
} from "./support/vectors.js";

const G = 9.81;

describe("rollingSphere", () => {
  test.each([
    ["a ball", false, 5 / 7],
    ["a hollow ball", true, 3 / 5],
  ])("%s rolls down a slope slower than it would slide", async (_, shell, part) => {
    const lean = 0.35;
    const R = rotation(turnAbout([0, 1, 0], lean));
    const radius = 0.2;
    const m = model();
    const ball = m.body({
      mass: 1.5,
      shape: sphere({ radius, shell }),
      position: times(R, [0, 0, radius]),
      velocity: times(R, [0, 0.7, 0]),
      angularVelocity: times(R, [-0.7 / radius, 0, 4]),
    });
    m.rollingSphere({ body: ball, radius, plane: { normal: column(R, 2) } });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const { total } = simulation.energy();
    simulation.runTo(2);
    const a = part * G * Math.sin(lean);
    const { r, v, omega } = stateOf(simulation, ball);
    expect(difference(r, times(R, [(a * 4) / 2, 0.7 * 2, radius]))).toBeLessThan(1e-9);
    expect(difference(v, times(R, [2 * a, 0.7, 0]))).toBeLessThan(1e-10);
    expect(difference(omega, times(R, [-0.7 / radius, (2 * a) / radius, 4]))).toBeLessThan(1e-9);
    expect(Math.abs(simulation.energy().total - total)).toBeLessThan(1e-11);
  });

  test("moves in circles on a turntable, at two sevenths of its speed", async () => {
    const [radius, table] = [0.1, 3];
    const m = model();
    const disk = m.body({
      mass: 50,
      shape: cylinder({ radius: 3, length: 0.1 }),
      angularVelocity: [0, 0, table],
    });
    const pivot = m.revolute({ between: [m.ground, disk], at: [0, 0, 0], axis: [0, 0, 1] });
    m.driveAngle({ joint: pivot, angle: (t) => table * t });
    // The table below moves at 3: the ball spins so that it does not slip.
    const ball = m.body({
      mass: 0.5,
      shape: sphere({ radius }),
      position: [1, 0, radius],
      velocity: [0, 0.9, 0],
      angularVelocity: [(0.9 - table) / -radius, 0, 0],
    });
    m.rollingSphere({ body: ball, radius, plane: { body: disk } });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    // v' = (2/7) W x v: circles with the angular velocity 2/7 W.
    const turn = (2 / 7) * table;
    let worst = 0;
    simulation.runTo(5, (now) => {
      const angle = turn * now.time;
      const wanted = [-0.9 * Math.sin(angle), 0.9 * Math.cos(angle), 0];
      worst = Math.max(worst, difference(stateOf(now, ball).v, wanted));
    });
    expect(worst).toBeLessThan(1e-8);
  });
});

describe("rollingDisk", () => {
  const radius = 0.3;
  const coin = { mass: 1.2, shape: cylinder({ radius, length: 1e-3 }) };
  const [across, along] = [(1.2 * (3 * radius ** 2 + 1e-6)) / 12, (1.2 * radius ** 2) / 2];

  test("rolls straight ahead when upright", async () => {
    const m = model();
    const disk = m.body({
      ...coin,
      position: [0, 0, radius],
      orientation: { axis: [1, 0, 0], angle: -Math.PI / 2 },
      velocity: [2, 0, 0],
      angularVelocity: [0, 2 / radius, 0],
    });
    m.rollingDisk({ body: disk, radius, axis: [0, 1, 0] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(1);
    const { r, v, R } = stateOf(simulation, disk);
    expect(difference(r, [2, 0, radius])).toBeLessThan(1e-9);
    expect(difference(v, [2, 0, 0])).toBeLessThan(1e-9);
    expect(difference(column(R, 2), [0, 1, 0])).toBeLessThan(1e-9);
  });

  test("rolls in a circle when held upright and steered", async () => {
    // The circle has the radius v / W.
    const [speed, turn] = [1.5, 0.8];
    const m = model();
    const disk = m.body({
      ...coin,
      position: [0, 0, radius],
      orientation: { axis: [1, 0, 0], angle: -Math.PI / 2 },
      velocity: [speed, 0, 0],
      angularVelocity: [0, speed / radius, turn],
    });
    m.rollingDisk({ body: disk, radius, axis: [0, 1, 0] });
    const upright = m.constraint({
      bodies: [disk],
      rows: ["upright"],
      value: ([{ rotation: R }]) => [R[8]],
    });
    expect(upright.name).toBe("constraint 1");
    const simulation = (await compile(m)).simulate({ step: 2e-3 });
    let worst = 0;
    simulation.runTo(2, (now) => {
      const angle = turn * now.time;
      const circle = [
        (speed / turn) * Math.sin(angle),
        (speed / turn) * (1 - Math.cos(angle)),
        radius,
      ];
      worst = Math.max(worst, difference(stateOf(now, disk).r, circle));
    });
    expect(worst).toBeLessThan(1e-7);
  });

  test("keeps tilt and energy as a coin in steady precession", async () => {
    // The axle c leans from the vertical z, with sine s and cosine k, and precesses at W; w3 is the
    // spin about it: w = w3 c + W s u with u = (z - k c) / s, from the contact to the centre. By rolling,
    // v = r w3 c x u, so m v' = m r w3 W (away from the axis) and H' = W z x (I3 w3 c + I1 W s u)
    // is the torque -r u x (m v' + m g z):
    //   (I3 + m r^2) w3 W s - I1 W^2 s k = -m g r k.
    const lean = 1.1;
    const [s, k] = [Math.sin(lean), Math.cos(lean)];
    const turn = 2.2;
    const spin =
      (across * turn ** 2 * s * k - coin.mass * G * radius * k) /
      ((along + coin.mass * radius ** 2) * turn * s);
    const c: V3 = [s, 0, k];
    // Centre at height radius sin(lean) above the point of contact at the origin.
    const up: V3 = [-k, 0, s];
    const centre = scaled(radius, up);
    // w = w3 c + W (z - (z.c) c)
    const omega = plus(scaled(spin - turn * k, c), [0, 0, turn]);
    const velocity = cross(omega, centre);
    const m = model();
    const disk = m.body({
      ...coin,
      position: centre,
      orientation: { axis: [0, 1, 0], angle: lean },
      velocity,
      angularVelocity: omega,
    });
    m.rollingDisk({ body: disk, radius, axis: c });
    const simulation = (await compile(m)).simulate({ step: 5e-4 });
    expect(difference(stateOf(simulation, disk).omega, omega)).toBeLessThan(1e-12);
    const { total } = simulation.energy();
    const round = -velocity[1] / turn;
    let worst = 0;
    simulation.runTo(3, (now) => {
      const turned = rotation(turnAbout([0, 0, 1], turn * now.time));
      const { r, R } = stateOf(now, disk);
      const axle = times(turned, c);
      // Centre of the circle on which the centre of the disk moves.
      const middle: V3 = [centre[0] + round, 0, centre[2]];
      const wanted = plus(middle, times(turned, [-round, 0, 0]));
      worst = Math.max(worst, difference([...r, ...column(R, 2)], [...wanted, ...axle]));
    });
    expect(worst).toBeLessThan(1e-7);
    expect(Math.abs(simulation.energy().total - total)).toBeLessThan(1e-10);
  });

  test("keeps the energy of a thrown coin while it wobbles", async () => {
    const m = model();
    const disk = m.body({
      ...coin,
      position: [0, 0, radius * Math.sin(1.2)],
      orientation: { axis: [0, 1, 0], angle: 1.2 },
      velocity: [0.3, 1.5, 0],
      angularVelocity: [4, 1, -2],
    });
    m.rollingDisk({ body: disk, radius, axis: [Math.sin(1.2), 0, Math.cos(1.2)] });
    const system = await compile(m, { hold: [] });
    const changes = [1e-3, 5e-4].map((step) => {
      const simulation = system.simulate({ step });
      const { total } = simulation.energy();
      simulation.runTo(1);
      expect(simulation.constraintError().velocity).toBeLessThan(1e-12);
      return Math.abs(simulation.energy().total - total);
    });
    expect(changes[0]).toBeLessThan(1e-5);
    expect(changes[1]).toBeLessThan(changes[0] / 12);
  });
});

test("knifeEdge on a slope drifts across it in a cycloid, without sliding down", async () => {
  const [lean, turn] = [0.3, 2.5];
  const R = rotation(turnAbout([0, 1, 0], lean));
  const m = model();
  const skate = m.body({
    mass: 2,
    shape: box({ x: 1, y: 0.2, z: 0.1 }),
    orientation: { axis: [0, 1, 0], angle: lean },
    velocity: [0, 0, 0],
    angularVelocity: times(R, [0, 0, turn]),
  });
  m.planar({ between: [m.ground, skate], axis: column(R, 2) });
  m.knifeEdge({ body: skate, direction: column(R, 0), up: column(R, 2) });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const { total } = simulation.energy();
  const a = (G * Math.sin(lean)) / (2 * turn ** 2);
  let worst = 0;
  simulation.runTo(6, (now) => {
    // Neimark and Fufaev: x = a sin^2 (W t), y = a (W t - sin(2 W t) / 2).
    const phase = turn * now.time;
    const wanted = times(R, [a * Math.sin(phase) ** 2, a * (phase - Math.sin(2 * phase) / 2), 0]);
    worst = Math.max(worst, difference(stateOf(now, skate).r, wanted));
  });
  expect(worst).toBeLessThan(1e-8);
  expect(Math.abs(simulation.energy().total - total)).toBeLessThan(1e-10);
});
