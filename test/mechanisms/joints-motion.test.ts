import { box, compile, cylinder, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { attach, counted, stateOf, whereIs } from "./support/reading.js";
import { ellipticK, integrated } from "./support/reference.js";
import { column, cross, difference, rotation, turnAbout, type V3 } from "./support/vectors.js";

// Motions in closed form, or with a reference of one degree of freedom.

const G = 9.81;

describe("revolute", () => {
  test.each([0.3, 1.5, 3])(
    "swings a pendulum from %d rad with the period of the elliptic integral",
    async (start) => {
      const m = model();
      const [l, mass] = [0.8, 1.3];
      const bob = m.body({
        mass,
        inertia: [0.02, 0.05, 0.04],
        position: [-l * Math.sin(start), 0, -l * Math.cos(start)],
      });
      m.revolute({ between: [m.ground, bob], at: [0, 0, 0], axis: [0, 1, 0] });
      const period =
        4 * Math.sqrt((0.05 + mass * l * l) / (mass * G * l)) * ellipticK(Math.sin(start / 2));
      const simulation = (await compile(m)).simulate({ step: period / 2000 });
      const begin = [...simulation.q];
      simulation.runTo(period / 4);
      expect(Math.abs(simulation.q[0])).toBeLessThan(1e-8);
      simulation.runTo(period);
      expect(difference(simulation.q, begin)).toBeLessThan(1e-8);
      expect(difference(simulation.v, new Float64Array(6))).toBeLessThan(1e-7);
    },
  );
});

describe("prismatic and cylindrical", () => {
  const axis: V3 = [2 / 3, -1 / 3, 2 / 3];

  test("slide down their axis in free fall", async () => {
    const m = model();
    const solid = { mass: 2, shape: box({ x: 1, y: 2, z: 3 }) };
    const slider = m.body({ ...solid, position: [1, 2, 3] });
    const shaft = m.body({
      ...solid,
      position: [5, 0, 0],
      angularVelocity: axis.map((x) => 4 * x) as V3,
    });
    m.prismatic({ between: [m.ground, slider], at: [0, 0, 1], axis });
    m.cylindrical({ between: [shaft, m.ground], at: [5, 0, 0], axis });
    const simulation = (await compile(m)).simulate({ step: 0.01 }).runTo(1.5);
    const fallen = axis.map((x) => (-G * axis[2] * x * 1.5 ** 2) / 2);
    const [one, two] = [stateOf(simulation, slider), stateOf(simulation, shaft)];
    expect(difference(one.r, [1 + fallen[0], 2 + fallen[1], 3 + fallen[2]])).toBeLessThan(1e-11);
    expect(difference(one.e, [1, 0, 0, 0])).toBeLessThan(1e-13);
    expect(difference(two.r, [5 + fallen[0], fallen[1], fallen[2]])).toBeLessThan(1e-11);
  });

  test("keep the spin of a shaft about a principal axis while it slides", async () => {
    const m = model();
    const shaft = m.body({ mass: 2, inertia: [1, 1, 0.3], angularVelocity: [0, 0, 7] });
    m.cylindrical({ between: [m.ground, shaft], at: [0, 0, 0], axis: [0, 0, 1] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(2);
    const { r, e, w } = stateOf(simulation, shaft);
    expect(difference(r, [0, 0, (-G * 4) / 2])).toBeLessThan(1e-11);
    expect(difference(w, [0, 0, 7])).toBeLessThan(1e-12);
    expect(difference(rotation(e).flat(), rotation(turnAbout([0, 0, 1], 14)).flat())).toBeLessThan(
      1e-9,
    );
  });
});

test("screw slows the fall of a nut by its inertia, and rotates it by its pitch", async () => {
  const m = model();
  const [mass, inertia, pitch] = [1.7, 0.02, -0.25];
  const nut = m.body({ mass, inertia: [0.015, 0.015, inertia] });
  m.screw({ between: [m.ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch });
  const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(3);
  const a = (-G * mass) / (mass + inertia * ((2 * Math.PI) / pitch) ** 2);
  const { r, w, R } = stateOf(simulation, nut);
  expect(difference(r, [0, 0, (a * 9) / 2])).toBeLessThan(1e-7);
  expect(w[2]).toBeCloseTo((3 * a * 2 * Math.PI) / pitch, 9);
  const angle = (Math.PI * a * 9) / pitch;
  expect(Math.abs(angle)).toBeGreaterThan(4 * Math.PI);
  expect(difference(column(R, 0), [Math.cos(angle), Math.sin(angle), 0])).toBeLessThan(2e-6);
});

test("universal makes the driven shaft lead and lag by Cardan's formula", async () => {
  const beta = 0.6;
  const m = model({ gravity: [0, 0, 0] });
  const solid = { mass: 1, shape: cylinder({ radius: 0.1, length: 1 }) };
  const input = m.body({ ...solid, position: [0, 0, -1] });
  const output = m.body({
    ...solid,
    position: [0, Math.sin(beta), Math.cos(beta)],
    orientation: { axis: [1, 0, 0], angle: -beta },
  });
  const hinge = m.revolute({ between: [m.ground, input], at: [0, 0, 0], axis: [0, 0, 1] });
  m.revolute({
    between: [m.ground, output],
    at: [0, 0, 0],
    axis: [0, Math.sin(beta), Math.cos(beta)],
  });
  // Initially the arm of the input is perpendicular to the plane of the shafts.
  m.universal({
    between: [input, output],
    at: [0, 0, 0],
    axisA: [1, 0, 0],
    axisB: [0, Math.cos(beta), -Math.sin(beta)],
  });
  m.driveAngle({ joint: hinge, angle: (t) => 5 * t });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const arm = attach(simulation, output, [0, Math.cos(beta), -Math.sin(beta)]);
  let [worst, worstAngle, low, high] = [0, 0, 9, 0];
  simulation.runTo(3, (now) => {
    const theta = 5 * now.time;
    const speed = stateOf(now, output).w[2];
    const wanted = (5 * Math.cos(beta)) / (1 - (Math.sin(beta) * Math.sin(theta)) ** 2);
    worst = Math.max(worst, Math.abs(speed - wanted));
    [low, high] = [Math.min(low, speed), Math.max(high, speed)];
    // tan(phi) = cos(beta) tan(theta), on the same turn.
    const phi = Math.atan2(Math.cos(beta) * Math.sin(theta), Math.cos(theta));
    const where = [-Math.sin(phi), Math.cos(phi) * Math.cos(beta), -Math.cos(phi) * Math.sin(beta)];
    worstAngle = Math.max(worstAngle, difference(whereIs(now, arm).p, where));
  });
  expect(worst).toBeLessThan(1e-9);
  expect(worstAngle).toBeLessThan(1e-11);
  expect(low).toBeCloseTo(5 * Math.cos(beta), 4);
  expect(high).toBeCloseTo(5 / Math.cos(beta), 4);
});

describe("couplings", () => {
  test("gear: a torque accelerates both wheels, and the ratio is kept after many turns", async () => {
    const m = model();
    const [ratio, torque, i1, i2] = [-2.5, 1, 0.2, 0.05];
    const small = m.body({ mass: 1, inertia: [0.2, 0.2, i1] });
    const large = m.body({ mass: 2, inertia: [0.05, 0.05, i2], position: [1, 0, 0] });
    const one = m.revolute({ between: [m.ground, small], at: [0, 0, 0], axis: [0, 0, 1] });
    const two = m.revolute({ between: [m.ground, large], at: [1, 0, 0], axis: [0, 0, 1] });
    m.gear({ joints: [one, two], ratio });
    m.torque({ on: small, torque: [0, 0, torque] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const counts = [counted(), counted()];
    let worst = 0;
    const turned = (body: typeof small) => {
      const { R } = stateOf(simulation, body);
      return Math.atan2(R[1][0], R[0][0]);
    };
    let angles = [0, 0];
    simulation.runTo(10, () => {
      angles = [counts[0](turned(small)), counts[1](turned(large))];
      worst = Math.max(worst, Math.abs(ratio * angles[0] - angles[1]));
    });
    const acceleration = torque / (i1 + ratio ** 2 * i2);
    expect(Math.abs(angles[0] - (acceleration * 100) / 2)).toBeLessThan(2e-6);
    expect(Math.abs(angles[1])).toBeGreaterThan(2 * Math.PI * 30);
    expect(worst).toBeLessThan(1e-11);
    expect(stateOf(simulation, large).w[2]).toBeCloseTo(ratio * acceleration * 10, 9);
  });

  test("rackAndPinion: the inertia of the pinion slows the fall of the rack", async () => {
    const m = model();
    const [mass, inertia, radius] = [3, 0.04, 0.1];
    const wheel = m.body({ mass: 1, inertia: [0.03, inertia, 0.03] });
    const bar = m.body({ mass, shape: rod({ length: 2 }), position: [radius, 0, 0] });
    const pinion = m.revolute({ between: [m.ground, wheel], at: [0, 0, 0], axis: [0, 1, 0] });
    const rack = m.prismatic({ between: [m.ground, bar], axis: [0, 0, 1] });
    m.rackAndPinion({ pinion, rack, radius: -radius });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(2);
    const a = (-G * mass) / (mass + inertia / radius ** 2);
    expect(stateOf(simulation, bar).r[2]).toBeCloseTo((a * 4) / 2, 7);
    expect(stateOf(simulation, wheel).w[1]).toBeCloseTo((-2 * a) / radius, 8);
  });
});

describe("distance", () => {
  test("keeps a conical pendulum in steady rotation", async () => {
    const [l, lean] = [1.2, 0.7];
    const turn = Math.sqrt(G / (l * Math.cos(lean)));
    const r: V3 = [l * Math.sin(lean), 0, -l * Math.cos(lean)];
    const m = model();
    const ball = m.body({
      mass: 2,
      shape: sphere({ radius: 0.1 }),
      position: r,
      velocity: cross([0, 0, turn], r),
    });
    m.distance({ between: [m.ground, ball] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    let worst = 0;
    simulation.runTo(5, ({ q, time }) => {
      const where = [r[0] * Math.cos(turn * time), r[0] * Math.sin(turn * time), r[2]];
      worst = Math.max(worst, difference(q.subarray(0, 3), where));
    });
    expect(worst).toBeLessThan(1e-8);
  });

  test("moves a spherical pendulum as in polar coordinates", async () => {
    const [l, theta, rate] = [0.9, 1.1, 2.5];
    const m = model();
    const ball = m.body({
      mass: 0.5,
      shape: sphere({ radius: 0.1 }),
      position: [l * Math.sin(theta), 0, -l * Math.cos(theta)],
      velocity: [0, l * Math.sin(theta) * rate, 0],
    });
    m.distance({ between: [ball, m.ground] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(3);
    const momentum = Math.sin(theta) ** 2 * rate;
    const [th, , phi] = integrated(
      (_, [x, u]) => [
        u,
        (momentum ** 2 * Math.cos(x)) / Math.sin(x) ** 3 - (G / l) * Math.sin(x),
        momentum / Math.sin(x) ** 2,
      ],
      [theta, 0, 0],
      3,
      20000,
    );
    const where = [
      l * Math.sin(th) * Math.cos(phi),
      l * Math.sin(th) * Math.sin(phi),
      -l * Math.cos(th),
    ];
    expect(difference(simulation.q.subarray(0, 3), where)).toBeLessThan(1e-8);
  });
});
