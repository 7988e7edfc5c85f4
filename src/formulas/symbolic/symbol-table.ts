// Maps names in the formulas of a system to nodes. The slots of the graph are t,
// parameters, coordinates, their rates, accelerations and multipliers.

import { hint } from "../../base/checking/index.js";
import { Calculus } from "../compiled/calculus.js";
import { allPartsOf } from "../compiled/function-spec.js";
import { isUnlessSteep } from "../expressions/algebra.js";
import { FormulaError } from "../expressions/error.js";
import { Graph, isConstant, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import type { SymbolLookup } from "../expressions/scope.js";

/** Largest number of nodes of all formulas of a system, including derivatives. */
const MAX_NODES = 100_000;

/** Largest number of tokens read from all formulas of a system, which takes fractions of a second. */
const MAX_TOKENS = 200_000;

/** Bound on a sum of magnitudes below which the sum is certainly finite. */
const MAX_SAFE_SUM = 1e300;

type Kind = "parameter" | "coordinate" | "unknown" | "quantity";

interface SymbolEntry {
  readonly kind: Kind;
  readonly node: Node;
  rate?: Node;
}

export class SymbolTable implements SymbolLookup {
  readonly graph = new Graph();
  readonly most = MAX_NODES;
  readonly calculus: Calculus;
  readonly time: Node;
  readonly #entries = new Map<string, SymbolEntry>();
  readonly #lists = new Set<string>();
  readonly #rates = new Map<Node, Node>();
  readonly #bases = new Set(["t"]);
  /** Cached list of names. */
  #names: readonly string[] = [];
  #slots = 0;
  #words = 0;

  constructor() {
    this.calculus = new Calculus(this.graph, () => this.requireSmall());
    this.time = this.slot();
    this.#rates.set(this.time, this.calculus.algebra.one);
  }

  isExhausted(): boolean {
    return ++this.#words > MAX_TOKENS;
  }

  /** Adds a slot. */
  slot(): Node {
    return this.graph.slot(this.#slots++);
  }

  get names(): readonly string[] {
    if (this.#names.length === 0) this.#names = [...this.#bases];
    return this.#names;
  }

  /** Throws if the formulas have become too large. */
  requireSmall(): void {
    if (this.graph.size <= MAX_NODES) return;
    throw new FormulaError(
      `the equations are too large: with their derivatives they have more than ${MAX_NODES} operations`,
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
    if (entry.kind === "parameter") return `${key} is a parameter and has no rate`;
    if (entry.kind === "unknown")
      return `${key}' is determined by the equations: write its formula instead`;
    if (rates > 1) {
      return `accelerations such as ${key}'' cannot be used: the equations determine them`;
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

  /** The given slots that nodes depend on. */
  dependsOn(nodes: readonly Node[], slots: readonly Node[]): Node[] {
    const parts = new Set(allPartsOf(nodes));
    return slots.filter((slot) => parts.has(slot));
  }

  /**
   * The given slots that affect the value of nodes. Slots that are only tested for a zero rate at an infinitely steep point
   * (Algebra.unlessSteep) do not count: the rate of sqrt(x) is still linear in x'.
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

  /** Node that is nonzero if all given nodes, and the sum of their magnitudes, are finite. */
  isFinite(nodes: readonly Node[]): Node {
    const { algebra } = this.calculus;
    const sizes = nodes.map((node) => this.graph.apply(Operation.Absolute, node));
    const total = sizes.reduce((sum, size) => algebra.sum(sum, size), algebra.zero);
    return this.graph.apply(Operation.Less, total, this.graph.constant(MAX_SAFE_SUM));
  }

  /** Replaces slots of a node by other nodes, and simplifies parts that become zero. */
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
      return `${name}[${index}] is out of range ${known[0]} to ${known.at(-1)}`;
    }
    if (index !== undefined && this.#entries.has(name))
      return `${name} is not a list: write ${name}`;
    return `unknown name "${name}"${hint(name, [...this.names, "pi", "e"])}`;
  }
}
