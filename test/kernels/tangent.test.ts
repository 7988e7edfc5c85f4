import fc from "fast-check";
import {
  BasisKind,
  Status,
  statusCode,
  statusIndex,
  TangentHeader,
  tangentColumns,
  tangentSlots,
} from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { BASIS_KINDS, basisIn, tangentProblem } from "../../bench/cases/tangent.js";
import { saddleAccelerations } from "../oracles/saddle.js";
import {
  distance,
  identity,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../support/matrix.js";
import { conditionedMatrix, randomVector, seeded } from "../support/random.js";
import { scratch } from "../support/scratch.js";

/** Memory of a tangent record after its choice. */
function chosen(n: number, m: number, kind: BasisKind, seed = 1, pinned?: number[]) {
  const problem = tangentProblem(seeded(seed), n, m);
  const { kernels, jacobian, mass, record, zeta } = problem.memory;
  if (pinned) zeta.view.set(pinned);
  const choose = (keep = 0) =>
    kernels.tangentChoose(
      n,
      m,
      kind,
      keep,
      0,
      jacobian.address,
      mass.address,
      pinned ? zeta.address : 0,
      record.address,
    );
  const status = choose();
  return { ...problem.memory, byColumns: problem.jacobian, status, choose };
}

const shapes = [
  [1, 0],
  [1, 1],
  [2, 1],
  [3, 3],
  [4, 3],
  [6, 2],
  [9, 5],
  [16, 11],
] as const;

describe.each(BASIS_KINDS)("tangentChoose by %s", (_, kind) => {
  test.each(shapes)("finds the null space of %i coordinates and %i rows", (n, m) => {
    const { status, record, byColumns } = chosen(n, m, kind, n + m);
    expect(status).toBe(Status.OK);
    expect(record.view[TangentHeader.RANK]).toBe(m);
    const basis = basisIn(n, m, record.view);
    expect(norm(multiply(m, n, n - m, byColumns, basis))).toBeLessThan(1e-13);
    if (kind === BasisKind.LU) {
      const first = tangentColumns(m) + m;
      for (let j = 0; j < n - m; j++) expect(basis[record.view[first + j] + j * n]).toBe(1);
    } else {
      const square = multiply(n - m, n, n - m, transpose(n, n - m, basis), basis);
      expect(relativeDistance(square, identity(n - m))).toBeLessThan(1e-14);
    }
  });

  test("finds rank and independent rows of any constraints, and leaves them alone", () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(size, size, fc.nat({ max: 12 }), fc.nat(), (n, m, wanted, seed) => {
        const rank = Math.min(wanted, n, m);
        const rows = conditionedMatrix(seeded(seed), n, m, 16, rank);
        const { kernels, jacobian, mass, record } = scratch({
          jacobian: rows,
          mass: identity(n),
          record: tangentSlots(n, m),
        });
        const places = [jacobian.address, mass.address, 0, record.address] as const;
        expect(kernels.tangentChoose(n, m, kind, 0, 1e-10, ...places)).toBe(Status.OK);
        expect(record.view[TangentHeader.RANK]).toBe(rank);
        expect([...jacobian.view]).toEqual([...rows]);
        const basis = basisIn(n, m, record.view);
        const product = multiply(m, n, n - rank, transpose(n, m, rows), basis);
        expect(norm(product)).toBeLessThan(1e-11 * (1 + norm(basis)));
        const chosenRows = record.view.slice(TangentHeader.SLOTS, TangentHeader.SLOTS + rank);
        expect(new Set(chosenRows).size).toBe(rank);
      }),
      { numRuns: 200 },
    );
  });

  test("names the constraint that is not finite, and rejects wrong sizes", () => {
    const { kernels, jacobian, mass, record } = chosen(4, 2, kind);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      jacobian.view[5] = bad;
      const places = [jacobian.address, mass.address, 0, record.address] as const;
      const status = kernels.tangentChoose(4, 2, kind, 0, 0, ...places);
      expect(statusCode(status)).toBe(Status.NON_FINITE);
      expect(statusIndex(status)).toBe(5);
      expect(kernels.tangentChoose(-1, 2, kind, 0, 0, ...places)).toBe(Status.BAD_SIZE);
    }
  });

  test.each(shapes)(
    "reproduces the accelerations of the saddle point system, %i and %i",
    (n, m) => {
      const made = chosen(n, m, kind, 3 * n + m);
      const { kernels, jacobian, mass, forces, right, record, x, zeta, a } = made;
      const r = record.address;
      const expected = saddleAccelerations(
        n,
        m,
        mass.view,
        made.byColumns,
        forces.view,
        right.view,
      );
      const inputs = [jacobian.address, mass.address, forces.address, right.address] as const;
      expect(kernels.nullSpaceAccelerate(n, m, ...inputs, r, a.address)).toBe(Status.OK);
      expect(relativeDistance(a.view, expected)).toBeLessThan(1e-12);
      if (kind === BasisKind.LU) {
        kernels.partitionFactor(n, m, 0, jacobian.address, r);
        kernels.partitionParticular(n, m, 0, r, 1, right.address, x.address);
      } else {
        kernels.frameFactor(n, m, jacobian.address, r);
        kernels.frameParticular(n, m, r, 1, right.address, x.address);
      }
      const places = [mass.address, forces.address, x.address, zeta.address, a.address] as const;
      expect(kernels.reducedAccelerate(n, m, r, ...places)).toBe(Status.OK);
      expect(relativeDistance(a.view, expected)).toBeLessThan(1e-12);
      expect([...zeta.view.subarray(n - m)].every((value) => value === 0)).toBe(true);
      // Only for these bases P is orthogonal and the particular solution has minimum norm.
      if (kind === BasisKind.LU) return;
      const inputsOfBoth = [mass.address, forces.address, x.address] as const;
      a.view.fill(Number.NaN);
      expect(kernels.projectedAccelerate(n, m, r, ...inputsOfBoth, a.address)).toBe(Status.OK);
      expect(relativeDistance(a.view, expected)).toBeLessThan(1e-12);
    },
  );
});

