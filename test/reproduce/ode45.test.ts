// ode45 as published, on motions with a known exact solution.

import { describe, expect, test } from "vitest";
import { comparisons, exactAngles, ode45Angles } from "#experiments";

const { pendulum } = comparisons;
const largest = (a: Float64Array, b: Float64Array) =>
  a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);

describe("ode45Angles", () => {
  test("follows an oscillator, also between steps", () => {
    const oscillator = { ...pendulum, acceleration: (angle: number) => -angle, start: [1, 0] };
    const angles = ode45Angles(oscillator as unknown as typeof pendulum, 10);
    expect(angles.length).toBe(1001);
    const exact = Float64Array.from(angles, (_, i) => Math.cos(i / 100));
    expect(largest(angles, exact)).toBeLessThan(1e-10);
    expect(largest(angles, exact)).toBeGreaterThan(1e-13);
  });

  test("makes a phase error that grows with the square of time, to 3.4e-7 in 1000 s", () => {
    // An independent implementation of ode45 found 3.4e-7, with the angle counted from the horizontal.
    const error = largest(ode45Angles(pendulum, 200), exactAngles(pendulum, 200));
    expect(error / (3.4e-7 * 0.2 ** 2)).toBeGreaterThan(0.8);
    expect(error / (3.4e-7 * 0.2 ** 2)).toBeLessThan(1.25);
  });
});
