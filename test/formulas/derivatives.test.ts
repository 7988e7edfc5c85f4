// Derivatives that methods use, against arithmetic with 60 digits and against differences.

import { equations } from "nodrift/formulas";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { type Precise, precise, preciseDerivative, preciseSecond } from "../support/precise.js";
import { bothWays, Calculus, Graph, parse, SymbolTable } from "./support/compiled.js";

const { times, over, sin, cos, exp, root } = precise;
const cases: readonly (readonly [string, (x: readonly Precise[]) => Precise])[] = [
  ["x^3*y - 2*x/y", ([x, y]) => times(times(times(x!, x!), x!), y!) - over(2n * x!, y!)],
  ["sin(x*y)*cos(x - y)", ([x, y]) => times(sin(times(x!, y!)), cos(x! - y!))],
  ["exp(-x^2)*sin(3*y)", ([x, y]) => times(exp(-times(x!, x!)), sin(3n * y!))],
  ["sqrt(x^2 + y^2)", ([x, y]) => root(times(x!, x!) + times(y!, y!))],
  [
    "(sin(x) + 2)^4/(1 + y^2)",
    ([x, y]) => {
      const base = sin(x!) + precise.of(2);
      const square = times(base, base);
      return over(times(square, square), precise.of(1) + times(y!, y!));
    },
  ],
  ["exp(sin(x) + cos(y))*x", ([x, y]) => times(exp(sin(x!) + cos(y!)), x!)],
];
const states = [
  [0.7, 1.3],
  [1.9, -0.4],
  [-1.1, 0.6],
] as const;

function formulas(text: string) {
  const symbols = new SymbolTable();
  const slots = [symbols.slot(), symbols.slot()];
  symbols.define("quantity", "x", slots[0]!);
  symbols.define("quantity", "y", slots[1]!);
  const scope = { variables: ["x", "y"], quantities: [], functions: undefined, symbols };
  return { symbols, slots, root: parse(text, scope).root };
}

describe.each(cases)("%s", (text, wanted) => {
  test.each(states)("matches 60-digit values at (%f, %f)", (...at) => {
    const { symbols, slots, root: node } = formulas(text);
    const { calculus } = symbols;
    const backward = calculus.gradient(node, slots);
    const forward = calculus.jacobian([node], slots)[0]!;
    const second = calculus.jacobian(backward, slots);
    const nodes = [...backward, ...forward, ...second.flat()];
    const { compiled } = bothWays(nodes, [0, ...at]);
    const first = [0, 1].map((by) => preciseDerivative(wanted, at, by));
    const seconds = [0, 1].flatMap((i) => [0, 1].map((j) => preciseSecond(wanted, at, i, j)));
    const exact = [...first, ...first, ...seconds];
    const size = Math.max(...exact.map(Math.abs));
    for (const [i, value] of exact.entries()) {
      expect(Math.abs(compiled[i]! - value), `${text}: derivative ${i}`).toBeLessThanOrEqual(
        1e-14 * size,
      );
    }
  });
});

test("a constant argument has the derivative 0 at an infinitely steep point, also in backward mode", () => {
  const { symbols, slots, root: node } = formulas("x + sqrt(max(y, 0))");
  const { compiled } = bothWays(symbols.calculus.gradient(node, slots), [0, 1, -1]);
  expect([...compiled]).toEqual([1, 0]);
});

test("repeated operands contribute twice to the derivative", () => {
  const graph = new Graph();
  const calculus = new Calculus(graph, () => {});
  const x = graph.slot(0);
  const { algebra } = calculus;
  const square = algebra.product(x, x);
  const node = algebra.product(square, algebra.sum(square, x));
  const { compiled } = bothWays(calculus.gradient(node, [x]), [1.5]);
  expect(compiled[0]).toBeCloseTo(4 * 1.5 ** 3 + 3 * 1.5 ** 2, 13);
});

test("analytic df/dy of stiff equations yields the motion found with finite differences", () => {
  const description = {
    name: "stiff pendulum",
    coordinates: ["x", "y"],
    parameters: { k: 1e6, c: 2e3 },
    kinetic: "(x'^2 + y'^2)/2",
    potential: "9.81*y + k/2*(sqrt(x^2 + y^2) - 1)^2",
    dissipation: "c/2*((x*x' + y*y')^2/(x^2 + y^2))",
  };
  const held = {
    ...description,
    name: "held",
    coordinates: ["x", "y", "z"],
    kinetic: "(x'^2 + y'^2 + z'^2)/2",
    holonomic: { shadow: "z - x*y" },
  };
  for (const given of [description, held]) {
    const system = equations(given);
    const start = given === held ? [1, 0, 0] : [1, 0];
    const runs = ["radau5", "dop853"].map((method) =>
      solve(system, {
        span: [0, 0.3],
        q: start,
        v: start.map(() => 0),
        tolerance: 1e-9,
        method: parseMethod(method),
      }),
    );
    expect(runs[0]!.statistics.implicit?.jacobianSource).toBe("analytic");
    expect(runs.map(({ status }) => status)).toEqual(["finished", "finished"]);
    for (const [i, each] of runs[0]!.end.q.entries())
      expect(each).toBeCloseTo(runs[1]!.end.q[i]!, 6);
  }
});

test.each([
  // Derivatives by x at x = 0, where the first derivative of a length is zero and the second is not.
  ["sqrt(x^2 + y^2)", [0, -2], [0, -1], [0.5, 0, 0, 0]],
  ["hypot(x, y)", [0, -2], [0, -1], [0.5, 0, 0, 0]],
  ["atan2(x, y)", [0, 2], [0.5, 0], [0, -0.25, -0.25, 0]],
  ["(1 + x*y)^0.5", [0, 2], [1, 0], [-1, 0.5, 0.5, 0]],
  // Level where the root would be infinitely steep.
  ["sqrt(max(x, 0)) + y", [-1, 2], [0, 1], [0, 0, 0, 0]],
] as const)(
  "%s at (%o) has correct second derivatives where the first ones vanish",
  (text, at, first, second) => {
    const { symbols, slots, root: node } = formulas(text);
    const gradient = symbols.calculus.gradient(node, slots);
    const nodes = [...gradient, ...symbols.calculus.jacobian(gradient, slots).flat()];
    const { compiled, interpreted } = bothWays(nodes, [0, ...at]);
    for (const [i, exact] of [...first, ...second].entries()) {
      expect(compiled[i]).toBeCloseTo(exact, 14);
      expect(interpreted[i]).toBe(compiled[i]);
    }
  },
);
