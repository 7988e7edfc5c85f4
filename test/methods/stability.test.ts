import fc from "fast-check";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import {
  ab3,
  baumgarte,
  equations,
  heun,
  hong,
  type Method,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
  welch,
} from "nodrift";
import {
  baumgarteHeunMap,
  type Eigenvalue,
  eigenvalues,
  linearMap,
  measureDrift,
  spectralRadius,
  stabilityLimit,
  welchMap,
} from "nodrift/analysis";
import { welchDoublePendulum, welchDoublePendulumEquilibrium } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { fasterFrequency, linearPendulum } from "#experiments";
import { randomVector, seeded } from "../support/random.js";

/** Largest distance from an expected eigenvalue to the nearest unmatched one found. */
function mismatch(found: readonly Eigenvalue[], expected: readonly Eigenvalue[]): number {
  const left = [...found];
  return Math.max(
    0,
    ...expected.map(({ real, imaginary }) => {
      const distances = left.map((entry) =>
        Math.hypot(entry.real - real, entry.imaginary - imaginary),
      );
      const nearest = distances.indexOf(Math.min(...distances));
      left.splice(nearest, 1);
      return distances[nearest];
    }),
  );
}

describe("eigenvalues", () => {
  test("match those of another implementation", () => {
    for (let n = 1; n <= 20; n++) {
      const a = randomVector(seeded(n), n * n);
      // Ours is column-major, theirs row-major; the transpose has the same eigenvalues.
      const twin = new EigenvalueDecomposition(Matrix.from1DArray(n, n, a));
      const expected = twin.realEigenvalues.map((real, i) => ({
        real,
        imaginary: twin.imaginaryEigenvalues[i],
      }));
      expect(mismatch(eigenvalues(n, a), expected)).toBeLessThan(1e-10);
    }
  });

  test("returns the roots for a companion matrix", () => {
    const root = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(root, root, root), (roots) => {
        const [a, b, c] = roots.map((x, i) => x + 5 * i);
        const companion = [0, 1, 0, 0, 0, 1, a * b * c, -(a * b + b * c + a * c), a + b + c];
        const expected = [a, b, c].map((real) => ({ real, imaginary: 0 }));
        expect(mismatch(eigenvalues(3, companion), expected)).toBeLessThan(1e-9);
      }),
      { seed: 7 },
    );
  });

  test("lie on the unit circle for a cyclic permutation, which is its own QR step", () => {
    for (const n of [2, 3, 4, 8]) {
      const shift = Float64Array.from({ length: n * n }, (_, k) =>
        k % n === (Math.floor(k / n) + 1) % n ? 1 : 0,
      );
      const expected = Array.from({ length: n }, (_, k) => ({
        real: Math.cos((2 * Math.PI * k) / n),
        imaginary: Math.sin((2 * Math.PI * k) / n),
      }));
      expect(mismatch(eigenvalues(n, shift), expected)).toBeLessThan(1e-13);
    }
  });

  test("do not lose accuracy by bad scaling", () => {
    // Diagonal similarity of [2 1 0; 1 3 1; 0 1 4] with factors 1, 1e8 and 1e-8.
    const scaled = [2, 1e8, 0, 1e-8, 3, 1e-16, 0, 1e16, 4];
    const plain = [2, 1, 0, 1, 3, 1, 0, 1, 4];
    expect(mismatch(eigenvalues(3, scaled), eigenvalues(3, plain))).toBeLessThan(1e-13);
  });

  test("handles trivial matrices", () => {
    expect(eigenvalues(0, [])).toEqual([]);
    expect(eigenvalues(1, [-3])).toEqual([{ real: -3, imaginary: 0 }]);
    expect(spectralRadius(3, new Float64Array(9))).toBe(0);
    expect(spectralRadius(2, [0, -4, 1, 0])).toBeCloseTo(2, 14);
  });

  test("rejects invalid input, and leaves the input unchanged", () => {
    expect(() => eigenvalues(2, [1, 2, 3])).toThrow("3 numbers are not 2^2");
    expect(() => eigenvalues(1, [Number.NaN])).toThrow("give a finite number");
    const matrix = [1, 2, 3, 4];
    eigenvalues(2, matrix);
    expect(matrix).toEqual([1, 2, 3, 4]);
  });
});

