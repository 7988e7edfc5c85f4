import type { Node } from "../expressions/graph.js";

/** Where a number lies: at an address, or behind one that is a parameter of the function. */
export interface Place {
  /** The parameter, counted from 0; none for an address that is known. */
  readonly parameter?: number;
  /** Bytes. */
  readonly offset: number;
}

/** A number that a function writes. */
export interface Output {
  readonly node: Node;
  readonly place: Place;
}

/** A function over the memory of a system: some formulas, whose common parts are evaluated once. */
export interface FunctionSpec {
  readonly name: string;
  /** Number of addresses it is called with. */
  readonly parameters: number;
  readonly outputs: readonly Output[];
  /** Where the numbers lie that slots of the graph stand for. */
  readonly slot: (index: number) => Place;
  /** Nodes that another function has evaluated, and their addresses. */
  readonly given?: ReadonlyMap<Node, number>;
  /** What it returns: 1 where this is not zero, else 0. Nothing if there is none. */
  readonly returns?: Node;
}

/** All that some nodes are made of, operands first. Nothing that is given is looked into. */
export function allPartsOf(roots: readonly Node[], given?: ReadonlyMap<Node, unknown>): Node[] {
  const found = new Set(roots);
  for (const node of found) {
    if (given?.has(node)) continue;
    for (const operand of node.operands) found.add(operand);
  }
  return [...found].sort((a, b) => a.id - b.id);
}
