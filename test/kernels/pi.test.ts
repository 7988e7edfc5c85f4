import { Status } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { type Complex, naiveComplexSolve } from "../oracles/complex-lu.js";
import { naiveInverse } from "../oracles/lu.js";
import { randomMatrix, randomVector, seeded, symmetricMatrix } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

/** A B, column-major. */
function product(n: number, a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [at % n, Math.floor(at / n)];
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[i + n * k] * b[k + n * j];
    return sum;
  });
}

/** p'' = a(p, p'): M, and J1 and J2 with their products with M. */
function motion(n: number, seed: number) {
  const random = seeded(seed);
  const m = symmetricMatrix(random, n, 100);
  const [j1, j2] = [randomMatrix(random, n), randomMatrix(random, n)];
  return { m, j1, j2, mj1: product(n, m, j1), mj2: product(n, m, j2) };
}

/** (I - alpha df/dy)^-1 b for the full df/dy = [0 I; J1 J2]. */
function naive(n: number, { j1, j2 }: ReturnType<typeof motion>, alpha: Complex, b: Complex[]) {
  const scaled = (value: number): Complex => [alpha[0] * value, alpha[1] * value];
  const rows = Array.from({ length: 2 * n }, (_, i) =>
    Array.from({ length: 2 * n }, (_column, j): Complex => {
      const whole = i < n ? Number(j === i + n) : (j < n ? j1 : j2)[i - n + n * (j % n)];
      const [real, imaginary] = scaled(whole);
      return [Number(i === j) - real, -imaginary];
    }),
  );
  return naiveComplexSolve(rows, b);
}

const SIZES = [1, 2, 3, 5, 8, 14];

describe.each(SIZES)("Pi of %i coordinates", (n) => {
  test("complex Pi solves like the full system, also in place", () => {
    const given = motion(n, n);
    const { kernels, take } = stiffModule();
    const [m, mj1, mj2] = [given.m, given.mj1, given.mj2].map(take);
    const [factor, pivots] = [take(new Float64Array(2 * n * n)), take(new Float64Array(n))];
    const [x, scratch] = [take(new Float64Array(4 * n)), take(new Float64Array(4 * n))];
    const b = take(randomVector(seeded(n + 50), 4 * n));
    const right = b.slice();
    for (const [re, im] of [
      [0.3, 0.4],
      [0.02, -0.7],
      [-1.1, 0.2],
    ]) {
      const [mass, one, two] = [m, mj1, mj2].map(({ byteOffset }) => byteOffset);
      kernels.complexPi(n, re, im, mass, one, two, factor.byteOffset);
      expect(kernels.complexLuFactor(n, factor.byteOffset, pivots.byteOffset)).toBe(Status.OK);
      const solve = (from: Float64Array, to: Float64Array) =>
        kernels.complexPiSolve(
          n,
          re,
          im,
          mass,
          one,
          factor.byteOffset,
          pivots.byteOffset,
          from.byteOffset,
          to.byteOffset,
          scratch.byteOffset,
        );
      solve(b, x);
      expect(b).toEqual(right);
      const numbers = Array.from({ length: 2 * n }, (_, i): Complex => [b[i], b[i + 2 * n]]);
      const expected = naive(n, given, [re, im], numbers);
      const size = Math.max(...expected.flat().map(Math.abs));
      for (const [i, [real, imaginary]] of expected.entries()) {
        expect(Math.abs(x[i] - real) / size).toBeLessThan(1e-10);
        expect(Math.abs(x[i + 2 * n] - imaginary) / size).toBeLessThan(1e-10);
      }
      const same = take(b);
      solve(same, same);
      expect(same).toEqual(x);
    }
    expect([m, mj1, mj2]).toEqual([given.m, given.mj1, given.mj2]);
  });

  test("complex Pi is M - alpha M J2 - alpha^2 M J1", () => {
    const { m, mj1, mj2 } = motion(n, n + 9);
    const { kernels, take } = stiffModule();
    const out = take(new Float64Array(2 * n * n));
    const [mass, one, two] = [m, mj1, mj2].map((values) => take(values).byteOffset);
    kernels.complexPi(n, 0.6, -0.8, mass, one, two, out.byteOffset);
    // (0.6 - 0.8 i)^2 = -0.28 - 0.96 i
    for (let i = 0; i < n * n; i++) {
      expect(out[2 * i]).toBeCloseTo(m[i] - 0.6 * mj2[i] + 0.28 * mj1[i], 13);
      expect(out[2 * i + 1]).toBeCloseTo(0.8 * mj2[i] + 0.96 * mj1[i], 13);
    }
  });

  test("Pi^-1 times the right-hand side is the lower half of the full solution", () => {
    const alpha = 0.37;
    const given = motion(n, n + 20);
    const { m, mj1, mj2 } = given;
    const { kernels, take } = stiffModule();
    const b = take(randomVector(seeded(n), 2 * n));
    const out = take(new Float64Array(n + 1).fill(7));
    const { byteOffset } = b;
    const [mass, one] = [take(m).byteOffset, take(mj1).byteOffset];
    kernels.piRight(n, alpha, mass, one, byteOffset, byteOffset + 8 * n, out.byteOffset);
    expect(out[n]).toBe(7);
    const inverse = naiveInverse(
      n,
      m.map((x, i) => x - alpha * mj2[i] - alpha ** 2 * mj1[i]),
    );
    const expected = naive(
      n,
      given,
      [alpha, 0],
      [...b].map((value): Complex => [value, 0]),
    );
    const size = Math.max(...expected.flat().map(Math.abs));
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += inverse[i + n * j] * out[j];
      expect(Math.abs(sum - expected[n + i][0]) / size).toBeLessThan(1e-10);
    }
  });
});
