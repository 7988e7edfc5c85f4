import fc from "fast-check";
import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { partOf } from "../../bench/cases/rotation.js";
import { naiveInverse } from "../oracles/lu.js";
import { aboutAxis, crossMatrix } from "../oracles/rotation.js";
import { bodies } from "../support/bodies.js";
import { distance, identity, multiply, norm } from "../support/matrix.js";
import { scratch } from "../support/scratch.js";

const updates = ["updateImplicit", "updateCayley", "updateExponential"] as const;

/** I + scale G. */
const shifted = (scale: number, g: Float64Array) => identity(4).map((one, i) => one + scale * g[i]);

describe("updates of Euler parameters", () => {
  test("rotationG is 1/2 [0 -w^T; w -w~], with square -|w|^2/4", () => {
    const { kernels, w, g } = bodies(1, 3);
    kernels.rotationG(w.address, g.address);
    const cross = crossMatrix(w.view);
    for (let i = 0; i < 3; i++) {
      expect(g.view[1 + i]).toBe(w.view[i] / 2);
      expect(g.view[4 * (1 + i)]).toBe(-w.view[i] / 2);
      for (let j = 0; j < 3; j++)
        expect(g.view[1 + i + 4 * (1 + j)] + cross[i + 3 * j] / 2).toBe(0);
    }
    expect(g.view[0]).toBe(0);
    const square = multiply(4, 4, 4, g.view, g.view);
    const expected = identity(4).map((one) => (-one * norm(w.view) ** 2) / 4);
    expect(distance(square, expected)).toBeLessThan(1e-15);
  });

  test("updates agree with dense solves and the exponential, for any step", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: -8, max: 8, noNaN: true }), (seed, h) => {
        const { kernels, w, e, out, g } = bodies(1, seed);
        kernels.rotationG(w.address, g.address);
        const inverse = (scale: number) => naiveInverse(4, shifted(scale, g.view));
        const times = (a: Float64Array) => multiply(4, 4, 1, a, e.view);
        const run = (name: (typeof updates)[number]) => {
          expect(kernels[name](1, h, w.address, e.address, out.address)).toBe(Status.OK);
          return out.view;
        };
        expect(distance(run("updateImplicit"), times(inverse(-h)))).toBeLessThan(1e-14);
        const cayley = multiply(4, 4, 4, inverse(-h / 2), shifted(h / 2, g.view));
        expect(distance(run("updateCayley"), times(cayley))).toBeLessThan(1e-14);
        const angle = norm(w.view) * h;
        const axis = [...w.view].map((x) => x / norm(w.view));
        kernels.updateExponential(1, h, w.address, e.address, out.address);
        const { kernels: other, a, b, c } = scratch({ a: e.view, b: aboutAxis(axis, angle), c: 4 });
        other.quaternionProduct(1, a.address, b.address, c.address);
        expect(distance(out.view, c.view)).toBeLessThan(1e-14);
      }),
      { seed: 1 },
    );
  });

  test("the exponential agrees with its series at angles around the switch and far below", () => {
    for (const size of [0, 1e-200, 1e-9, 1e-3, 0.0312, 0.03125, 0.0313, 0.4]) {
      const { kernels, e, w, out } = bodies(1, 5);
      w.view.set([size, 0, 0]);
      e.view.set([1, 0, 0, 0]);
      kernels.updateExponential(1, 1, w.address, e.address, out.address);
      expect(Math.abs(out.view[0] - Math.cos(size / 2))).toBeLessThan(2e-16);
      expect(Math.abs(out.view[1] - Math.sin(size / 2))).toBeLessThanOrEqual(2.3e-16 * size);
    }
  });

  test("updates have order 1, order 2 or are exact for constant w, and two keep the length", () => {
    const reach = (name: (typeof updates)[number], steps: number) => {
      const { kernels, w, e, out } = bodies(1, 7);
      out.view.set(e.view);
      for (let i = 0; i < steps; i++) {
        kernels[name](1, 2 / steps, w.address, out.address, out.address);
      }
      if (name !== "updateImplicit") expect(Math.abs(norm(out.view) - 1)).toBeLessThan(1e-13);
      const last = out.view.slice();
      kernels.updateExponential(1, 2, w.address, e.address, out.address);
      return distance(last, out.view);
    };
    for (const [name, order] of [
      ["updateImplicit", 1],
      ["updateCayley", 2],
    ] as const) {
      const seen = Math.log2(reach(name, 64) / reach(name, 128));
      expect(seen).toBeGreaterThan(order - 0.1);
      expect(seen).toBeLessThan(order + 0.1);
    }
    expect(reach("updateExponential", 64)).toBeLessThan(1e-14);
  });

  test("updates work on many bodies in place, and name the body that is not finite", () => {
    const count = 5;
    for (const name of updates) {
      const { kernels, w, e, out } = bodies(count, 9);
      const start = e.view.slice();
      expect(kernels[name](count, 0.3, w.address, e.address, out.address)).toBe(Status.OK);
      expect(e.view).toEqual(start);
      const all = out.view.slice();
      for (let body = 0; body < count; body++) {
        kernels[name](1, 0.3, w.address + 24 * body, e.address + 32 * body, out.address);
        expect(out.view.slice(0, 4)).toEqual(partOf(all, 4, body).slice());
      }
      kernels[name](count, 0.3, w.address, e.address, e.address);
      expect(e.view).toEqual(all);
      for (const [target, at] of [
        [w, 3 * 2 + 1],
        [e, 4 * 2 + 3],
      ] as const) {
        for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
          const kept = target.view[at];
          target.view[at] = bad;
          const status = kernels[name](count, 0.3, w.address, e.address, out.address);
          expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, 2]);
          target.view[at] = kept;
        }
      }
      expect(kernels[name](0, 0.3, w.address, e.address, out.address)).toBe(Status.OK);
      expect(statusCode(kernels[name](-1, 0.3, w.address, e.address, out.address))).toBe(
        Status.BAD_SIZE,
      );
    }
  });
});

