import type { Node } from "../expressions/graph.js";

/** Location of a value: an address, or an offset from an address that is a parameter of the function. */
export interface Place {
  /** Index of the parameter from 0; undefined for a fixed address. */
  readonly parameter?: number;
  /** Offset or address in bytes. */
  readonly offset: number;
}

/** A value that a function writes. */
export interface Output {
  readonly node: Node;
  readonly place: Place;
}

/** A function over the memory of a system, which evaluates formulas and shares their common parts. */
export interface FunctionSpec {
  readonly name: string;
  /** Number of address parameters. */
  readonly parameters: number;
  readonly outputs: readonly Output[];
  /** Location of the value of a slot of the graph. */
  readonly slot: (index: number) => Place;
  /** Addresses of nodes that another function has evaluated. */
  readonly given?: ReadonlyMap<Node, number>;
  /** Node that determines the result: 1 if it is nonzero, else 0. Undefined for no result. */
  readonly returns?: Node;
}

/** Some nodes with all their parts, operands first. Operands of `given` nodes are not visited. */
export function allPartsOf(roots: readonly Node[], given?: ReadonlyMap<Node, unknown>): Node[] {
  const found = new Set(roots);
  for (const node of found) {
    if (given?.has(node)) continue;
    for (const operand of node.operands) found.add(operand);
  }
  return byAge(found);
}

/** Largest length of lists that are sorted; longer ones are bucketed by age, which is faster. */
const MAX_SORTED_LENGTH = 64;

/** Nodes of one graph, oldest first. */
export function byAge(nodes: ReadonlySet<Node>): Node[] {
  if (nodes.size <= MAX_SORTED_LENGTH) return [...nodes].sort((a, b) => a.id - b.id);
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { id } of nodes) {
    first = Math.min(first, id);
    last = Math.max(last, id);
  }
  const places = new Array<Node | undefined>(last - first + 1).fill(undefined);
  for (const node of nodes) places[node.id - first] = node;
  return places.filter((node) => node !== undefined);
}
