// Tests of the reference implementation for loops: by finite differences, conservation laws, closed forms, and a
// solution in one angle without constraints.

import { describe, expect, test } from "vitest";
import { integrate } from "../reference/extrapolation.js";
import {
  angleAt,
  ballLink,
  crankRocker,
  type FourBar,
  fourBarMechanism,
  fourBarState,
  parallelogram,
  rodLink,
} from "../reference/four-bar.js";
import {
  complement,
  factor,
  leastSquares,
  relations,
  smallestSingularValue,
} from "../reference/householder.js";
import { type LoopClass, loopClasses, loopClassNames, loopsOf } from "../reference/loops.js";
import {
  GROUND,
  type JointType,
  type Mechanism,
  type ReferenceBody,
} from "../reference/mechanism.js";
import { BODY_STATE, Motion } from "../reference/motion.js";
import { stateDistance, stateOf } from "../reference/nodrift-model.js";
import { reactionsOf } from "../reference/reactions.js";
import { mechanismOf, placed, type SketchJoint } from "../reference/sketch.js";
import { solutionOf } from "../reference/solution.js";
import { add, scale, times, transposed, type Vector } from "../reference/vectors.js";
import { anyMasses } from "../support/mass-ratios.js";
import { conditionedMatrix, randomVector, seeded } from "../support/random.js";
import { firstLoops } from "./support/known-loops.js";

const columnsOf = (a: Float64Array, m: number) =>
  Array.from({ length: a.length / m }, (_, j) => a.slice(m * j, m * (j + 1)));

const inner = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);

const most = (values: Iterable<number>) => Math.max(0, ...[...values].map(Math.abs));

describe("Householder QR of the reference", () => {
  test("finds rank, null space and dependent columns", () => {
    const random = seeded(1);
    for (const [m, n, rank] of [
      [8, 5, 5],
      [8, 5, 3],
      [6, 9, 4],
    ]) {
      const columns = columnsOf(conditionedMatrix(random, m, n, 100, rank), m);
      const qr = factor(columns, 1e-10);
      expect(qr.rank).toBe(rank);
      const others = complement(qr);
      expect(others).toHaveLength(m - rank);
      expect(most(others.flatMap((u) => columns.map((a) => inner(a, u))))).toBeLessThan(1e-14);
      const rules = relations(qr);
      expect(rules).toHaveLength(n - rank);
      const sums = rules.flatMap((c) =>
        Array.from({ length: m }, (_, i) => columns.reduce((sum, a, j) => sum + c[j] * a[i], 0)),
      );
      expect(most(sums)).toBeLessThan(1e-12);
      for (const c of rules) expect(most(c)).toBeGreaterThan(0.5);
      const b = randomVector(random, m);
      const c = leastSquares(qr, b);
      const left = b.map((x, i) => x - columns.reduce((sum, a, j) => sum + c[j] * a[i], 0));
      expect(most(columns.map((a) => inner(a, left)))).toBeLessThan(1e-13);
    }
  });

  test("finds the smallest singular value", () => {
    const columns = columnsOf(conditionedMatrix(seeded(2), 9, 6, 2 ** 10), 9);
    expect(smallestSingularValue(factor(columns, 1e-12)) * 2 ** 10).toBeCloseTo(1, 6);
  });
});

test("the reference's extrapolation solves y'' = -y over ten turns to 1e-12", () => {
  const rate = (y: Float64Array, out: Float64Array) => out.set([y[1], -y[0]]);
  const [x, v] = integrate(rate, Float64Array.of(1, 0), 20 * Math.PI, { tolerance: 1e-14 });
  expect(Math.abs(x - 1)).toBeLessThan(1e-12);
  expect(Math.abs(v)).toBeLessThan(1e-12);
});

const JOINTS: readonly JointType[] = [
  "revolute",
  "prismatic",
  "cylindrical",
  "spherical",
  "universal",
  "distance",
  "fixed",
];

