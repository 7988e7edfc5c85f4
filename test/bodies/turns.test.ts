// Euler parameters under rotations and angular velocities, and their derivatives, compared with products
// of quaternions and finite differences of them.

import { describe, expect, test } from "vitest";
import { exponential, product } from "../oracles/rotation.js";
import { type Mechanism, mechanism, Turn } from "../support/body-harness.js";
import { difference, displaced, randomise, STEP, slope } from "../support/body-motion.js";
import { randomVector, seeded } from "../support/random.js";

const BODIES = 3;
const STATES = 50;

type Vector = ArrayLike<number>;

const half = (values: readonly number[]) => values.map((x) => x / 2);
const pure = (w: Vector) => [0, w[0], w[1], w[2]];

/** e' = e (0, w) / 2. */
const rate = (e: Vector, w: Vector) => half(product(e, pure(w)));

/** e'' = e' (0, w) / 2 + e (0, a) / 2. */
function secondRate(e: Vector, w: Vector, a: Vector): number[] {
  const turned = half(product(rate(e, w), pure(w)));
  return rate(e, a).map((x, i) => x + turned[i]);
}

/** A function of e, w and a of each body, for all bodies. */
const ofBodies = (
  q: Float64Array,
  v: Float64Array,
  a: Float64Array,
  value: (e: Float64Array, w: Float64Array, alpha: Float64Array) => readonly number[],
) =>
  Float64Array.from(
    Array.from({ length: BODIES }, (_, body) => {
      const angular = (of: Float64Array) => of.subarray(6 * body + 3, 6 * body + 6);
      return value(q.subarray(7 * body + 3, 7 * body + 7), angular(v), angular(a));
    }).flat(),
  );

/** Derivatives of a function of displacements of all bodies, in the order the kernel has. */
function derivatives(value: (delta: Float64Array) => Float64Array): Float64Array {
  const out = new Float64Array(12 * BODIES);
  for (let body = 0; body < BODIES; body++) {
    for (let k = 0; k < 3; k++) {
      const column = slope((x) => {
        const delta = new Float64Array(6 * BODIES);
        delta[6 * body + 3 + k] = x;
        return value(delta);
      }, STEP);
      for (let i = 0; i < 4; i++) out[12 * body + 3 * i + k] = column[4 * body + i];
    }
  }
  return out;
}

function states(measure: (m: Mechanism) => number): number {
  const random = seeded(3);
  const m = mechanism({ bodies: BODIES, markers: [], rows: [] });
  let worst = 0;
  for (let state = 0; state < STATES; state++) {
    randomise(random, m);
    m.a.set(randomVector(random, m.a.length));
    worst = Math.max(worst, measure(m));
  }
  return worst;
}

test("derivatives of e' and e'' by turns and angular velocities", () => {
  const error = states(({ kernels, table, q, v, a, turns }) => {
    const size = 12 * BODIES;
    const at = turns.byteOffset;
    kernels.bodyTurnDerivatives(table, a.byteOffset, at, at + 8 * size, at + 16 * size);
    const byTurns = (value: Parameters<typeof ofBodies>[3]) =>
      derivatives((delta) => ofBodies(displaced(q, delta), v, a, value));
    const rates = byTurns((e, w) => rate(e, w));
    const bias = byTurns((e, w, alpha) => secondRate(e, w, alpha).map((x) => -x));
    const gyro = derivatives((delta) => {
      const moved = v.map((x, i) => x + delta[i]);
      return ofBodies(q, moved, a, (e, w) => secondRate(e, w, [0, 0, 0]).map((x) => -x));
    });
    const expected = [...rates, ...bias, ...gyro];
    expect(Math.max(...expected)).toBeGreaterThan(0.1);
    return difference(turns, expected);
  });
  expect(error).toBeLessThan(1e-11);
});

test("e' and e'' at constant velocities", () => {
  const error = states(({ kernels, table, q, v, a, positionRate }) => {
    const parts = () =>
      Array.from({ length: BODIES }, (_, body) => [
        ...positionRate.subarray(7 * body + 3, 7 * body + 7),
      ]).flat();
    const straight = () =>
      Array.from({ length: BODIES }, (_, body) => [
        ...positionRate.subarray(7 * body, 7 * body + 3),
      ]).flat();
    kernels.bodyPositionBias(table, positionRate.byteOffset);
    const second = ofBodies(q, v, a, (e, w) => secondRate(e, w, [0, 0, 0]));
    const first = difference(parts(), second);
    expect(straight().every((x) => x === 0)).toBe(true);
    // Along the motion e' itself changes by that much.
    const along = slope((t) => {
      const moved = displaced(
        q,
        v.map((x) => t * x),
      );
      return ofBodies(moved, v, a, (e, w) => rate(e, w));
    }, STEP);
    return Math.max(first, difference(parts(), along));
  });
  expect(error).toBeLessThan(1e-11);
});

describe("displacements", () => {
  const SCALE = 0.7;

  /** The largest value of `left(before, after, h w / 2)` over bodies, which is 0 if the rule holds. */
  const worstOf = (
    turn: Turn,
    left: (before: Vector, after: Vector, a: readonly number[]) => readonly number[],
  ) =>
    states(({ kernels, table, q, v }) => {
      const before = q.slice();
      expect(kernels.bodyDisplace(table, q.byteOffset, SCALE, v.byteOffset, turn)).toBe(0);
      return Math.max(
        ...Array.from({ length: BODIES }, (_, body) => {
          const [at, from] = [7 * body, 6 * body];
          const moved = [0, 1, 2].map((i) => q[at + i] - before[at + i] - SCALE * v[from + i]);
          const e = q.subarray(at + 3, at + 7);
          const a = pure(v.subarray(from + 3, from + 6)).map((x) => (SCALE / 2) * x);
          const rest = left(before.subarray(at + 3, at + 7), e, a);
          return Math.max(...[...moved, ...rest].map(Math.abs));
        }),
      );
    });
  const less = (x: Vector, y: Vector) => Array.from(x, (value, i) => value - y[i]);

  test("the exponential rotates about the axis by the angle", () => {
    const left = (before: Vector, after: Vector, a: readonly number[]) =>
      less(after, product(before, exponential(a.slice(1).map((x) => 2 * x))));
    expect(worstOf(Turn.EXPONENTIAL, left)).toBeLessThan(1e-14);
  });

  test("Cayley's formula satisfies the midpoint rule", () => {
    const left = (before: Vector, after: Vector, a: readonly number[]) => {
      const middle = Array.from(before, (x, i) => (x + after[i]) / 2);
      return less(less(after, before), product(middle, a));
    };
    expect(worstOf(Turn.CAYLEY, left)).toBeLessThan(1e-14);
  });

  test("the implicit rule satisfies backward Euler up to a length that does not affect R", () => {
    const left = (before: Vector, after: Vector, a: readonly number[]) => {
      const start = less(after, product(after, a));
      const size = Math.hypot(...start);
      return less(
        start.map((x) => x / size),
        before,
      );
    };
    expect(worstOf(Turn.IMPLICIT, left)).toBeLessThan(1e-14);
  });
});
