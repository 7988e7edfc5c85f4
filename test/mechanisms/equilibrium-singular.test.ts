// Equilibrium at, and from, poses in which linkages are taut, flat or folded.

import { compile, equilibrium, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const G = 9.81;
type Point = readonly [x: number, z: number];

/** Uniform links of mass 1 between hinges in the plane x z; some hinges are on the ground. */
function linkage(points: readonly Point[], links: readonly Point[], ground: readonly number[]) {
  const m: Model = model({ name: "linkage", gravity: [0, 0, -G] });
  const bodies = links.map(([i, j], n) => {
    const [[ax, az], [bx, bz]] = [points[i]!, points[j]!];
    const [dx, dz] = [bx - ax, bz - az];
    const turn = (dx * dx + dz * dz) / 12;
    return m.body({
      name: `link ${n}`,
      mass: 1,
      inertia: [turn / 10, turn, turn],
      position: [(ax + bx) / 2, 0, (az + bz) / 2],
      orientation: { axis: [0, 1, 0], angle: -Math.atan2(dz, dx) },
    });
  });
  points.forEach(([x, z], i) => {
    const here = bodies.filter((_, n) => links[n]!.includes(i));
    const others = ground.includes(i) ? here.map(() => m.ground) : here.slice(0, -1);
    const own = ground.includes(i) ? here : here.slice(1);
    own.forEach((body, n) => {
      const name = `hinge ${i} ${n}`;
      m.revolute({ name, between: [others[n]!, body], at: [x, 0, z], axis: [0, 1, 0] });
    });
  });
  return compile(m);
}

/** Links from each point to the next one. */
const chain = (count: number) => Array.from({ length: count }, (_, i) => [i, i + 1] as const);

describe("equilibrium near singular poses", () => {
  test("lets an initially flat rhombus of hinges hang flat below its support", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const [length, tilt] = [0.65 + 0.25 * random(), random()];
      const [c, s] = [length * Math.cos(tilt), length * Math.sin(tilt)];
      const points = [0, 1, 2, 1].map((n) => [n * c, n * s] as const);
      const links = points.map((_, i) => [i, (i + 1) % 4] as const);
      const system = await linkage(points, links, [0]);
      const { state, stability, linearisation } = equilibrium(system);
      [0.5, 1.5, 1.5, 0.5].forEach((depth, n) => {
        const [x, , z] = state.body(`link ${n}`).centreOfMass;
        expect(Math.abs(x)).toBeLessThan(3e-5 * length);
        expect(Math.abs(z + depth * length)).toBeLessThan(1e-8);
      });
      expect(state.constraintError().position).toBeLessThan(1e-9);
      expect([stability, linearisation]).toEqual(["neutral", undefined]);
    }
  });

  test("rejects a taut chain across its weight: no finite reactions hold it", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const [count, tilt] = [2 + (seed % 4), random()];
      let reach = 0;
      const points = [0, ...Array.from({ length: count }, () => 0.8 + 0.5 * random())].map(
        (length) => {
          reach += length;
          return [reach * Math.cos(tilt), reach * Math.sin(tilt)] as const;
        },
      );
      const system = await linkage(points, chain(count), [0, count]);
      expect(() => equilibrium(system)).toThrow(
        /The pose is singular|lost to rounding: more constraints depend/,
      );
    }
  });

  test("accepts a taut chain along its weight with neutral stability", async () => {
    const points = [0, 0.5, 1.2, 1.5, 2.5].map((depth) => [0, -depth] as const);
    const { stability, moved } = equilibrium(await linkage(points, chain(4), [0, 4]));
    expect([stability, moved]).toEqual(["neutral", 0]);
  });

  test("finds a flat truss that is held by its thrust", async () => {
    for (const angle of [0.1, 1e-2, 1e-3]) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const system = await linkage(
        [
          [0, 0],
          [c, -s],
          [2 * c, 0],
        ],
        chain(2),
        [0, 2],
      );
      const { state } = equilibrium(system);
      // Torques on one link about its support.
      const thrust = G / (2 * Math.tan(angle));
      expect(Math.abs(state.joint("hinge 0 0").force()[0])).toBeCloseTo(thrust, 4);
    }
  });
});