describe.each(JOINTS)("reference rows of %s", (type) => {
  const joint: SketchJoint = {
    type,
    a: 0,
    b: 1,
    at: [0.3, -0.2, 0.5],
    axis: [1, 2, 3],
    axisB: [3, 0, -1],
    ...(type === "distance" && { atB: [1, 0.4, -0.1] as Vector }),
  };
  const mechanism = mechanismOf(type, seeded(3), { joints: [joint] });
  const motion = new Motion(mechanism);

  test("match finite differences of their equations in rates and biases", () => {
    const random = seeded(4);
    // Off the constraints, in arbitrary motion: the formulas hold there too.
    const y = motion.start().map((x) => x + 0.3 * random());
    const accelerations = randomVector(random, 12);
    const at = (t: number) =>
      motion.rows(moved(motion, y, accelerations, t)).map(({ value }) => value);
    const h = 1e-3;
    const [before, now, after] = [at(-h), at(0), at(h)];
    const velocities = unscaled(y);
    const rows = motion.rows(y);
    motion.allColumns(y).forEach((column, i) => {
      const scaled = (x: Float64Array) =>
        x.map((value, n) => (n % 6 < 3 ? value : motion.size * value));
      const rate = (after[i] - before[i]) / (2 * h);
      expect(Math.abs(rate - inner(column, scaled(velocities)))).toBeLessThan(1e-4);
      const second = (after[i] - 2 * now[i] + before[i]) / (h * h);
      const known = inner(column, scaled(accelerations)) + rows[i].bias;
      expect(Math.abs(second - known)).toBeLessThan(1e-4 * (1 + Math.abs(known)));
    });
  });

  test("vanish in the initial pose, and do not depend on each other", () => {
    expect(most(motion.rows(motion.start()).map(({ value }) => value))).toBeLessThan(1e-15);
    expect(motion.choose(motion.start()).rank).toBe(motion.rows(motion.start()).length);
  });
});

/** Returns v and w of all bodies. */
function unscaled(y: Float64Array): Float64Array {
  return Float64Array.from(
    { length: 12 },
    (_, n) => y[BODY_STATE * Math.floor(n / 6) + 7 + (n % 6)],
  );
}

/** Returns the state after a time of constant accelerations, by many small steps of the midpoint rule. */
function moved(motion: Motion, y: Float64Array, a: Float64Array, t: number): Float64Array {
  const rate = (state: Float64Array, out: Float64Array) => {
    motion.mechanism.bodies.forEach((_, body) => {
      const own = state.subarray(BODY_STATE * body, BODY_STATE * (body + 1));
      const [w, x, y1, z] = own.subarray(3, 7);
      const [p, q, r] = own.subarray(10, 13);
      // e' = (0, w) e / 2, written out.
      const turn = [
        -p * x - q * y1 - r * z,
        p * w + q * z - r * y1,
        q * w + r * x - p * z,
        r * w + p * y1 - q * x,
      ];
      out.set(
        [...own.subarray(7, 10), ...turn.map((k) => k / 2), ...a.subarray(6 * body, 6 * body + 6)],
        BODY_STATE * body,
      );
    });
  };
  if (t >= 0) return integrate(rate, y, t, { tolerance: 1e-14 });
  const back = (state: Float64Array, out: Float64Array) => {
    rate(state, out);
    for (let i = 0; i < out.length; i++) out[i] = -out[i];
  };
  return integrate(back, y, -t, { tolerance: 1e-14 });
}

const BODY: ReferenceBody = {
  name: "body",
  mass: 2,
  inertia: [
    [0.3, 0.02, -0.01],
    [0.02, 0.5, 0.03],
    [-0.01, 0.03, 0.7],
  ],
  position: [0, 0, 0],
  orientation: [1, 0, 0, 0],
  velocity: [0, 0, 0],
  angularVelocity: [3, -1, 2],
};

describe("reference motions", () => {
  test("keep angular momentum and energy of a body held in its centre", () => {
    const mechanism: Mechanism = {
      name: "top",
      gravity: [0, 0, -9.81],
      bodies: [BODY],
      joints: [{ name: "ball", type: "spherical", a: GROUND, b: 0, at: [0, 0, 0] }],
    };
    const { motion, start, end, energyError } = solutionOf(mechanism, 5);
    const momentum = (y: Float64Array) => {
      const [{ rotation, angularVelocity: w }] = motion.moving(y);
      const own = times(transposed(rotation), w);
      return times(rotation, times(BODY.inertia, own));
    };
    const [before, after] = [momentum(start), momentum(end)];
    expect(most(after.map((x, i) => x - before[i]))).toBeLessThan(1e-12);
    expect(energyError).toBeLessThan(1e-12);
    // It has rotated: w of an asymmetric body is not constant.
    expect(most(end.slice(10).map((x, i) => x - BODY.angularVelocity[i]))).toBeGreaterThan(0.1);
  });

  test.each(loopClassNames)("keep the energy of loops to 1e-12 and converge: %s", (loopClass) => {
    for (const { mechanism, solution } of firstLoops(loopClass, 1)) {
      expect(solution.energyError).toBeLessThan(1e-12);
      const coarse = stateDistance(
        stateOf(solutionOf(mechanism, 0.2, 1e-10).end),
        stateOf(solution.end),
      );
      expect(coarse).toBeLessThan(1e-10);
    }
  });

  test("match the equation of four-bars in one angle, for any masses", () => {
    for (const mass of [1e-8, 1e6]) compareWithAngle(crankRocker(rodLink(1, mass)), 0.5);
    compareWithAngle(crankRocker(ballLink(1, 1)), 0.5);
    const askew: FourBar = {
      ...crankRocker(),
      coupler: { ...rodLink(1, 2), centre: [0.3, 0.2] },
      rocker: { ...rodLink(0.8, 0.5), centre: [0.5, -0.3] },
      branch: -1,
    };
    compareWithAngle(askew, 0.5);
    compareWithAngle(parallelogram([1, 2, 3], 1.2), 0.15);
  });
});

