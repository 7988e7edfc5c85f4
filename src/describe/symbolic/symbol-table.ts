// Names that the formulas of a system know, and the nodes they stand for. Slots of the graph are t,
// then parameters, coordinates, their rates, accelerations, multipliers.

import { hint } from "../../ground/checking/index.js";
import { Calculus } from "../compiled/calculus.js";
import { allPartsOf } from "../compiled/function-spec.js";
import { isUnlessSteep } from "../expressions/algebra.js";
import { FormulaError } from "../expressions/error.js";
import { Graph, isConstant, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import type { SymbolLookup } from "../expressions/scope.js";

/** Nodes that all formulas of a system may have, derivatives included. */
const NODES = 100_000;

/** Numbers, names and signs that are read of all formulas of a system: fractions of a second. */
const WORDS = 200_000;

/** Sums of sizes below this are finite without doubt. */
const LARGEST = 1e300;

type Kind = "parameter" | "coordinate" | "unknown" | "quantity";

interface Entry {
  readonly kind: Kind;
  readonly node: Node;
  rate?: Node;
}

export class SymbolTable implements SymbolLookup {
  readonly graph = new Graph();
  readonly most = NODES;
  readonly calculus: Calculus;
  readonly time: Node;
  readonly #entries = new Map<string, Entry>();
  readonly #lists = new Set<string>();
  readonly #rates = new Map<Node, Node>();
  readonly #bases = new Set(["t"]);
  /** A list of these, made when it is asked for. */
  #names: readonly string[] = [];
  #slots = 0;
  #words = 0;

  constructor() {
    this.calculus = new Calculus(this.graph, () => this.requireSmall());
    this.time = this.slot();
    this.#rates.set(this.time, this.calculus.algebra.one);
  }

  isExhausted(): boolean {
    return ++this.#words > WORDS;
  }

  /** One more slot. */
  slot(): Node {
    return this.graph.slot(this.#slots++);
  }

  get names(): readonly string[] {
    if (this.#names.length === 0) this.#names = [...this.#bases];
    return this.#names;
  }

  /** Throws where formulas have become too large. */
  requireSmall(): void {
    if (this.graph.size <= NODES) return;
    throw new FormulaError(
      `the equations are too large: with their derivatives they have more than ${NODES} operations`,
      0,
    );
  }

  define(kind: Kind, name: string, node: Node, rate?: Node): void {
    this.#entries.set(name, rate ? { kind, node, rate } : { kind, node });
    const list = /^(.*)\[/.exec(name)?.[1];
    if (list !== undefined) this.#lists.add(list);
    this.#bases.add(list ?? name);
    this.#names = [];
    if (rate) this.#rates.set(node, rate);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  node(name: string): Node | undefined {
    return this.#entries.get(name)?.node;
  }

  find(name: string, index: number | undefined, rates: number): Node | string {
    if (name === "t" && index === undefined)
      return rates === 0 ? this.time : "t has no rate: write 1";
    const key = index === undefined ? name : `${name}[${index}]`;
    const entry = this.#entries.get(key);
    if (!entry) return this.#missing(name, index);
    if (rates === 0) return entry.node;
    if (entry.kind === "parameter") return `${key} is a parameter: it has no rate`;
    if (entry.kind === "unknown")
      return `${key}' is what the equations determine: write its formula`;
    if (rates > 1) {
      return `accelerations such as ${key}'' cannot be used: the equations are what determines them`;
    }
    if (entry.rate === undefined) {
      if (this.#velocities.length === 0) return `${key} has no rate in differential equations`;
      if (this.dependsOn([entry.node], this.#velocities).length > 0) {
        return `${key} contains velocities: its rate would contain accelerations`;
      }
      entry.rate = this.along([entry.node])[0]!;
    }
    return entry.rate;
  }

  /** Derivatives along the motion, with the velocities fixed. */
  along(nodes: readonly Node[]): Node[] {
    return this.calculus.along(nodes, this.#rates);
  }

  get #velocities(): readonly Node[] {
    return [...this.#rates.values()].filter((node) => !isConstant(node));
  }

  /** Those of some slots that nodes depend on. */
  dependsOn(nodes: readonly Node[], slots: readonly Node[]): Node[] {
    const parts = new Set(allPartsOf(nodes));
    return slots.filter((slot) => parts.has(slot));
  }

  /**
   * Those of some slots that nodes change with: not those that only tell whether something is level where a function is
   * infinitely steep (Algebra.unlessSteep). The rate of sqrt(x) is linear in x' all the same.
   */
  changesWith(nodes: readonly Node[], slots: readonly Node[]): Node[] {
    const parts = new Set(nodes);
    for (const node of parts) {
      const { operands } = node;
      for (const operand of isUnlessSteep(node) ? operands.slice(1) : operands) parts.add(operand);
    }
    return slots.filter((slot) => parts.has(slot));
  }

  /** All slots that nodes depend on. */
  slotsOf(nodes: readonly Node[]): Node[] {
    return allPartsOf(nodes).filter(({ operation }) => operation === Operation.Slot);
  }

  /** Not zero where all of some nodes are finite, and not so large that their sum is not. */
  isFinite(nodes: readonly Node[]): Node {
    const { algebra } = this.calculus;
    const sizes = nodes.map((node) => this.graph.apply(Operation.Absolute, node));
    const total = sizes.reduce((sum, size) => algebra.sum(sum, size), algebra.zero);
    return this.graph.apply(Operation.Less, total, this.graph.constant(LARGEST));
  }

  /** Nodes with others in place of slots, simplified where that makes them zero. */
  substituted(node: Node, by: ReadonlyMap<Node, Node>): Node {
    const copies = new Map(by);
    for (const part of allPartsOf([node])) {
      if (copies.has(part)) continue;
      const operands = part.operands.map((operand) => copies.get(operand)!);
      copies.set(
        part,
        operands.every((each, i) => each === part.operands[i])
          ? part
          : this.#remade(part, operands),
      );
    }
    return copies.get(node)!;
  }

  #remade({ operation, number, table }: Node, operands: Node[]): Node {
    const { algebra } = this.calculus;
    const [a, b] = operands as [Node, Node];
    switch (operation) {
      case Operation.Table:
        return this.graph.table(table!, number, a);
      case Operation.Add:
        return algebra.sum(a, b);
      case Operation.Subtract:
        return algebra.difference(a, b);
      case Operation.Multiply:
        return algebra.product(a, b);
      case Operation.Divide:
        return algebra.quotient(a, b);
      case Operation.Negate:
        return algebra.negative(a);
      case Operation.IntegerPower:
        return this.graph.apply(Operation.Power, a, b);
      default:
        return this.graph.apply(operation, ...operands);
    }
  }

  #missing(name: string, index: number | undefined): string {
    if (this.#lists.has(name)) {
      const known = [...this.#entries.keys()].filter((key) => key.startsWith(`${name}[`));
      if (index === undefined) return `${name} is a list: write ${known[0]}`;
      return `there is no ${name}[${index}]: the list has ${known[0]} to ${known.at(-1)}`;
    }
    if (index !== undefined && this.#entries.has(name)) return `${name} is no list: write ${name}`;
    return `unknown name "${name}"${hint(name, [...this.names, "pi", "e"])}`;
  }
}
