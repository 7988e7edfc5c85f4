// Compiled formulas have the bits of the interpreter, whatever they are made of.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyTree, textOf, VARIABLES } from "../expressions/support/trees.js";
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

test("random formulas", () => {
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

test("sine and cosine found together are those found alone", () => {
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

test("long formulas are cut into functions, which hand numbers on", () => {
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

test("tables", () => {
  const graph = new Graph();
  const table = new Table({ x: [0, 1, 2, 4], y: [0, 3, -1, 0], outside: "repeat" });
  const nodes = [0, 1, 2].map((order) => graph.table(table, order, graph.slot(0)));
  for (const x of [-3.3, 0, 0.4, 1, 3.9, 17.2]) {
    const { compiled } = bothWays(nodes, [x]);
    expect([...compiled]).toEqual([table.value(x), table.rate(x), table.acceleration(x)]);
  }
});
