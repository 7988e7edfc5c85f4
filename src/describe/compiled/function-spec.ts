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
  return byAge(found);
}

/** Lists up to this length are sorted; longer ones are dealt to places by their ages, which takes less time. */
const SHORT = 64;

/** Nodes of one graph, oldest first. */
export function byAge(nodes: ReadonlySet<Node>): Node[] {
  if (nodes.size <= SHORT) return [...nodes].sort((a, b) => a.id - b.id);
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { id } of nodes) {
    first = Math.min(first, id);
    last = Math.max(last, id);
  }
  const places = new Array<Node | undefined>(last - first + 1).fill(undefined);
  for (const node of nodes) places[node.id - first] = node;
  return places.filter((node) => node !== undefined);
}
