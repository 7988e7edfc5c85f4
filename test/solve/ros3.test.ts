// ROS3: conditions of order 3 for Rosenbrock methods (Hairer and Wanner, Solving ODEs II, section IV.7), L-stability, and
// what a step costs.

import { compile, model } from "nodrift/bodies";
import { ode, ros3, solve, start, stateSpace } from "nodrift/solve";
import { describe, expect, it } from "vitest";
import { ros3Tableau } from "../../src/methods/integrators/ros3/ros3.js";
import { naiveInverse } from "../oracles/lu.js";

const { gamma, a, c, alpha: times, gammaSums, error } = ros3Tableau;
const at = (rows: readonly (readonly number[])[], i: number, j: number) => rows[i]![j] ?? 0;
const three = [0, 1, 2];

/** gamma_ij: u = Gamma k, and Gamma^-1 = I / gamma - C. */
const columns = naiveInverse(
  3,
  Float64Array.from(
    { length: 9 },
    (_, n) => (n % 3 === Math.floor(n / 3) ? 1 / gamma : 0) - at(c, n % 3, Math.floor(n / 3)),
  ),
);
const gammas = (i: number, j: number) => columns[i + 3 * j]!;
const alphas = (i: number, j: number) => three.reduce((s, k) => s + at(a, i, k) * gammas(k, j), 0);
const weights = (m: readonly number[]) =>
  three.map((j) => three.reduce((s, i) => s + m[i]! * gammas(i, j), 0));
const alpha = three.map((i) => three.reduce((s, j) => s + alphas(i, j), 0));
const beta = three.map((i) => three.reduce((s, j) => s + alphas(i, j) + gammas(i, j), 0));
const sum = (term: (i: number) => number) => three.reduce((s, i) => s + term(i), 0);

describe("coefficients of ros3", () => {
  const b = weights(a[3]!);
  it("fulfil the four conditions of order 3", () => {
    expect(sum((i) => b[i]!)).toBeCloseTo(1, 13);
    expect(sum((i) => b[i]! * beta[i]!)).toBeCloseTo(1 / 2, 13);
    expect(sum((i) => b[i]! * alpha[i]! ** 2)).toBeCloseTo(1 / 3, 13);
    const chained = (i: number) => sum((j) => (alphas(i, j) + gammas(i, j)) * beta[j]!);
    expect(sum((i) => b[i]! * chained(i))).toBeCloseTo(1 / 6, 13);
  });
  it("keep that order with df/dy of an earlier step: the sum of b_i gamma_i is zero", () => {
    expect(sum((i) => b[i]! * alpha[i]!)).toBeCloseTo(1 / 2, 13);
    expect(sum((i) => b[i]! * sum((j) => gammas(i, j)))).toBeCloseTo(0, 13);
  });
  it("the estimate has order 2, and times and sums agree", () => {
    const other = weights(a[3]!.map((m, i) => m - error[i]!));
    expect(sum((i) => other[i]!)).toBeCloseTo(1, 13);
    expect(sum((i) => other[i]! * beta[i]!)).toBeCloseTo(1 / 2, 13);
    for (const i of three) {
      expect(times[i]).toBeCloseTo(alpha[i]!, 13);
      expect(gammaSums[i]).toBeCloseTo(
        sum((j) => gammas(i, j)),
        13,
      );
    }
  });
  it("make it L-stable: |R| <= 1 on the imaginary axis, and 0 at infinity", () => {
    // R(z) = P(z) / (1 - gamma z)^3 with P by the series of exp: terms of z^3 vanish.
    const g = gamma;
    const p = [1, 1 - 3 * g, 1 / 2 - 3 * g + 3 * g * g];
    const cubic = 1 / 6 - (3 / 2) * g + 3 * g * g - g ** 3;
    expect(cubic).toBeCloseTo(0, 13);
    for (let y = 0.01; y < 1e6; y *= 1.1) {
      const [re, im] = [1 - p[2]! * y * y, p[1]! * y];
      expect(Math.hypot(re, im) / (1 + g * g * y * y) ** 1.5).toBeLessThanOrEqual(1 + 1e-12);
    }
  });
});