function compareWithAngle(bar: FourBar, until: number): void {
  const { end } = solutionOf(fourBarMechanism(bar), until);
  const known = fourBarState(bar, ...angleAt(bar, until));
  expect(stateDistance(stateOf(end), stateOf(known))).toBeLessThan(2e-11);
}

describe("reference accelerations and reactions", () => {
  test.each(loopClassNames)("balance at every body, with masses of any ratio: %s", (loopClass) => {
    for (const { solution } of loopsOf(loopClass, 1, anyMasses)) {
      const { motion, start } = solution;
      const loads = reactionsOf(motion, start);
      motion.choose(start);
      const a = motion.accelerations(start.slice());
      motion.mechanism.bodies.forEach(({ mass }, body) => {
        // Newton's law: m a - m g is the load of the joints, with their sign on the second body and reversed on the
        // first.
        let force: Vector = [0, 0, 0];
        let size = 0;
        motion.joints.forEach((joint, i) => {
          const sign = joint.b === body ? 1 : joint.a === body ? -1 : 0;
          force = add(force, scale(sign, loads[i].force));
          if (sign !== 0) size = Math.max(size, most(loads[i].force));
        });
        const needed = [0, 1, 2].map((i) => mass * (a[6 * body + i] - motion.mechanism.gravity[i]));
        expect(most(needed.map((x, i) => x - force[i]))).toBeLessThan(1e-9 * (size + most(needed)));
      });
    }
  });

  // Generated loops are excluded, because the generator rejects those with a noisy reference.
  test.each(loopClassNames)(
    "contain no more noise than positions, for any masses: %s",
    (loopClass) => {
      for (let seed = 0; seed < 10; seed++) {
        const random = seeded(seed);
        const sketch = placed(random, loopClasses[loopClass].make(random));
        const motion = new Motion(mechanismOf(loopClass, random, sketch, anyMasses));
        const start = motion.start();
        if (motion.choose(start).smallest < 1e-2) continue;
        const a = motion.accelerations(start.slice());
        const shaken = motion.accelerations(start.map((x, i) => x + ((7 * i) % 11) * 1e-16));
        expect(most(shaken.map((x, i) => x - a[i]))).toBeLessThan(1e-10 * most(a));
      }
    },
  );

  test("distinguish unique from shared reactions of two hinges in line", () => {
    const mechanism: Mechanism = {
      name: "door",
      gravity: [0, 0, -9.81],
      bodies: [{ ...BODY, position: [0.5, 0, 1], angularVelocity: [0, 0, 0] }],
      joints: [0.3, 1.7].map((z) => ({
        name: `hinge ${z}`,
        type: "revolute",
        a: GROUND,
        b: 0,
        at: [0, 0, z],
        axis: [0, 0, 1],
      })),
    };
    const motion = new Motion(mechanism);
    const start = motion.start();
    expect(motion.choose(start).rank).toBe(5);
    const loads = reactionsOf(motion, start);
    const total = loads.reduce((sum, { force }) => add(sum, force), [0, 0, 0] as Vector);
    expect(most(total.map((x, i) => x - [0, 0, 2 * 9.81][i]))).toBeLessThan(1e-12);
    expect(loads.map(({ shared }) => shared.length)).toEqual([5, 5]);
  });
});

describe("classes of reference loops", () => {
  /** Number of redundant rows; undefined if it differs from loop to loop. */
  const surplus: Partial<Record<LoopClass, number>> = { planar: 3, "7R": 0, RSSR: 0, RSCR: 0 };

  test.each(Object.entries(surplus))("reach the expected rank: %s", (loopClass, wanted) => {
    for (const { solution } of firstLoops(loopClass as LoopClass, 3)) {
      expect(solution.motion.rows(solution.start).length - solution.rank).toBe(wanted);
    }
  });

  test("move although overconstrained", () => {
    const kinds = new Set<string>();
    for (const { mechanism, solution } of firstLoops("overconstrained", 12)) {
      const rows = solution.motion.rows(solution.start).length;
      const count = 6 * mechanism.bodies.length;
      expect(solution.rank).toBeLessThan(Math.min(rows, count));
      kinds.add(`${rows}, ${solution.rank}`);
    }
    // Four hinges (Bennett's or through a point), five through a point, six (Bricard's or Sarrus').
    expect([...kinds].sort()).toEqual(["20, 17", "25, 22", "30, 29"]);
  });

  test("repeat identically", () => {
    const [once, again] = [firstLoops("mixed", 2), [...loopsOf("mixed", 2)]].map((loops) =>
      loops.map(({ mechanism }) => mechanism),
    );
    expect(once).toEqual(again);
  });
});
