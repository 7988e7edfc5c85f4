// Simplified sums and products of derivatives, most of whose parts are 0 or 1. Formulas of users are not simplified,
// since that would hide a factor of 0 that is infinite or NaN. No rule looks deeper than a level or two, since graphs
// may be deep.

import { type Graph, isConstant, type Node } from "./graph.js";
import { Operation } from "./operations.js";

/** Creates nodes of a graph with simple simplifications. */
export class Algebra {
  readonly graph: Graph;
  readonly zero: Node;
  readonly one: Node;
  readonly #foldsConstants: boolean;

  /** `foldsConstants` multiplies the constants of both factors of a product: energies have halves, their derivatives twos. */
  constructor(graph: Graph, foldsConstants = false) {
    this.graph = graph;
    this.#foldsConstants = foldsConstants;
    this.zero = graph.constant(0);
    this.one = graph.constant(1);
  }

  apply(operation: Operation, ...operands: Node[]): Node {
    return this.graph.apply(operation, ...operands);
  }

  sum(a: Node, b: Node): Node {
    if (isConstant(a, 0)) return b;
    if (isConstant(b, 0)) return a;
    if (a === b) return this.scaled(2, a);
    if (b.operation === Operation.Negate) return this.difference(a, b.operands[0]!);
    if (a.operation === Operation.Negate) return this.difference(b, a.operands[0]!);
    return this.apply(Operation.Add, a, b);
  }

  difference(a: Node, b: Node): Node {
    if (isConstant(b, 0)) return a;
    if (isConstant(a, 0)) return this.negative(b);
    if (a === b) return this.zero;
    if (b.operation === Operation.Negate) return this.sum(a, b.operands[0]!);
    return this.apply(Operation.Subtract, a, b);
  }

  negative(a: Node): Node {
    if (a.operation === Operation.Negate) return a.operands[0]!;
    if (a.operation === Operation.Subtract) return this.difference(a.operands[1]!, a.operands[0]!);
    return isConstant(a, 0) ? this.zero : this.apply(Operation.Negate, a);
  }

  scaled(factor: number, a: Node): Node {
    return this.product(this.graph.constant(factor), a);
  }

  product(a: Node, b: Node): Node {
    if (isConstant(b) && !isConstant(a)) return this.product(b, a);
    if (isConstant(a, 0) || isConstant(b, 0)) return this.zero;
    if (isConstant(a, 1)) return b;
    if (isConstant(a, -1)) return this.negative(b);
    if (a.operation === Operation.Negate) return this.negative(this.product(a.operands[0]!, b));
    if (b.operation === Operation.Negate) return this.negative(this.product(a, b.operands[0]!));
    return this.#fraction(a, b) ?? this.#fraction(b, a) ?? this.#gathered(a, b);
  }

  quotient(a: Node, b: Node): Node {
    if (isConstant(a, 0)) return this.zero;
    if (isConstant(b, 1)) return a;
    return this.apply(Operation.Divide, a, b);
  }

  reciprocal(a: Node): Node {
    return this.apply(Operation.Divide, this.one, a);
  }

  power(a: Node, n: number): Node {
    return this.apply(Operation.Power, a, this.graph.constant(n));
  }

  /**
   * The rate b of a function of something with rate a, with the singular case removed: 0 if a is 0 and `singular` is 0, which
   * means infinite steepness; else b. If `singular` is nonzero, b also holds for a = 0 and must stay, since its derivative
   * need not be 0 there.
   */
  unlessSteep(a: Node, singular: Node, b: Node): Node {
    if (isConstant(a)) return b;
    const isLevel = this.apply(Operation.Equal, a, this.zero);
    const isSingular = this.apply(Operation.Equal, singular, this.zero);
    const both = this.apply(Operation.And, isSingular, isLevel);
    return this.apply(Operation.Select, both, this.zero, b);
  }

  /** (1 / c) b = b / c. */
  #fraction(a: Node, b: Node): Node | undefined {
    if (a.operation !== Operation.Divide || !isConstant(a.operands[0]!, 1)) return undefined;
    return this.quotient(b, a.operands[1]!);
  }

  /** Moves c to the front if b = c rest with a constant c. */
  #gathered(a: Node, b: Node): Node {
    const c = constantOf(b);
    const d = this.#foldsConstants ? constantOf(a) : undefined;
    if (c === undefined) {
      if (d === undefined) return this.apply(Operation.Multiply, a, b);
      return this.apply(Operation.Multiply, d, this.product(restOf(a, d), b));
    }
    const rest = restOf(b, c);
    if (d !== undefined) {
      return this.product(this.apply(Operation.Multiply, d, c), this.product(restOf(a, d), rest));
    }
    return isConstant(a)
      ? this.apply(Operation.Multiply, this.apply(Operation.Multiply, a, c), rest)
      : this.apply(Operation.Multiply, c, this.apply(Operation.Multiply, a, rest));
  }
}

/** Whether a node was created by {@link Algebra.unlessSteep}. */
export function isUnlessSteep({ operation, operands }: Node): boolean {
  if (operation !== Operation.Select || !isConstant(operands[1]!, 0)) return false;
  const { operation: both, operands: tests } = operands[0]!;
  return (
    both === Operation.And &&
    tests.every((test) => test.operation === Operation.Equal && isConstant(test.operands[1]!, 0))
  );
}

/** The constant factor of a product. */
function constantOf({ operation, operands }: Node): Node | undefined {
  return operation === Operation.Multiply ? operands.find((part) => isConstant(part)) : undefined;
}

/** The other factor. */
function restOf({ operands }: Node, constant: Node): Node {
  return operands.find((part) => part !== constant)!;
}
