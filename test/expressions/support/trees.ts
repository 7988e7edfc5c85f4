// Random expressions as trees: printed to texts, and evaluated without the package but for its
// elementary functions.

import fc from "fast-check";
import { formulaFunction } from "./room.js";

export type Tree =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "unary"; readonly sign: string; readonly operand: Tree }
  | { readonly kind: "binary"; readonly sign: string; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Tree[] };

export const VARIABLES = ["t", "x", "y"];

/** How tightly they bind. */
const RANKS: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  not: 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "==": 4,
  "!=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "^": 8,
};
const SIGN_RANK = 7;
const OPERAND_RANK = 9;

function rankOf(tree: Tree): number {
  if (tree.kind === "binary") return RANKS[tree.sign];
  if (tree.kind === "unary") return tree.sign === "not" ? RANKS.not : SIGN_RANK;
  return OPERAND_RANK;
}

/** The text of a tree, with parentheses only where they are needed. */
export function textOf(tree: Tree): string {
  switch (tree.kind) {
    case "number":
      return String(tree.value);
    case "variable":
      return tree.name;
    case "unary": {
      const least = tree.sign === "not" ? RANKS.not : SIGN_RANK;
      return `${tree.sign} ${enclosed(tree.operand, least)}`;
    }
    case "binary": {
      const [left, right] = sides(tree.sign);
      return `${enclosed(tree.left, left)} ${tree.sign} ${enclosed(tree.right, right)}`;
    }
    case "call":
      return `${tree.name}(${tree.given.map(textOf).join(", ")})`;
  }
}

/**
 * The least ranks of both sides: lists go from left to right, powers the other way, comparisons
 * stand alone.
 */
function sides(sign: string): readonly [number, number] {
  const rank = RANKS[sign];
  if (rank === RANKS["<"]) return [rank + 1, rank + 1];
  return sign === "^" ? [OPERAND_RANK, SIGN_RANK] : [rank, rank + 1];
}

function enclosed(tree: Tree, least: number): string {
  return rankOf(tree) < least ? `(${textOf(tree)})` : textOf(tree);
}

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  or: (a, b) => Number(a !== 0 || b !== 0),
  and: (a, b) => Number(a !== 0 && b !== 0),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

const way = (x: number, x0: number, x1: number) => Math.min(Math.max((x - x0) / (x1 - x0), 0), 1);

const exactFunctions: Readonly<Record<string, (...given: number[]) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  min: Math.min,
  max: Math.max,
  mod: (a, b) => (a % b !== 0 && a % b < 0 !== b < 0 ? (a % b) + b : a % b),
  if: (condition, a, b) => (condition !== 0 ? a : b),
  step: (x) => Number(x >= 0),
  clamp: (x, low, high) => Math.min(Math.max(x, low), high),
  smootherstep: (x, x0, x1) =>
    way(x, x0, x1) ** 3 * (10 + way(x, x0, x1) * (6 * way(x, x0, x1) - 15)),
  smoothstep: (x, x0, x1) => way(x, x0, x1) * way(x, x0, x1) * (3 - 2 * way(x, x0, x1)),
};

const smoothFunctions = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"];
const otherFunctions = ["exp", "log", "log10", "cbrt"];
const elementaryOf = new Map<string, (...given: number[]) => number>([
  ...[...smoothFunctions, ...otherFunctions].map(
    (name) => [name, formulaFunction(`${name}(x)`, ["x"])] as const,
  ),
  ["atan2", formulaFunction("atan2(y, x)", ["y", "x"])],
  ["hypot", formulaFunction("hypot(x, y)", ["x", "y"])],
  ["^", formulaFunction("x^y", ["x", "y"])],
]);

/** The value of a tree; `see` is told that of every part. */
export function evaluateTree(
  tree: Tree,
  variables: Readonly<Record<string, number>>,
  see: (part: Tree, value: number) => void = () => {},
): number {
  const value = bareValue(tree, variables, see);
  see(tree, value);
  return value;
}

function bareValue(
  tree: Tree,
  variables: Readonly<Record<string, number>>,
  see: (part: Tree, value: number) => void,
): number {
  const inner = (part: Tree) => evaluateTree(part, variables, see);
  switch (tree.kind) {
    case "number":
      return tree.value;
    case "variable":
      return variables[tree.name];
    case "unary": {
      const value = inner(tree.operand);
      if (tree.sign === "not") return Number(value === 0);
      return tree.sign === "-" ? -value : value;
    }
    case "binary":
      if (tree.sign === "^") return powerOf(inner(tree.left), tree.right, inner(tree.right));
      return operators[tree.sign](inner(tree.left), inner(tree.right));
    case "call":
      return (exactFunctions[tree.name] ?? elementaryOf.get(tree.name)!)(...tree.given.map(inner));
  }
}

