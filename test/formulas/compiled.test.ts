// Compiled formulas have the bits of the interpreter, whatever they are made of.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyTree, textOf, VARIABLES } from "../expressions/support/trees.js";
import { seeded } from "../support/random.js";
import {
  Algebra,
  bothWays,
  elementary,
  Graph,
  nodeOf,
  Operation,
  Table,
} from "./support/compiled.js";

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-310,
  1e300,
  -1e300,
  3.7,
  -2.2,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const bits = (numbers: Float64Array) =>
  [...new BigUint64Array(numbers.slice().buffer)].map((word, i) =>
    Number.isNaN(numbers[i]) ? "NaN" : word,
  );

describe("every operation", () => {
  const texts = [
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "-a",
    "a^2",
    "a^3",
    "a^-3",
    "a^16",
    "a^b",
    "a^0.5",
    "sqrt(a)",
    "abs(a)",
    "sign(a)",
    "floor(a)",
    "ceil(a)",
    "mod(a, b)",
    "min(a, b)",
    "max(a, b)",
    "if(a, b, 2)",
    "a < b",
    "a <= b",
    "a == b",
    "a != b",
    "a and b",
    "a or b",
    "not a",
    "sin(a)",
    "cos(a)",
    "sin(a) * cos(a)",
    "tan(a)",
    "asin(a)",
    "acos(a)",
    "atan(a)",
    "sinh(a)",
    "cosh(a)",
    "tanh(a)",
    "exp(a)",
    "log(a)",
    "log10(a)",
    "cbrt(a)",
    "atan2(a, b)",
    "hypot(a, b)",
    "if(a < b and not (a == 1), a, b)",
    "sign(a*b)^3 + step(a)",
    "smootherstep(a, 0, b)",
  ];
  test.each(texts)("%s", (text) => {
    for (const a of SPECIAL) {
      for (const b of SPECIAL) {
        const { compiled, interpreted } = bothWays([nodeOf(text, ["a", "b"])], [a, b]);
        expect(bits(compiled), `${text} at ${a}, ${b}`).toEqual(bits(interpreted));
      }
    }
  });
});

/** The graph of a text that is not refused for a constant part that is not finite. */
function readable(text: string) {
  try {
    return nodeOf(text, VARIABLES);
  } catch {
    return undefined;
  }
}

test("random formulas have the bits of the interpreter", () => {
  fc.assert(
    fc.property(anyTree, fc.double(), fc.double(), fc.double(), (tree, t, x, y) => {
      const node = readable(textOf(tree));
      if (!node) return;
      const { compiled, interpreted } = bothWays([node], [t, x, y]);
      expect(bits(compiled)).toEqual(bits(interpreted));
    }),
    { numRuns: 300, seed: 11 },
  );
});

test("sine and cosine computed together have the same bits as alone", () => {
  const functions = elementary();
  fc.assert(
    fc.property(fc.double(), (x) => {
      const sine = functions.sineAndCosine(x);
      expect(Object.is(sine, functions.sin(x))).toBe(true);
      expect(Object.is(functions.keptCosine(), functions.cos(x))).toBe(true);
    }),
    {
      numRuns: 5000,
      seed: 3,
      examples: [[1e306], [-1.7e308], [2 ** -27], [2 ** -26], [Math.PI / 4]],
    },
  );
});

test("long formulas are split into functions that pass values on", () => {
  const graph = new Graph();
  const algebra = new Algebra(graph);
  const slots = [graph.slot(0), graph.slot(1)];
  const made = [...slots];
  // Each part uses two that are far behind: much is carried from function to function.
  for (let i = 2; i < 12_000; i++) {
    const far = made[Math.floor((i * 7919) % i)]!;
    made.push(
      i % 3 === 0
        ? graph.apply(Operation.Multiply, made[i - 1]!, graph.apply(Operation.Sin, far))
        : algebra.sum(made[i - 1]!, far),
    );
  }
  const { compiled, interpreted } = bothWays(made.slice(-40), [0.3, -0.1]);
  expect(bits(compiled)).toEqual(bits(interpreted));
  expect(compiled.every((value) => value === 0)).toBe(false);
});

describe.each(["hold", "repeat", "extend"] as const)(
  "tables that %s beyond their ends",
  (outside) => {
    test.each(["cubic", "linear"] as const)(
      "%s tables have the bits of Table for values and derivatives",
      (interpolation) => {
        const random = seeded(77);
        for (let trial = 0; trial < 30; trial++) {
          const count = 3 + Math.floor(40 * random() ** 2);
          const x = [(random() - 0.5) * 10];
          while (x.length < count) x.push(x.at(-1)! + 10 ** (3 * random() - 2));
          const y = x.map(() => random() - 0.5);
          y[count - 1] = y[0]!;
          const table = new Table({ x, y, interpolation, outside });
          const graph = new Graph();
          const orders = [0, 1, 2, 3, 4];
          const [first, last] = [x[0]!, x.at(-1)!];
          const places = [
            ...x,
            ...x.map((at) => at + (last - first)),
            ...Array.from({ length: 60 }, () => first + (3 * random() - 1) * (last - first)),
            ...[0, -0, 1e300, -1e300, 1e-300, Number.NaN, Number.POSITIVE_INFINITY],
          ];
          const nodes = places.flatMap((_, i) =>
            orders.map((order) => graph.table(table, order, graph.slot(i))),
          );
          const { compiled, interpreted } = bothWays(nodes, places);
          const exact = places.flatMap((place) =>
            orders.map((order) => table.derivative(place, order)),
          );
          expect(bits(compiled), `trial ${trial}`).toEqual(bits(Float64Array.from(exact)));
          expect(bits(interpreted)).toEqual(bits(Float64Array.from(exact)));
        }
      },
    );
  },
);

test("several tables in one formula use separate points", () => {
  const graph = new Graph();
  const tables = [3, 5, 4].map(
    (count, k) =>
      new Table({
        x: Array.from({ length: count }, (_, i) => i + k),
        y: Array.from({ length: count }, (_, i) => i * i - k),
        outside: "extend",
      }),
  );
  const x = graph.slot(0);
  const nodes = tables.map((table) => graph.table(table, 1, graph.table(table, 0, x)));
  for (const at of [-1, 0.3, 2.5, 7]) {
    const { compiled } = bothWays(nodes, [at]);
    expect([...compiled]).toEqual(tables.map((table) => table.rate(table.value(at))));
  }
});
