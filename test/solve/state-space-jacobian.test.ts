// The Jacobian of stateSpace() by formulas, against differences of its rate.

import { compile, type Model, model, rod } from "nodrift/bodies";
import { bennett, chain3d, hmmwv, sliderCrank3d, stiffPendulum } from "nodrift/mechanisms";
import { radau5, sdirk4, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { naiveInverse } from "../oracles/lu.js";
import { randomVector, seeded } from "../support/random.js";
import { allJoints, eachJoint } from "./support/all-joints.js";
import { type Opened, openStateSpace } from "./support/bound-state-space.js";

/** Displacement for which truncation and rounding of the differences are about equal. */
const STEP = 3e-4;
const STATES = 20;

/** Largest errors of J1 and of J2, each relative to its largest number. */
function errors({ n, formulas, differences }: Opened, t: number, y: Float64Array) {
  const [found, expected] = [formulas(t, y), differences(t, y, STEP)];
  const [j1, j2] = [0, 1].map((half) => {
    let [worst, largest] = [0, 0];
    for (let i = half * n * n; i < (half + 1) * n * n; i++) {
      worst = Math.max(worst, Math.abs(found[i] - expected[i]));
      largest = Math.max(largest, Math.abs(expected[i]));
    }
    expect(largest).toBeGreaterThan(0.1);
    return worst / largest;
  });
  return { j1, j2 };
}

interface Case {
  readonly make: () => Model;
  readonly freedom: number;
  /** Error of differences: drives and roads are themselves differentiated by finite differences. */
  readonly allowed: number;
}

const cases: Record<string, Case> = {
  "stiff double pendulum": { make: stiffPendulum, freedom: 2, allowed: 1e-9 },
  HMMWV: { make: () => hmmwv(), freedom: 18, allowed: 1e-9 },
  "chain of 3 rods": { make: () => chain3d(3), freedom: 9, allowed: 1e-9 },
  "Bennett linkage, with rows that repeat others": {
    make: () => bennett(),
    freedom: 1,
    allowed: 1e-9,
  },
  "slider-crank in space": { make: sliderCrank3d, freedom: 1, allowed: 1e-9 },
  "all joints, drives and forces": { make: allJoints, freedom: 11, allowed: 1e-7 },
  ...Object.fromEntries(
    eachJoint
      .filter(({ freedom }) => freedom > 0)
      .map(({ type, make, freedom }) => [type, { make, freedom, allowed: 1e-9 }]),
  ),
};

describe.each(Object.entries(cases))("%s", (_, { make, freedom, allowed }) => {
  // Velocities of all joints together are given at random: they are projected to the nearest possible ones.
  const start = make === allJoints ? { hold: [] } : {};

  test("J1 and J2 are the derivatives of the accelerations", async () => {
    const opened = await openStateSpace(make(), start);
    expect(opened.how).toBe("analytic");
    expect(opened.n).toBe(freedom);
    const random = seeded(5);
    const worst = { j1: 0, j2: 0 };
    for (let state = 0; state < STATES; state++) {
      const y = opened.near(random, { positions: 0.05, velocities: 1 });
      const { j1, j2 } = errors(opened, 0.02 * state, y);
      worst.j1 = Math.max(worst.j1, j1);
      worst.j2 = Math.max(worst.j2, j2);
    }
    expect(worst.j1).toBeLessThan(allowed);
    expect(worst.j2).toBeLessThan(allowed);
  });

  test("solvers with I - alpha df/dy, real and complex, are those of the whole matrix", async () => {
    const opened = await openStateSpace(make(), start);
    const { n } = opened;
    const random = seeded(6);
    const j = opened.formulas(0.1, opened.near(random, { positions: 0.05, velocities: 1 }));
    const b = randomVector(random, 4 * n);
    for (const [re, im] of [
      [0.01, 0],
      [0.01, 0.02],
      [0.003, -0.001],
    ]) {
      const expected = embedded(n, j, re, im, b);
      const found = opened.solve([re, im], b);
      expect(apart(found, expected)).toBeLessThan(1e-9);
      if (im !== 0) continue;
      const halves = [b.subarray(0, 2 * n), b.subarray(2 * n)].map((part) =>
        opened.solve(re, part),
      );
      expect(apart([...halves[0], ...halves[1]], expected)).toBeLessThan(1e-9);
    }
  });
});

/** (I - alpha df/dy)^-1 b as a real system of twice the size: real parts, then imaginary ones. */
function embedded(n: number, j: Float64Array, re: number, im: number, b: Float64Array) {
  const size = 4 * n;
  const whole = (i: number, k: number) => (i < n ? Number(k === i + n) : j[i - n + n * k]);
  const matrix = Float64Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [at % size, Math.floor(at / size)];
    const [i, k] = [row % (2 * n), column % (2 * n)];
    const [lower, right] = [row >= 2 * n, column >= 2 * n];
    if (lower === right) return Number(i === k) - re * whole(i, k);
    return (lower ? -im : im) * whole(i, k);
  });
  const inverse = naiveInverse(size, matrix);
  return b.map((_, i) => b.reduce((sum, x, k) => sum + inverse[i + size * k] * x, 0));
}