describe("rates", () => {
  test("rates of many bodies are bitwise those of single bodies, and name the one that is not finite", () => {
    const count = 5;
    const { kernels, w, e, out } = bodies(count, 11);
    // Zeros have signs too.
    w.view.fill(0, 3, 6);
    const rates = (many: number, body: number) =>
      kernels.angularVelocityToRates(
        many,
        w.address + 24 * body,
        e.address + 32 * body,
        out.address,
      );
    expect(rates(count, 0)).toBe(Status.OK);
    const all = out.view.slice();
    for (let body = 0; body < count; body++) {
      expect(rates(1, body)).toBe(Status.OK);
      expect(out.view.slice(0, 4)).toEqual(partOf(all, 4, body).slice());
    }
    for (const bad of [0, 3, 4]) {
      const kept = e.view[4 * bad];
      e.view[4 * bad] = Number.NaN;
      const status = rates(count, 0);
      expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, bad]);
      e.view[4 * bad] = kept;
    }
  });

  test("rates equal G e, the derivative of the exponential, and are invertible for e of any length", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0.1, max: 10, noNaN: true }), (seed, length) => {
        const { kernels, w, e, f, out, vector, g } = bodies(1, seed);
        for (let i = 0; i < 4; i++) e.view[i] *= length;
        expect(kernels.angularVelocityToRates(1, w.address, e.address, out.address)).toBe(
          Status.OK,
        );
        kernels.rotationG(w.address, g.address);
        expect(distance(out.view, multiply(4, 4, 1, g.view, e.view))).toBeLessThan(1e-14);
        const status = kernels.ratesToAngularVelocity(1, e.address, out.address, vector.address);
        expect(status).toBe(Status.OK);
        expect(distance(vector.view, w.view)).toBeLessThan(1e-14);
        const rates = out.view.slice();
        kernels.updateExponential(1, 1e-5, w.address, e.address, out.address);
        kernels.updateExponential(1, -1e-5, w.address, e.address, f.address);
        const difference = out.view.map((x, i) => (x - f.view[i]) / 2e-5);
        expect(distance(difference, rates)).toBeLessThan(1e-8);
      }),
      { seed: 1 },
    );
  });
});
