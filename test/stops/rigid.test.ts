// Rigid stops: impacts are located, bounces end in rest, and what rests is let go when it is pulled.

import { compile, equilibrium, model, rod } from "nodrift/bodies";
import { solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const KINDS = ["maximal", "relative"] as const;
const G = 9.80665;

/** A block that slides along z under gravity, over a floor at z = 0. */
async function ball(coordinates: "maximal" | "relative", restitution: number, height = 1) {
  const m = model({ gravity: [0, 0, -G] });
  const block = m.body({ name: "block", mass: 2, inertia: [1, 1, 1] });
  const slide = m.prismatic({
    name: "slide",
    between: [m.ground, block],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.stop({ name: "floor", joint: slide, lower: 0, restitution });
  return compile(m, { coordinates, joints: { slide: height } });
}

describe.each(KINDS)("rigid stops under error control, in %s coordinates", (kind) => {
  test("impacts of a falling block are those of the closed form, and it comes to rest", async () => {
    const e = 0.6;
    const system = await ball(kind, e);
    const solution = solve(system, { span: [0, 3], tolerance: 1e-10 });
    expect(solution.status).toBe("finished");
    const first = Math.sqrt(2 / G);
    const impacts = solution.events.filter(({ name }) => name === "floor: lower");
    expect(impacts.length).toBeGreaterThan(20);
    let [time, speed] = [first, G * first];
    for (const impact of impacts.slice(0, 20)) {
      expect(impact.time).toBeCloseTo(time, 9);
      expect(impact.impulses["floor: lower"]).toBeCloseTo(2 * (1 + e) * speed, 8);
      speed *= e;
      time += (2 * speed) / G;
    }
    // All bounces together take first (1 + e) / (1 - e).
    expect(impacts.at(-1)!.time).toBeCloseTo((first * (1 + e)) / (1 - e), 4);
    const { end } = solution;
    expect(Math.abs(end.joint("slide").displacement!)).toBeLessThan(1e-9);
    expect(Math.abs(end.joint("slide").displacementRate!)).toBeLessThan(1e-9);
    expect(end.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
  });

  test("a resting contact is released when its reaction changes sign", async () => {
    const m = model({ gravity: [0, 0, -G] });
    const block = m.body({ name: "block", mass: 2, inertia: [1, 1, 1] });
    const slide = m.prismatic({
      name: "slide",
      between: [m.ground, block],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.stop({ name: "floor", joint: slide, lower: 0 });
    // Lifts with 10 t^2 N: more than the weight from t = 1.4 s on.
    m.pointForce({ on: block, force: (t) => [0, 0, 10 * t * t] });
    const system = await compile(m, { coordinates: kind });
    const solution = solve(system, { span: [0, 2], tolerance: 1e-10 });
    expect(solution.status).toBe("finished");
    const left = Math.sqrt((2 * G) / 10);
    const [released, ...others] = solution.events;
    expect(others).toEqual([]);
    expect(released.name).toBe("floor: lower is left");
    expect(released.time).toBeCloseTo(left, 9);
    // z'' = 5 t^2 - g from there on.
    const rise = (t: number) => (5 * t ** 4) / 12 - (G * t * t) / 2;
    const rate = (t: number) => (5 * t ** 3) / 3 - G * t;
    const expected = rise(2) - rise(left) - rate(left) * (2 - left);
    expect(solution.end.joint("slide").displacement).toBeCloseTo(expected, 8);
  });

  test("simultaneous impacts are resolved together: nothing tilts", async () => {
    const m = model({ gravity: [0, 0, -G] });
    const beam = m.body({ name: "beam", mass: 3, inertia: [1, 1, 1], position: [0, 0, 1] });
    const cart = m.body({
      name: "cart",
      mass: 1e-3,
      inertia: [1e-3, 1e-3, 1e-3],
      position: [0, 0, 1],
    });
    m.prismatic({ name: "lift", between: [m.ground, cart], at: [0, 0, 1], axis: [0, 0, 1] });
    m.revolute({ name: "tilt", between: [cart, beam], at: [0, 0, 1], axis: [0, 1, 0] });
    const far = [-1, 1].map((x) => m.ground.marker({ at: [x, 0, -40] }));
    const ends = [-1, 1].map((x) => beam.marker({ at: [x, 0, 0] }));
    m.stop({ name: "left", between: [far[0], ends[0]], lower: 40, restitution: 0.5 });
    m.stop({ name: "right", between: [far[1], ends[1]], lower: 40, restitution: 0.5 });
    const system = await compile(m, { coordinates: kind });
    const solution = solve(system, { span: [0, 1.6], tolerance: 1e-10 });
    expect(solution.status).toBe("finished");
    const drop = Math.sqrt(2 / G);
    const [one, two] = solution.events;
    expect([one.name, two.name].sort()).toEqual(["left: lower", "right: lower"]);
    expect(one.time).toBeCloseTo(drop, 9);
    expect(one.impulses["left: lower"]).toBeCloseTo(one.impulses["right: lower"], 6);
    expect(one.impulses["left: lower"]).toBeCloseTo((3.001 * 1.5 * G * drop) / 2, 6);
    expect(Math.abs(solution.end.joint("tilt").angle!)).toBeLessThan(1e-7);
  });
});

test("a pendulum between two rigid stops with restitution 1 keeps its energy over many impacts", async () => {
  const m = model({ gravity: [0, 0, -G] });
  const bar = m.body({ name: "bar", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, bar],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  m.stop({ name: "walls", joint: hinge, lower: -0.2, upper: 0.3, restitution: 1 });
  const system = await compile(m, { joints: { hinge: { angle: 0.1, angleRate: 3 } } });
  const solution = solve(system, { span: [0, 10], tolerance: 1e-9 });
  const energy = solution.at(0).energy().total;
  expect(solution.events.length).toBeGreaterThan(30);
  expect(new Set(solution.events.map(({ name }) => name))).toEqual(
    new Set(["walls: lower", "walls: upper"]),
  );
  expect(solution.end.energy().total).toBeCloseTo(energy, 6);
});

test("a motor's torque against a stop: it rests, and the stop carries the torque", async () => {
  const m = model({ gravity: [0, 0, 0] });
  const arm = m.body({ name: "arm", mass: 1, inertia: [1, 1, 1] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.torsionSpring({ joint: hinge, torque: (_angle, _rate, t) => (t < 2 ? 5 : -5) });
  m.stop({ name: "end", joint: hinge, upper: 1 });
  const system = await compile(m);
  const solution = solve(system, { span: [0, 2.5], tolerance: 1e-9, maximumStep: 0.1 });
  expect(solution.status).toBe("finished");
  expect(solution.events[0].time).toBeCloseTo(Math.sqrt(2 / 5), 8);
  expect(solution.at(1.5).joint("rest at end: upper").driveForce).toBeCloseTo(-5, 8);
  expect(solution.end.joint("hinge").angle).toBeCloseTo(1 - 2.5 * 0.25, 5);
});

test("a run can be saved during a resting contact, and continues bitwise identically", async () => {
  const system = await ball("maximal", 0.5);
  const options = { span: [0, 3] as const, tolerance: 1e-8 };
  const run = start(system, options);
  while (run.time < 1.5) run.step();
  const saved = structuredClone(run.save());
  const whole = run.finish().end;
  const other = start(system, options);
  other.restore(saved);
  const end = other.finish().end;
  expect([...end.q, ...end.v]).toEqual([...whole.q, ...whole.v]);
});

test("limits and restitution can be set during a run; a state beyond a limit is rejected by name", async () => {
  const system = await ball("maximal", 0);
  const run = start(system, { span: [0, 3], tolerance: 1e-9 });
  while (run.time < 1) run.step();
  expect(run.state.joint("slide").displacement).toBeCloseTo(0, 9);
  run.set("floor", { lower: -0.5 });
  while (run.step());
  expect(run.state.joint("slide").displacement).toBeCloseTo(-0.5, 9);
  const low = await ball("maximal", 0, -0.2);
  const { status, reason } = solve(low, { span: [0, 1] });
  expect(status).toBe("failed");
  expect(reason).toContain('stop "floor"');
  expect(() => solve(system, { span: [1, 0] })).toThrow("floor");
  expect(() => equilibrium(system)).toThrow("unsupported");
});

/** Three bars on skew hinges; the last but one has a stop close to where it stands. */
async function bouncingArm(coordinates: "maximal" | "relative", seed: number) {
  const random = seeded(seed);
  const m = model({ gravity: [3 * random(), 3 * random(), -G] });
  let before = m.ground;
  const hinges = [0, 1, 2].map((k) => {
    const bar = m.body({
      name: `bar ${k}`,
      mass: 2 + random(),
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [k + 0.5, 0, 0],
    });
    const at = [k, 0, 0] as const;
    const axis = [0.5 * random(), 1, 0.5 * random()] as const;
    const hinge = m.revolute({ name: `hinge ${k}`, between: [before, bar], at, axis });
    before = bar;
    return hinge;
  });
  const restitution = 0.6 + 0.3 * random();
  m.stop({ name: "elbow", joint: hinges[1], lower: -0.1, upper: 0.1, restitution });
  const system = await compile(m, { coordinates });
  return { system, restitution };
}

describe.each(KINDS)("bounces of arms in %s coordinates", (kind) => {
  const seeds = Array.from({ length: 5 }, (_, i) => i);
  test.each(seeds)("each impact occurs once and reverses the speed, arm %i", async (seed) => {
    const { system, restitution } = await bouncingArm(kind, seed);
    for (const tolerance of [1e-6, 1e-9]) {
      const solution = solve(system, { span: [0, 1.5], tolerance });
      expect(solution.status).toBe("finished");
      const impacts = solution.events.filter(({ name }) => !name.endsWith("is left"));
      expect(impacts.length).toBeGreaterThan(3);
      for (const { name, before, after, impulses } of impacts) {
        const out = name.endsWith("upper") ? 1 : -1;
        const speeds = [before, after].map((state) => out * state.joint("hinge 1").angleRate!);
        expect(speeds[0]).toBeGreaterThan(0);
        expect(Math.abs(impulses[name])).toBeGreaterThan(0);
        // Bodies that come to rest there do not move.
        const isAtRest = Math.abs(speeds[1]) < 1e-9;
        if (!isAtRest) expect(speeds[1] / speeds[0]).toBeCloseTo(-restitution, 6);
      }
    }
  });
});
