// Symbolic derivatives. From the oldest node of a formula to the root, the derivative of each node is built from its
// operands, their derivatives and itself. Repeated parts are one node, so a derivative has only a small multiple of the
// nodes of its formula, even with nested products.

import { Algebra } from "./algebra.js";
import { copyInto, Graph, isConstant, type Node, partsOf } from "./graph.js";
import { Operation } from "./operations.js";

/** Largest number of nodes of a formula and its derivative together. */
const MAX_NODES = 50_000;

/** Degree of the pieces of a table; higher derivatives are zero. */
const TABLE_DEGREE = 3;

/**
 * Differentiates a formula by one of its slots, in a separate graph. Other slots are constants. Undefined if the result
 * is too large.
 *
 * @param parts of the formula, operands first
 */
export function differentiate(
  parts: readonly Node[],
  slots: number,
  slot: number,
): Node | undefined {
  const graph = new Graph();
  const given = Array.from({ length: slots }, (_, i) => graph.slot(i));
  const root = copyInto(graph, parts, given);
  const algebra = new Algebra(graph);
  const rates = new Map<Node, Node>([[given[slot]!, algebra.one]]);
  for (const node of partsOf(root)) {
    if (graph.size > MAX_NODES) return undefined;
    if (rates.has(node)) continue;
    const inner = node.operands.map((operand) => rates.get(operand)!);
    const isConstantPart = inner.every((rate) => isConstant(rate, 0));
    rates.set(node, isConstantPart ? algebra.zero : rateOf(algebra, node, inner));
  }
  return rates.get(root)!;
}

/** Derivative of a node from those of its operands. */
export function rateOf(algebra: Algebra, node: Node, inner: readonly Node[]): Node {
  const { operation, operands } = node;
  const factor = factors[operation];
  if (factor) {
    const rate = algebra.product(factor(algebra, operands[0]!, node), inner[0]!);
    const singular = steep.get(operation);
    if (!singular) return rate;
    return algebra.unlessSteep(inner[0]!, singular(algebra, operands[0]!, node), rate);
  }
  const rule = rules[operation];
  // Comparisons and piecewise constant functions.
  return rule ? rule(algebra, operands, inner, node) : algebra.zero;
}

/**
 * Functions whose slope is infinite somewhere, each with an expression that is zero there. If the argument does not change
 * there, as in sqrt(max(x, 0)) for negative x or asin(clamp(x, -1, 1)) beyond 1, the derivative is 0, not 0 times infinity.
 */
export const steep: ReadonlyMap<Operation, (algebra: Algebra, x: Node, self: Node) => Node> =
  new Map([
    [Operation.SquareRoot, (_: Algebra, __: Node, self: Node) => self],
    [Operation.Cbrt, (_: Algebra, __: Node, self: Node) => self],
    [Operation.Asin, cosineOf],
    [Operation.Acos, cosineOf],
  ]);

/** f'(x) of functions of one argument; `self` is f(x). */
const factors: Partial<Record<Operation, (algebra: Algebra, x: Node, self: Node) => Node>> = {
  [Operation.Negate]: (algebra) => algebra.graph.constant(-1),
  [Operation.Absolute]: (algebra, x) => algebra.apply(Operation.Sign, x),
  [Operation.SquareRoot]: (algebra, _, self) => algebra.reciprocal(algebra.scaled(2, self)),
  [Operation.Cbrt]: (algebra, _, self) =>
    algebra.reciprocal(algebra.scaled(3, algebra.power(self, 2))),
  [Operation.Exp]: (_algebra, _, self) => self,
  [Operation.Log]: (algebra, x) => algebra.reciprocal(x),
  [Operation.Log10]: (algebra, x) => algebra.reciprocal(algebra.scaled(Math.LN10, x)),
  [Operation.Sin]: (algebra, x) => algebra.apply(Operation.Cos, x),
  [Operation.Cos]: (algebra, x) => algebra.negative(algebra.apply(Operation.Sin, x)),
  // 1 + tan^2 and 1 - tanh^2 do not overflow prematurely, as 1 / cosh^2 would.
  [Operation.Tan]: (algebra, _, self) => algebra.sum(algebra.one, algebra.power(self, 2)),
  [Operation.Tanh]: (algebra, _, self) => algebra.difference(algebra.one, algebra.power(self, 2)),
  [Operation.Asin]: (algebra, x) => algebra.reciprocal(cosineOf(algebra, x)),
  [Operation.Acos]: (algebra, x) => algebra.negative(algebra.reciprocal(cosineOf(algebra, x))),
  [Operation.Atan]: (algebra, x) =>
    algebra.reciprocal(algebra.sum(algebra.one, algebra.power(x, 2))),
  [Operation.Sinh]: (algebra, x) => algebra.apply(Operation.Cosh, x),
  [Operation.Cosh]: (algebra, x) => algebra.apply(Operation.Sinh, x),
  [Operation.Table]: (algebra, x, { table, number: order }) =>
    order < TABLE_DEGREE ? algebra.graph.table(table!, order + 1, x) : algebra.zero,
};

