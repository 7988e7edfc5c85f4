import { describe, expect, test } from "vitest";
import { bushing, drag, ENDS, making, sensorSpring, spring, tyre } from "./support/laws.js";
import { ForcePart, type Mechanism, Sensor } from "./support/mechanism.js";
import { follow, measureDisplacements, mechanism, SEEDS } from "./support/random.js";
import { bushingMotion } from "./support/reference-laws.js";
import { derivative, dot, length, subtract } from "./support/vectors.js";

/** Power of the forces that are neither conservative nor gyroscopic. */
function powerOf(made: Mechanism): number {
  return dot([...made.v], made.evaluate(ForcePart.OTHER));
}

/** The rate of a function of the pose, by finite differences along the motion. */
function rateOf(made: Mechanism, of: () => number): number {
  const velocity = [...made.v];
  const rate = derivative((time) => {
    follow(made, velocity, time);
    return of();
  });
  made.reset();
  return rate;
}

/** Expects a power that is not positive and equals the formula. */
function expectPower(made: Mechanism, expected: number): void {
  const power = powerOf(made);
  expect(power).toBeLessThanOrEqual(1e-14);
  expect(Math.abs(power - expected)).toBeLessThan(1e-8 * (1 + Math.abs(expected)));
}

describe("dampers never feed power", () => {
  test.each(ENDS)("springs: -c (rate of the length)^2, markers %d and %d", (a, b) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([spring(a, b, "damper")]));
      const distance = () => length(subtract(made.place(b).point, made.place(a).point));
      expectPower(made, -made.spec.forces[0].data[2] * rateOf(made, distance) ** 2);
    }
  });

  test.each(ENDS)("sensors: -c (rate)^2, markers %d and %d", (a, b) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([sensorSpring(0, "damper")]), [0, 0, 0], [[a, b]]);
      measureDisplacements(made);
      const height = () => bushingMotion(made, a, b).x[2];
      expectPower(made, -made.spec.forces[0].data[2] * rateOf(made, height) ** 2);
      expect(made.sensors[Sensor.RATE]).toBeCloseTo(rateOf(made, height), 8);
    }
  });

  test.each(ENDS)("bushings: -sum c (rate)^2, markers %d and %d", (a, b) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([bushing(a, b, "damper")]));
      const { data } = made.spec.forces[0];
      let expected = 0;
      for (const i of [0, 1, 2]) {
        const { z } = bushingMotion(made, a, b);
        const side = () => {
          const moved = bushingMotion(made, a, b).z;
          // The sign of the Euler parameters without a jump.
          return (dot(moved, z) < 0 ? -1 : 1) * moved[i];
        };
        expected -= data[3 + i] * rateOf(made, () => bushingMotion(made, a, b).x[i]) ** 2;
        expected -= data[9 + i] * rateOf(made, side) ** 2;
      }
      expectPower(made, expected);
    }
  });

  test("drag: -(c1 + c2 |u|) u.u - (c3 + c4 |w|) w.w", () => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([drag(3)]));
      const [c1, c2, c3, c4] = made.spec.forces[0].data;
      const u = length([0, 1, 2].map((i) => rateOf(made, () => made.place(3).point[i])));
      const w = length([...made.v.subarray(3, 6)]);
      expectPower(made, -(c1 + c2 * u) * u ** 2 - (c3 + c4 * w) * w ** 2);
    }
  });

  test.each(ENDS)("tyres: -c (rate of the height)^2, markers %d and %d", (a, b) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([tyre(a, b, 0, "damper")]));
      const rate = rateOf(made, () => bushingMotion(made, a, b).x[2]);
      expectPower(made, -made.spec.forces[0].data[1] * rate ** 2);
    }
  });
});

test("a tyre that cannot pull pushes like one that can, or not at all", () => {
  let pushing = 0;
  for (const seed of SEEDS) {
    const [pulls, pushes] = ([0, 1] as const).map((cannotPull) => {
      const made = mechanism(seed, making([tyre(...ENDS[1], cannotPull)]));
      made.kinematics(1);
      const forces = made.evaluate(ForcePart.ALL ^ ForcePart.GYROSCOPIC);
      const { data, a, b } = made.spec.forces[0];
      const { x, xRate } = bushingMotion(made, a, b!);
      const pressed = data[2] - x[2] + data[3];
      const force = data[0] * pressed - data[1] * (xRate[2] - data[4]);
      return { forces, touches: pressed >= 0 && force >= 0 };
    });
    if (pulls.touches) pushing++;
    const none = pulls.forces.map(() => 0);
    expect(pushes.forces).toEqual(pulls.touches ? pulls.forces : none);
  }
  expect(pushing).toBeGreaterThan(10);
  expect(pushing).toBeLessThan(SEEDS.length - 10);
});
