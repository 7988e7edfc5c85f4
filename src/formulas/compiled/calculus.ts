// Derivatives of many formulas in their common graph, where shared parts are one node.
//
// Forward mode: from the oldest node to the youngest, the derivative of each along one direction. One direction
// costs a small multiple of the formulas.
//
// Backward mode: from the youngest node to the oldest, the derivative of one formula by each of its nodes. Costs
// a small multiple of the formula for any number of variables, which suits gradients of energies.

import { Algebra } from "../expressions/algebra.js";
import { rateOf, steep } from "../expressions/derivative.js";
import { type Graph, isConstant, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import { allPartsOf, byAge } from "./function-spec.js";

/** Throws if formulas have become too large. */
export type Watch = () => void;

/**
 * Functions that may be infinitely steep. If their argument does not change, the derivative is 0. Only forward mode
 * detects this, so formulas with these functions are differentiated forward.
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

  /** Derivatives along a direction, given by the rates of some nodes, mostly slots. All other slots are constant. */
  along(
    nodes: readonly Node[],
    rates: ReadonlyMap<Node, Node>,
    parts: readonly Node[] = allPartsOf(nodes),
  ): Node[] {
    const { algebra } = this;
    // The direction is not copied: that of a motion has every body of the model.
    const found = new Map<Node, Node>();
    const known = (node: Node) => rates.get(node) ?? found.get(node);
    for (const node of parts) {
      if (node.operands.length === 0 || known(node)) continue;
      const inner = node.operands.map((operand) => known(operand) ?? algebra.zero);
      if (inner.every((rate) => isConstant(rate, 0))) continue;
      const rate = rateOf(algebra, node, inner);
      if (!isConstant(rate, 0)) found.set(node, rate);
      this.#watch();
    }
    return nodes.map((node) => known(node) ?? algebra.zero);
  }

  /** Derivatives of nodes by variables, with one row for each node. */
  jacobian(nodes: readonly Node[], variables: readonly Node[]): Node[][] {
    const users = usersOf(nodes);
    const columns = variables.map((variable) => {
      // Visit only nodes that depend on the variable: few in large systems.
      const reached = new Set([variable]);
      for (const node of reached) for (const user of users.get(node) ?? []) reached.add(user);
      return this.along(nodes, new Map([[variable, this.algebra.one]]), byAge(reached));
    });
    return nodes.map((_, row) => columns.map((column) => column[row]!));
  }

  /** Derivatives of one node by variables, with the suitable mode for each term of a sum. */
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

  #backward(terms: readonly SignedTerm[], variables: readonly Node[]): Node[] {
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

/** Maps each node to the nodes that use it. */
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

interface SignedTerm {
  readonly term: Node;
  readonly sign: 1 | -1;
}

/** Terms of a sum. */
function termsOf(root: Node): SignedTerm[] {
  const found: SignedTerm[] = [];
  const open: SignedTerm[] = [{ term: root, sign: 1 }];
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