describe("frame", () => {
  test("changes by its rate, compared with finite differences, with directions off the null space", () => {
    for (const [n, m] of [
      [2, 1],
      [5, 2],
      [7, 3],
    ] as const) {
      const made = chosen(n, m, BasisKind.QR, n);
      const { kernels, jacobian, jacobianRate, record, e, rate } = made;
      const start = jacobian.view.slice();
      // Directions of another state, so that R has entries above its last block.
      const move = (s: number) => {
        for (let i = 0; i < start.length; i++) {
          jacobian.view[i] = start[i] + (0.2 + s) * jacobianRate.view[i];
        }
        expect(kernels.frameFactor(n, m, jacobian.address, record.address)).toBe(Status.OK);
        const basis = basisIn(n, m, record.view);
        return multiply(n - m, n, 1, transpose(n, n - m, basis), e.view);
      };
      const h = 1e-4;
      const [before, after] = [move(-h), move(h)];
      const slope = after.map((value, i) => (value - before[i]) / (2 * h));
      move(0);
      const places = [record.address, e.address, rate.address] as const;
      kernels.frameRate(n, m, jacobianRate.address, ...places);
      expect(distance(rate.view.subarray(0, n - m), slope)).toBeLessThan(1e-6);
      expect(norm(slope)).toBeGreaterThan(1e-3);
    }
  });

  test("drops a row that has become dependent, and reports a lost direction", () => {
    const made = chosen(4, 2, BasisKind.QR);
    const { kernels, jacobian, record, right, x } = made;
    jacobian.view.set(jacobian.view.slice(0, 4), 4);
    expect(kernels.frameFactor(4, 2, jacobian.address, record.address)).toBe(Status.OK);
    kernels.frameParticular(4, 2, record.address, 1, right.address, x.address);
    expect(norm(x.view)).toBeLessThan(1e3);
    jacobian.view.set(basisIn(4, 2, record.view).slice(0, 4));
    const lost = kernels.frameFactor(4, 2, jacobian.address, record.address);
    expect(statusCode(lost)).toBe(Status.NO_CONVERGENCE);
    jacobian.view[1] = Number.NaN;
    const bad = kernels.frameFactor(4, 2, jacobian.address, record.address);
    expect(statusCode(bad)).toBe(Status.NON_FINITE);
  });

  test("keeps the directions of Gram-Schmidt while they are good", () => {
    const { record, choose, jacobian } = chosen(6, 3, BasisKind.GRAM_SCHMIDT);
    const first = basisIn(6, 3, record.view);
    jacobian.view.forEach((value, i) => {
      jacobian.view[i] = value * (1 + 1e-3 * Math.sin(i));
    });
    choose(1);
    const near = basisIn(6, 3, record.view);
    expect(distance(near, first)).toBeLessThan(0.1);
    jacobian.view.set(randomVector(seeded(99), 18));
    choose(1);
    const refreshed = basisIn(6, 3, record.view);
    choose(0);
    expect(distance(basisIn(6, 3, record.view), refreshed)).toBeLessThan(3);
    expect(norm(multiply(3, 6, 3, transpose(6, 3, jacobian.view), refreshed))).toBeLessThan(1e-13);
  });
});

