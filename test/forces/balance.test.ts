import { describe, expect, test } from "vitest";
import { bushing, ENDS, type Make, making, sensorSpring, spring, tyre } from "./support/laws.js";
import { ForcePart, type Mechanism } from "./support/mechanism.js";
import { measureDisplacements, mechanism, SEEDS } from "./support/random.js";
import {
  add,
  cross,
  derivative,
  dot,
  exponential,
  largest,
  product,
  scale,
  turn,
  unit,
  type Vector,
  ZERO,
} from "./support/vectors.js";

/** Total force, and total moment about the origin, with those on the ground. */
function totals(made: Mechanism, forces: Vector): Vector {
  let [force, moment] = [ZERO, ZERO];
  for (let i = 0; i <= made.spec.bodies.length; i++) {
    const { point, e } = made.pose(i < made.spec.bodies.length ? i : -1);
    const load = forces.slice(6 * i, 6 * i + 6);
    force = add(force, load.slice(0, 3));
    moment = add(moment, add(cross(point, load.slice(0, 3)), turn(e, load.slice(3))));
  }
  return [...force, ...moment];
}

describe("internal forces and their moments", () => {
  const laws: [string, (a: number, b: number, i: number) => Make][] = [
    ["springs", (a, b) => spring(a, b)],
    ["sensor springs", (_a, _b, i) => sensorSpring(i)],
    ["bushings", (a, b) => bushing(a, b)],
    ["tyres", (a, b) => tyre(a, b, 0)],
  ];
  test.each(laws)("cancel for %s", (_, make) => {
    for (const seed of SEEDS) {
      for (const [i, [a, b]] of ENDS.entries()) {
        const made = mechanism(seed, making([make(a, b, i)]), ZERO, ENDS);
        measureDisplacements(made);
        for (const part of [ForcePart.CONSERVATIVE, ForcePart.OTHER]) {
          const forces = made.evaluate(part);
          expect(largest(totals(made, forces))).toBeLessThan(1e-13 * (1 + largest(forces)));
        }
      }
    }
  });
});

describe("the gyroscopic torque", () => {
  test("does no work and exerts no force", () => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, () => []);
      const forces = made.evaluate(ForcePart.GYROSCOPIC);
      for (let body = 0; body < made.spec.bodies.length; body++) {
        const load = forces.slice(6 * body, 6 * body + 6);
        expect(load.slice(0, 3)).toEqual([0, 0, 0]);
        expect(largest(load)).toBeGreaterThan(1e-6);
        const w = [...made.v.subarray(6 * body + 3, 6 * body + 6)];
        expect(Math.abs(dot(load.slice(3), w))).toBeLessThan(1e-14);
      }
    }
  });

  test("keeps the angular momentum in the world: Euler's equations", () => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, () => []);
      const torque = made.evaluate(ForcePart.GYROSCOPIC).slice(3, 6);
      const { inertia } = made.spec.bodies[0];
      const momentum = (w: Vector) => [0, 1, 2].map((i) => dot(inertia.slice(3 * i, 3 * i + 3), w));
      const e = unit([...made.q.subarray(3, 7)]);
      const w = [...made.v.subarray(3, 6)];
      // I w after a time, to first order; the pose to first order too.
      const changes = [0, 1, 2].map((i) =>
        derivative((time) => {
          const pose = product(e, exponential(scale(time, w)));
          return turn(pose, add(momentum(w), scale(time, torque)))[i];
        }),
      );
      expect(largest(changes)).toBeLessThan(1e-8);
    }
  });
});
