import { describe, expect, test } from "vitest";
import { bushing, ENDS, everyLaw, making } from "./support/laws.js";
import { ForceKind, ForcePart, Mechanism } from "./support/mechanism.js";
import { displace, measureDisplacements, mechanism, SEEDS } from "./support/random.js";
import {
  derivative,
  exponential,
  IDENTITY,
  largest,
  type Vector,
  ZERO,
} from "./support/vectors.js";

/** Stiffnesses of a bushing: along, then about the axes. */
const STIFFNESS = [1, 2, 3, 4, 5, 6];

/** Minus the finite differences of the potential by displacements of each body. */
function gradient(made: Mechanism): number[] {
  const forces = Array.from(made.v, (_, i) => {
    const along = (amount: number) => {
      displace(made, i, amount);
      return made.potential();
    };
    return -derivative(along);
  });
  made.reset();
  return forces;
}

function expectGradient(made: Mechanism): void {
  const expected = gradient(made);
  const forces = made.evaluate(ForcePart.CONSERVATIVE);
  const errors = expected.map((value, i) => value - forces[i]);
  expect(largest(errors)).toBeLessThan(1e-8 * (1 + largest(expected)));
}

describe("conservative forces are minus the derivatives of the potential", () => {
  const { nothing, spring, "sensor spring": sensorSpring, bushing, stop, ...rest } = everyLaw;
  test.each([
    ["nothing", nothing],
    ["springs", spring],
    ["sensor springs", sensorSpring],
    ["bushings", bushing],
    ["stops", stop],
    ["laws without a potential", Object.values(rest).flat()],
  ] as const)("of gravity and %s", (_, makes) => {
    for (const seed of SEEDS) {
      const sensed =
        makes === sensorSpring ||
        makes === stop ||
        makes.some((make) => rest.friction.includes(make));
      const made = mechanism(seed, making(makes), [1, 2, -9.8], sensed ? ENDS : []);
      measureDisplacements(made);
      expectGradient(made);
    }
  });

  test("bushing at rest and at half turns about any axis, where it is smooth", () => {
    const axes = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [Math.SQRT1_2, Math.SQRT1_2, 0],
      [0, -Math.SQRT1_2, Math.SQRT1_2],
      [Math.SQRT1_2, 0, Math.SQRT1_2],
      [2 / 3, -1 / 3, 2 / 3],
    ];
    for (const axis of axes) {
      for (const angle of [0, 1e-9, 2, Math.PI - 1e-4, Math.PI, Math.PI + 1e-4, -3, 6]) {
        expectGradient(held(exponential(axis.map((x) => angle * x)), [0.1, -0.2, 0.3]));
      }
    }
  });
});

describe("the potential of a bushing", () => {
  test("equals k angle^2 / 2 for arbitrarily small angles", () => {
    for (const angle of [1e-3, 1e-5, 1e-7, 1e-9]) {
      for (const [i, axis] of [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ].entries()) {
        const made = held(exponential(axis.map((x) => angle * x)), ZERO);
        const expected = (STIFFNESS[3 + i] * angle ** 2) / 2;
        expect(made.potential() / expected - 1).toBeLessThan(angle ** 2 + 1e-6);
        expect(made.potential() / expected - 1).toBeGreaterThan(-(angle ** 2) - 1e-6);
        const torque = made.evaluate(ForcePart.CONSERVATIVE)[3 + i];
        expect(Math.abs(torque / (-STIFFNESS[3 + i] * angle) - 1)).toBeLessThan(angle ** 2 + 1e-6);
      }
    }
  });

  test("equals k x^2 / 2 along the axes of A", () => {
    const made = held(IDENTITY, [0.1, 0.2, 0.3]);
    expect(made.potential()).toBeCloseTo((0.01 + 2 * 0.04 + 3 * 0.09) / 2, 14);
    const forces = made.evaluate(ForcePart.CONSERVATIVE);
    for (const [i, expected] of [-0.1, -0.4, -0.9].entries()) {
      expect(forces[i]).toBeCloseTo(expected, 14);
    }
  });

  test("adds up over bushings", () => {
    const one = mechanism(3, making([bushing(...ENDS[0])]));
    const force = one.spec.forces[0];
    const two = new Mechanism({ ...one.spec, forces: [force, force] });
    expect(two.potential()).toBeCloseTo(2 * one.potential(), 13);
  });
});

/** One body on a bushing at the ground, at a pose relative to it. */
function held(e: Vector, point: Vector): Mechanism {
  const data = [...STIFFNESS.slice(0, 3), ...ZERO, ...STIFFNESS.slice(3), ...ZERO];
  return new Mechanism({
    gravity: ZERO,
    bodies: [
      {
        mass: 1,
        inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
        position: [...point, ...e],
        velocity: [0, 0, 0, 0, 0, 0],
      },
    ],
    markers: [
      { body: -1, arm: ZERO, axes: IDENTITY },
      { body: 0, arm: ZERO, axes: IDENTITY },
    ],
    sensors: [],
    forces: [{ kind: ForceKind.BUSHING, a: 0, b: 1, data }],
  });
}