describe("ros3", () => {
  it("damps what is infinitely stiff in one step", () => {
    const fast = ode({
      names: ["y"],
      rate: (_t, y, out) => {
        out[0] = -1e12 * y[0]!;
      },
      jacobian: (_t, _y, out) => {
        out[0] = -1e12;
      },
    });
    const run = start(fast, { span: [0, 1], y: [1], integrator: ros3(), step: 0.1 });
    run.step();
    expect(Math.abs((run.state as unknown as { y: Float64Array }).y[0]!)).toBeLessThan(1e-9);
  });

  it("ros3 has order 3 with forces that depend on time, and on a stiff loop", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const body = m.body({ name: "b", mass: 1, inertia: [1, 1, 1], position: [1.2, 0, 0] });
    m.prismatic({ between: [m.ground, body], axis: [1, 0, 0] });
    m.spring({
      between: [m.ground, body],
      length: 1,
      force: (length, rate, t) => -30 * (length - 1) ** 3 - rate + Math.cos(3 * t),
    });
    const system = await compile(m);
    const method = { formulation: stateSpace(), integrator: ros3() };
    const exact = solve(system, { span: [0, 2], tolerance: 1e-13, output: "ends" }).end.q[0]!;
    const errors = [50, 100, 200].map((count) => {
      const simulation = system.simulate({ step: 2 / count, method });
      return Math.abs(simulation.runTo(2).q[0]! - exact);
    });
    const order = Math.log2(errors[1]! / errors[2]!);
    expect(Math.abs(order - 3)).toBeLessThan(0.2);
  });

  it("ros3 has order 3 with each Jacobian used twice while df/dy and df/dt vary fast", () => {
    // y = (sin t, cos 2t) is a solution that others come near to.
    const system = ode({
      names: ["y", "z"],
      rate: (t, [y, z], out) => {
        const [p, q] = [y! - Math.sin(t), z! - Math.cos(2 * t)];
        const s = Math.sin(6 * t);
        out[0] = Math.cos(t) + s * q - 2 * p + p * y!;
        out[1] = -2 * Math.sin(2 * t) - 3 * s * p - q * z! * z!;
      },
    });
    const given = { span: [0, 2], y: [0.5, 0.4], output: "ends" } as const;
    const close = solve(system, { ...given, tolerance: 1e-13 }).end.y;
    const [long, short] = [200, 400].map((count) => {
      const { end, statistics } = solve(system, { ...given, step: 2 / count, integrator: ros3() });
      // The last step is longer or shorter by rounding.
      expect(statistics.implicit!.jacobians).toBeLessThanOrEqual(count / 2 + 1);
      return Math.hypot(end.y[0]! - close[0]!, end.y[1]! - close[1]!);
    });
    expect(Math.abs(Math.log2(long! / short!) - 3)).toBeLessThan(0.2);
  });

  it("takes one Jacobian and one factorisation in two steps, and new ones where the length changes", async () => {
    const system = await compile(stiff());
    // 0.125 s are 32 steps to the last bit.
    const { statistics } = solve(system, { span: [0, 0.125], step: 1 / 256, integrator: ros3() });
    expect(statistics.steps).toBe(32);
    expect(statistics.implicit).toMatchObject({ jacobians: 16, factorisations: 16 });
    const method = { formulation: stateSpace(), integrator: ros3() };
    const [one, other] = [1 / 256, 1 / 512].map((step) => system.simulate({ step, method }));
    one!.advance();
    one!.setStep(1 / 512);
    other!.setState(one!.q, one!.v, { time: one!.time });
    // Values computed for the long step are not reused for a short one: both continue bitwise identically.
    expect([...one!.advance().q]).toEqual([...other!.advance().q]);
  });
});

function stiff() {
  const m = model();
  const body = m.body({ name: "b", mass: 1, inertia: [1, 1, 1], position: [0, 0, -1] });
  m.revolute({ between: [m.ground, body], at: [0, 0, 0], axis: [0, 1, 0] });
  m.spring({ between: [m.ground, body], stiffness: 1e8, damping: 1e5, atA: [1, 0, 0] });
  return m;
}
