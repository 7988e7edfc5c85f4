// The pseudoinverse by Gram-Schmidt, and its penalty approximation, compared with reference implementations.

import fc from "fast-check";
import {
  MassKind,
  SolverMethod,
  Status,
  solverSlots,
  statusCode,
  statusIndex,
} from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { naiveDeflection } from "../oracles/deflection.js";
import { naivePseudoinverse } from "../oracles/pseudoinverse.js";
import { distance, multiply, relativeDistance, transpose } from "../support/matrix.js";
import { randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

/** Row-major J with diagonal masses; the last `repeated` rows are sums of those before. */
function problem(n: number, m: number, repeated: number, method: SolverMethod, seed = 1) {
  const random = seeded(seed);
  const jacobian = randomVector(random, n * m);
  for (let i = m - repeated; i < m; i++) {
    for (let j = 0; j < n; j++) {
      jacobian[i * n + j] = 0;
      for (let k = 0; k < m - repeated; k++) jacobian[i * n + j] += (k + 1) * jacobian[k * n + j];
    }
  }
  const memory = scratch({
    jacobian,
    mass: randomVector(random, n).map((value) => 0.5 + value * value),
    right: randomVector(random, m),
    forces: randomVector(random, n),
    record: solverSlots(n, m, method),
    x: n,
    lambda: m,
  });
  return memory;
}

/** C = J M^-1/2, column-major. */
function whitened({ jacobian, mass }: ReturnType<typeof problem>, n: number, m: number) {
  const byColumns = transpose(n, m, jacobian.view);
  return byColumns.map((value, k) => value / Math.sqrt(mass.view[Math.floor(k / m)]));
}

const shapes = [
  [1, 1, 0],
  [3, 2, 0],
  [4, 3, 1],
  [5, 2, 1],
  [7, 5, 2],
  [3, 5, 2],
  [9, 9, 0],
] as const;

describe("the pseudoinverse by Gram-Schmidt", () => {
  const method = SolverMethod.GRAM_SCHMIDT;

  test.each(shapes)(
    "satisfies Penrose's conditions for %i coordinates and %i rows, %i of them sums of others",
    (n, m, repeated) => {
      const memory = problem(n, m, repeated, method, 10 * n + m);
      const { kernels, jacobian, mass, record, right, forces, x, lambda } = memory;
      const before = [...jacobian.view, ...mass.view, ...right.view];
      const status = kernels.solverFactor(
        ...[n, m, method, MassKind.DIAGONAL, 1e-11],
        ...[mass.address, jacobian.address, record.address],
      );
      const rank = m - repeated;
      expect(statusCode(status)).toBe(repeated > 0 ? Status.DEFICIENT : Status.OK);
      if (repeated > 0) expect(statusIndex(status)).toBe(n + rank);
      expect(kernels.solverRank(n, m, method, 1e-11, record.address)).toBe(rank);
      kernels.solverMinnorm(
        n,
        m,
        method,
        MassKind.DIAGONAL,
        1,
        record.address,
        right.address,
        x.address,
      );
      const c = whitened(memory, n, m);
      const inverse = naivePseudoinverse(m, n, c);
      // Right-hand sides are inconsistent with repeated rows, so C^+ differs from that of the kept rows.
      const expected = multiply(n, m, 1, inverse, right.view).map(
        (value, i) => value / Math.sqrt(mass.view[i]),
      );
      expect(relativeDistance(x.view, expected)).toBeLessThan(1e-11);
      kernels.solverMultipliers(
        ...[n, m, method, MassKind.DIAGONAL, record.address],
        ...[forces.address, right.address, lambda.address],
      );
      const w = forces.view.map((value, i) => value / Math.sqrt(mass.view[i]));
      const residual = multiply(m, n, 1, c, w).map((value, i) => right.view[i] - value);
      const z = multiply(n, m, 1, inverse, residual);
      expect(distance(lambda.view, multiply(m, n, 1, transpose(n, m, inverse), z))).toBeLessThan(
        1e-9,
      );
      expect([...jacobian.view, ...mass.view, ...right.view]).toEqual(before);
    },
  );

  test("names a row that is not finite, and treats zero rows as dependent", () => {
    const { kernels, jacobian, mass, record, right, x } = problem(3, 3, 0, method);
    const factor = () =>
      kernels.solverFactor(
        ...[3, 3, method, MassKind.DIAGONAL, 1e-11],
        ...[mass.address, jacobian.address, record.address],
      );
    jacobian.view[4] = Number.NaN;
    expect([statusCode(factor()), statusIndex(factor())]).toEqual([Status.NON_FINITE, 4]);
    jacobian.view.fill(0);
    expect(statusCode(factor())).toBe(Status.DEFICIENT);
    kernels.solverMinnorm(
      3,
      3,
      method,
      MassKind.DIAGONAL,
      1,
      record.address,
      right.address,
      x.address,
    );
    expect([...x.view]).toEqual([0, 0, 0]);
  });
});

describe("the penalty", () => {
  test.each(shapes)(
    "equals the printed form for %i coordinates and %i rows, %i repeated",
    (n, m, repeated) => {
      const compliance = 1e-3;
      const memory = problem(n, m, repeated, SolverMethod.PENALTY, n + m);
      const { kernels, jacobian, mass, record, right, x } = memory;
      const status = kernels.solverFactor(
        ...[n, m, SolverMethod.PENALTY, MassKind.DIAGONAL, compliance],
        ...[mass.address, jacobian.address, record.address],
      );
      expect(status).toBe(Status.OK);
      kernels.solverMinnorm(
        ...[n, m, SolverMethod.PENALTY, MassKind.DIAGONAL, 1],
        ...[record.address, right.address, x.address],
      );
      // (M + J^T J / c) x = J^T right / c, with the c that belongs to the largest diagonal of J M^-1 J^T.
      const c = whitened(memory, n, m);
      const diagonal = Array.from({ length: m }, (_, i) => {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += c[i + j * m] ** 2;
        return sum;
      });
      const unit = compliance * Math.max(...diagonal);
      for (let i = 0; i < n; i++) {
        let left = mass.view[i] * x.view[i];
        for (let row = 0; row < m; row++) {
          let along = 0;
          for (let j = 0; j < n; j++) along += jacobian.view[row * n + j] * x.view[j];
          left += (jacobian.view[row * n + i] * (along - right.view[row])) / unit;
        }
        expect(Math.abs(left)).toBeLessThan(1e-9);
      }
    },
  );
});

describe("the projective choice", () => {
  test("agrees with the reference implementation", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 8 }), (seed, n) => {
        const random = seeded(seed);
        const count = 1 + (seed % (n - 1));
        const basis: number[][] = [];
        while (basis.length < count) {
          let x = [...randomVector(random, n)];
          for (const unit of [...basis, ...basis]) {
            const along = unit.reduce((sum, value, i) => sum + value * x[i], 0);
            x = x.map((value, i) => value - along * unit[i]);
          }
          const length = Math.hypot(...x);
          basis.push(x.map((value) => value / length));
        }
        const directions = Array.from({ length: n }, () => [...randomVector(random, n)]);
        const memory = scratch({
          z: Float64Array.from(basis.flat()),
          w: Float64Array.from(directions.flat()),
          scratch: n * count,
          chosen: n,
        });
        const { kernels, z, w, chosen } = memory;
        const given = [z.address, w.address, memory.scratch.address, chosen.address] as const;
        expect(kernels.projectiveChoice(n, count, ...given)).toBe(Status.OK);
        expect([...chosen.view]).toEqual(naiveDeflection(n, basis, directions));
      }),
      { numRuns: 100 },
    );
  });

  test("rejects wrong sizes and directions that determine nothing", () => {
    const { kernels, z } = scratch({ z: new Float64Array(32) });
    const given = [z.address, z.address, z.address + 128, z.address + 64] as const;
    expect(statusCode(kernels.projectiveChoice(-1, 0, ...given))).toBe(Status.BAD_SIZE);
    expect(statusCode(kernels.projectiveChoice(2, 3, ...given))).toBe(Status.BAD_SIZE);
    expect(statusCode(kernels.projectiveChoice(2, 1, ...given))).toBe(Status.SINGULAR);
    expect(kernels.projectiveChoice(2, 0, ...given)).toBe(Status.OK);
  });
});
