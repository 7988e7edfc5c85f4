import { box, compile, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { integrated } from "./support/reference.js";
import {
  column,
  difference,
  type M3,
  norm,
  plus,
  rotation,
  scaled,
  times,
  turnAbout,
  type V3,
} from "./support/vectors.js";

// Joints with many degrees of freedom: bodies slide, fall and spin on them.

const G = 9.81;

describe("spherical", () => {
  test("keeps the tilt of a symmetric top in steady precession", async () => {
    const [mass, l, lean, spin] = [1.1, 0.3, 0.5, 120];
    const [across, along] = [0.006, 0.01];
    // I3 w3 W - (I1 + m l^2) W^2 cos(lean) = m g l for the precession W and the spin w3 about the axis.
    const whole = across + mass * l * l;
    const c = Math.cos(lean);
    const root = Math.sqrt((along * spin) ** 2 - 4 * whole * c * mass * G * l);
    const turn = (along * spin - root) / (2 * whole * c);
    const axis: V3 = [Math.sin(lean), 0, c];
    // w = w3 axis + W (z - cos(lean) axis)
    const omega = plus(scaled(spin - turn * c, axis), [0, 0, turn]);
    const m = model();
    const top = m.body({
      mass,
      inertia: [across, across, along],
      centre: [0, 0, l],
      orientation: { axis: [0, 1, 0], angle: lean },
      velocity: [0, 0, 0],
      angularVelocity: omega,
    });
    m.spherical({ between: [m.ground, top], at: [0, 0, 0] });
    // Along a tree the only velocities are angular ones in the axes of the top, which rotates 120 times a second: RK4
    // then needs half the step for the same error.
    const simulation = (await compile(m)).simulate({ step: 2e-4 });
    let worst = 0;
    simulation.runTo(2, (now) => {
      const angle = turn * now.time;
      const wanted = [Math.sin(lean) * Math.cos(angle), Math.sin(lean) * Math.sin(angle), c];
      worst = Math.max(worst, difference(column(stateOf(now, top).R, 2), wanted));
    });
    expect(worst).toBeLessThan(3e-7);
    expect(turn * 2).toBeGreaterThan(1);
  });
});

describe("planar", () => {
  test("lets a puck on a slope follow a parabola and keep its spin", async () => {
    const lean = 0.4;
    const R = rotation(turnAbout([1, 0, 0], lean));
    const m = model();
    const puck = m.body({
      mass: 2,
      inertia: [0.1, 0.2, 0.25],
      orientation: { axis: [1, 0, 0], angle: lean },
      velocity: times(R, [1.5, 2, 0]),
      angularVelocity: { body: [0, 0, 6] },
    });
    m.planar({ between: [m.ground, puck], axis: column(R, 2) });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(1.2);
    const wanted = times(R, [1.5 * 1.2, 2 * 1.2 - (G * Math.sin(lean) * 1.2 ** 2) / 2, 0]);
    const { r, w } = stateOf(simulation, puck);
    expect(difference(r, wanted)).toBeLessThan(1e-10);
    expect(difference(w, [0, 0, 6])).toBeLessThan(1e-11);
  });
});

describe("pointOnLine", () => {
  test("lets a bead spin freely and slide as on a wire", async () => {
    const axis: V3 = [0.6, 0, 0.8];
    const m = model();
    const bead = m.body({ mass: 2, shape: sphere({ radius: 0.2 }), angularVelocity: [1, 2, 3] });
    m.pointOnLine({ between: [m.ground, bead], at: [0, 0, 0], axis });
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(1);
    const { r, omega } = stateOf(simulation, bead);
    expect(difference(r, scaled((-G * axis[2]) / 2, axis))).toBeLessThan(1e-10);
    expect(difference(omega, [1, 2, 3])).toBeLessThan(1e-11);
  });

  test("moves the centre of mass of a rod in a level slot only up and down", async () => {
    const [l, start] = [1, 1.2];
    const m = model();
    const bar = m.body({
      mass: 3,
      inertia: [0.3, 0.25, 0.06],
      position: [l * Math.sin(start), 0, -l * Math.cos(start)],
      orientation: { axis: [0, 1, 0], angle: -start },
    });
    m.pointOnLine({ between: [m.ground, bar], at: [0, 0, 0], axis: [1, 0, 0] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    let [sideways, energy] = [0, 0];
    simulation.runTo(2, (now) => {
      const { r, w, R } = stateOf(now, bar);
      sideways = Math.max(sideways, Math.abs(r[0] - l * Math.sin(start)));
      // theta'^2 = 2 m g l (cos theta - cos start) / (I + m l^2 sin^2 theta)
      const [sine, cosine] = [-R[0][2], R[2][2]];
      const square = (6 * G * l * (cosine - Math.cos(start))) / (0.25 + 3 * l * l * sine ** 2);
      energy = Math.max(energy, Math.abs(w[1] ** 2 - square));
    });
    expect(sideways).toBeLessThan(1e-10);
    expect(energy).toBeLessThan(2e-5);
  });
});

test("pointOnPlane moves the centre of mass of a stick on a smooth floor straight down", async () => {
  const [l, mass, start] = [0.7, 1.4, 0.2];
  const inertia = (mass * (2 * l) ** 2) / 12;
  const m = model();
  const stick = m.body({
    mass,
    shape: rod({ length: 2 * l }),
    position: [l * Math.sin(start), 0, l * Math.cos(start)],
    orientation: { axis: [0, 1, 0], angle: start },
  });
  m.pointOnPlane({ between: [m.ground, stick], at: [0, 0, 0], axis: [0, 0, 1] });
  const simulation = (await compile(m)).simulate({ step: 5e-4 }).runTo(0.6);
  const acceleration = (theta: number, rate: number) => {
    const [s, c] = [Math.sin(theta), Math.cos(theta)];
    return (mass * l * s * (G - l * c * rate ** 2)) / (inertia + mass * l * l * s * s);
  };
  const [theta, rate] = integrated((_, [x, u]) => [u, acceleration(x, u)], [start, 0], 0.6, 5000);
  const { r, w } = stateOf(simulation, stick);
  expect(theta).toBeGreaterThan(0.5);
  expect(difference(r, [l * Math.sin(start), 0, l * Math.cos(theta)])).toBeLessThan(1e-9);
  expect(w[1]).toBeCloseTo(rate, 8);
});

test("fixed makes two bodies tumble as one with their combined inertia", async () => {
  const velocity: V3 = [0.4, -0.2, 0.1];
  const omega: V3 = [1.5, 4, -2];
  const [one, two] = [
    { mass: 2, size: [0.3, 0.5, 0.9] as V3, place: [0.2, 0.1, -0.3] as V3 },
    { mass: 3, size: [0.4, 0.2, 0.3] as V3, place: [-0.5, 0.4, 0.6] as V3 },
  ];
  const parts = [one, two].map(({ mass, size: [x, y, z], place }) => ({
    mass,
    place,
    moments: [
      (mass * (y * y + z * z)) / 12,
      (mass * (x * x + z * z)) / 12,
      (mass * (x * x + y * y)) / 12,
    ],
  }));
  const total = 5;
  const centre = plus(scaled(2 / total, one.place), scaled(3 / total, two.place));
  const entry = (i: number, j: number) =>
    parts.reduce((sum, { mass, place, moments }) => {
      const d = place.map((x, k) => x - centre[k]);
      const square = norm(d as V3) ** 2;
      return sum + (i === j ? moments[i] + mass * square : 0) - mass * d[i] * d[j];
    }, 0);
  const tensor = [0, 1, 2].map((i) => [0, 1, 2].map((j) => entry(i, j))) as M3;

  const whole = model();
  whole.body({ mass: total, inertia: tensor, centre, velocity, angularVelocity: omega });
  const m = model();
  const [a, b] = [one, two].map(({ mass, size: [x, y, z], place }) =>
    m.body({
      mass,
      shape: box({ x, y, z }),
      position: place,
      velocity: plus(velocity, [
        omega[1] * place[2] - omega[2] * place[1],
        omega[2] * place[0] - omega[0] * place[2],
        omega[0] * place[1] - omega[1] * place[0],
      ]),
      angularVelocity: omega,
    }),
  );
  m.fixed({ between: [a, b] });
  const [free, welded] = [await compile(whole), await compile(m)].map((system) =>
    system.simulate({ step: 1e-3 }).runTo(3),
  );
  const wanted = stateOf(free, 0);
  for (const [body, { place }] of [
    [a, one],
    [b, two],
  ] as const) {
    const { r, R, omega: turning } = stateOf(welded, body);
    expect(difference(R.flat(), wanted.R.flat())).toBeLessThan(1e-9);
    expect(difference(turning, wanted.omega)).toBeLessThan(1e-9);
    const arm = place.map((x, k) => x - centre[k]) as V3;
    expect(difference(r, plus(wanted.r, times(wanted.R, arm)))).toBeLessThan(1e-9);
  }
});
