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
  /** What it returns: 1 where this is not zero, else 0. Nothing if there is none. */
  readonly returns?: Node;
}

/** All that some nodes are made of, operands first. */
export function allPartsOf(roots: readonly Node[]): Node[] {
  const found = new Set(roots);
  for (const { operands } of found) for (const operand of operands) found.add(operand);
  return [...found].sort((a, b) => a.id - b.id);
}
