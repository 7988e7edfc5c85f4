import { describe, expect, test } from "vitest";
import {
  bushing,
  drag,
  ENDS,
  everyLaw,
  type Make,
  making,
  sensorSpring,
  spring,
  tyre,
} from "./support/laws.js";
import { BushingData } from "./support/layout.js";
import { ForcePart, type ForceSpec, Mechanism, SensorKind } from "./support/mechanism.js";
import { SEEDS as ALL_SEEDS, displace, mechanism } from "./support/random.js";
import { bushingMotion } from "./support/reference-laws.js";
import {
  derivative,
  exponential,
  IDENTITY,
  largest,
  subtract,
  type Vector,
  ZERO,
} from "./support/vectors.js";

const GRAVITY = [0.5, -1, -9.8];
/** Fewer seeds, as each has 36 columns of finite differences. */
const SEEDS = ALL_SEEDS.slice(0, ALL_SEEDS.length / 4);

/** The forces at the present state, those of the ground left out. */
function forcesOf(made: Mechanism): Vector {
  return made.evaluate(ForcePart.ALL).slice(0, made.v.length);
}

/** Finite differences of the forces by each displacement and by each velocity, column-major. */
function differences(made: Mechanism): { stiffness: number[]; damping: number[] } {
  const column = (move: (amount: number) => void) => {
    const at = (amount: number) => {
      made.reset();
      move(amount);
      return forcesOf(made);
    };
    const samples = new Map([-2, -1, 1, 2].map((k) => [k * 1e-3, at(k * 1e-3)]));
    return Array.from(made.v, (_, i) => derivative((x) => samples.get(x)![i]));
  };
  const all = Array.from(made.v, (_, j) => j);
  const stiffness = all.flatMap((j) => column((amount) => displace(made, j, amount)));
  const damping = all.flatMap((j) =>
    column((amount) => {
      made.v[j] += amount;
    }),
  );
  made.reset();
  return { stiffness, damping };
}

/** Derivatives by the kernel at the present state. */
function derivatives(made: Mechanism): { stiffness: Vector; damping: Vector } {
  made.kinematics(1);
  made.stiffness.fill(0);
  made.damping.fill(0);
  made.addDerivatives();
  return { stiffness: made.dense(made.stiffness), damping: made.dense(made.damping) };
}

function expectDerivatives(made: Mechanism): void {
  const exact = derivatives(made);
  const expected = differences(made);
  for (const part of ["stiffness", "damping"] as const) {
    const scale = 1 + largest(expected[part]);
    expect(largest(subtract(exact[part], expected[part])) / scale, part).toBeLessThan(1e-8);
  }
}

/** Checks each law alone, at random states. */
function check(makes: readonly Make[], sensors: Mechanism["spec"]["sensors"] = []): void {
  for (const seed of SEEDS) {
    const made = mechanism(seed, making(makes), GRAVITY, sensors);
    made.onKinematics = () => made.measure();
    expectDerivatives(made);
  }
}

describe("derivatives of forces agree with finite differences:", () => {
  test("gravity and the gyroscopic torque", () => check([]));

  test.each(["force", "torque", "spring", "bushing", "drag"])("%s", (law) => {
    for (const make of everyLaw[law]) check([make]);
  });

  test.each([
    ["dampers", (a: number, b: number) => spring(a, b, "damper")],
    ["dampers of bushings", (a: number, b: number) => bushing(a, b, "damper")],
    ["bilateral tyres", (a: number, b: number) => tyre(a, b, 0)],
  ] as const)("%s", (_, make) => {
    for (const [a, b] of ENDS) check([make(a, b)]);
  });

  test.each([
    ["angle", SensorKind.ANGLE],
    ["displacement", SensorKind.DISPLACEMENT],
    ["length", SensorKind.LENGTH],
  ] as const)("springs and dampers on sensors: %s", (_, kind) => {
    for (const [a, b] of ENDS) {
      let tested = 0;
      for (const seed of SEEDS) {
        const made = mechanism(seed, making([sensorSpring(0)]), GRAVITY, [[a, b, kind]]);
        if (kind === SensorKind.ANGLE && !isTurned(made, a, b)) continue;
        made.onKinematics = () => made.measure();
        expectDerivatives(made);
        tested++;
      }
      expect(tested).toBeGreaterThan(SEEDS.length / 3);
    }
  });

  test("bushings at rest and about half turns, where Euler parameters change their sign", () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, -Math.SQRT1_2, Math.SQRT1_2],
      [2 / 3, -1 / 3, 2 / 3],
    ]) {
      for (const angle of [0, 2, Math.PI - 1e-4, Math.PI, -3, 6]) {
        const [random] = mechanism(3, making([bushing(0, 2)])).spec.forces;
        // UnwrappedAngles are counted within half a turn: only torques that are odd in them are smooth there, and constants are not.
        const law = {
          ...random,
          data: random.data.map((x, i) => (i < BushingData.TURN_FORCE ? x : 0)),
        };
        expectDerivatives(held(law, exponential(axis.map((x) => angle * x))));
      }
    }
  });
});

