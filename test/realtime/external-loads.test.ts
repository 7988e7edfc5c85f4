import { compile, model, rod } from "nodrift/bodies";
import { describe, expect, it } from "vitest";
import { seeded } from "../support/random.js";

async function free(options = {}) {
  const m = model({ gravity: [0, 0, 0] });
  m.body({ name: "b", mass: 2, inertia: [0.1, 0.2, 0.25], centre: [0.1, 0, 0], ...options });
  return (await compile(m)).simulate({ step: 1 / 240 });
}

function chain(count: number) {
  const m = model({ name: "chain" });
  let last = m.ground;
  for (let i = 0; i < count; i++) {
    const next = m.body({
      name: `rod ${i}`,
      mass: 1,
      shape: rod({ length: 0.3 }),
      position: [0, 0, -0.3 * i - 0.15],
    });
    m.spherical({ name: `ball ${i}`, between: [last, next], at: [0, 0, -0.3 * i] });
    last = next;
  }
  return m;
}

describe("push", () => {
  it("adds force times duration to the momentum, also if it ends inside a step", async () => {
    for (const duration of [0.1, 0.1234]) {
      const simulation = await free();
      simulation.push("b", { force: [3, -1, 2], for: duration });
      simulation.runTo(0.5);
      for (const [i, f] of [3, -1, 2].entries()) {
        expect(simulation.momentum()[i]).toBeCloseTo(f * duration, 12);
      }
    }
  });

  it("adds angular momentum about the centre of mass if applied at a point", async () => {
    const simulation = await free();
    // One step, short enough for a negligible rotation: arm (0, 0.5, 0) x (0, 0, 1) = (0.5, 0, 0).
    simulation.push("b", { force: [0, 0, 1], at: [0.1, 0.5, 0] });
    simulation.push("b", { torque: [0, 2, 0] });
    simulation.advance();
    const { angularVelocity } = simulation.body("b");
    expect(angularVelocity[0]).toBeCloseTo(0.5 / 240 / 0.1, 5);
    expect(angularVelocity[1]).toBeCloseTo(2 / 240 / 0.2, 5);
    expect(simulation.body("b").velocity.every(Number.isFinite)).toBe(true);
  });

  it("acts alike in both kinds of coordinates, and appears in reactions", async () => {
    const run = async (coordinates: "relative" | "maximal") => {
      const simulation = (await compile(chain(4), { coordinates })).simulate({ step: 1 / 240 });
      simulation.push("rod 3", { force: [5, 1, 0], at: [0, 0, -0.15], for: 0.5 });
      simulation.runTo(0.25);
      return simulation;
    };
    const [one, other] = [await run("relative"), await run("maximal")];
    expect(one.coordinateChoice.kind).toBe("relative");
    for (const [i, x] of one.q.entries()) expect(x).toBeCloseTo(other.q[i]!, 7);
    for (const [i, x] of one.accelerations().entries()) {
      expect(x).toBeCloseTo(other.accelerations()[i]!, 4);
    }
    // Force of the chain on the ground = m (a - g) - push, summed over all rods.
    const a = one.accelerations();
    const sum = [0, 1, 2].map((k) => [0, 1, 2, 3].reduce((s, i) => s + a[6 * i + k]!, 0));
    const reaction = one.joint("ball 0").force({ on: "rod 0" });
    expect(reaction[0]).toBeCloseTo(sum[0]! - 5, 8);
    expect(reaction[2]).toBeCloseTo(sum[2]! + 4 * 9.81, 8);
  });

  it("rejects invalid bodies and options by name", async () => {
    const simulation = await free();
    expect(() => simulation.push("c", { force: [1, 0, 0] })).toThrow('"c"');
    expect(() => simulation.push("b", {})).toThrow("force or torque");
    expect(() => simulation.push("b", { force: [1, 0] as never })).toThrow("force");
    expect(() => simulation.push("b", { force: [1, 0, Number.NaN] })).toThrow("force");
    expect(() => simulation.push("b", { force: [1, 0, 0], for: -1 })).toThrow("for");
  });
});

