// A pass of the check at the end of an implicit step, compared with its formulas, and on linear equations, for which the
// error of the end is known.

import { describe, expect, test } from "vitest";
import { END_UNDECIDED, HIDDEN_ERROR } from "../../assembly/layout-radau.js";
import { seeded } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

const { kernels, take } = stiffModule();
const rms = (x: ArrayLike<number>, scale: ArrayLike<number>, count: number) =>
  Math.sqrt(
    Array.from({ length: count }, (_, i) => (x[i] / scale[i]) ** 2).reduce((a, b) => a + b, 0) /
      count,
  );

describe("endPass", () => {
  test("takes the multiple of the direction with the smallest residual", () => {
    const random = seeded(5);
    for (let n = 1; n <= 6; n++) {
      for (const differential of [n, Math.max(1, n - 2)]) {
        const vector = () => take(Float64Array.from({ length: n }, random));
        const [w, f, beyond, s, e] = [vector(), vector(), vector(), vector(), vector()];
        const scale = take(Float64Array.from({ length: n }, () => 1.5 + random()));
        const [g, factor, allowed] = [0.7, 3, 1e3];
        const [w0, f0, beyond0, s0, e0] = [w, f, beyond, s, e].map((x) => Array.from(x));
        const b = w0.map((x, i) => x - (g / factor) * (beyond0[i] - f0[i])).slice(0, differential);
        const dot = (x: readonly number[], y: readonly number[]) =>
          b.reduce((sum, _, i) => sum + (x[i] / scale[i]) * (y[i] / scale[i]), 0);
        const a = dot(s0, b) / dot(b, b);
        kernels.endPass(
          n,
          differential,
          g,
          factor,
          ...([w, f, beyond, scale, s, e].map((x) => x.byteOffset) as [
            number,
            number,
            number,
            number,
            number,
            number,
          ]),
          allowed,
        );
        for (let i = 0; i < n; i++) {
          expect(e[i]).toBeCloseTo(e0[i] + a * w0[i], 12);
          expect(s[i]).toBeCloseTo(i < differential ? s0[i] - a * b[i] : s0[i], 12);
        }
      }
    }
  });

  // y' = -K1 y in one unknown at the end, with the matrix of K0: (1 + g K1) e = s is found exactly.
  test.each([
    ["stiffness that ended hides its error", 1e6, 0, 50, 50],
    ["a small error is harmless", 1e6, 0, 0.5, 0],
    ["stiffness that stayed hides nothing", 1e6, 1e6, 50, 0],
    ["stiffness that began hides nothing", 0, 1e6, 50, 0],
    ["a large error is reported as large", 1e6, 0, 1e9, HIDDEN_ERROR],
  ])("%s", (_, k0, k1, residual, expected) => {
    const g = 0.1;
    const s = take([residual]);
    const w = take([residual / (1 + g * k0)]);
    const length = Math.abs(w[0]);
    const [y, trial, e, scale] = [take([2]), take([0]), take([0]), take([1])];
    const factor = kernels.endProbe(1, length, w.byteOffset, y.byteOffset, trial.byteOffset);
    expect(factor * length).toBeGreaterThan(0.999e-3);
    expect(trial[0]).toBe(2 + factor * w[0]);
    const [f, beyond] = [take([-k1 * 2]), take([-k1 * trial[0]])];
    const addresses = [w, f, beyond, scale, s, e].map((x) => x.byteOffset);
    const hidden = kernels.endPass(1, 1, g, factor, ...(addresses as [0, 0, 0, 0, 0, 0]), 1);
    if (expected === 0) expect(hidden).toBe(0);
    else expect(hidden / expected).toBeCloseTo(1, 4);
    expect(e[0] / (residual / (1 + g * k1))).toBeCloseTo(1, 4);
  });

  test("requests another pass for the residual left after a stiff mode", () => {
    // The first mode is as stiff as before, the second no longer is.
    const [g, k] = [0.1, 1e6];
    const s = take([40, 30]);
    const w = take([40 / (1 + g * k), 30 / (1 + g * k)]);
    const scale = take([1, 1]);
    const [f, beyond, e] = [take([0, 0]), take([-k * w[0], 0]), take([0, 0])];
    const addresses = [w, f, beyond, scale, s, e].map((x) => x.byteOffset);
    const hidden = kernels.endPass(2, 2, g, 1, ...(addresses as [0, 0, 0, 0, 0, 0]), 1);
    expect(hidden).toBe(END_UNDECIDED);
    expect(rms(s, scale, 2)).toBeCloseTo(30 / Math.SQRT2, 3);
  });
});
