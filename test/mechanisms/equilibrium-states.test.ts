// Equilibrium of mechanisms with states: controllers, filters, bristles.

import { compile, equilibrium, type Model, model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const [MASS, LENGTH, G] = [1.2, 0.8, 9.81];
const INERTIA = (MASS * LENGTH * LENGTH) / 3;

/** A rod on a hinge about y, with the restoring torque m g l / 2 sin(angle) of its weight. */
function hung(m: Model) {
  const shape = rod({ length: LENGTH });
  const bar = m.body({ name: "bar", mass: MASS, shape, position: [0, 0, -LENGTH / 2] });
  return m.revolute({
    name: "hinge",
    between: [m.ground, bar],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
}

/** A mass on a vertical slide, at a height. */
function lift(m: Model) {
  const box = m.body({ name: "box", mass: MASS, inertia: [1, 1, 1], position: [0, 0, 0] });
  const slide = m.prismatic({ name: "slide", between: [m.ground, box], axis: [0, 0, 1] });
  return { box, slide };
}

describe("equilibrium of models with states", () => {
  test("finds the angle an integral controller requests, stable by Routh's criterion", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const [p, i, d] = [20 + 10 * random(), 60 + 50 * random(), 1.5 + random()];
      const angle = 1.2 * random();
      const m = model({ name: "controlled", gravity: [0, 0, -G] });
      const joint = hung(m);
      const pi = m.states({
        name: "pi",
        names: ["integral"],
        start: [0],
        rates: (_t, _y, read) => [angle - read.angle(joint)],
      });
      m.torsionSpring({
        joint,
        torque: (now, rate, _t, read) => p * (angle - now) - d * rate + i * read.state(pi),
      });
      const { state, stability, residual, linearisation } = equilibrium(await compile(m));
      expect(state.joint("hinge").angle).toBeCloseTo(angle, 8);
      const weight = (MASS * G * LENGTH * Math.sin(angle)) / 2;
      expect(state.state("pi").integral).toBeCloseTo(weight / i, 8);
      expect(residual).toBeLessThan(1e-7);
      const K = p + (MASS * G * LENGTH * Math.cos(angle)) / 2;
      expect(stability).toBe((d / INERTIA) * K > i ? "stable" : "unstable");
      expect(linearisation!.eigenvalues).toHaveLength(3);
    }
  });

  test("finds a mass that is carried only by a pressure depending on its height", async () => {
    const [k, lag] = [300, 0.2];
    // m T s^3 + (m + c T) s^2 + c s + k is stable for (m + c T) c > k m T.
    const critical = (Math.sqrt(MASS * MASS + 4 * k * MASS * lag * lag) - MASS) / (2 * lag);
    for (const [part, expected] of [
      [1.01, "stable"],
      [0.99, "unstable"],
    ] as const) {
      const damping = part * critical;
      const m = model({ name: "air spring", gravity: [0, 0, -G] });
      const { box, slide } = lift(m);
      const air = m.states({
        name: "air",
        names: ["force"],
        start: [5],
        rates: (_t, [force], read) => [(-k * read.displacement(slide) - force!) / lag],
      });
      m.spring({
        between: [m.ground, box],
        atA: [0, 0, -2],
        force: (_s, rate, _t, read) => read.state(air) - damping * rate,
      });
      const { state, stability, stiffness } = equilibrium(await compile(m));
      expect(state.joint("slide").displacement).toBeCloseTo((-MASS * G) / k, 9);
      expect(state.state("air").force).toBeCloseTo(MASS * G, 8);
      expect(stiffness).toBeCloseTo(k / MASS, 5);
      expect(stability).toBe(expected);
    }
  });

  test("settles states of different sizes with coupled non-linear rates", async () => {
    const m = model({ name: "filters", gravity: [0, 0, -G] });
    hung(m);
    m.states({
      name: "y",
      names: ["a", "b", "c"],
      start: [1, 1, 1],
      rates: (_t, [a, b, c]) => [8 - a! ** 3, a! * 1e5 - b!, 1e-4 * (b! * 1e-9 - c!)],
    });
    const { state, stability } = equilibrium(await compile(m));
    const { a, b, c } = state.state("y");
    expect(a).toBeCloseTo(2, 9);
    expect(b! / 2e5).toBeCloseTo(1, 9);
    expect(c! / 2e-4).toBeCloseTo(1, 7);
    expect(stability).toBe("stable");
  });

  test("reports instability if a state grows away from rest", async () => {
    const m = model({ name: "runaway", gravity: [0, 0, -G] });
    hung(m);
    m.states({ name: "y", names: ["a"], start: [0.3], rates: (_t, [a]) => [a! - 2] });
    const { state, stability } = equilibrium(await compile(m));
    expect(state.state("y").a).toBeCloseTo(2, 9);
    expect(stability).toBe("unstable");
  });

  test("reports neutral stability for a state that can rest anywhere, and keeps it", async () => {
    const m = model({ name: "bristle", gravity: [0, 0, -G] });
    const joint = hung(m);
    const bristle = m.states({
      name: "bristle",
      names: ["z"],
      start: [0.02],
      rates: (_t, [z], read) => [read.angleRate(joint) - Math.abs(read.angleRate(joint)) * 9 * z!],
    });
    m.torsionSpring({ joint, torque: (_a, _r, _t, read) => -50 * read.state(bristle) });
    const { state, stability } = equilibrium(await compile(m));
    expect(state.state("bristle").z).toBe(0.02);
    expect(Math.sin(state.joint("hinge").angle!)).toBeCloseTo(-2 / (MASS * G * LENGTH), 9);
    expect(stability).toBe("neutral");
  });

  test("names a state that cannot rest", async () => {
    const clock = model({ name: "clock", gravity: [0, 0, -G] });
    hung(clock);
    clock.states({ name: "clock", names: ["ticks"], start: [0], rates: () => [2] });
    const system = await compile(clock);
    expect(() => equilibrium(system)).toThrow(/state "clock ticks" still changes by 2.00 a second/);
    // An integral controller whose target is out of reach.
    const m = model({ name: "far", gravity: [0, 0, -G] });
    const joint = hung(m);
    const far = m.states({
      name: "far",
      names: ["x"],
      start: [0],
      rates: (_t, _y, read) => [3 - Math.sin(read.angle(joint))],
    });
    m.torsionSpring({ joint, torque: (_a, _r, _t, read) => read.state(far) });
    const other = await compile(m);
    expect(() => equilibrium(other)).toThrow(/state "far x" still changes/);
  });
});