describe("grab", () => {
  it("moves a free body to the target like a critically damped oscillator", async () => {
    const simulation = await free();
    simulation.setStep(1e-3);
    const grip = simulation.grab("b", [0.1, 0, 0], { frequency: 2 });
    grip.moveTo([1.1, 0, 0]);
    const w = 4 * Math.PI;
    for (const t of [0.05, 0.1, 0.3]) {
      simulation.runTo(t);
      // e = (1 + w t) exp(-w t), and the method is of first order: w h = 0.013.
      const x = 1 - (1 + w * t) * Math.exp(-w * t);
      expect(Math.abs(simulation.body("b").position[0] - x)).toBeLessThan(0.02);
    }
    simulation.runTo(3);
    expect(simulation.body("b").position[0]).toBeCloseTo(1, 6);
    grip.release();
    expect(grip.isHolding).toBe(false);
    expect(() => grip.moveTo([0, 0, 0])).toThrow("released");
    expect(() => grip.release()).toThrow("released");
  });

  it("carries a body against gravity, up to the maximum force", async () => {
    const m = model();
    m.body({ name: "b", mass: 2, inertia: [1, 1, 1] });
    const simulation = (await compile(m)).simulate({ step: 1 / 240 });
    const grip = simulation.grab("b", [0, 0, 0]);
    simulation.runTo(5);
    expect(grip.force[2]).toBeCloseTo(2 * 9.81, 8);
    grip.release();
    const weak = simulation.grab("b", [0, 0, 0], { maximumForce: 5 });
    weak.moveTo([10, 0, 0]);
    simulation.runTo(6);
    expect(Math.hypot(...weak.force)).toBeCloseTo(5, 10);
  });

  it("pulls only along directions that the joints allow", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const b = m.body({ name: "b", mass: 2, inertia: [1, 1, 1], position: [0, 0, -1] });
    m.revolute({ name: "hinge", between: [m.ground, b], at: [0, 0, 0], axis: [0, 1, 0] });
    const simulation = (await compile(m)).simulate({ step: 1 / 240 });
    const grip = simulation.grab(b, [0, 0, 0]);
    // Half of the distance lies across the plane, and cannot be closed.
    grip.moveTo([1, 1, 0]);
    simulation.runTo(4);
    expect(grip.force[1]).toBeCloseTo(0, 6);
    expect(simulation.joint("hinge").angle).toBeCloseTo(-Math.PI / 2, 3);
    expect(simulation.constraintError().position).toBeLessThan(1e-10);
  });

  it("keeps a chain finite and closed when the target jumps by a metre", async () => {
    const simulation = (await compile(chain(10))).simulate({ step: 1 / 240 });
    const random = seeded(5);
    const grip = simulation.grab("rod 9", [0, 0, -0.15]);
    for (let i = 0; i < 100; i++) {
      const p = simulation.body("rod 9").point([0, 0, -0.15]);
      grip.moveTo([p[0] + random(), p[1] + random(), p[2] + random()]);
      simulation.advance(10);
    }
    const { position, velocity } = simulation.constraintError();
    expect(position).toBeLessThan(1e-8);
    expect(velocity).toBeLessThan(1e-8);
  });

  it("survives save and restore", async () => {
    const simulation = (await compile(chain(3))).simulate({ step: 1 / 240 });
    const grip = simulation.grab("rod 2", [0, 0, 0]);
    grip.moveTo([0.5, 0.2, -0.3]);
    simulation.push("rod 0", { force: [1, 0, 0], for: 1 });
    const saved = structuredClone(simulation.advance(20).save());
    const q = simulation.advance(50).q.slice();
    grip.release();
    simulation.advance(10).restore(saved);
    expect(grip.isHolding).toBe(true);
    expect([...simulation.advance(50).q]).toEqual([...q]);
  });
});
