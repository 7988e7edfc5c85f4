// Speeds of bodies, which show whether a mechanism moves and how fast its frames turn.

import { expect, test } from "vitest";
import { mechanism } from "../support/body-harness.js";
import { randomVector, seeded } from "../support/random.js";

const random = seeded(5);

/** Velocities of some bodies, and the results of the kernels. */
function measured(bodies: number, v: ArrayLike<number>) {
  const m = mechanism({ bodies, markers: [], rows: [] });
  m.v.set(v);
  const { kernels, table } = m;
  const each = Array.from({ length: bodies }, (_, body) => m.v.slice(6 * body, 6 * body + 6));
  return {
    each,
    turning: kernels.bodyAngularRate(table, m.v.byteOffset),
    range: kernels.bodySpeedRange(table, m.v.byteOffset),
  };
}

test.each([1, 2, 5])(
  "returns the largest angular velocity of %i bodies, and the widest range",
  (bodies) => {
    for (let k = 0; k < 20; k++) {
      const { each, turning, range } = measured(bodies, randomVector(random, 6 * bodies));
      const rates = each.map((v) => Math.hypot(v[3], v[4], v[5]));
      expect(turning).toBeCloseTo(Math.max(...rates), 14);
      const ranges = [0, 1, 2].map((i) => {
        const speeds = each.map((v) => v[i]);
        return Math.max(...speeds) - Math.min(...speeds);
      });
      expect(range).toBe(Math.max(...ranges));
    }
  },
);

test("bodies that move together have a range of zero at any speed", () => {
  const together = [3, -4, 5, 0, 0, 0];
  const { turning, range } = measured(3, [...together, ...together, ...together]);
  expect([turning, range]).toEqual([0, 0]);
});
