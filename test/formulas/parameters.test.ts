// Derivatives by parameters: against closed forms, 60-digit arithmetic and differences.

import { equations, ode } from "nodrift/formulas";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { type Precise, precise, preciseDerivative } from "../support/precise.js";
import { seeded } from "../support/random.js";

const { times, over, sin, exp, root } = precise;

const state = (q: readonly number[], v: readonly number[] = [], time = 0) => ({
  time,
  q: Float64Array.from(q),
  v: Float64Array.from(v),
});

describe("parameter derivatives of differential equations", () => {
  test("match those of Robertson's rates in the requested order", () => {
    const robertson = ode({
      unknowns: ["a", "b", "c"],
      parameters: { k1: 0.04, k2: 3e7, k3: 1e4 },
      rates: { a: "-k1*a + k3*b*c", b: "k1*a - k3*b*c - k2*b^2", c: "k2*b^2" },
    });
    const [a, b, c] = [0.7, 9e-6, 0.3];
    const { parameters, at } = robertson.byParameters(["k3", "k1"]);
    expect(parameters).toEqual(["k3", "k1"]);
    expect([...at(state([a, b, c])).rates]).toEqual([b * c, -(b * c), 0, -a, a, 0]);
    expect([...at({ time: 0, y: [a, b, c] }).rates]).toEqual([...at(state([a, b, c])).rates]);
    expect(() => at({ time: 0, y: [a, b] })).toThrow(/a state: its time and 3 numbers y/);
    const all = robertson.byParameters();
    expect(all.parameters).toEqual(["k1", "k2", "k3"]);
    expect([...all.at(state([a, b, c])).rates.slice(3, 6)]).toEqual([0, -(b * b), b * b]);
  });

  test("match arithmetic with 60 digits", () => {
    const rate = "exp(-k*y)*sin(w*y + t)/sqrt(1 + k^2*w)";
    const system = ode({ unknowns: ["y"], parameters: { k: 0, w: 0 }, rates: { y: rate } });
    const wanted = ([k, w, y, t]: readonly Precise[]) =>
      over(
        times(exp(-times(k!, y!)), sin(times(w!, y!) + t!)),
        root(precise.of(1) + times(times(k!, k!), w!)),
      );
    const random = seeded(4);
    for (let trial = 0; trial < 50; trial++) {
      const [k, w, y, t] = [random(), random() + 0.5, 2 * random(), random()] as const;
      const { at } = system.with({ k, w }).byParameters();
      const { rates } = at(state([y], [], t));
      const exact = [0, 1].map((by) => preciseDerivative(wanted, [k, w, y, t], by));
      const size = Math.max(...exact.map(Math.abs));
      exact.forEach((value, i) => {
        expect(Math.abs(rates[i]! - value)).toBeLessThan(8 * Number.EPSILON * size);
      });
    }
  });

  test("yield the sensitivity of the end if integrated with the motion", () => {
    // y' = -k y^2: y = 1 / (1 + k t), dy/dk = -t / (1 + k t)^2, from s' = df/dy s + df/dk.
    const decay = ode({ unknowns: ["y"], parameters: { k: 2 }, rates: { y: "-k*y^2" } });
    const { at } = decay.byParameters(["k"]);
    const both = ode({
      unknowns: ["y", "s"],
      parameters: { k: 2 },
      rates: { y: "-k*y^2", s: "-2*k*y*s - y^2" },
    });
    const { end } = solve(both, { span: [0, 3], y: [1, 0], tolerance: 1e-11 });
    expect(end.y[1]).toBeCloseTo(-3 / 49, 9);
    expect(at(state([end.y[0]!])).rates[0]).toBeCloseTo(-1 / 49, 9);
  });

  test("follow parameters that are set, and tables", () => {
    const pulled = ode({
      unknowns: ["y"],
      parameters: { shift: 0.5, f: 2 },
      tables: { pull: { x: [0, 1, 2], y: [0, 3, 0], interpolation: "linear" } },
      rates: { y: "f*pull(y - shift)" },
    });
    const { at } = pulled.byParameters();
    expect([...at(state([1])).rates]).toEqual([-6, 1.5]);
    pulled.parameters.f = 5;
    pulled.parameters.shift = -0.5;
    expect([...at(state([1])).rates]).toEqual([15, 1.5]);
  });
});

