// Equations found from energies: against the papers' equations written by hand, and against closed forms.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations, operators, symbols } from "nodrift/formulas";
import {
  braunBiped1,
  braunBiped3,
  braunFourBars,
  braunPendulum,
  braunSliderCrank,
  welchDoublePendulum,
  welchSliderCrank,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import * as papers from "../support/paper-formulas.js";
import { seeded } from "../support/random.js";

const method = { formulation: udwadiaKalaba(), integrator: rk4() };
const pairs = [
  [papers.pendulumFormulas, braunPendulum],
  [papers.sliderCrankFormulas, braunSliderCrank],
  [papers.fourBarsFormulas, braunFourBars],
  [papers.doublePendulumFormulas, welchDoublePendulum],
  [papers.welchSliderCrankFormulas, welchSliderCrank],
  [papers.biped1Formulas, braunBiped1],
  [papers.biped3Formulas, braunBiped3],
] as const;

describe.each(pairs)("$name", (formulas, { equations: byHand, q, v }) => {
  test("matches the accelerations and constraints of the hand-written equations", () => {
    const random = seeded(5);
    const [found, wanted] = [equations(formulas), byHand].map((system) =>
      simulate(system, { method, step: 1e-3, q, v, start: "asGiven" }),
    );
    for (let i = 0; i < 20; i++) {
      const position = q.map((each) => each + 0.1 * (2 * random() - 1));
      const velocity = q.map(() => 2 * random() - 1);
      for (const each of [found!, wanted!])
        each.setState(position, velocity, { start: "asGiven", time: 0.3 });
      for (const read of ["accelerations", "phi", "phiDot"] as const) {
        const [x, y] = [found![read](), wanted![read]()];
        const size = Math.max(...y.map(Math.abs));
        for (const [k, each] of x.entries())
          expect(Math.abs(each - y[k]!)).toBeLessThanOrEqual(1e-12 * size);
      }
    }
  });
});

test("recognises constant, diagonal and full mass matrices", () => {
  const kinds = [papers.pendulumFormulas, papers.fourBarsFormulas, papers.sliderCrankFormulas].map(
    (formulas) => equations(formulas).mass,
  );
  expect(kinds).toEqual([
    { diagonal: true, constant: true },
    { diagonal: false, constant: true },
    { diagonal: false, constant: false },
  ]);
});

test("a parameter takes effect at the next step, in all runs, and `with` is independent", () => {
  const fall = equations({
    coordinates: ["z"],
    parameters: { g: 9.81 },
    lagrangian: "z'^2/2 - g*z",
  });
  const moon = fall.with({ g: 1.62 });
  const runs = [fall, moon].map((system) => simulate(system, { method, step: 0.5, q: [0] }));
  for (const run of runs) run.advance();
  expect(runs.map(({ v }) => v[0])).toEqual([-9.81 / 2, -0.81]);
  fall.parameters.g = 2;
  for (const run of runs) run.advance();
  expect(runs.map(({ v }) => v[0])).toEqual([-9.81 / 2 - 1, -1.62]);
  expect(() => (fall.parameters.h = 1)).toThrow(/no parameter is named "h": there are g/);
  expect(() => (fall.parameters.g = Number.NaN)).toThrow(/parameters\.g/);
});

test("constant masses are updated when parameters change", () => {
  const spring = equations({
    coordinates: ["x"],
    parameters: { m: 1, k: 4 },
    kinetic: "m*x'^2/2",
    potential: "k*x^2/2",
  });
  const run = simulate(spring, { method, step: 1e-3, q: [1] });
  expect(run.accelerations()[0]).toBe(-4);
  spring.parameters.m = 8;
  run.advance();
  run.setState([1], [0]);
  expect(run.accelerations()[0]).toBe(-0.5);
});

test("a chain of many links takes a few lines and conserves its energy", () => {
  const chain = equations(papers.chainFormulas(6));
  expect(chain.coordinateNames.at(-1)).toBe("theta[6]");
  const run = simulate(chain, { method, step: 1e-3, q: new Array(6).fill(1.2) });
  const before = run.energy().total;
  run.runTo(0.5);
  expect(Math.abs(run.energy().total - before)).toBeLessThan(1e-8 * Math.abs(before));
});

test("rows on velocities may be nonlinear, and rows may depend on time", () => {
  const sled = equations(papers.knifeEdgeFormulas);
  const run = simulate(sled, { method, step: 1e-3, q: [0, 0, 0.3], v: [0.2, 0, 2] });
  run.runTo(1);
  expect(run.constraintError().velocity).toBeLessThan(1e-9);
  // Constant speed, not linear in the velocities: no force along the motion.
  const steady = equations({
    coordinates: ["x", "y"],
    parameters: { s: 3 },
    kinetic: "(x'^2 + y'^2)/2",
    forces: { y: "-9.81" },
    nonholonomic: { speed: "x'^2 + y'^2 - s^2" },
  });
  const walk = simulate(steady, { method, step: 1e-3, q: [0, 0], v: [3, 0] }).runTo(1);
  expect(Math.hypot(...walk.v)).toBeCloseTo(3, 9);
  // A crank that turns by a given law.
  const driven = equations({
    coordinates: ["a", "b"],
    kinetic: "a'^2 + b'^2",
    holonomic: { drive: "a - sin(2*t)" },
  });
  const turned = simulate(driven, { method, step: 1e-3, q: [0, 0], v: [2, 1] }).runTo(1);
  expect(turned.q[0]).toBeCloseTo(Math.sin(2), 9);
  expect(turned.q[1]).toBeCloseTo(1, 12);
});

test("expressions built by programs yield the same equations as texts", () => {
  const { x, y, m, g, L } = symbols("x", "y", "m", "g", "L");
  const { add, multiply, power, rate, subtract } = operators;
  const built = equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    parameters: { m: 1, g: 9.81, L: 1 },
    kinetic: multiply(0.5, m!, add(power(rate(x!), 2), power(rate(y!), 2))),
    potential: multiply(m!, g!, y!),
    holonomic: { length: subtract(add(power(x!, 2), power(y!, 2)), power(L!, 2)) },
  });
  const read = equations({ ...papers.pendulumFormulas, name: "pendulum" });
  expect(built.explain()).toEqual(read.explain());
});

