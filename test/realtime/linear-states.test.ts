// Small motions of models with states: eigenvalues of closed forms.

import { compile, linearise, model, rod } from "nodrift/bodies";
import { realtime } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const [MASS, LENGTH, G] = [1.2, 0.8, 9.81];
const INERTIA = (MASS * LENGTH * LENGTH) / 3;

/**
 * A hanging rod, held at an angle by a PI controller with damping; the integral is at the value that holds the weight.
 */
async function controlled(p: number, i: number, d: number, angle: number, others = 0) {
  const m = model({ name: "controlled", gravity: [0, 0, -G] });
  const bar = m.body({
    name: "bar",
    mass: MASS,
    shape: rod({ length: LENGTH }),
    position: [0, 0, -LENGTH / 2],
  });
  const joint = m.revolute({
    name: "hinge",
    between: [m.ground, bar],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  // The weight has the restoring torque m g l / 2 sin(angle).
  const weight = (MASS * G * LENGTH * Math.sin(angle)) / 2;
  m.motor({ name: "idle", joint, mode: "torque", target: 0, rotorInertia: 1e-9 });
  const pi = m.states({
    name: "pi",
    names: ["integral"],
    start: [weight / i],
    rates: (_t, _y, read) => [angle - read.angle(joint)],
  });
  m.states({
    name: "filters",
    names: Array.from({ length: others }, (_, n) => `y${n}`),
    start: Array.from({ length: others }, () => 1e4),
    rates: (_t, y) => Array.from(y, (value, n) => -(n + 1) * (value - 1e4)),
    ...(others === 0 && { names: ["y"], start: [0], rates: () => [0] }),
  });
  m.torsionSpring({
    joint,
    torque: (now, rate, _t, read) => p * (angle - now) - d * rate + i * read.state(pi),
  });
  return compile(m, { joints: { hinge: angle } });
}

/** Roots of s^3 + a s^2 + b s + c, of which one is real: Newton's iteration, then the quadratic. */
function cubic(a: number, b: number, c: number) {
  let s = -c / b;
  for (let n = 0; n < 200; n++) s -= (s ** 3 + a * s * s + b * s + c) / (3 * s * s + 2 * a * s + b);
  const [half, product] = [-(a + s) / 2, -c / s];
  const root = half * half - product;
  return root < 0
    ? [
        { re: s, im: 0 },
        { re: half, im: Math.sqrt(-root) },
        { re: half, im: -Math.sqrt(-root) },
      ]
    : [
        { re: s, im: 0 },
        { re: half + Math.sqrt(root), im: 0 },
        { re: half - Math.sqrt(root), im: 0 },
      ];
}

describe("linearise of a model with states", () => {
  test.each([
    [40, 25, 4, 0.3],
    [10, 60, 1, -0.5],
    [80, 5, 30, 0.1],
  ])(
    "finds the roots of the characteristic polynomial of a pendulum with a PI controller (p %d, i %d, d %d)",
    async (p, i, d, angle) => {
      const system = await controlled(p, i, d, angle);
      const { eigenvalues, equilibrium, A } = linearise(system.simulate({ step: 1e-3 }));
      expect(equilibrium).toBe(true);
      // Angle, rate, integral, and the idle state.
      expect(A).toHaveLength(4);
      const K = p + (MASS * G * LENGTH * Math.cos(angle)) / 2;
      const roots = cubic(d / INERTIA, K / INERTIA, i / INERTIA);
      for (const { re, im } of roots) {
        const distance = Math.min(
          ...eigenvalues.map((one) => Math.hypot(one.re - re, one.im - im)),
        );
        expect(distance).toBeLessThan(1e-6 * (1 + Math.hypot(re, im)));
      }
      expect(eigenvalues.some(({ re, im }) => Math.hypot(re, im) < 1e-9)).toBe(true);
    },
  );

  test("separates eigenvalues of states of any size on several auxiliary bodies", async () => {
    const system = await controlled(40, 25, 4, 0.3, 5);
    const { eigenvalues } = linearise(system.simulate({ step: 1e-3 }));
    expect(eigenvalues).toHaveLength(8);
    for (const rate of [1, 2, 3, 4, 5]) {
      const distance = Math.min(...eigenvalues.map(({ re, im }) => Math.hypot(re + rate, im)));
      expect(distance).toBeLessThan(1e-6);
    }
  });

  test("rejects a changing state by name unless frozen", async () => {
    const system = await controlled(40, 25, 4, 0.3);
    const simulation = system.simulate({ step: 1e-3 });
    simulation.setCoordinates({ hinge: 0.31 });
    expect(() => linearise(simulation)).toThrow('"pi integral" changes');
    expect(linearise(simulation, { frozen: true }).A).toHaveLength(4);
  });

  test("realtime detects stiff states", async () => {
    const m = model();
    const bar = m.body({ name: "bar", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    m.revolute({ name: "hinge", between: [m.ground, bar], at: [0, 0, 0], axis: [0, 1, 0] });
    m.states({ name: "filter", names: ["y"], start: [1], rates: (_t, y) => [-1e5 * y[0]!] });
    const loop = realtime(await compile(m), { step: 1 / 240 });
    expect(loop.simulation.method).toContain("ros3");
    loop.advance(0.5);
    expect(Math.abs(loop.simulation.state("filter").y!)).toBeLessThan(1e-3);
  });
});
