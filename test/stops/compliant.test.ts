// Stops that give way: Hunt and Crossley's law, its restitution, energy, and steps that end at touch.

import { compile, type Model, model, rod } from "nodrift/bodies";
import { radau5, solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const KINDS = ["maximal", "relative"] as const;

/** A block that flies along x at a wall. */
function flying(options: Omit<Parameters<Model["stop"]>[0], "joint">, speed = 2) {
  const m = model({ gravity: [0, 0, 0] });
  const block = m.body({ name: "block", mass: 3, inertia: [1, 1, 1], velocity: [speed, 0, 0] });
  const joint = m.prismatic({
    name: "slide",
    between: [m.ground, block],
    at: [0, 0, 0],
    axis: [1, 0, 0],
  });
  m.stop({ name: "wall", joint, ...options });
  return m;
}

describe("restitution", () => {
  test.each([
    [0.95, 1.5, 1e4],
    [0.7, 1, 1e5],
    [0.5, 2.2, 1e6],
    [0.2, 1.5, 1e4],
  ])(
    "%f comes out at the speed it is given for: exponent %f, stiffness %f",
    async (restitution, exponent, stiffness) => {
      const m = flying({ upper: 0.1, stiffness, exponent, restitution, impactSpeed: 2 });
      const solution = solve(await compile(m), { span: [0, 1], tolerance: 1e-10 });
      expect(solution.end.joint("slide").displacementRate).toBeCloseTo(-2 * restitution, 7);
      expect(solution.events).toEqual([]);
    },
  );

  test("1, or no damping, keeps the energy: k x^(n + 1) / (n + 1) is stored in the stop", async () => {
    const m = flying({ upper: 0.1, stiffness: 1e4, exponent: 1.5 });
    const solution = solve(await compile(m), { span: [0, 0.2], tolerance: 1e-11 });
    expect(solution.statistics.energyError).toBeLessThan(1e-8);
    const deepest = 0.1 + ((0.5 * 3 * 4 * 2.5) / 1e4) ** (1 / 2.5);
    const most = Math.max(
      ...Array.from({ length: 2001 }, (_, i) => solution.at(i * 1e-4).joint("slide").displacement!),
    );
    expect(most).toBeCloseTo(deepest, 6);
  });
});

test("a stop never pulls: torn away faster than 1 / damping it still pushes", async () => {
  const m = flying({ upper: -0.1, stiffness: 1e4, damping: 2 }, -40);
  const state = (await compile(m)).simulate({ step: 1e-4 });
  const [push] = state.force("wall").force({ on: "block" });
  expect(push).toBeLessThan(0);
  expect(push).toBeGreaterThan(-1e4 * 0.1 ** 1.5);
  // g(y) = -1 / (4 y) at y = -80.
  expect(push).toBeCloseTo((-1e4 * 0.1 ** 1.5) / 320, 9);
  expect(state.force("wall").displacement).toBe(0);
});

test("steps end when a stop is touched and left", async () => {
  const m = flying({ upper: 0.1, stiffness: 1e3, exponent: 1, damping: 0.05 });
  const run = start(await compile(m), { span: [0, 0.4], tolerance: 1e-6 });
  const ends: number[] = [];
  while (run.step()) ends.push(run.state.joint("slide").displacement! - 0.1);
  expect(ends.filter((x) => Math.abs(x) < 1e-11)).toHaveLength(2);
});

test("limits and stiffness are set while a simulation runs, as if it had begun with them", async () => {
  const system = await compile(flying({ upper: 0.5, stiffness: 1e3 }));
  const simulation = system.simulate({ step: 1e-3 });
  simulation.set("wall", { upper: 0.1, stiffness: 1e4, damping: 0.2 });
  const other = (await compile(flying({ upper: 0.1, stiffness: 1e4, damping: 0.2 }))).simulate({
    step: 1e-3,
  });
  simulation.advance(200);
  other.advance(200);
  expect([...simulation.q, ...simulation.v]).toEqual([...other.q, ...other.v]);
  expect(() => simulation.set("wall", { upper: Number.NaN })).toThrow("upper");
  expect(() => simulation.set("wall", { stiffness: -1 })).toThrow("stiffness");
});

test("a stop on the length between two points acts as a rope", async () => {
  const m = model();
  const ball = m.body({ name: "ball", mass: 2, inertia: [1, 1, 1], position: [0, 0, -1] });
  m.stop({
    name: "rope",
    between: [m.ground, ball],
    upper: 1.5,
    stiffness: 1e5,
    exponent: 1,
    damping: 0.5,
  });
  const solution = solve(await compile(m), { span: [0, 40], tolerance: 1e-7 });
  expect(solution.status).toBe("finished");
  expect(solution.end.force("rope").length).toBeCloseTo(1.5 + (2 * 9.81) / 1e5, 5);
  expect(solution.end.force("rope").force({ on: "ball" })[2]).toBeCloseTo(2 * 9.81, 5);
});

/** A chain of random joints with stops and friction of every kind that both coordinates know. */
function randomChain(seed: number): Model {
  const random = seeded(seed);
  const between = (low: number, high: number) => low + ((random() + 1) / 2) * (high - low);
  const m = model();
  let last = m.ground;
  for (let i = 0; i < 3; i++) {
    const place = [0.4 * i, 0.1 * random(), 0.1 * random()] as const;
    const body = m.body({
      name: `body ${i}`,
      mass: between(0.5, 2),
      shape: rod({ length: 0.4, axis: [1, 0, 0] }),
      position: [0.4 * i + 0.2, 0, 0],
    });
    const type = (["revolute", "prismatic", "cylindrical", "screw"] as const)[
      Math.floor(between(0, 3.999))
    ];
    const frame = {
      name: `joint ${i}`,
      between: [last, body] as const,
      at: place,
      axis: [random(), 1, random()] as const,
    };
    const joint = type === "screw" ? m.screw({ ...frame, pitch: 0.3 }) : m[type](frame);
    const of = type === "prismatic" ? "displacement" : "angle";
    const limits = { lower: -between(0.02, 0.3), upper: between(0.02, 0.3) };
    const exponent = between(1, 2.5);
    m.stop({
      name: `stop ${i}`,
      joint,
      of,
      ...limits,
      stiffness: between(50, 500),
      exponent,
      damping: between(0, 0.3),
    });
    const coulomb = between(0, 0.5);
    const also = type === "cylindrical" ? "displacement" : of;
    m.friction({
      joint,
      of: also,
      coulomb,
      static: coulomb + between(0, 0.3),
      viscous: 0.1,
      transitionSpeed: 0.2,
    });
    last = body;
  }
  return m;
}

test.each([1, 2, 3, 4, 5, 6])(
  "random joints with stops and friction agree in both kinds of coordinates, %i",
  async (seed) => {
    const ends = await Promise.all(
      KINDS.map(async (coordinates) => {
        const solution = solve(await compile(randomChain(seed), { coordinates }), {
          span: [0, 0.8],
          tolerance: 1e-9,
        });
        expect(solution.status).toBe("finished");
        return [...solution.end.q, ...solution.end.v];
      }),
    );
    const size = Math.max(...ends[0].map(Math.abs));
    for (const [i, value] of ends[0].entries())
      expect(Math.abs(value - ends[1][i])).toBeLessThan(1e-6 * (1 + size));
  },
);

test.each([7, 8])(
  "implicit methods find the same motion with analytic derivatives, %i",
  async (seed) => {
    const system = await compile(randomChain(seed));
    const span = [0, 0.5] as const;
    const explicit = solve(system, { span, tolerance: 1e-9 });
    const implicit = solve(system, { span, tolerance: 1e-9, integrator: radau5() });
    expect(implicit.statistics.implicit?.jacobianSource).not.toContain("differences");
    for (const [i, value] of explicit.end.q.entries()) {
      expect(Math.abs(implicit.end.q[i] - value)).toBeLessThan(1e-6);
    }
  },
);
