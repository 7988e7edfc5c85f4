// Built-in functions of formulas. Some are operations, others are composed of operations, so that their derivatives
// follow.

import type { Graph, Node } from "./graph.js";
import { FUNCTION_NAMES, Operation } from "./operations.js";

export interface BuiltIn {
  /** Example of a call, for messages. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  build(graph: Graph, given: readonly Node[]): Node;
}

export const constants: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

/** Words of the grammar. */
export const keywords: readonly string[] = ["and", "or", "not"];

const unary: readonly Operation[] = [
  Operation.Sin,
  Operation.Cos,
  Operation.Tan,
  Operation.Asin,
  Operation.Acos,
  Operation.Atan,
  Operation.Sinh,
  Operation.Cosh,
  Operation.Tanh,
  Operation.Exp,
  Operation.Log,
  Operation.Log10,
  Operation.SquareRoot,
  Operation.Cbrt,
  Operation.Absolute,
  Operation.Sign,
  Operation.Floor,
  Operation.Ceil,
];

const others: readonly (readonly [string, BuiltIn])[] = [
  ["atan2", direct("atan2(y, x)", 2, Operation.Atan2)],
  ["hypot", direct("hypot(x, y)", 2, Operation.Hypot)],
  ["pow", direct("pow(base, exponent)", 2, Operation.Power)],
  ["mod", direct("mod(a, b)", 2, Operation.Modulo)],
  ["if", direct("if(condition, then, otherwise)", 3, Operation.Select)],
  ["min", ofMany("min(a, b, ...)", Operation.Minimum)],
  ["max", ofMany("max(a, b, ...)", Operation.Maximum)],
  ["step", composed("step(x)", 1, step)],
  ["clamp", composed("clamp(x, low, high)", 3, clamp)],
  ["smoothstep", composed("smoothstep(x, x0, x1)", 3, smoothStep)],
  ["smootherstep", composed("smootherstep(x, x0, x1)", 3, smootherStep)],
];

/** Built-in functions by name. */
export const builtIns: ReadonlyMap<string, BuiltIn> = new Map([
  ...unary.map((operation) => {
    const name = FUNCTION_NAMES[operation]!;
    return [name, direct(`${name}(x)`, 1, operation)] as const;
  }),
  ...others,
]);

function composed(usage: string, count: number, build: BuiltIn["build"]): BuiltIn {
  return { usage, least: count, most: count, build };
}

function direct(usage: string, count: number, operation: Operation): BuiltIn {
  return composed(usage, count, (graph, given) => graph.apply(operation, ...given));
}

function ofMany(usage: string, operation: Operation): BuiltIn {
  return {
    usage,
    least: 2,
    most: Number.POSITIVE_INFINITY,
    build: (graph, given) => given.reduce((a, b) => graph.apply(operation, a, b)),
  };
}

/** 0 for negative x, else 1. */
function step(graph: Graph, [x]: readonly Node[]): Node {
  return graph.apply(Operation.LessOrEqual, graph.constant(0), x!);
}

function clamp(graph: Graph, [x, low, high]: readonly Node[]): Node {
  return graph.apply(Operation.Minimum, graph.apply(Operation.Maximum, x!, low!), high!);
}

/** Linear ramp: 0 up to x0, 1 from x1 on. */
function unitRamp(graph: Graph, [x, x0, x1]: readonly Node[]): Node {
  const length = graph.apply(Operation.Subtract, x1!, x0!);
  const done = graph.apply(Operation.Divide, graph.apply(Operation.Subtract, x!, x0!), length);
  return clamp(graph, [done, graph.constant(0), graph.constant(1)]);
}

/** u^2 (3 - 2 u): the cubic from 0 to 1 with zero slope at both ends. */
function smoothStep(graph: Graph, given: readonly Node[]): Node {
  const u = unitRamp(graph, given);
  const twice = graph.apply(Operation.Multiply, graph.constant(2), u);
  const rest = graph.apply(Operation.Subtract, graph.constant(3), twice);
  return graph.apply(Operation.Multiply, power(graph, u, 2), rest);
}

/** u^3 (10 + u (6 u - 15)): the quintic whose second derivative is zero at both ends as well. */
function smootherStep(graph: Graph, given: readonly Node[]): Node {
  const u = unitRamp(graph, given);
  const sixfold = graph.apply(Operation.Multiply, graph.constant(6), u);
  const linear = graph.apply(Operation.Subtract, sixfold, graph.constant(15));
  const product = graph.apply(Operation.Multiply, u, linear);
  const rest = graph.apply(Operation.Add, graph.constant(10), product);
  return graph.apply(Operation.Multiply, power(graph, u, 3), rest);
}

function power(graph: Graph, base: Node, exponent: number): Node {
  return graph.apply(Operation.Power, base, graph.constant(exponent));
}
