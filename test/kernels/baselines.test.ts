import { fullPivotLuSlots, luSlots, newtonSlots } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import * as completePivoting from "../../bench/baseline/full-pivot-lu.js";
import * as partialPivoting from "../../bench/baseline/lu.js";
import { makeNewton, newtonSolve } from "../../bench/baseline/newton.js";
import { product } from "../../bench/baseline/product.js";
import { type Rule, updates } from "../../bench/baseline/quaternions.js";
import { lowerAndUpper, partsOfFullPivotLu, partsOfLu } from "../../bench/cases/lu.js";
import { bodies } from "../support/bodies.js";
import { distance, multiply, relativeDistance } from "../support/matrix.js";
import { randomMatrix, randomVector, seeded, symmetricMatrix } from "../support/random.js";
import { scratch } from "../support/scratch.js";

// A comparison is meaningless unless both sides do the same work.
describe.each([1, 2, 3, 5, 6, 7, 12, 17, 24])("the JavaScript of the contests, n = %i", (n) => {
  const matrix = randomMatrix(seeded(n), n);

  test("factors with partial pivoting as the kernel does", () => {
    const { kernels, a, factor } = scratch({ a: matrix, factor: luSlots(n) });
    kernels.luFactor(n, a.address, n, factor.address);
    const parts = partsOfLu(n, factor.view);
    const plain = partialPivoting.makeLu(n);
    expect(partialPivoting.luFactor(n, matrix, plain)).toBe(true);
    const { l, u } = lowerAndUpper(n, n, n, plain.lu, n);
    expect([...plain.rows]).toEqual([...parts.rows]);
    expect(relativeDistance(l, parts.l)).toBeLessThan(1e-12);
    expect(relativeDistance(u, parts.u)).toBeLessThan(1e-12);
  });

  test("factors with complete pivoting as the kernel does", () => {
    const { kernels, a, factor } = scratch({ a: matrix, factor: fullPivotLuSlots(n, n) });
    kernels.fullPivotLuFactor(n, n, a.address, n, 0, factor.address);
    const parts = partsOfFullPivotLu(n, n, factor.view);
    const plain = completePivoting.makeFullPivotLu(n, n);
    expect(completePivoting.fullPivotLuFactor(n, n, matrix, plain)).toBe(parts.rank);
    const { l, u } = lowerAndUpper(n, n, n, plain.lu, n);
    expect([...plain.rows]).toEqual([...parts.rows]);
    expect([...plain.columns]).toEqual([...parts.columns]);
    expect(relativeDistance(l, parts.l)).toBeLessThan(1e-12);
    expect(relativeDistance(u, parts.u)).toBeLessThan(1e-12);
    expect(Math.abs(plain.reciprocalCondition / parts.reciprocalCondition - 1)).toBeLessThan(1e-9);
  });

  test("solves with the matrix of an SDIRK stage as the kernels do", () => {
    const random = seeded(n + 2);
    const given = {
      m: symmetricMatrix(random, n, 8),
      mj1: randomMatrix(random, n),
      mj2: randomMatrix(random, n),
      b: randomVector(random, n),
    };
    const { kernels, m, mj1, mj2, b, x, factor } = scratch({
      ...given,
      x: n,
      factor: newtonSlots(n),
    });
    kernels.newtonPrepare(n, 0.1, m.address, mj1.address, mj2.address, factor.address);
    kernels.luSolve(n, factor.address, b.address, x.address);
    const room = makeNewton(n);
    expect(newtonSolve(n, 0.1, given.m, given.mj1, given.mj2, given.b, room)).toBe(true);
    expect(relativeDistance(room.x, x.view)).toBeLessThan(1e-12);
  });

  test("multiplies", () => {
    const other = randomMatrix(seeded(n + 1), n);
    const result = new Float64Array(n * n);
    product(n, matrix, other, result);
    expect(relativeDistance(result, multiply(n, n, n, matrix, other))).toBeLessThan(1e-14);
  });
});

// Large steps take the exponential beyond its series.
describe.each([1e-2, 0.7])("updates of Euler parameters in JavaScript, h = %d", (h) => {
  test("equal those of the kernels", () => {
    const count = 7;
    const { kernels, w, e, out } = bodies(count, 3);
    const plain = new Float64Array(4 * count);
    const found = (rule: Rule, step: number) => {
      expect(updates[rule](count, step, w.view, e.view, plain)).toBe(-1);
      return distance(plain, out.view);
    };
    kernels.angularVelocityToRates(count, w.address, e.address, out.address);
    expect(found("rates", 1)).toBeLessThan(1e-15);
    kernels.updateImplicit(count, h, w.address, e.address, out.address);
    expect(found("implicit", h)).toBeLessThan(1e-15);
    kernels.updateCayley(count, h, w.address, e.address, out.address);
    expect(found("cayley", h)).toBeLessThan(1e-15);
    kernels.updateExponential(count, h, w.address, e.address, out.address);
    expect(found("exponential", h)).toBeLessThan(1e-15);
  });
});
