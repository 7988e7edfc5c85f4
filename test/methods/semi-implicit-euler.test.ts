// Semi-implicit Euler, and with it the first-order scheme of Welch et al. 2007, section IV: eq. 47 with 14 to 17.

import {
  baumgarte,
  energyDescent,
  equations,
  euler,
  hong,
  lagrange,
  type Method,
  maggi,
  none,
  rk4,
  semiImplicitEuler,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { linearMap, spectralRadius } from "nodrift/analysis";
import { compile } from "nodrift/bodies";
import { chain3d } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { freeFall, pendulum, START, start } from "./support/pendulum.js";

/** Baumgarte's gains as fractions of 1 / h. */
const firstOrder = (damping: number, stiffness: number): Method => ({
  formulation: lagrange(),
  stabilisation: baumgarte({ alpha: (h) => damping / h, beta: (h) => stiffness / h }),
  integrator: semiImplicitEuler(),
});

test("semiImplicitEuler advances velocities first, and positions by the new ones", () => {
  const simulation = start(
    { formulation: udwadiaKalaba(), integrator: semiImplicitEuler() },
    0.1,
    freeFall(),
  );
  simulation.advance();
  expect(simulation.v[1]).toBeCloseTo(START.v[1] - 0.981, 14);
  expect(simulation.q[1]).toBeCloseTo(START.q[1] + 0.1 * (START.v[1] - 0.981), 14);
});

describe("errors of constraints, linearised at rest", () => {
  /** Phi and h Phi' after a step, from eq. 47: eigenvalues of [[1 - b^2, 1 - 2a], [-b^2, 1 - 2a]]. */
  const expected = (a: number, b: number) => {
    const [trace, determinant] = [2 - b * b - 2 * a, 1 - 2 * a];
    const root = trace * trace - 4 * determinant;
    return root < 0 ? Math.sqrt(determinant) : (Math.abs(trace) + Math.sqrt(root)) / 2;
  };

  test.each([
    ["alpha = beta = 1 / h: the golden ratio, unstable", 1, 1, (1 + Math.sqrt(5)) / 2],
    ["alpha = 1 / h, beta = 0.9 / h", 1, 0.9, expected(1, 0.9)],
  ])("%s", (_, damping, stiffness, radius) => {
    const map = linearMap(pendulum(), {
      method: firstOrder(damping, stiffness),
      step: 0.01,
      q: [0, -1],
    });
    expect(spectralRadius(4, map)).toBeCloseTo(radius, 6);
    expect(radius).toBeCloseTo(expected(damping, stiffness), 12);
  });

  test("Heun is stable with the gains that are unstable here", () => {
    const stable = { ...firstOrder(1, 1), integrator: rk4() };
    const map = linearMap(pendulum(), { method: stable, step: 0.01, q: [0, -1] });
    expect(spectralRadius(4, map)).toBeLessThan(1 + 1e-5);
  });
});

test("alpha = beta = 1 / h blows up, alpha = 1 / 2h and beta = 1 / h does not", () => {
  const run = (damping: number) => {
    const simulation = start(firstOrder(damping, 1), 1e-3);
    simulation.setState([1 + 1e-9, 0], [0, 0], "asGiven");
    return simulation;
  };
  const stable = run(0.5);
  stable.runTo(1);
  expect(stable.constraintError().position).toBeLessThan(1e-4);
  expect(() => {
    const unstable = run(1);
    unstable.runTo(1);
    expect(unstable.constraintError().position).toBeLessThan(1);
  }).toThrow();
});

test("alpha = 1 / 2h and beta = 1 / h equal the predictor of Hong et al. except for gamma", () => {
  // Starting from rest, gamma is zero, so the first step is the same.
  const options = { step: 1e-2, q: [1, 0], v: [0, 0] };
  const ours = simulate(pendulum(), { method: firstOrder(0.5, 1), ...options });
  const theirs = simulate(pendulum(), { method: { coupled: hong() }, ...options });
  ours.advance();
  theirs.advance();
  expect(ours.q[0]).toBeCloseTo(theirs.q[0], 14);
  expect(ours.v[1]).toBeCloseTo(theirs.v[1], 14);
});

test("semiImplicitEuler has a bounded energy error, unlike explicit Euler", () => {
  const oscillator = equations({
    coordinates: ["x"],
    mass: [1],
    forces: ([x], _v, out) => {
      out[0] = -x;
    },
    potential: ([x]) => (x * x) / 2,
  });
  const growth = (integrator: ReturnType<typeof euler>) => {
    const method = { formulation: udwadiaKalaba(), integrator };
    const simulation = simulate(oscillator, { method, step: 0.01, q: [1], v: [0] });
    let [early, late] = [0, 0];
    simulation.runTo(200, ({ time }) => {
      const off = Math.abs(simulation.energy().total - 0.5);
      if (time < 20) early = Math.max(early, off);
      if (time > 180) late = Math.max(late, off);
    });
    return late / early;
  };
  expect(growth(semiImplicitEuler())).toBeLessThan(1.01);
  expect(growth(euler())).toBeGreaterThan(10);
});

test("semiImplicitEuler keeps the rates that a stabilisation adds to positions", () => {
  // A gain on the positions alone: without its term in q', the energy error would remain.
  const method = (positionGain: number): Method => ({
    formulation: udwadiaKalaba(),
    stabilisation: energyDescent({ positionGain, velocityGain: 0 }),
    integrator: semiImplicitEuler(),
  });
  const [moved, plain] = [0.3, 0].map((gain) => {
    const simulation = start(method(gain), 1e-3, freeFall());
    simulation.advance(2);
    return simulation.q[1];
  });
  expect(Math.abs(moved - plain)).toBeGreaterThan(1e-9);
});

test("semiImplicitEuler rotates bodies in space with first order", async () => {
  const run = async (step: number) => {
    const compiled = await compile(chain3d(2), { coordinates: "maximal" });
    const method = {
      formulation: udwadiaKalaba(),
      stabilisation: none(),
      integrator: semiImplicitEuler(),
    };
    const simulation = compiled.simulate({ step, method });
    simulation.runTo(0.25);
    return [...simulation.q];
  };
  const [coarse, fine, finest] = [await run(1 / 256), await run(1 / 512), await run(1 / 8192)];
  const error = (q: number[]) => Math.max(...q.map((value, i) => Math.abs(value - finest[i])));
  expect(Math.log2(error(coarse) / error(fine))).toBeGreaterThan(0.9);
});

test("semiImplicitEuler rejects formulations with other unknowns", () => {
  const method = { formulation: maggi(), integrator: semiImplicitEuler() };
  expect(() => start(method, 0.01)).toThrow(/semiImplicitEuler .* maggi\(qr\) has other unknowns/);
});