describe("partition", () => {
  test("never makes pinned coordinates dependent", () => {
    for (let coordinate = 0; coordinate < 4; coordinate++) {
      const pinned = [0, 0, 0, 0].map((_, i) => (i === coordinate ? 1 : 0));
      const { record, status } = chosen(4, 3, BasisKind.LU, 5, pinned);
      expect(status).toBe(Status.OK);
      expect(record.view[tangentColumns(3) + 3]).toBe(coordinate);
    }
  });

  test("spans the same null space in rotated directions, and reports when it is lost", () => {
    const made = chosen(5, 2, BasisKind.GRAM_SCHMIDT);
    const { kernels, jacobian, record, right, x, e, taken, byColumns } = made;
    const r = record.address;
    expect(kernels.partitionFactor(5, 2, 1, jacobian.address, r)).toBe(Status.OK);
    const basis = basisIn(5, 2, record.view);
    expect(norm(multiply(2, 5, 3, byColumns, basis))).toBeLessThan(1e-13);
    kernels.partitionParticular(5, 2, 1, r, -2, right.address, x.address);
    const product = multiply(2, 5, 1, byColumns, x.view);
    expect(
      distance(
        product,
        right.view.map((value) => -2 * value),
      ),
    ).toBeLessThan(1e-13);
    kernels.tangentAdd(5, 2, r, e.address, x.address);
    kernels.partitionTake(5, 2, 1, r, x.address, taken.address);
    expect(distance(taken.view.subarray(0, 3), e.view.subarray(0, 3))).toBeLessThan(1e-13);
    jacobian.view.fill(0);
    const lost = kernels.partitionFactor(5, 2, 1, jacobian.address, r);
    expect(statusCode(lost)).toBe(Status.SINGULAR);
    expect(statusIndex(lost)).toBeGreaterThanOrEqual(5);
  });
});

test("requires a positive mass matrix only on the null space, and names it if it is not", () => {
  const { kernels, jacobian, mass, forces, record, x, zeta, a } = scratch({
    jacobian: [1, 0, 0],
    mass: [0, 0, 0, 0, 2, 0, 0, 0, 3],
    forces: [1, 4, 9],
    record: tangentSlots(3, 1),
    x: 3,
    zeta: 3,
    a: 3,
  });
  const r = record.address;
  kernels.tangentChoose(3, 1, BasisKind.QR, 0, 0, jacobian.address, mass.address, 0, r);
  const places = [mass.address, forces.address, x.address, zeta.address, a.address] as const;
  expect(kernels.reducedAccelerate(3, 1, r, ...places)).toBe(Status.OK);
  expect([...a.view].map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0, 2, 3]);
  mass.view[4] = -2;
  const status = kernels.reducedAccelerate(3, 1, r, ...places);
  expect(statusCode(status)).toBe(Status.NOT_POSITIVE);
  expect(statusIndex(status)).toBe(1);
});
