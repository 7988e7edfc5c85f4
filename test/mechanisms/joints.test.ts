import { compile, joints } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

import { jointCases } from "../support/joint-cases.js";
import { type Attached, attach, type stateOf, whereIs } from "./support/reading.js";
import { type Movers, type Scene, scene, vectorFrom } from "./support/scene.js";
import { dot, largest, plus, scaled, type V3 } from "./support/vectors.js";

/** A constant force at a point of each body, with potential -F . p and a torque about the centre of mass. */
function pull({ m, a, b, c, random }: Scene) {
  const pulled = [...new Set([a, b, c])].filter((body) => body.index >= 0);
  const forces = pulled.map((body) => {
    const { position } = m.data().bodies[body.index];
    const at = plus(position as V3, scaled(0.5, vectorFrom(random)));
    const force = scaled(8, vectorFrom(random));
    m.pointForce({ on: body, at, force });
    return { body, at, force };
  });
  return (start: Parameters<typeof stateOf>[0]) => {
    const points: Attached[] = forces.map(({ body, at }) => attach(start, body, at));
    return (now: Parameters<typeof stateOf>[0]) =>
      forces.reduce((sum, { force }, i) => sum - dot(force, whereIs(now, points[i]).p), 0);
  };
}

describe.each(Object.keys(joints) as (keyof typeof joints)[])("%s", (type) => {
  const {
    make,
    rows,
    third = false,
    works = false,
    alone = false,
    onB = false,
  } = jointCases[type].motion;

  const places: [string, Movers, number][] = [
    ["on the ground", "B", 1],
    ["between bodies that move", "A and B", 2],
    ["between other bodies that move", "A and B", 3],
  ];
  if (!onB) places.push(["of the ground on a body", "A", 4]);

  test.each(places)(
    "%s: constrains the expected directions and no others",
    async (_, movers, seed) => {
      const place = scene(seed, movers, third);
      const begin = make(place);
      const potentialOf = pull(place);
      const system = await compile(place.m, { hold: [] });
      expect(system.assembly.moved).toBeLessThan(1e-12);
      const measure = begin(system);
      const potential = potentialOf(system);
      const simulation = system.simulate({ step: type === "constraint" ? 2e-3 : 1e-3 });
      const bodies = place.m.data().bodies.length;
      expect(simulation.degreesOfFreedom()).toBe(6 * bodies - rows);
      const first = measure(simulation, 0);
      expect(largest(first.held)).toBeLessThan(1e-12);
      const energy = simulation.energy().total + potential(simulation);
      let error = 0;
      const range = first.free.map(() => 0);
      simulation.runTo(1, (now) => {
        const { held, free } = measure(now, now.time);
        error = Math.max(error, largest(held));
        for (const [i, value] of free.entries()) {
          range[i] = Math.max(range[i], Math.abs(value - first.free[i]));
        }
      });
      const violation = simulation.constraintError();
      expect(violation.position).toBeLessThan(1e-12);
      expect(violation.velocity).toBeLessThan(type === "constraint" ? 1e-10 : 1e-12);
      expect(error).toBeLessThan(1e-12);
      expect(Math.min(...range)).toBeGreaterThan(alone ? 1e-3 : 0.01);
      if (!works) {
        const after = simulation.energy();
        const change = after.total + potential(simulation) - energy;
        expect(Math.abs(change)).toBeLessThan(1e-8 * Math.max(1, after.kinetic));
      }
    },
  );
});