describe("a tyre on a road that is a function", () => {
  // h = sin(x) cos(2 y) / 2 + t x / 5 at t = 0, with its derivatives.
  const follow = (made: Mechanism) => {
    const { a, b } = made.spec.forces[0];
    const [[x, y], [u, w]] = [bushingMotion(made, a, b!).x, bushingMotion(made, a, b!).xRate];
    const [sx, cx, sy, cy] = [Math.sin(x), Math.cos(x), Math.sin(2 * y), Math.cos(2 * y)];
    const [hx, hy] = [(cx * cy) / 2, -sx * sy];
    const [hxx, hxy, hyy] = [(-sx * cy) / 2, -cx * sy, -2 * sx * cy];
    made.data.set([(sx * cy) / 2, hx * u + hy * w + x / 5], 3);
    made.data.set([hx, hy, hxx * u + hxy * w + 1 / 5, hxy * u + hyy * w], 6);
  };

  test.each(ENDS)("follows its slopes, markers %d and %d", (a, b) => {
    for (const seed of SEEDS) {
      const made = mechanism(seed, making([tyre(a, b, 0)]), GRAVITY);
      made.onKinematics = () => follow(made);
      expectDerivatives(made);
    }
  });

  test("a tyre that cannot pull has the same derivatives in contact, and none otherwise", () => {
    const touching = SEEDS.filter((seed) => {
      const [pulls, pushes] = ([0, 1] as const).map((cannotPull) => {
        const made = mechanism(seed, making([tyre(...ENDS[1], cannotPull)]));
        made.onKinematics = () => follow(made);
        return { made, ...derivatives(made) };
      });
      const none = mechanism(seed, () => []);
      const touches = largest(forcesOf(pushes.made).slice(12, 15)) > 0;
      expect(pushes.stiffness).toEqual(touches ? pulls.stiffness : derivatives(none).stiffness);
      expect(pushes.damping).toEqual(touches ? pulls.damping : derivatives(none).damping);
      return touches;
    });
    expect(touching.length).toBeGreaterThan(2);
    expect(touching.length).toBeLessThan(SEEDS.length - 2);
  });
});

describe("bodyForceDerivatives", () => {
  const everything = Object.values(everyLaw).flat();
  const filled = (seed = 1) => {
    const made = mechanism(seed, making(everything), GRAVITY, ENDS);
    made.onKinematics = () => made.measure();
    return made;
  };

  test("adds up all laws, and adds to the existing values", () => {
    const made = filled();
    expectDerivatives(made);
    const { stiffness, damping } = derivatives(made);
    made.addDerivatives();
    // Relative to their size: terms of motors that fade at their greatest speed are large, and cancel.
    const off = (found: Vector, one: Vector) =>
      largest(found.map((value, i) => value - 2 * one[i]!)) / (1 + largest(one));
    expect(off(made.dense(made.stiffness), stiffness)).toBeLessThan(1e-12);
    expect(off(made.dense(made.damping), damping)).toBeLessThan(1e-12);
  });

  test("writes only the two matrices and scratch", () => {
    const made = filled();
    derivatives(made);
    const before = new Uint8Array(made.memory.buffer).slice();
    made.addDerivatives();
    const after = new Uint8Array(made.memory.buffer).slice();
    for (const { byteOffset, byteLength } of [made.scratch, made.stiffness, made.damping]) {
      after.set(before.subarray(byteOffset, byteOffset + byteLength), byteOffset);
    }
    expect(Buffer.compare(before, after)).toBe(0);
  });

  test("returns finite values if springs have zero length and nothing moves", () => {
    const made = mechanism(
      1,
      making([spring(2, 2), sensorSpring(0), drag(3), bushing(2, 2)]),
      ZERO,
      [[4, 4, SensorKind.LENGTH]],
    );
    const resting = new Mechanism({
      ...made.spec,
      bodies: made.spec.bodies.map((body) => ({ ...body, velocity: [0, 0, 0, 0, 0, 0] })),
    });
    resting.onKinematics = () => resting.measure();
    const { stiffness, damping } = derivatives(resting);
    expect([...stiffness, ...damping].every(Number.isFinite)).toBe(true);
    expect(largest(stiffness)).toBeLessThan(1e-12);
    expect(largest(damping)).toBeGreaterThan(0.5);
  });
});

/** Two bodies that turn, the second by e from the first, with a bushing between them. */
function held(bushed: ForceSpec, e: Vector): Mechanism {
  const velocity = [0.3, -0.2, 0.5, 0.7, -1.1, 0.4];
  const inertia = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  return new Mechanism({
    gravity: ZERO,
    bodies: [
      { mass: 1, inertia, position: [0, 0, 0, ...IDENTITY], velocity },
      { mass: 1, inertia, position: [0.1, -0.2, 0.3, ...e], velocity: [...velocity].reverse() },
    ],
    markers: [0, 1].map((body) => ({ body, arm: [0.2, 0.1, body], axes: IDENTITY })),
    sensors: [],
    forces: [{ ...bushed, a: 0, b: 1 }],
  });
}

/** x of B is well away from z of A, and from where the angle jumps by a turn. */
function isTurned(made: Mechanism, a: number, b: number): boolean {
  const { z, e0 } = bushingMotion(made, a, b);
  const [x, y, w] = z.map((value) => value / 2);
  // Of the matrix of these Euler parameters: the first column, x of B in the axes of A.
  const column = [e0 ** 2 + x ** 2 - y ** 2 - w ** 2, 2 * (x * y + e0 * w)];
  return Math.hypot(...column) > 0.6 && !(column[0] < 0 && Math.abs(column[1]) < 0.1);
}