function apart(found: ArrayLike<number>, expected: Float64Array): number {
  const size = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return expected.reduce((most, x, i) => Math.max(most, Math.abs(x - found[i])), 0) / size;
}

test("the Jacobian is right through changes of the independent positions", async () => {
  const opened = await openStateSpace(chain3d(3));
  const times = Array.from({ length: 12 }, (_, i) => 0.15 * (i + 1));
  const motion = solve(opened.compiled, { span: [0, 2], output: { times }, tolerance: 1e-6 });
  let changes = 0;
  for (const t of times) {
    const { q, v } = motion.at(t);
    if (opened.begin(t, q, v)) changes++;
    const { j1, j2 } = errors(opened, t, opened.near(seeded(1), { positions: 0, velocities: 0 }));
    expect(j1).toBeLessThan(1e-8);
    expect(j2).toBeLessThan(1e-8);
  }
  expect(changes).toBeGreaterThan(1);
});

/** Rods on hinges with a stiff, damped spring between them, which `attach` makes. */
function springy(attach: (parts: Parts) => void): Model {
  const m = model({ name: "two rods", gravity: [0, -9.81, 0] });
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const first = m.body({ name: "first", mass: 2, shape, position: [0.5, 0, 0] });
  const second = m.body({ name: "second", mass: 1, shape, position: [1.5, 0, 0] });
  const axis = [0, 0, 1] as const;
  m.revolute({ name: "pivot", between: [m.ground, first], at: [0, 0, 0], axis });
  const elbow = m.revolute({ name: "elbow", between: [first, second], at: [1, 0, 0], axis });
  attach({ m, elbow, second });
  return m;
}

interface Parts {
  readonly m: Model;
  readonly elbow: ReturnType<Model["revolute"]>;
  readonly second: ReturnType<Model["body"]>;
}

test("the rate is that of the requested state, after a failure elsewhere too", async () => {
  let fails = false;
  const opened = await openStateSpace(
    springy(({ m, second }) => {
      m.userForce({
        name: "gust",
        bodies: [second],
        apply: (_motions, [{ force }]) => {
          force[0] += fails ? Number.NaN : 1;
        },
      });
    }),
  );
  const spread = { positions: 0.1, velocities: 1 };
  const [here, there] = [opened.near(seeded(1), spread), opened.near(seeded(2), spread)];
  const rate = opened.rate(0, here);
  fails = true;
  expect(() => opened.rate(0, there)).toThrow("gust");
  fails = false;
  expect(apart(opened.rate(0, here), rate)).toBeLessThan(1e-12);
});

const [STIFFNESS, DAMPING, DRAG] = [2e4, 2e3, 3];

const withDrag = ({ m, second }: Parts) => m.drag({ on: second, linear: DRAG });
const withSpring = ({ m, elbow }: Parts) =>
  m.torsionSpring({ joint: elbow, stiffness: STIFFNESS, damping: DAMPING });

/** The same forces, given by functions. */
const functions: Record<string, { readonly attach: (parts: Parts) => void; readonly how: RegExp }> =
  {
    "a law of a spring": {
      attach: (parts) => {
        withDrag(parts);
        parts.m.torsionSpring({
          name: "my law",
          joint: parts.elbow,
          torque: (angle, rate) => -STIFFNESS * angle - DAMPING * rate,
        });
      },
      how: /^by differences: my law has no derivatives$/,
    },
    "a force": {
      attach: (parts) => {
        withSpring(parts);
        parts.m.userForce({
          name: "my wind",
          bodies: [parts.second],
          apply: ([{ velocity }], [{ force }]) => {
            for (let i = 0; i < 3; i++) force[i] -= DRAG * velocity[i];
          },
        });
      },
      how: /^by differences: my wind has no derivatives$/,
    },
  };

describe.each(Object.entries(functions))("%s that is a user function", (_, { attach, how }) => {
  test.each([sdirk4(), radau5()])(
    "finite differences are reported by $name, and give the motion of the analytic twin",
    async (integrator) => {
      const run = async (parts: (parts: Parts) => void) => {
        const compiled = await compile(springy(parts), { hold: [], coordinates: "maximal" });
        const method = { formulation: stateSpace(), integrator };
        return solve(compiled, { span: [0, 1], method, tolerance: 1e-7 });
      };
      const twin = await run((parts) => {
        withSpring(parts);
        withDrag(parts);
      });
      const found = await run(attach);
      for (const { status, reason } of [twin, found]) expect(status, reason).toBe("finished");
      expect(twin.statistics.implicit?.jacobianSource).toBe("analytic");
      expect(found.statistics.implicit?.jacobianSource).toMatch(how);
      for (const [name, size] of [
        ["q", 1],
        ["v", 10],
      ] as const) {
        const error = twin.end[name].map((x, i) => Math.abs(x - found.end[name][i]));
        expect(Math.max(...error)).toBeLessThan(1e-5 * size);
      }
      // The rods have fallen: there is something to agree on.
      expect(twin.end.q[1]).toBeLessThan(-0.3);
      expect(found.statistics.steps).toBeLessThan(1.2 * twin.statistics.steps + 5);
    },
  );
});
