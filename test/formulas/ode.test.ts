import { ode } from "nodrift/formulas";
import { ode as odeByFunction, parseMethod, solve } from "nodrift/solve";
import { expect, test } from "vitest";

const robertson = ode({
  name: "Robertson",
  unknowns: ["a", "b", "c"],
  parameters: { k1: 0.04, k2: 3e7, k3: 1e4 },
  rates: { a: "-k1*a + k3*b*c", b: "k1*a - k3*b*c - k2*b^2", c: "k2*b^2" },
  start: { a: 1 },
});

test("Robertson's problem is solved to t = 40 with analytic df/dy", () => {
  for (const method of ["radau5", "rodas", "sdirk4"]) {
    const { end, statistics } = solve(robertson, {
      span: [0, 40],
      tolerance: 1e-11,
      method: parseMethod(method),
    });
    // Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.10.
    expect(end.y[0]).toBeCloseTo(0.7158270688, 8);
    expect(end.y[1]).toBeCloseTo(9.185534765e-6, 11);
    expect(statistics.implicit?.jacobianSource).toBe("analytic");
  }
});

test("a chain of 60 cells has a sparse matrix and follows its modes", () => {
  const n = 60;
  const chain = ode({
    unknowns: [`u[0..${n + 1}]`],
    parameters: { d: 500 },
    rates: { "u[0]": 0, [`u[i=1..${n}]`]: "d*(u[i-1] - 2*u[i] + u[i+1])", [`u[${n + 1}]`]: 0 },
  });
  const mode = (i: number) => Math.sin((Math.PI * i) / (n + 1));
  const y = Array.from({ length: n + 2 }, (_, i) => (i === 0 || i === n + 1 ? 0 : mode(i)));
  for (const method of ["radau5", "sdirk4"]) {
    const { end, statistics } = solve(chain, {
      span: [0, 1],
      y,
      tolerance: 1e-9,
      method: parseMethod(method),
    });
    const decay = Math.exp(-4 * 500 * Math.sin(Math.PI / (2 * (n + 1))) ** 2);
    expect(end.y[30]! / (mode(30) * decay)).toBeCloseTo(1, 7);
    expect(statistics.implicit?.jacobianSource).toBe("analytic, sparse");
  }
});

test("equations support explicit methods, parameters and formulas at states, and report the time of errors", () => {
  const growth = ode({
    unknowns: ["y"],
    parameters: { k: 1 },
    quantities: { square: "y^2" },
    rates: { y: "k*y" },
  });
  const first = solve(growth, { span: [0, 1], y: [1], tolerance: 1e-10 });
  expect(first.end.y[0]).toBeCloseTo(Math.E, 8);
  expect(growth.formula("square + k")(first.end)).toBeCloseTo(Math.E ** 2 + 1, 7);
  growth.parameters.k = -1;
  expect(solve(growth, { span: [0, 1], y: [1], tolerance: 1e-10 }).end.y[0]).toBeCloseTo(
    1 / Math.E,
    8,
  );
  expect(
    solve(growth.with({ k: 2 }), { span: [0, 1], y: [1], tolerance: 1e-10 }).end.y[0],
  ).toBeCloseTo(Math.E ** 2, 7);
  const bad = ode({ unknowns: ["y"], rates: { y: "log(y)" } });
  expect(solve(bad, { span: [0, 1], y: [-1] }).reason).toMatch(/rate gave NaN for "y" at t = 0/);
});

test("formulas yield the same values as a function", () => {
  const byFunction = odeByFunction({
    names: ["y", "z"],
    rate: (_t, [y, z], out) => {
      out[0] = z!;
      out[1] = 5 * ((1 - y! * y!) * z!) - y!;
    },
  });
  const byFormula = ode({ unknowns: ["y", "z"], rates: { y: "z", z: "5*((1 - y*y)*z) - y" } });
  const options = {
    span: [0, 10],
    y: [2, 0],
    tolerance: 1e-8,
    method: parseMethod("dop853"),
  } as const;
  expect(solve(byFormula, options).end.y).toEqual(solve(byFunction, options).end.y);
});
