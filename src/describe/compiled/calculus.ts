// Derivatives of many formulas at once, in the graph they stand in: what two of them share is one
// node.
//
// Forward: from the oldest part to the youngest, the derivative of each along one direction. Costs a
// few times the formulas, however many there are, for each direction.
//
// Backward: from the youngest to the oldest, the derivative of one formula by each of its parts. Costs
// a few times the formula, however many variables there are: the way to gradients of energies.

import { Algebra } from "../expressions/algebra.js";
import { rateOf, steep } from "../expressions/derivative.js";
import { type Graph, isConstant, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import { allPartsOf, byAge } from "./function-spec.js";

/** Tells that formulas have become too large. */
export type Watch = () => void;

/**
 * Where a function may be infinitely steep, what does not change has the derivative 0: forward that is
 * seen, part by part, backward it is not. Those formulas are differentiated forward.
 */
const GUARDED: ReadonlySet<Operation> = new Set([
  ...steep.keys(),
  Operation.Power,
  Operation.Atan2,
  Operation.Hypot,
]);

export class Calculus {
  readonly algebra: Algebra;
  readonly #watch: Watch;

  constructor(graph: Graph, watch: Watch) {
    this.algebra = new Algebra(graph, true);
    this.#watch = watch;
  }

  /** Derivatives along a direction: the rates of some nodes, slots mostly, are given, all other slots stand still. */
  along(
    nodes: readonly Node[],
    rates: ReadonlyMap<Node, Node>,
    parts: readonly Node[] = allPartsOf(nodes),
  ): Node[] {
    const { algebra } = this;
    const found = new Map(rates);
    for (const node of parts) {
      if (found.has(node) || node.operands.length === 0) continue;
      const inner = node.operands.map((operand) => found.get(operand) ?? algebra.zero);
      if (inner.every((rate) => isConstant(rate, 0))) continue;
      const rate = rateOf(algebra, node, inner);
      if (!isConstant(rate, 0)) found.set(node, rate);
      this.#watch();
    }
    return nodes.map((node) => found.get(node) ?? algebra.zero);
  }

  /** Derivatives of nodes by variables: one row for each node. */
  jacobian(nodes: readonly Node[], variables: readonly Node[]): Node[][] {
    const users = usersOf(nodes);
    const columns = variables.map((variable) => {
      // Only what depends on the variable: of large systems that is little.
      const reached = new Set([variable]);
      for (const node of reached) for (const user of users.get(node) ?? []) reached.add(user);
      return this.along(nodes, new Map([[variable, this.algebra.one]]), byAge(reached));
    });
    return nodes.map((_, row) => columns.map((column) => column[row]!));
  }

  /** Derivatives of one node by variables. Terms of a sum go the way that suits them. */
  gradient(node: Node, variables: readonly Node[]): Node[] {
    const { algebra } = this;
    const terms = termsOf(node);
    const isGuarded = (term: Node) =>
      allPartsOf([term]).some(({ operation }) => GUARDED.has(operation));
    const smooth = terms.filter(({ term }) => !isGuarded(term));
    const rough = terms.filter(({ term }) => isGuarded(term));
    const total = this.#backward(smooth, variables);
    if (rough.length === 0) return total;
    const rows = this.jacobian(
      rough.map(({ term }) => term),
      variables,
    );
    return total.map((start, column) =>
      rough.reduce((sum, { sign }, i) => {
        const part = rows[i]![column]!;
        return sign > 0 ? algebra.sum(sum, part) : algebra.difference(sum, part);
      }, start),
    );
  }

  #backward(terms: readonly Term[], variables: readonly Node[]): Node[] {
    const { algebra } = this;
    const relevant = new Set(variables);
    const parts = allPartsOf(terms.map(({ term }) => term));
    for (const node of parts) {
      if (node.operands.some((operand) => relevant.has(operand))) relevant.add(node);
    }
    const shares = new Map<Node, Node>();
    const add = (node: Node, share: Node) => {
      const before = shares.get(node);
      shares.set(node, before ? algebra.sum(before, share) : share);
    };
    for (const { term, sign } of terms)
      add(term, sign > 0 ? algebra.one : algebra.negative(algebra.one));
    for (const node of [...parts].reverse()) {
      const share = shares.get(node);
      if (share === undefined || !relevant.has(node) || isConstant(share, 0)) continue;
      const { operands } = node;
      for (const [i, operand] of operands.entries()) {
        if (!relevant.has(operand) || operands.indexOf(operand) < i) continue;
        // Both factors of a square are the same operand.
        const inner = operands.map((other) => (other === operand ? algebra.one : algebra.zero));
        const slope = rateOf(algebra, node, inner);
        if (!isConstant(slope, 0)) add(operand, algebra.product(share, slope));
      }
      this.#watch();
    }
    return variables.map((variable) => shares.get(variable) ?? algebra.zero);
  }
}

/** Of each part what is made of it. */
function usersOf(nodes: readonly Node[]): Map<Node, Node[]> {
  const users = new Map<Node, Node[]>();
  for (const node of allPartsOf(nodes)) {
    for (const operand of node.operands) {
      const list = users.get(operand);
      if (list) list.push(node);
      else users.set(operand, [node]);
    }
  }
  return users;
}

interface Term {
  readonly term: Node;
  readonly sign: 1 | -1;
}

/** What a sum is the sum of. */
function termsOf(root: Node): Term[] {
  const found: Term[] = [];
  const open: Term[] = [{ term: root, sign: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { term, sign } = next;
    const { operation, operands } = term;
    const other = sign > 0 ? -1 : 1;
    if (operation === Operation.Add) {
      open.push({ term: operands[1]!, sign }, { term: operands[0]!, sign });
    } else if (operation === Operation.Subtract) {
      open.push({ term: operands[1]!, sign: other }, { term: operands[0]!, sign });
    } else if (operation === Operation.Negate) open.push({ term: operands[0]!, sign: other });
    else found.push(next);
    if (found.length + open.length > 100_000) return [{ term: root, sign: 1 }];
  }
  return found;
}