test("a force may be a function in addition to formulas", () => {
  const make = (force: string | ((q: Float64Array, v: Float64Array, t: number) => number)) =>
    equations({
      coordinates: ["x", "y"],
      parameters: { k: 3 },
      kinetic: "(x'^2 + 2*y'^2)/2",
      potential: "k*x^2/2",
      forces: { x: force, y: "cos(t)" },
    });
  const runs = [make("-x'*x' + t"), make((_q, v, t) => -v[0]! * v[0]! + t)].map((system) =>
    simulate(system, { method, step: 1e-2, q: [1, 0], v: [0.5, 0] }).runTo(1),
  );
  for (const [i, each] of runs[0]!.q.entries()) expect(runs[1]!.q[i]).toBeCloseTo(each, 12);
  const bad = make(() => Number.NaN);
  expect(() => simulate(bad, { method, step: 1e-2, q: [1, 0] }).advance()).toThrow(
    /forces gave NaN for "x"/,
  );
});

test("explain prints the derived equations", () => {
  const { text, latex } = equations(papers.pendulumFormulas).explain();
  expect(text).toContain("M[x, x] = m\n");
  expect(text).toContain("Q[y] = -(m*g)");
  expect(text).toContain("J[length, x] = x*2");
  expect(latex).toContain("\\gamma_{\\mathrm{length}}");
});

test("interpreted equations have the bits of compiled ones", () => {
  const compiled = equations(papers.sliderCrankFormulas);
  const interpreted = equations(papers.sliderCrankFormulas, { interpret: true });
  const runs = [compiled, interpreted].map((system) =>
    simulate(system, { method, step: 1e-3, q: [0, 0, 0.3, -0.3] }).runTo(0.2),
  );
  expect(runs[0]!.q).toEqual(runs[1]!.q);
  expect(runs[0]!.v).toEqual(runs[1]!.v);
});
