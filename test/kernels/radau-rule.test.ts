// The step size and convergence rules of Radau IIA, compared with the formulas of Hairer and Wanner, Solving
// ODEs II, section IV.8.

import { describe, expect, test } from "vitest";
import { RadauKept, RadauVerdict } from "../../assembly/layout-radau.js";
import { stiffModule } from "../support/stiff-module.js";

const { kernels, take } = stiffModule();

type Kept = Partial<Record<keyof typeof RadauKept, number>>;
const USUAL: Kept = { ITERATIONS: 1, PREVIOUS_LENGTH: 0.1, CONTRACTION: 0.002 };

function keptOf(numbers: Kept): Float64Array {
  const kept = take(new Float64Array(RadauKept.LENGTH));
  for (const [name, value] of Object.entries({ ...USUAL, ...numbers })) {
    kept[RadauKept[name as keyof typeof RadauKept]] = value;
  }
  return kept;
}

describe("radauNext", () => {
  const factorAfter = (numbers: Kept, error: number) =>
    kernels.radauNext(keptOf(numbers).byteOffset, 0.1, error);

  test("returns 0.9 h e^(-1/4) after the first step", () => {
    for (const error of [0.01, 0.1, 0.5]) {
      expect(factorAfter({}, error)).toBeCloseTo(0.9 * error ** -0.25, 12);
    }
  });

  test("shortens the step if errors grow: h / h' (e' / e^2)^(1/4)", () => {
    for (const [previousLength, previousError, error] of [
      [0.1, 0.05, 0.4],
      [0.2, 0.3, 0.5],
      [0.05, 0.02, 0.3],
    ]) {
      const predicted = (0.1 / previousLength) * (previousError / error ** 2) ** 0.25;
      const expected = 0.9 * Math.min(error ** -0.25, predicted);
      const numbers = { PREVIOUS_LENGTH: previousLength, PREVIOUS_ERROR: previousError };
      expect(factorAfter(numbers, error)).toBeCloseTo(expected, 12);
    }
  });

  test("stores the error, with a lower bound of 0.01", () => {
    for (const [error, remembered] of [
      [0.3, 0.3],
      [1e-5, 0.01],
    ]) {
      const kept = keptOf({});
      kernels.radauNext(kept.byteOffset, 0.1, error);
      expect(kept[RadauKept.PREVIOUS_ERROR]).toBe(remembered);
    }
  });

  test("shortens the step by 15 / (14 + k) after k of 7 allowed iterations", () => {
    for (const k of [2, 4, 7]) {
      expect(factorAfter({ ITERATIONS: k }, 0.2)).toBeCloseTo(
        0.9 * (15 / (14 + k)) * 0.2 ** -0.25,
        12,
      );
    }
  });

  test("limits growth to eightfold and shrinkage to fivefold", () => {
    expect(factorAfter({}, 1e-12)).toBe(8);
    expect(factorAfter({}, 1e12)).toBe(1 / 5);
    expect(factorAfter({}, 1.01)).toBeCloseTo(0.9 * 1.01 ** -0.25, 12);
    for (const error of [Number.POSITIVE_INFINITY, Number.NaN])
      expect(factorAfter({}, error)).toBe(0.1);
  });

  test("does not grow after a rejection, nor slightly while the factors can be kept", () => {
    const kept = keptOf({});
    kernels.radauNext(kept.byteOffset, 0.1, 2);
    expect(kept[RadauKept.REJECTED]).toBe(1);
    expect(factorAfter({ REJECTED: 1 }, 1e-4)).toBe(1);
    expect(factorAfter({ CONTRACTION: 1e-4 }, 0.5)).toBe(1);
    expect(factorAfter({ CONTRACTION: 1e-4 }, 0.1)).toBeGreaterThan(1.2);
    expect(factorAfter({ CONTRACTION: 1e-4 }, 0.9)).toBeLessThan(1);
  });

  test("does not grow beyond the length at which iterations contract by 1/4, as h^2", () => {
    expect(factorAfter({ CONTRACTION: 0.1 }, 1e-4)).toBeCloseTo(Math.sqrt(0.25 / 0.1), 12);
    expect(factorAfter({ CONTRACTION: 0.1 }, 0.5)).toBeCloseTo(0.9 * 0.5 ** -0.25, 12);
    expect(factorAfter({ CONTRACTION: 0.6 }, 1e-4)).toBe(1);
    expect(factorAfter({ CONTRACTION: 0.6 }, 0.9)).toBeLessThan(1);
  });
});