/** By products where the exponent is a small integer that was written so. */
function powerOf(base: number, exponent: Tree, value: number): number {
  if (exponent.kind === "variable" || !Number.isInteger(value) || Math.abs(value) > 16) {
    return elementaryOf.get("^")!(base, value);
  }
  let product = 1;
  for (let i = 0; i < Math.abs(value); i++) product *= base;
  return value < 0 ? 1 / product : product;
}

export function hasVariables(tree: Tree): boolean {
  switch (tree.kind) {
    case "number":
      return false;
    case "variable":
      return true;
    case "unary":
      return hasVariables(tree.operand);
    case "binary":
      return hasVariables(tree.left) || hasVariables(tree.right);
    case "call":
      return tree.given.some(hasVariables);
  }
}

const number: fc.Arbitrary<Tree> = fc
  .oneof(
    fc.constantFrom(0, 1, 2, 3, 0.5, 1e-3, 1e200),
    fc.integer({ min: 0, max: 4000 }).map((n) => n / 64),
  )
  .map((value) => ({ kind: "number", value }));
const variable: fc.Arbitrary<Tree> = fc
  .constantFrom(...VARIABLES)
  .map((name) => ({ kind: "variable", name }));
const exponent: fc.Arbitrary<Tree> = fc.oneof(
  variable,
  fc
    .constantFrom(0, 1, 2, 3, 5, 16, 17, 0.5, 1.5)
    .map((value): Tree => ({ kind: "number", value })),
  fc
    .constantFrom(1, 2, 3, 16, 17, 0.5)
    .map((value): Tree => ({ kind: "unary", sign: "-", operand: { kind: "number", value } })),
);

const calls = (name: string, ...given: fc.Arbitrary<Tree>[]): fc.Arbitrary<Tree> =>
  fc.tuple(...given).map((parts) => ({ kind: "call", name, given: parts }));

const binary = (sign: string, left: fc.Arbitrary<Tree>, right: fc.Arbitrary<Tree>) =>
  fc.record({ kind: fc.constant("binary" as const), sign: fc.constant(sign), left, right });

const unary = (sign: string, operand: fc.Arbitrary<Tree>) =>
  fc.record({ kind: fc.constant("unary" as const), sign: fc.constant(sign), operand });

/** Any expression. */
export const anyTree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => {
  const tree = tie("tree");
  const many = fc.array(tree, { minLength: 2, maxLength: 4 });
  return {
    tree: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.oneof(variable, number),
      fc.oneof(...Object.keys(operators).map((sign) => binary(sign, tree, tree))),
      binary("^", tree, exponent),
      fc.oneof(unary("-", tree), unary("+", tree), unary("not", tree)),
      fc.oneof(
        ...[...smoothFunctions, ...otherFunctions].map((name) => calls(name, tree)),
        ...["sqrt", "abs", "sign", "floor", "ceil", "step"].map((name) => calls(name, tree)),
        ...["atan2", "hypot", "mod"].map((name) => calls(name, tree, tree)),
        ...["if", "clamp", "smoothstep"].map((name) => calls(name, tree, tree, tree)),
        ...["min", "max"].map((name) => many.map((given): Tree => ({ kind: "call", name, given }))),
      ),
    ),
  };
}).tree;

/** An expression that has a derivative nearly everywhere. */
export const smoothTree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => {
  const tree = tie("tree");
  const condition = fc.constantFrom("<", ">=").chain((sign) => binary(sign, tree, tree));
  return {
    tree: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.oneof(
        variable,
        fc.integer({ min: 1, max: 99 }).map((n): Tree => ({ kind: "number", value: n / 16 })),
      ),
      fc.oneof(...["+", "-", "*", "/"].map((sign) => binary(sign, tree, tree))),
      binary("^", tree, exponent),
      unary("-", tree),
      fc.oneof(
        ...[...smoothFunctions, ...otherFunctions, "sqrt", "abs"].map((name) => calls(name, tree)),
        ...["atan2", "hypot", "min", "max"].map((name) => calls(name, tree, tree)),
        calls(
          "mod",
          tree,
          fc.constantFrom(1.5, 4).map((value): Tree => ({ kind: "number", value })),
        ),
        ...["clamp", "smoothstep", "smootherstep"].map((name) => calls(name, tree, number, number)),
        condition.chain((first) => calls("if", fc.constant(first), tree, tree)),
      ),
    ),
  };
}).tree;
