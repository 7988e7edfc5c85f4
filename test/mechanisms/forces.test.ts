import { compile, type Model, model, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { column, difference, norm, type V3 } from "./support/vectors.js";

// Forces with a motion in closed form, or with a reference of one degree of freedom.

const G = 9.81;
const ball = { mass: 2, shape: sphere({ radius: 0.5 }) };
const INERTIA = (2 / 5) * 2 * 0.25;
const space = () => model({ gravity: [0, 0, 0] });

/** Returns the state of the first body after a time. */
async function ran(m: Model, time: number, step = 1e-3) {
  return stateOf((await compile(m)).simulate({ step }).runTo(time), 0);
}

/** x(t) from x0 at rest, for x'' + 2 d x' + w^2 x = 0 with d < w. */
function damped(start: number, w: number, d: number, t: number): number {
  const f = Math.sqrt(w * w - d * d);
  return start * Math.exp(-d * t) * (Math.cos(f * t) + (d / f) * Math.sin(f * t));
}

describe("spring", () => {
  test("makes a suspended mass oscillate about its equilibrium", async () => {
    const m = model();
    const body = m.body({ ...ball, position: [0, 0, -1] });
    m.spring({ between: [m.ground, body], stiffness: 50, length: 1 });
    const { r } = await ran(m, 3.3);
    const sag = (2 * G) / 50;
    expect(difference(r, [0, 0, -1 - sag + sag * Math.cos(5 * 3.3)])).toBeLessThan(1e-9);
  });

  test("makes the oscillation decay with damping", async () => {
    const m = space();
    const body = m.body({ ...ball, position: [1.4, 0, 0] });
    m.spring({ between: [body, m.ground], stiffness: 50, length: 1, damping: 4 });
    const { r } = await ran(m, 2.1);
    expect(difference(r, [1 + damped(0.4, 5, 1, 2.1), 0, 0])).toBeLessThan(1e-10);
  });

  test("pushes two bodies apart as an actuator, by their masses", async () => {
    const m = space();
    const one = m.body({ ...ball, position: [0, 1, 0] });
    const two = m.body({ ...ball, mass: 5, position: [0, 2, 0] });
    m.spring({ between: [one, two], force: 3 });
    const simulation = (await compile(m)).simulate({ step: 0.01 }).runTo(2);
    expect(difference(stateOf(simulation, one).r, [0, 1 - 3, 0])).toBeLessThan(1e-12);
    expect(difference(stateOf(simulation, two).r, [0, 2 + (3 / 5) * 2, 0])).toBeLessThan(1e-12);
  });
});

describe("torsionSpring", () => {
  const wheel = (m: Model) => {
    const body = m.body({ mass: 1, inertia: [0.3, 0.3, 0.5], position: [0, 0, 2] });
    return m.revolute({ between: [m.ground, body], at: [0, 0, 0], axis: [0, 0, 1] });
  };

  test("winds up over several turns", async () => {
    const m = space();
    m.torsionSpring({ joint: wheel(m), stiffness: 2, angle: 20 });
    const { R, w } = await ran(m, 2.5);
    const angle = 20 - 20 * Math.cos(2 * 2.5);
    expect(difference(column(R, 0), [Math.cos(angle), Math.sin(angle), 0])).toBeLessThan(1e-6);
    expect(w[2]).toBeCloseTo(40 * Math.sin(2 * 2.5), 5);
  });

  test("decays with damping, and keeps turning with a motor", async () => {
    const m = space();
    m.torsionSpring({ joint: wheel(m), stiffness: 2, angle: 1, damping: 0.4 });
    const { R } = await ran(m, 3);
    const angle = 1 + damped(-1, 2, 0.4, 3);
    expect(difference(column(R, 0), [Math.cos(angle), Math.sin(angle), 0])).toBeLessThan(1e-9);
    const motor = space();
    motor.torsionSpring({ joint: wheel(motor), torque: 1.5 });
    expect((await ran(motor, 2)).w[2]).toBeCloseTo((1.5 * 2) / 0.5, 10);
  });
});

describe("bushing", () => {
  const stiffness = [50, 72, 98, 4, 9, 16] as const;
  const damping = [4, 0, 2, 0, 0.1, 0.2] as const;
  const inertia: V3 = [0.5, 0.6, 0.7];
  const tiny = 1e-5;

  test.each([0, 1, 2, 3, 4, 5])(
    "oscillates with the linear frequency in direction %d",
    async (direction) => {
      const unit = [0, 1, 2].map((i) => (i === direction % 3 ? 1 : 0)) as unknown as V3;
      const isTurn = direction >= 3;
      const m = space();
      const frame = m.ground.marker({ axis: [0, 0, 1], x: [1, 0, 0] });
      const body = m.body({
        mass: 2,
        inertia,
        ...(isTurn
          ? { orientation: { axis: unit, angle: tiny } }
          : { position: unit.map((x) => tiny * x) as unknown as V3 }),
      });
      const own = body.marker({ axis: [0, 0, 1], x: [1, 0, 0] });
      m.bushing({ between: [frame, own], stiffness, damping });
      const { r, e } = await ran(m, 2.2);
      const mass = isTurn ? inertia[direction - 3] : 2;
      const [w, d] = [Math.sqrt(stiffness[direction] / mass), damping[direction] / (2 * mass)];
      const moved = isTurn ? [2 * e[1], 2 * e[2], 2 * e[3]] : r;
      const wanted = unit.map((x) => x * damped(tiny, w, d, 2.2));
      expect(difference(moved, wanted)).toBeLessThan(1e-8 * tiny);
      expect(norm(isTurn ? r : [e[1], e[2], e[3]])).toBeLessThan(1e-18);
    },
  );
});

describe("drag", () => {
  test("makes speed and spin decay exponentially if linear", async () => {
    const m = space();
    const body = m.body({ ...ball, velocity: [3, 0, 4], angularVelocity: [0, 6, 0] });
    m.drag({ on: body, linear: 0.7, angular: 0.05 });
    const { r, v, omega } = await ran(m, 4);
    const left = Math.exp((-0.7 / 2) * 4);
    expect(difference(v, [3 * left, 0, 4 * left])).toBeLessThan(1e-10);
    const path = ((1 - left) * 2) / 0.7;
    expect(difference(r, [3 * path, 0, 4 * path])).toBeLessThan(1e-10);
    expect(difference(omega, [0, 6 * Math.exp((-0.05 / INERTIA) * 4), 0])).toBeLessThan(1e-10);
  });

  test("makes speed and spin decay as 1 / t if quadratic", async () => {
    const m = space();
    const body = m.body({ ...ball, velocity: [0, 5, 0], angularVelocity: [6, 0, 0] });
    m.drag({ on: body, quadratic: 0.3, angularQuadratic: 0.02 });
    const { v, omega } = await ran(m, 3);
    expect(difference(v, [0, 5 / (1 + (0.3 / 2) * 5 * 3), 0])).toBeLessThan(1e-10);
    expect(difference(omega, [6 / (1 + (0.02 / INERTIA) * 6 * 3), 0, 0])).toBeLessThan(1e-10);
  });

  test("lets a stone reach its terminal velocity", async () => {
    const m = model();
    m.drag({ on: m.body(ball), quadratic: 0.3 });
    const terminal = Math.sqrt((2 * G) / 0.3);
    const { v, r } = await ran(m, 2);
    expect(v[2]).toBeCloseTo(-terminal * Math.tanh((G * 2) / terminal), 9);
    const fallen = (terminal ** 2 / G) * Math.log(Math.cosh((G * 2) / terminal));
    expect(r[2]).toBeCloseTo(-fallen, 9);
    expect((await ran(m, 20, 0.01)).v[2]).toBeCloseTo(-terminal, 7);
  });
});

describe("pointForce and torque", () => {
  test("drive a body in circles by a thrust fixed in the body", async () => {
    const m = space();
    const body = m.body({ ...ball, angularVelocity: [0, 0, 3] });
    m.pointForce({ on: body, force: [5, 0, 0], frame: "body" });
    const { r } = await ran(m, 4);
    const a = 5 / 2 / 9;
    expect(difference(r, [a * (1 - Math.cos(12)), a * (12 - Math.sin(12)), 0])).toBeLessThan(1e-9);
  });

  test("rotate a body by a thrust off its centre of mass", async () => {
    const m = space();
    const body = m.body({ ...ball, centre: [0.2, 0, 0], position: [-0.2, 0, 0] });
    m.pointForce({ on: body, at: [0, 0.1, 0], force: [0.4, 0, 0], frame: "body" });
    const { omega, R } = await ran(m, 2);
    const rate = -0.04 / INERTIA;
    expect(difference(omega, [0, 0, 2 * rate])).toBeLessThan(1e-11);
    expect(Math.atan2(R[1][0], R[0][0])).toBeCloseTo(2 * rate, 9);
  });

  test("spin up a rotating ball by a torque in the world's axes", async () => {
    const m = space();
    const body = m.body({ ...ball, angularVelocity: [1, -2, 0.5] });
    m.torque({ on: body, torque: (t) => [0.3, 0, 0.6 * t] });
    const { omega } = await ran(m, 2);
    expect(difference(omega, [1 + 0.6 / INERTIA, -2, 0.5 + 1.2 / INERTIA])).toBeLessThan(1e-10);
  });
});

test("userForce returns a planet to its position after a year", async () => {
  const m = space();
  const [a, eccentricity] = [1.3, 0.4];
  const body = m.body({
    ...ball,
    centre: [0.3, 0.1, 0],
    position: [a * (1 - eccentricity) - 0.3, -0.1, 0],
    velocity: [0, Math.sqrt((4 * (1 + eccentricity)) / (a * (1 - eccentricity))), 0],
    angularVelocity: [0, 0, 0],
  });
  const arm = [0.3, 0.1, 0];
  m.userForce({
    bodies: [body],
    apply: ([{ position }], [{ force, torque }]) => {
      const r = position.map((x, i) => x + arm[i]);
      const pull = r.map((x) => (-2 * 4 * x) / Math.hypot(...r) ** 3);
      for (let i = 0; i < 3; i++) force[i] += pull[i];
      // At the centre of mass instead of the origin: the shifted force adds a torque.
      torque[2] += arm[0] * pull[1] - arm[1] * pull[0];
    },
  });
  const system = await compile(m);
  const year = 2 * Math.PI * Math.sqrt(a ** 3 / 4);
  const simulation = system.simulate({ step: year / 4000 }).runTo(year / 2);
  expect(stateOf(simulation, 0).r[0]).toBeCloseTo(-a * (1 + eccentricity), 8);
  simulation.runTo(year);
  expect(difference(simulation.q, system.q)).toBeLessThan(1e-8);
  expect(difference(simulation.v, system.v)).toBeLessThan(1e-8);
});
