import { describe, expect, test } from "vitest";
import { ENDS, everyLaw, making, spring } from "./support/laws.js";
import { MotorData } from "./support/layout.js";
import { ForceKind, ForcePart, Mechanism } from "./support/mechanism.js";
import { measureDisplacements, mechanism, SEEDS } from "./support/random.js";
import { naiveForces } from "./support/reference-laws.js";
import { largest, subtract } from "./support/vectors.js";

const GRAVITY = [0.5, -1, -9.8];
const PARTS = [ForcePart.CONSERVATIVE, ForcePart.OTHER, ForcePart.GYROSCOPIC, ForcePart.ALL, 0];
const everything = Object.values(everyLaw).flat();

test("every law of the layout has a case, which derivatives are compared for too", () => {
  const given = mechanism(SEEDS[0], making(everything), GRAVITY, ENDS);
  const kinds = new Set(given.spec.forces.map(({ kind }) => kind));
  const all = Object.values(ForceKind).filter((kind) => typeof kind === "number");
  expect([...kinds].sort()).toEqual(all);
});

describe("bodyForces", () => {
  test.each(Object.entries(everyLaw))("is its twin for %s, part by part", (_, makes) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making(makes), GRAVITY, ENDS);
      measureDisplacements(made);
      for (const parts of PARTS) {
        const forces = made.evaluate(parts);
        const twin = naiveForces(made, parts);
        expect(largest(subtract(forces, twin))).toBeLessThan(1e-13 * (1 + largest(twin)));
      }
    }
  });

  test("equals the sum of its parts, and overwrites old values", () => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making(everything), GRAVITY, ENDS);
      measureDisplacements(made);
      const sum = new Array(made.forces.length).fill(0);
      for (const part of PARTS.slice(0, 3)) {
        for (const [i, force] of made.evaluate(part).entries()) sum[i] += force;
      }
      const all = made.evaluate(ForcePart.ALL);
      expect(largest(subtract(all, sum))).toBeLessThan(1e-13 * largest(all));
      expect(made.evaluate(ForcePart.ALL)).toEqual(all);
      expect(made.evaluate(0).every((force) => force === 0)).toBe(true);
    }
  });

  test("reads no velocity for the conservative part", () => {
    const made = mechanism(1, making(everything), GRAVITY, ENDS);
    measureDisplacements(made);
    const forces = made.evaluate(ForcePart.CONSERVATIVE);
    const resting = new Mechanism(made.spec);
    measureDisplacements(resting);
    resting.v.fill(Number.NaN);
    // Frames of a new mechanism have no velocities either.
    expect(resting.evaluate(ForcePart.CONSERVATIVE, 0)).toEqual(forces);
    expect(resting.potential()).toBe(made.potential());
  });

  test("writes only the forces and the records of motors", () => {
    const made = mechanism(1, making(everything), GRAVITY, ENDS);
    measureDisplacements(made);
    made.kinematics(1);
    const before = new Uint8Array(made.memory.buffer).slice();
    made.addForces(ForcePart.ALL);
    const after = new Uint8Array(made.memory.buffer).slice();
    const { byteOffset, byteLength } = made.forces;
    after.set(before.subarray(byteOffset, byteOffset + byteLength), byteOffset);
    let slot = 0;
    for (const { kind, data } of made.spec.forces) {
      if (kind === ForceKind.MOTOR) {
        const from = made.data.byteOffset + 8 * (slot + MotorData.TORQUE);
        const to = made.data.byteOffset + 8 * (slot + MotorData.LENGTH);
        after.set(before.subarray(from, to), from);
      }
      slot += data.length;
    }
    expect(Buffer.compare(before, after)).toBe(0);
  });

  test("applies J^T f for any sensor", () => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making(everyLaw["sensor spring"]), GRAVITY, ENDS);
      made.sensors.set(made.sensors.map((_, i) => Math.sin(seed + i)));
      const forces = made.evaluate(ForcePart.ALL);
      const twin = naiveForces(made, ForcePart.ALL);
      expect(largest(subtract(forces, twin))).toBeLessThan(1e-13 * largest(twin));
    }
  });

  test("applies no force if the ends of a spring coincide", () => {
    const made = mechanism(1, making([spring(2, 2), spring(4, 5)]));
    const { markers } = made.spec;
    const met = { ...markers[5], arm: markers[4].arm };
    const touching = new Mechanism({
      ...made.spec,
      markers: [...markers.slice(0, 5), met, ...markers.slice(6)],
    });
    expect(touching.evaluate(ForcePart.CONSERVATIVE | ForcePart.OTHER).every((f) => f === 0)).toBe(
      true,
    );
    const energy = made.spec.forces.reduce(
      (sum, { data: [k, rest] }) => sum + (k * rest ** 2) / 2,
      0,
    );
    expect(touching.potential()).toBeCloseTo(energy, 14);
  });
});