describe("parameter derivatives of equations of motion", () => {
  test("match those of a pendulum in one and in two coordinates", () => {
    const [g, L, theta] = [9.81, 0.8, 0.7];
    const one = equations({
      coordinates: ["theta"],
      parameters: { g, L, m: 2 },
      lagrangian: "m*L^2*theta'^2/2 + m*g*L*cos(theta)",
    });
    const found = one.byParameters().at(state([theta], [1.3]));
    const s = Math.sin(theta);
    const exact = [-s / L, (g * s) / L ** 2, 0];
    exact.forEach((value, i) => {
      expect(found.accelerations[i]).toBeCloseTo(value, 14);
    });
    expect(found.forces[0]).toBeCloseTo(-2 * L * s, 14);
    const two = equations({
      coordinates: ["x", "y"],
      parameters: { m: 2, g, L },
      lagrangian: "m*(x'^2 + y'^2)/2 - m*g*y",
      holonomic: { length: "x^2 + y^2 - L^2" },
    });
    const [x, y] = [L * s, -L * Math.cos(theta)];
    const { accelerations, phi, phiDot } = two.byParameters(["g", "L"]).at(state([x, y], [-y, x]));
    // Gravity less its part along the string; at one place the length changes nothing but the residual.
    const byGravity = [(x * y) / L ** 2, -1 + (y * y) / L ** 2, 0, 0];
    byGravity.forEach((value, i) => {
      expect(accelerations[i]).toBeCloseTo(value, 13);
    });
    expect([...phi]).toEqual([0, -2 * L]);
    expect([...phiDot]).toEqual([0, 0]);
  });

  test("agree with finite differences for random masses, lengths and springs, including constraints", () => {
    const chain = equations({
      coordinates: ["theta[1..3]", "s"],
      parameters: {
        "m[1..3]": [1, 2, 0.5],
        "l[1..3]": [0.5, 0.7, 0.4],
        g: 9.81,
        k: 30,
        c: 0.4,
        r: 0.3,
      },
      quantities: {
        "x[i=1..3]": "sum(j, 1, i, l[j]*sin(theta[j])) + s",
        "y[i=1..3]": "-sum(j, 1, i, l[j]*cos(theta[j]))",
      },
      kinetic: "sum(i, 1, 3, m[i]/2*(x[i]'^2 + y[i]'^2)) + m[2]*s'^2",
      potential: "g*sum(i, 1, 3, m[i]*y[i]) + k*s^2/2",
      dissipation: "c*theta[2]'^2/2",
      holonomic: { rail: "y[3] + l[1]*cos(r)*theta[1]^2 - 0.1*sin(t)" },
      nonholonomic: { wheel: "x[2]' - r*theta[3]'^2*s" },
    });
    const names = Object.keys(chain.parameters);
    const random = seeded(12);
    for (let trial = 0; trial < 5; trial++) {
      const numbers = () => Array.from({ length: 4 }, () => 2 * random() - 1);
      const at = state(numbers(), numbers(), random());
      const found = chain.byParameters().at(at);
      const accelerations = (name: string, shift: number) => {
        const shifted = chain.with({ [name]: chain.parameters[name]! + shift });
        return shifted.state({ ...at, unwrappedAngles: new Float64Array(0) }).accelerations();
      };
      const h = 1e-3;
      names.forEach((name, k) => {
        // Of order 6.
        const exact = [0, 1, 2, 3].map((i) =>
          [
            [1, 45],
            [2, -9],
            [3, 1],
          ].reduce(
            (sum, [n, weight]) =>
              sum +
              (weight! * (accelerations(name, n! * h)[i]! - accelerations(name, -n! * h)[i]!)) /
                (60 * h),
            0,
          ),
        );
        const size = Math.max(1, ...exact.map(Math.abs));
        exact.forEach((value, i) => {
          expect(Math.abs(found.accelerations[4 * k + i]! - value), name).toBeLessThan(1e-8 * size);
        });
      });
    }
  });
});

test("interpreted parameter derivatives have the same bits", () => {
  const description = {
    coordinates: ["x", "y"],
    parameters: { g: 9.81, L: 1.2 },
    lagrangian: "(x'^2 + y'^2)/2 - g*y*cos(x/L)",
    holonomic: { length: "x^2 + y^2 - L^2" },
  };
  const at = state([0.3, -1.1], [0.4, 0.2]);
  const [one, other] = [false, true].map((interpret) =>
    equations(description, { interpret }).byParameters().at(at),
  );
  expect(one).toEqual(other);
});

test("invalid uses of byParameters are reported", () => {
  const system = ode({ name: "s", unknowns: ["y"], parameters: { k: 1 }, rates: { y: "k/y" } });
  expect(() => system.byParameters(["q"])).toThrow('s: no parameter is named "q"');
  expect(() => system.byParameters([])).toThrow("parameters");
  expect(() => system.byParameters().at(state([1, 2]))).toThrow("1 numbers y");
  expect(() => system.byParameters().at(state([0]))).toThrow("s: a derivative by a parameter is");
  const pushed = equations({
    name: "pushed",
    coordinates: ["x"],
    kinetic: "x'^2/2",
    forces: { x: () => 1 },
  });
  expect(() => pushed.byParameters()).toThrow('the force on "x" is a function');
});
