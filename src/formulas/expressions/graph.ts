// Formulas as graphs, with one node for repeated parts. Operands are always older than the nodes that use them, so
// traversal by age needs no recursion, however deep a formula is.

import { elementary } from "../../base/wasm/elementary.js";
import { evaluate } from "./evaluate.js";
import { isElementary, Operation } from "./operations.js";
import type { Table } from "./table.js";

export interface Node {
  /** Age in its graph; operands have smaller ids. */
  readonly id: number;
  readonly operation: Operation;
  readonly operands: readonly Node[];
  /** Value of a constant, index of a slot, or order of the derivative of a table. */
  readonly number: number;
  readonly table: Table | undefined;
}

/** Largest integer exponent evaluated by products: exact signs, and derivatives without logarithms. */
const MAX_PRODUCT_EXPONENT = 16;

export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #tables = new Map<Table, number>();
  readonly #scratch = new Float64Array(4);
  #fault: string | undefined;

  get size(): number {
    return this.#nodes.size;
  }

  /** Message about an invalid constant, if any. */
  get fault(): string | undefined {
    return this.#fault;
  }

  constant(value: number): Node {
    if (!Number.isFinite(value)) this.#fault ??= `this is ${value}, not a finite number`;
    const key = Object.is(value, -0) ? "-0" : `${value}`;
    return this.#node(key, Operation.Constant, [], value);
  }

  slot(index: number): Node {
    return this.#node(`slot ${index}`, Operation.Slot, [], index);
  }

  /** Creates a derivative of a table; order 0 is its value. */
  table(table: Table, order: number, x: Node): Node {
    if (x.operation === Operation.Constant) return this.constant(table.derivative(x.number, order));
    const index = this.#tables.get(table) ?? this.#tables.size;
    this.#tables.set(table, index);
    return this.#node(`table ${index} ${order} ${x.id}`, Operation.Table, [x], order, table);
  }

  /** Returns an existing or new operation; evaluates it if all operands are constants. */
  apply(operation: Operation, ...operands: Node[]): Node {
    const [a, b, c] = operands as [Node, Node, Node];
    if (operation === Operation.Divide && isConstant(b, 0)) this.#fault ??= "division by zero";
    if (operation === Operation.Power && isSmallInteger(b)) return this.#integerPower(a, b);
    if (operands.every((operand) => operand.operation === Operation.Constant)) {
      return this.constant(this.#valueOf(operation, operands));
    }
    if (operation === Operation.Select) {
      if (a.operation === Operation.Constant) return a.number === 0 ? c : b;
      if (b === c) return b;
    }
    if (operation === Operation.Negate && a.operation === Operation.Negate) return a.operands[0]!;
    const isUnordered = operation === Operation.Add || operation === Operation.Multiply;
    if (isUnordered && a.id > b.id) return this.apply(operation, b, a);
    const key = `${operation}(${operands.map(({ id }) => id).join()}`;
    return this.#node(key, operation, operands, 0);
  }

  #integerPower(a: Node, n: Node): Node {
    if (n.number === 0) return this.constant(1);
    return n.number === 1 ? a : this.apply(Operation.IntegerPower, a, n);
  }

  #node(
    key: string,
    operation: Operation,
    operands: readonly Node[],
    number: number,
    table?: Table,
  ): Node {
    const known = this.#nodes.get(key);
    if (known) return known;
    const node = { id: this.#nodes.size, operation, operands, number, table };
    this.#nodes.set(key, node);
    return node;
  }

  /** Evaluates constants with the code that evaluates formulas, so that the bits are the same. */
  #valueOf(operation: Operation, operands: readonly Node[]): number {
    const scratch = this.#scratch;
    for (let i = 0; i < operands.length; i++) scratch[i] = operands[i]!.number;
    const functions = isElementary(operation) ? elementary() : undefined;
    evaluate(operation, scratch, 3, 0, 1, 2, functions);
    return scratch[3]!;
  }
}

/** Whether a node is a constant, optionally with a given value. */
export function isConstant({ operation, number }: Node, value?: number): boolean {
  return operation === Operation.Constant && (value === undefined || number === value);
}

function isSmallInteger(node: Node): boolean {
  return (
    isConstant(node) &&
    Number.isInteger(node.number) &&
    Math.abs(node.number) <= MAX_PRODUCT_EXPONENT
  );
}

/** All parts of a node and the node itself, operands first. */
export function partsOf(root: Node): Node[] {
  const found = new Set([root]);
  // Iteration over a set includes elements added during it.
  for (const { operands } of found) for (const operand of operands) found.add(operand);
  return [...found].sort((a, b) => a.id - b.id);
}

/** Copies nodes into another graph, with other nodes instead of the slots. */
export function copyInto(graph: Graph, parts: readonly Node[], slots: readonly Node[]): Node {
  const copies = new Map<Node, Node>();
  let copy: Node | undefined;
  for (const node of parts) {
    const operands = node.operands.map((operand) => copies.get(operand)!);
    copy = copyOf(graph, node, operands, slots);
    copies.set(node, copy);
  }
  return copy!;
}

function copyOf(graph: Graph, node: Node, operands: Node[], slots: readonly Node[]): Node {
  switch (node.operation) {
    case Operation.Constant:
      return graph.constant(node.number);
    case Operation.Slot:
      return slots[node.number]!;
    case Operation.Table:
      return graph.table(node.table!, node.number, operands[0]!);
    default:
      return graph.apply(node.operation, ...operands);
  }
}
