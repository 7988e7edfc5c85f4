import { compile, forces } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

import { forceCases, userForceWork } from "../support/force-cases.js";
import type { Kind } from "./support/force-elastic.js";
import { simpson } from "./support/reference.js";
import { scene } from "./support/scene.js";

type WorkingType = keyof typeof forces | "userForce";
const types = [...Object.keys(forces), "userForce"] as WorkingType[];
const workOf = (type: WorkingType) =>
  type === "userForce" ? userForceWork : forceCases[type].work;
const STEPS = 1000;

/** Returns the change of energy over a second, and the work done, for two bodies on which the force acts. */
async function balance(type: WorkingType, kind: Kind, seed: number) {
  const place = scene(seed, "A and B", false, [0, 0, 0]);
  const begin = workOf(type).make(place, kind);
  const system = await compile(place.m, { hold: [] });
  const simulation = system.simulate({ step: 1 / STEPS });
  const power = begin(system);
  const before = simulation.energy();
  const powers = [power(simulation, 0)];
  simulation.runTo(1, (now) => powers.push(power(now, now.time)));
  const after = simulation.energy();
  return {
    work: simpson(powers, 1 / STEPS),
    kinetic: after.kinetic - before.kinetic,
    total: after.total - before.total,
    flow: simpson(powers.map(Math.abs), 1 / STEPS),
  };
}

describe.each(types)("work of %s", (type) => {
  test.each([11, 12, 13])(
    "equals the change of kinetic energy of the bodies (%d)",
    async (seed) => {
      const { work, kinetic, flow } = await balance(type, "all", seed);
      expect(flow).toBeGreaterThan(0.1);
      expect(Math.abs(work - kinetic)).toBeLessThan(1e-7 * (1 + flow));
    },
  );
});

describe.each(types.filter((type) => workOf(type).keepsEnergy))("energy of %s", (type) => {
  test("stays constant with springs alone", async () => {
    const { work, kinetic, total, flow } = await balance(type, "springs", 14);
    expect(flow).toBeGreaterThan(0.1);
    expect(Math.abs(total)).toBeLessThan(1e-7 * (1 + flow));
    expect(Math.abs(work - kinetic)).toBeLessThan(1e-7 * (1 + flow));
  });
});