describe("radauJudge", () => {
  /** The verdict on each change, up to the final one, with the stored state. */
  function judged(sizes: readonly number[], { eta = 1, rounding = 0, most = 7, first = 0 } = {}) {
    const kept = keptOf({ ETA: eta, FIRST: first });
    const verdicts: RadauVerdict[] = [];
    for (const [i, size] of sizes.entries()) {
      verdicts.push(kernels.radauJudge(kept.byteOffset, i + 1, size, 0.01, rounding, most));
    }
    return { kept, verdicts, last: verdicts.at(-1) };
  }

  test("accepts the first iteration if eta of the previous step predicts convergence", () => {
    expect(judged([0.5], { eta: 0.01 }).last).toBe(RadauVerdict.CONVERGED);
    expect(judged([0.5], { eta: 0.03 }).last).toBe(RadauVerdict.GO_ON);
  });

  test("accepts if theta / (1 - theta) times the last change is small enough", () => {
    const { kept, verdicts } = judged([1, 0.1, 0.001]);
    expect(verdicts).toEqual([RadauVerdict.GO_ON, RadauVerdict.GO_ON, RadauVerdict.CONVERGED]);
    // The geometric mean of both quotients.
    const theta = Math.sqrt(0.1 * 0.01);
    expect(kept[RadauKept.CONTRACTION]).toBeCloseTo(theta, 15);
    expect(kept[RadauKept.SLOWNESS]).toBeCloseTo(theta / (1 - theta), 15);
    expect(kept[RadauKept.ITERATIONS]).toBe(3);
  });

  test("reports divergence if changes grow, are NaN, or there are too many", () => {
    expect(judged([1, 0.995]).last).toBe(RadauVerdict.DIVERGED);
    expect(judged([Number.NaN]).last).toBe(RadauVerdict.DIVERGED);
    expect(judged([Number.POSITIVE_INFINITY]).last).toBe(RadauVerdict.DIVERGED);
    expect(judged([1], { most: 1 }).last).toBe(RadauVerdict.DIVERGED);
  });

  test("continues after a first quotient below its own bound, and forgets it", () => {
    expect(judged([1, 1.5], { first: 2 }).last).toBe(RadauVerdict.GO_ON);
    expect(judged([1, 2.5], { first: 2 }).last).toBe(RadauVerdict.DIVERGED);
    expect(judged([1, 1.5, 2.25], { first: 2 }).last).toBe(RadauVerdict.DIVERGED);
    // A slow quotient is that of the matrix.
    expect(judged([1, 0.8], { first: 2 }).last).toBe(RadauVerdict.TOO_SLOW);
    const { kept, last } = judged([1, 1.5, 0.015], { first: 2 });
    expect(last).toBe(RadauVerdict.CONVERGED);
    expect(kept[RadauKept.CONTRACTION]).toBeCloseTo(0.01, 12);
  });

  test("reports slow convergence with the predicted excess", () => {
    const { kept, last } = judged([1, 0.5]);
    expect(last).toBe(RadauVerdict.TOO_SLOW);
    expect(kept[RadauKept.EXCESS]).toBeCloseTo((0.5 / 0.01) * 0.5 ** 4, 12);
  });

  test("accepts small changes that stall, as they are rounding", () => {
    expect(judged([0.2, 0.15], { rounding: 0.2 }).last).toBe(RadauVerdict.CONVERGED);
    expect(judged([0.2, 0.15], { rounding: 0.1 }).last).toBe(RadauVerdict.TOO_SLOW);
  });
});
