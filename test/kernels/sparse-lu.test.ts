import { Status } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { naiveInverse, oneNorm } from "../oracles/lu.js";
import { seeded } from "../support/random.js";
import { sparse } from "../support/sparse-lu.js";
import {
  matrixKinds,
  scattered,
  sizeOf,
  triangular,
  twoByTwo,
} from "../support/sparse-matrices.js";
import { expectSolutions } from "../support/sparse-solutions.js";

const cases = Object.keys(matrixKinds).flatMap((kind) =>
  [1, 2, 3, 5, 8, 13, 21].map((count) => [kind, count] as const),
);

describe("sparse LU", () => {
  test.each(cases)("solves a %s matrix (%i) as a dense factor does", (kind, count) => {
    for (let seed = 1; seed <= 10; seed++) {
      const entries = matrixKinds[kind](seeded(100 * count + seed), count);
      const n = sizeOf(entries);
      const m = sparse(n, entries);
      expect(m.choose()).toBe(Status.OK);
      expect(m.factor()).toBe(Status.OK);
      expectSolutions(m, n, seed);
      const [first, last] = [m.order().slice(0, n), m.order().slice(n)];
      const all = Array.from({ length: n }, (_, i) => i);
      for (const order of [first, last]) expect(order.sort((i, j) => i - j)).toEqual(all);
    }
  });

  test.each(cases)("keeps the pivots of a %s matrix (%i) for other values", (kind, count) => {
    const random = seeded(count);
    const entries = matrixKinds[kind](random, count);
    const n = sizeOf(entries);
    const m = sparse(n, entries);
    m.choose();
    const order = m.order();
    for (let change = 0; change < 5; change++) {
      for (let e = 0; e < m.values.length; e++) m.values[e] *= 1 + 0.05 * random();
      expect(m.factor()).toBe(Status.OK);
      expectSolutions(m, n, change);
    }
    expect(m.order()).toEqual(order);
  });

  test.each(cases)("chooses the same pivots of a %s matrix (%i) in parts", (kind, count) => {
    const entries = matrixKinds[kind](seeded(count), count);
    const n = sizeOf(entries);
    const whole = sparse(n, entries);
    expect(whole.choose()).toBe(Status.OK);
    for (const some of [1, 3, n]) {
      const m = sparse(n, entries);
      expect(m.chooseBy(some)).toBe(Status.OK);
      expect([m.chosen(), ...m.order(), ...m.filled()]).toEqual([
        1,
        ...whole.order(),
        ...whole.filled(),
      ]);
    }
  });

  test("reports pivots as chosen only when all are", () => {
    const m = sparse(5, triangular(seeded(1), 5));
    m.choose();
    expect(m.kernels.sparseLuChoose(m.table, 0, 3)).toBe(Status.OK);
    expect(m.chosen()).toBe(0);
  });

  test.each([2, 5, 13, 40])("causes no fill in a triangle (%i) with any order of rows", (n) => {
    for (let seed = 1; seed <= 20; seed++) {
      const entries = triangular(seeded(seed), n);
      const m = sparse(n, entries);
      expect(m.choose()).toBe(Status.OK);
      const [inL, inU] = m.filled();
      expect(inL + inU).toBe(entries.length - n);
    }
  });

  test("eliminates the full row and column of an arrow last, without fill", () => {
    const n = 30;
    const entries = Array.from({ length: n }, (_, i) => i).flatMap((i) => [
      { row: i, column: i, value: 4 },
      ...(i === 0
        ? []
        : [
            { row: 0, column: i, value: 1 },
            { row: i, column: 0, value: 1 },
          ]),
    ]);
    const m = sparse(n, entries);
    m.choose();
    expect(m.filled()).toEqual([n - 1, n - 1]);
    expect(m.factor()).toBe(Status.OK);
    expectSolutions(m, n, 1);
  });

  test("eliminates leaves of a tree of bodies first, without fill", () => {
    const n = 40;
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const entries = Array.from({ length: n }, (_, i) => i).flatMap((i) => {
        // Mostly near the root, so that some bodies carry many others.
        const parent = Math.floor(i * ((random() + 1) / 2) ** 2);
        const links = [
          { row: i, column: parent, value: 1 },
          { row: parent, column: i, value: 1 },
        ];
        return [{ row: i, column: i, value: 4 }, ...(i === 0 ? [] : links)];
      });
      const m = sparse(n, entries);
      expect(m.choose()).toBe(Status.OK);
      expect(m.filled()).toEqual([n - 1, n - 1]);
    }
  });

  test("takes another pivot if the one with the least fill is small", () => {
    const corner = { row: 0, column: 0, value: 1e-14 };
    const ones = [
      [0, 1],
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ].map(([row, column], k) => ({ row, column, value: 1 + 0.1 * k }));
    const m = sparse(3, [corner, ...ones]);
    expect(m.choose()).toBe(Status.OK);
    expect(m.factor()).toBe(Status.OK);
    expectSolutions(m, 3, 1);
  });

  test("handles an empty matrix", () => {
    const m = sparse(0, []);
    expect(m.choose()).toBe(Status.OK);
    expect(m.factor()).toBe(Status.OK);
    expect(m.condition()).toBe(1);
  });
});

describe("sparseLuCondition", () => {
  test.each([1, 2, 3, 5, 9, 17, 30])(
    "returns a lower bound within a factor of three, matrices of %i rows",
    (n) => {
      let lowest = 1;
      for (let seed = 1; seed <= 40; seed++) {
        const random = seeded(1000 * n + seed);
        const places = new Map(
          scattered(random, n).map((entry) => [entry.row * n + entry.column, entry]),
        );
        const m = sparse(n, [...places.values()]);
        if (m.choose() !== Status.OK) continue;
        m.factor();
        const a = m.dense();
        const ratio = m.condition() / (oneNorm(n, a) * oneNorm(n, naiveInverse(n, a)));
        expect(ratio).toBeLessThan(1 + 1e-9);
        lowest = Math.min(lowest, ratio);
      }
      expect(lowest).toBeGreaterThan(1 / 3);
    },
  );

  test("grows as a matrix becomes singular", () => {
    const m = twoByTwo(1, 1.5);
    m.choose();
    for (const distance of [0.5, 1e-3, 1e-6, 1e-9]) {
      m.values[3] = 1 + distance;
      m.factor();
      // [1 1; 1 1 + d] has the inverse [1 + d, -1; -1, 1] / d.
      expect(m.condition() / ((2 + distance) ** 2 / distance)).toBeCloseTo(1, 5);
    }
  });
});
