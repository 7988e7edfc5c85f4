// Builds the graph of a formula during parsing: names become nodes, and calls of named functions are inlined.

import { builtIns, constants } from "./built-in-functions.js";
import { FormulaError } from "./error.js";
import { copyInto, Graph, isConstant, type Node } from "./graph.js";
import type { Operation } from "./operations.js";
import { bareProblem, countProblem, type LibraryFunction, type Scope } from "./scope.js";

/** Largest cost of an untrusted formula: number of nodes, and of nodes copied for calls. */
const MAX_NODES = 10_000;
const MAX_COPIED_NODES = 200_000;

/** A quantity that is read from a state: `z('ball')`, `energy()`. */
export interface Quantity {
  readonly name: string;
  /** Text in the quotes. */
  readonly subject: string | undefined;
  /** Index of the character at which it first occurs, counted from 0. */
  readonly offset: number;
}

/** Builds nodes. The offsets are the positions for errors. */
export class Builder {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #graph: Graph;
  readonly #quantities = new Map<string, Quantity>();
  /** Cache of calls of named functions. */
  readonly #calls = new Map<string, Node>();
  /** Values of the indices of sums. */
  readonly #indices = new Map<string, number>();
  #copies = 0;

  constructor(text: string, scope: Scope) {
    this.#text = text;
    this.#scope = scope;
    this.#graph = scope.symbols?.graph ?? new Graph();
  }

  get quantities(): readonly Quantity[] {
    return [...this.#quantities.values()];
  }

  error(message: string, offset: number): FormulaError {
    return new FormulaError(message, offset, this.#text);
  }

  /** Creates an operation whose operator is at the offset. */
  apply(offset: number, operation: Operation, ...operands: Node[]): Node {
    return this.#checked(offset, this.#graph.apply(operation, ...operands));
  }

  number(offset: number, text: string): Node {
    const value = Number(text);
    if (!Number.isFinite(value)) throw this.error("this number is too large", offset);
    return this.#checked(offset, this.#graph.constant(value));
  }

  /** Resolves a name without arguments. */
  name(offset: number, name: string): Node {
    const index = this.#scope.variables.indexOf(name);
    if (index >= 0) return this.#checked(offset, this.#graph.slot(index));
    const value = constants.get(name);
    if (value === undefined) throw this.error(bareProblem(name, this.#scope), offset);
    return this.#checked(offset, this.#graph.constant(value));
  }

  /** Resolves a name in an equation: x, x', theta[2], theta[2]'. */
  symbol(offset: number, name: string, index: number | undefined, rates: number): Node {
    const bound = this.#indices.get(name);
    if (bound !== undefined && index === undefined && rates === 0)
      return this.number(offset, `${bound}`);
    const found = this.#scope.symbols!.find(name, index, rates);
    if (typeof found !== "string") return this.#checked(offset, found);
    if (index === undefined && rates === 0 && constants.has(name)) return this.name(offset, name);
    throw this.error(found, offset);
  }

  /** Value of a constant part, which must be an integer. */
  integer(offset: number, node: Node): number {
    if (isConstant(node) && Number.isSafeInteger(node.number)) return node.number;
    throw this.error("this must be an integer, made of numbers and indices of sums", offset);
  }

  /** Sets or removes the value of the index of a sum. */
  bind(offset: number, name: string, value: number | undefined): void {
    if (value === undefined) this.#indices.delete(name);
    else {
      const isTaken =
        this.#scope.symbols!.names.includes(name) || constants.has(name) || builtIns.has(name);
      if (isTaken)
        throw this.error(`${name} is already in use: choose another name for the index`, offset);
      this.#indices.set(name, value);
    }
  }

  isBound(name: string): boolean {
    return this.#indices.has(name);
  }

  quantity(offset: number, name: string, subject: string | undefined): Node {
    const key = JSON.stringify([name, subject]);
    let index = [...this.#quantities.keys()].indexOf(key);
    if (index < 0) {
      index = this.#quantities.size;
      this.#quantities.set(key, { name, subject, offset });
    }
    return this.#checked(offset, this.#graph.slot(this.#scope.variables.length + index));
  }

  /** Creates a call of a known function. */
  call(offset: number, name: string, given: readonly Node[]): Node {
    const builtIn = builtIns.get(name);
    if (builtIn) {
      const { least, most, usage } = builtIn;
      this.#checkCount(offset, countProblem(name, given.length, least, most, usage));
      return this.#checked(offset, builtIn.build(this.#graph, given));
    }
    const named = this.#scope.functions!.find(name)!;
    const variables = "table" in named ? ["x"] : named.variables;
    const usage = `${name}(${variables.join(", ")})`;
    const count = variables.length;
    this.#checkCount(offset, countProblem(name, given.length, count, count, usage));
    const key = `${name} ${given.map(({ id }) => id).join()}`;
    const node = this.#calls.get(key) ?? this.#expanded(offset, named, given);
    this.#calls.set(key, node);
    return node;
  }

  #checkCount(offset: number, problem: string | undefined): void {
    if (problem !== undefined) throw this.error(problem, offset);
  }

  #expanded(offset: number, named: LibraryFunction, given: readonly Node[]): Node {
    if ("table" in named)
      return this.#checked(offset, this.#graph.table(named.table, 0, given[0]!));
    this.#copies += named.parts.length;
    if (this.#copies > MAX_COPIED_NODES) throw this.#tooLarge(offset);
    return this.#checked(offset, copyInto(this.#graph, named.parts, given));
  }

  #checked(offset: number, node: Node): Node {
    if (this.#graph.fault !== undefined) throw this.error(this.#graph.fault, offset);
    if (this.#graph.size > (this.#scope.symbols?.most ?? MAX_NODES)) throw this.#tooLarge(offset);
    return node;
  }

  #tooLarge(offset: number): FormulaError {
    const what = "the formula is too large (including the functions it calls)";
    const most = this.#scope.symbols?.most ?? MAX_NODES;
    return this.error(`${what}: it has more than ${most} operations`, offset);
  }
}
