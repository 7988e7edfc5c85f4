// The JavaScript baseline of the mechanism benchmarks does the same work: a step leads to the same
// state.

import { heun, type Method, projection, udwadiaKalaba, welch } from "nodrift";
import { compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { simulateInJavaScript } from "../../bench/baseline/models.js";

/** Rods on spherical joints, started with a swing out of the plane. */
function chain(count: number): Model {
  const m = model({ name: "chain", gravity: [0, 0, -9.81] });
  let before: Parameters<typeof m.spherical>[0]["between"][0] = m.ground;
  for (let i = 0; i < count; i++) {
    const x = i + 0.5;
    const rod = m.body({
      name: `rod ${i}`,
      mass: 1,
      inertia: [0.0017, 0.084, 0.084],
      position: [x, 0, 0],
      velocity: [0, x, 0],
      angularVelocity: [0.5, 0, 1],
    });
    m.spherical({ between: [before, rod], at: [i, 0, 0] });
    before = rod;
  }
  return m;
}

/** Standing links with a top bar between each two, all on hinges: loops with redundant rows. */
function fourBars(count: number): Model {
  const m = model({ name: "four-bars", gravity: [0, -9.81, 0] });
  const axis: [number, number, number] = [0, 0, 1];
  const inertia: [number, number, number] = [0.084, 0.002, 0.084];
  const links = Array.from({ length: count + 1 }, (_, i) => {
    const link = m.body({
      name: `link ${i}`,
      mass: 1,
      inertia,
      position: [i, 0.5, 0],
      velocity: [0.5, 0, 0],
      angularVelocity: [0, 0, -1],
    });
    m.revolute({ between: [m.ground, link], at: [i, 0, 0], axis });
    return link;
  });
  for (let i = 0; i < count; i++) {
    const top = m.body({
      name: `top ${i}`,
      mass: 1,
      inertia: [0.002, 0.084, 0.084],
      position: [i + 0.5, 1, 0],
      velocity: [1, 0, 0],
    });
    m.revolute({ between: [links[i], top], at: [i, 1, 0], axis });
    m.revolute({ between: [links[i + 1], top], at: [i + 1, 1, 0], axis });
  }
  return m;
}

/** Spherical, revolute and fixed joints: rows of every kind in one mechanism. */
function mixed(): Model {
  const m = model({ name: "mixed", gravity: [1, 2, -9] });
  const cart = m.body({ name: "cart", mass: 2, inertia: [1, 2, 2.5], position: [0, 0, 0] });
  const arm = m.body({ name: "arm", mass: 1, inertia: [0.1, 0.3, 0.35], position: [0.5, 0, 0] });
  const tip = m.body({ name: "tip", mass: 1, inertia: [0.2, 0.3, 0.4], position: [1, 0.2, 0] });
  m.spherical({ between: [m.ground, cart], at: [0, 0, 1] });
  m.revolute({ between: [cart, arm], at: [0.1, 0, 0], axis: [0, 1, 0] });
  m.fixed({ between: [arm, tip], at: [1, 0, 0] });
  return m;
}

/** Methods with the allowed difference of velocities. Welch divides the rounding of positions by the step, twice. */
const methods: Record<string, { method: Method; apart: number }> = {
  welch: { method: { coupled: welch({ passes: 1 }) }, apart: 1e-10 },
  "heun and projection": {
    method: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: heun() },
    apart: 1e-12,
  },
};

const models: Record<string, () => Model> = {
  "a chain of 10": () => chain(10),
  "four-bars": () => fourBars(4),
  "joints of all kinds": mixed,
};

describe.each(Object.entries(models))("JavaScript baseline: %s", (_, make) => {
  test.each(Object.entries(methods))(
    "moves as in the package, with %s",
    async (_, { method, apart }) => {
      const compiled = await compile(make(), { coordinates: "maximal" });
      const wasm = compiled.simulate({ method, step: 1e-3 }).advance(100);
      const js = simulateInJavaScript(compiled, { method, step: 1e-3 }).advance(100);
      const difference = (x: Float64Array, y: Float64Array) =>
        x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i])), 0);
      expect(difference(wasm.q, compiled.q)).toBeGreaterThan(1e-3);
      expect(difference(wasm.q, js.q)).toBeLessThan(1e-12);
      expect(difference(wasm.v, js.v)).toBeLessThan(apart);
      expect(js.energy().total).toBeCloseTo(wasm.energy().total, 10);
      expect(js.constraintError().position).toBeLessThan(1e-5);
    },
  );
});

test("the JavaScript baseline rejects unsupported parts", async () => {
  const m = model({ name: "distance" });
  const body = m.body({ name: "body", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
  m.distance({ between: [m.ground, body] });
  const compiled = await compile(m);
  const method = { coupled: welch() };
  expect(() => simulateInJavaScript(compiled, { method, step: 1e-3 })).toThrow("DISTANCE");
});
