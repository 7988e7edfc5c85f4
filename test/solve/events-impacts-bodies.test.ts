// Impacts of mechanisms.

import { init } from "nodrift";
import { type BodyState, compile, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { GRAVITY } from "./support/event-systems.js";

beforeAll(() => init());

describe("elastic impacts of mechanisms keep the energy", () => {
  const kinetic = (state: BodyState, names: readonly string[]) =>
    names.reduce((sum, name) => sum + state.body(name).kineticEnergy, 0);

  test("a chain of three rods on spherical joints, in space", async () => {
    const m = model({ name: "chain", gravity: [0, 0, -GRAVITY] });
    const names = ["a", "b", "c"];
    let last = m.ground;
    for (const [k, name] of names.entries()) {
      const link = m.body({
        name,
        mass: 1 + k,
        inertia: [0.1, 0.2, 0.15],
        position: [k + 0.5, 0, 0],
        angularVelocity: [0.3, 0, 0.4],
      });
      m.spherical({ name: `joint ${name}`, between: [last, link], at: [k, 0, 0] });
      last = link;
    }
    const { events, statistics } = solve(await compile(m), {
      span: [0, 1.5],
      tolerance: 1e-10,
      events: [
        {
          name: "floor",
          when: (state) => state.body("c").point([0.5, 0, 0])[2] + 1,
          direction: "falling",
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    expect(events.length).toBeGreaterThan(0);
    for (const { before, after, impulses } of events) {
      const tip = (state: BodyState) => state.body("c").pointVelocity([0.5, 0, 0])[2];
      expect(Math.abs(kinetic(after, names) - kinetic(before, names))).toBeLessThan(1e-8);
      expect(Math.abs(tip(after) + tip(before))).toBeLessThan(1e-8);
      // All impulses on the first link except that of the ground, which follows from the total momentum.
      const change = [0, 1, 2].map((i) => after.momentum()[i]! - before.momentum()[i]!);
      const ground = ["x", "y", "z"].map(
        (_, i) => Object.entries(impulses).filter(([name]) => name.startsWith("joint a"))[i]![1],
      );
      expect(Math.hypot(change[0]! - ground[0]!, change[1]! - ground[1]!)).toBeLessThan(1e-8);
    }
    expect(statistics.energyError).toBeLessThan(1e-7);
  });

  test("a four-bar linkage, whose rows depend on each other in space", async () => {
    const m = model({ name: "four-bar", gravity: [0, 0, -GRAVITY] });
    const bar = (name: string, from: readonly [number, number], to: readonly [number, number]) =>
      m.body({
        name,
        mass: 1,
        inertia: [0.1, 0.1, 0.1],
        position: [(from[0] + to[0]) / 2, 0, (from[1] + to[1]) / 2],
        ...(name === "crank" && { angularVelocity: [0, 2, 0] as const }),
      });
    const points = [
      [0, 0],
      [0, 1],
      [2, 1.5],
      [2, 0],
    ] as const;
    const crank = bar("crank", points[0], points[1]);
    const coupler = bar("coupler", points[1], points[2]);
    const rocker = bar("rocker", points[2], points[3]);
    const hinge = (between: readonly [typeof crank, typeof crank], k: number) =>
      m.revolute({ between, at: [points[k]![0], 0, points[k]![1]], axis: [0, 1, 0] });
    hinge([m.ground, crank], 0);
    hinge([crank, coupler], 1);
    hinge([coupler, rocker], 2);
    hinge([rocker, m.ground], 3);
    const { events, status, statistics } = solve(await compile(m), {
      span: [0, 1],
      tolerance: 1e-10,
      events: [
        {
          name: "stop",
          when: (state) => state.body("crank").position[0] - 0.3,
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    expect(status).toBe("finished");
    expect(events.length).toBeGreaterThan(0);
    const names = ["crank", "coupler", "rocker"];
    for (const { before, after } of events) {
      expect(Math.abs(kinetic(after, names) / kinetic(before, names) - 1)).toBeLessThan(1e-7);
      expect(
        Math.abs(
          after.body("rocker").angularVelocity[1] + before.body("rocker").angularVelocity[1],
        ),
      ).toBeLessThan(1e-7);
    }
    expect(statistics.maximumDrift.velocity).toBeLessThan(1e-6);
  });
});
