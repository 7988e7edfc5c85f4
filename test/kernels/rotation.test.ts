import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { partOf } from "../../bench/cases/rotation.js";
import { aboutAxis, crossMatrix, rodrigues } from "../oracles/rotation.js";
import { bodies } from "../support/bodies.js";
import { distance, identity, multiply, transpose } from "../support/matrix.js";
import { scratch } from "../support/scratch.js";

const refused = [
  [0, Status.SINGULAR],
  [Number.NaN, Status.NON_FINITE],
  [Number.POSITIVE_INFINITY, Status.NON_FINITE],
] as const;

describe("normalise", () => {
  test("makes unit length of any length, in place, and keeps the direction", () => {
    for (const scale of [1e-300, 1e-160, 1e-101, 1, 1e101, 1e160, 1e300]) {
      const { kernels, e } = scratch({ e: [1, -2, 3, -4].map((x) => x * scale) });
      expect(kernels.normalise(1, e.address, e.address)).toBe(Status.OK);
      const expected = [1, -2, 3, -4].map((x) => x / Math.sqrt(30));
      expect(distance(e.view, expected)).toBeLessThan(3e-16);
    }
  });

  test("names the zero and the non-finite quaternion", () => {
    for (const [value, code] of refused) {
      const { kernels, e, out } = bodies(3, 1);
      e.view.fill(value, 4, 8);
      const status = kernels.normalise(3, e.address, out.address);
      expect([statusCode(status), statusIndex(status)]).toEqual([code, 1]);
    }
    const { kernels, e } = bodies(1, 1);
    expect(statusCode(kernels.normalise(-1, e.address, e.address))).toBe(Status.BAD_SIZE);
  });
});

describe("rotations", () => {
  test("matrices are Rodrigues' for an axis and an angle, whatever the length of e", () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [2 / 3, -1 / 3, 2 / 3],
    ]) {
      for (const angle of [0, 0.3, -2, Math.PI]) {
        const { kernels, e, r } = scratch({ e: aboutAxis(axis, angle).map((x) => 3 * x), r: 9 });
        expect(kernels.rotationMatrix(1, e.address, r.address)).toBe(Status.OK);
        expect(distance(r.view, rodrigues(axis, angle))).toBeLessThan(1e-15);
      }
    }
  });

  test("products of quaternions are products of matrices, and vectors follow them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(), (count, seed) => {
        const { kernels, e, f, v, out, vector, r, s, t } = bodies(count, seed);
        const before = [e, f, v].map(({ view }) => view.slice());
        kernels.quaternionProduct(count, e.address, f.address, out.address);
        for (const [q, matrix] of [
          [e, r],
          [f, s],
          [out, t],
        ] as const) {
          expect(kernels.rotationMatrix(count, q.address, matrix.address)).toBe(Status.OK);
        }
        expect(kernels.rotateVector(count, f.address, v.address, vector.address)).toBe(Status.OK);
        for (let body = 0; body < count; body++) {
          const of = (view: Float64Array) => partOf(view, 9, body);
          expect(distance(multiply(3, 3, 3, of(r.view), of(s.view)), of(t.view))).toBeLessThan(
            1e-14,
          );
          const square = multiply(3, 3, 3, of(s.view), transpose(3, 3, of(s.view)));
          expect(distance(square, identity(3))).toBeLessThan(1e-14);
          const rotated = multiply(3, 3, 1, of(s.view), partOf(v.view, 3, body));
          expect(distance(rotated, partOf(vector.view, 3, body))).toBeLessThan(1e-14);
        }
        kernels.rotateVectorBack(count, f.address, vector.address, vector.address);
        expect(distance(vector.view, v.view)).toBeLessThan(1e-14);
        expect([e, f, v].map(({ view }) => view.slice())).toEqual(before);
        kernels.quaternionProduct(count, e.address, f.address, f.address);
        expect(f.view).toEqual(out.view);
      }),
      { seed: 1 },
    );
  });

  test("Rdot = R w~ for w in the body frame", () => {
    const { kernels, e, w, out, r, s, t } = bodies(1, 11);
    kernels.rotationMatrix(1, e.address, r.address);
    for (const [h, to] of [
      [1e-5, s],
      [-1e-5, t],
    ] as const) {
      kernels.updateExponential(1, h, w.address, e.address, out.address);
      kernels.rotationMatrix(1, out.address, to.address);
    }
    const difference = s.view.map((x, i) => (x - t.view[i]) / 2e-5);
    const expected = multiply(3, 3, 3, r.view, crossMatrix(w.view));
    expect(distance(difference, expected)).toBeLessThan(1e-9);
  });

  test("zero and non-finite quaternions are named, and sizes checked", () => {
    for (const [value, code] of refused) {
      const { kernels, e, f, v, vector, r } = bodies(3, 1);
      e.view.fill(value, 8, 12);
      for (const call of [
        (count: number) => kernels.rotationMatrix(count, e.address, r.address),
        (count: number) => kernels.rotateVector(count, e.address, v.address, vector.address),
        (count: number) => kernels.rotateVectorBack(count, e.address, v.address, vector.address),
        (count: number) =>
          kernels.ratesToAngularVelocity(count, e.address, f.address, vector.address),
      ]) {
        expect([statusCode(call(3)), statusIndex(call(3))]).toEqual([code, 2]);
        expect(statusCode(call(-1))).toBe(Status.BAD_SIZE);
        expect(call(0)).toBe(Status.OK);
      }
    }
    const { kernels, e, f, w, v, out, vector } = bodies(2, 1);
    v.view[4] = Number.NaN;
    const bad = kernels.rotateVector(2, e.address, v.address, vector.address);
    expect([statusCode(bad), statusIndex(bad)]).toEqual([Status.NON_FINITE, 1]);
    f.view[0] = Number.POSITIVE_INFINITY;
    const rates = kernels.ratesToAngularVelocity(2, e.address, f.address, vector.address);
    expect([statusCode(rates), statusIndex(rates)]).toEqual([Status.NON_FINITE, 0]);
    const product = kernels.quaternionProduct(-1, e.address, f.address, out.address);
    expect(statusCode(product)).toBe(Status.BAD_SIZE);
    const turned = kernels.angularVelocityToRates(-1, w.address, e.address, out.address);
    expect(statusCode(turned)).toBe(Status.BAD_SIZE);
  });
});