describe("linearMap", () => {
  const { mass, jacobian } = linearPendulum;
  const linear = equations({
    coordinates: 6,
    mass,
    forces: (_q, _v, out) => void out.fill(0),
    holonomic: {
      rows: 4,
      value: (q, out) => {
        for (const [i, row] of jacobian.entries()) {
          out[i] = row.reduce<number>((sum, entry, j) => sum + entry * q[j], 0);
        }
      },
    },
  });
  const q = new Float64Array(6);
  const step = 0.05;

  function expectSame(found: Float64Array, expected: Float64Array): void {
    for (const [i, entry] of found.entries()) {
      expect(Math.abs(entry - expected[i])).toBeLessThan(1e-9);
    }
  }

  test("matches the step of Welch's method", () => {
    const method: Method = { coupled: welch() };
    expectSame(linearMap(linear, { method, step, q }), welchMap({ ...linearPendulum, step }));
  });

  test("matches the step of Baumgarte's with Heun's method", () => {
    const [alpha, beta] = [7, 11];
    const stabilisation = baumgarte({ alpha, beta });
    const method: Method = { formulation: udwadiaKalaba(), stabilisation, integrator: heun() };
    const expected = baumgarteHeunMap({ ...linearPendulum, step, alpha, beta });
    expectSame(linearMap(linear, { method, step, q }), expected);
  });

  test.each([1e-4, 0.01, 0.0664, 1, 10])("rho(X) = rho(Lambda) = 1 at step %d", (h) => {
    const map = welchMap({ ...linearPendulum, step: h });
    expect(Math.abs(spectralRadius(12, map) - 1)).toBeLessThan(1e-6);
    const expected = [0, -1, 1].flatMap((real) => Array(4).fill({ real, imaginary: 0 }));
    expect(mismatch(eigenvalues(12, map), expected)).toBeLessThan(1e-6);
    const gains = { alpha: 1 / h, beta: 1 / h };
    const other = baumgarteHeunMap({ ...linearPendulum, step: h, ...gains });
    expect(Math.abs(spectralRadius(12, other) - 1)).toBeLessThan(1e-6);
  });

  test("grows for Baumgarte gains that are too large for the step", () => {
    const map = baumgarteHeunMap({ ...linearPendulum, step: 0.1, alpha: 30, beta: 30 });
    expect(spectralRadius(12, map)).toBeGreaterThan(2);
  });

  test("supports a full mass matrix", () => {
    const full = mass.map((entry, i) => mass.map((_, j) => (i === j ? entry : 0)));
    const system = { jacobian, step };
    expectSame(welchMap({ ...system, mass: full }), welchMap({ ...system, mass }));
  });
});

describe("stabilityLimit of the hanging double pendulum", () => {
  const { equations: pendulum } = welchDoublePendulum;
  const q = welchDoublePendulumEquilibrium;
  const bracket = { stable: 0.05, unstable: 1 };

  test.each([
    [welch({ passes: 1 }), Math.SQRT2, 0.4357],
    [welch(), Math.SQRT2, 0.4357],
    [hong(), 2, 0.6162],
  ] as const)("with $name", (coupled, omegaStep, seconds) => {
    const limit = stabilityLimit(pendulum, { method: { coupled }, q, ...bracket });
    expect(limit * fasterFrequency).toBeCloseTo(omegaStep, 4);
    expect(limit).toBeCloseTo(seconds, 4);
  });

  test("rejects a bracket without the limit", () => {
    const method: Method = { coupled: welch() };
    const search = () => stabilityLimit(pendulum, { method, q, stable: 0.01, unstable: 0.02 });
    expect(search).toThrow(
      "`stable` must be a stable step and `unstable` an unstable one; got 0.01",
    );
  });

  test("rejects multistep methods", () => {
    const method: Method = { formulation: udwadiaKalaba(), integrator: ab3() };
    expect(() => linearMap(pendulum, { method, step: 0.01, q })).toThrow("is a multistep method");
  });
});

describe("drift fits", () => {
  const pendulum = equations({
    coordinates: 2,
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -9.81;
    },
    holonomic: {
      rows: 1,
      value: (q, out) => {
        out[0] = q[0] ** 2 + q[1] ** 2 - 1;
      },
    },
  });
  const run = (method: Method, until: number) =>
    measureDrift(simulate(pendulum, { method, step: 0.01, q: [1, 0] }), until);

  test("show growth without a stabilisation, and none with constraints in the step", () => {
    const formulation = udwadiaKalaba();
    const free = run({ formulation, integrator: rk4() }, 50);
    expect(free.exponent).toBeGreaterThan(0.9);
    for (const coupled of [hong(), welch()]) {
      expect(Math.abs(run({ coupled }, 50).exponent)).toBeLessThan(0.1);
    }
    const projected = run({ formulation, stabilisation: projection(), integrator: rk4() }, 50);
    expect(projected.largest).toBeLessThan(1e-13);
  });

  test("reject too few steps", () => {
    expect(() => run({ coupled: welch() }, 0.03)).toThrow("run longer");
  });
});