/** sqrt(1 - x^2) as sqrt((1 - x) (1 + x)), without cancellation near 1. */
function cosineOf(algebra: Algebra, x: Node): Node {
  const { one } = algebra;
  const square = algebra.product(algebra.difference(one, x), algebra.sum(one, x));
  return algebra.apply(Operation.SquareRoot, square);
}

type DerivativeRule = (
  algebra: Algebra,
  operands: readonly Node[],
  rates: readonly Node[],
  self: Node,
) => Node;

/** Rules for functions of two or three arguments a, b, c with derivatives da, db, dc. */
const rules: Partial<Record<Operation, DerivativeRule>> = {
  [Operation.Add]: (algebra, _, [da, db]) => algebra.sum(da!, db!),
  [Operation.Subtract]: (algebra, _, [da, db]) => algebra.difference(da!, db!),
  [Operation.Multiply]: (algebra, [a, b], [da, db]) =>
    algebra.sum(algebra.product(da!, b!), algebra.product(a!, db!)),
  // (a / b)' = (a' - (a / b) b') / b.
  [Operation.Divide]: (algebra, [, b], [da, db], self) =>
    algebra.quotient(algebra.difference(da!, algebra.product(self, db!)), b!),
  [Operation.IntegerPower]: powerRule,
  [Operation.Power]: powerRule,
  // atan2(a, b)' = (b a' - a b') / (a^2 + b^2).
  [Operation.Atan2]: (algebra, [a, b], [da, db]) => {
    const turn = algebra.difference(algebra.product(b!, da!), algebra.product(a!, db!));
    const square = algebra.sum(algebra.power(a!, 2), algebra.power(b!, 2));
    return algebra.unlessSteep(turn, square, algebra.quotient(turn, square));
  },
  // hypot(a, b)' = (a a' + b b') / hypot(a, b).
  [Operation.Hypot]: (algebra, [a, b], [da, db], self) => {
    const along = algebra.sum(algebra.product(a!, da!), algebra.product(b!, db!));
    return algebra.unlessSteep(along, self, algebra.quotient(along, self));
  },
  // mod(a, b) = a - b floor(a / b), and floor has the derivative 0.
  [Operation.Modulo]: (algebra, [a, b], [da, db]) => {
    const turns = algebra.apply(Operation.Floor, algebra.apply(Operation.Divide, a!, b!));
    return algebra.difference(da!, algebra.product(turns, db!));
  },
  // The derivative of the selected argument.
  [Operation.Minimum]: (algebra, [a, b], [da, db]) =>
    algebra.apply(Operation.Select, algebra.apply(Operation.Less, b!, a!), db!, da!),
  [Operation.Maximum]: (algebra, [a, b], [da, db]) =>
    algebra.apply(Operation.Select, algebra.apply(Operation.Less, a!, b!), db!, da!),
  [Operation.Select]: (algebra, [condition], [, db, dc]) =>
    algebra.apply(Operation.Select, condition!, db!, dc!),
};

/**
 * (a^b)' = b a^(b-1) a' + a^b log(a) b'. If only the base changes, the logarithm is omitted, so that the rule holds for
 * zero and negative bases as well. At a = 0 the second part has the limit 0; exponents below 1 are infinitely steep there.
 */
function powerRule(
  algebra: Algebra,
  [a, b]: readonly Node[],
  [da, db]: readonly Node[],
  self: Node,
): Node {
  const lower = algebra.apply(Operation.Power, a!, algebra.difference(b!, algebra.one));
  const rate = algebra.product(algebra.product(b!, lower), da!);
  const isSteep = !(isConstant(b!) && b!.number >= 1);
  const byBase = isSteep ? algebra.unlessSteep(da!, a!, rate) : rate;
  if (isConstant(db!, 0)) return byBase;
  const slope = algebra.product(self, algebra.apply(Operation.Log, a!));
  const isZero = algebra.apply(Operation.Equal, a!, algebra.zero);
  const byExponent = algebra.apply(Operation.Select, isZero, algebra.zero, slope);
  return algebra.sum(byBase, algebra.product(byExponent, db!));
}
