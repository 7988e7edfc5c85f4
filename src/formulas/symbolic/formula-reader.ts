// Adds formulas of a system to its graph: texts, numbers, or expressions built by programs.

import { hint, locationOf, reading, show } from "../../base/checking/index.js";
import { descriptionError } from "../../base/checking/values.js";
import { builtIns, constants } from "../expressions/built-in-functions.js";
import { FormulaError } from "../expressions/error.js";
import { copyInto, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import { parse } from "../expressions/parser.js";
import type { FunctionLookup } from "../expressions/scope.js";
import { countProblem } from "../expressions/scope.js";
import { Expression } from "./expression.js";
import type { SymbolTable } from "./symbol-table.js";

/** Input formula: a text, a number, or an expression of {@link operators}. */
export type FormulaInput = string | number | Expression;

const BINARY: Readonly<Record<string, Operation>> = {
  "+": Operation.Add,
  "-": Operation.Subtract,
  "*": Operation.Multiply,
  "/": Operation.Divide,
  "^": Operation.Power,
  "<": Operation.Less,
  "<=": Operation.LessOrEqual,
};

export class FormulaReader {
  readonly symbols: SymbolTable;
  readonly #system: string;
  readonly #functions: FunctionLookup | undefined;
  /** Cache of expressions, which are graphs themselves, so that each part is read once. */
  readonly #read = new Map<Expression, Node>();

  constructor(system: string, symbols: SymbolTable, functions: FunctionLookup | undefined) {
    this.#system = system;
    this.symbols = symbols;
    this.#functions = functions;
  }

  /** Reads a formula. `where` is its location in the description, `index` the index of a list with its value. */
  read(where: string, given: unknown, index?: readonly [string, number]): Node {
    try {
      return this.#node(given, index);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      const message = error.message.replace(/ \(at character.*$/s, "");
      const text = typeof given === "string" ? given : undefined;
      throw new FormulaError(`${this.#system}: ${where}: ${message}`, error.offset, text);
    }
  }

  #node(given: unknown, index: readonly [string, number] | undefined): Node {
    const { graph } = this.symbols;
    if (typeof given === "number") {
      if (Number.isFinite(given)) return graph.constant(given);
      throw new FormulaError(`${given} is not finite`, 0);
    }
    const location = locationOf(this.#system, "DESCRIPTION", "formula");
    if (reading(location, () => given instanceof Expression)) {
      return this.#ofExpression(given as Expression);
    }
    if (typeof given !== "string") {
      throw new FormulaError(
        `a formula must be a text, a number or an expression, not ${show(given)}`,
        0,
      );
    }
    const variables = this.symbols.names;
    const scope = { variables, quantities: [], functions: this.#functions, symbols: this.symbols };
    return parse(given, scope, index).root;
  }

  #ofExpression(root: Expression): Node {
    const open = [root];
    while (open.length > 0) {
      const next = open.at(-1)!;
      const missing = next.operands.filter((operand) => !this.#read.has(operand));
      if (missing.length > 0) {
        open.push(...missing.reverse());
        if (open.length > this.symbols.most) this.symbols.requireSmall();
        continue;
      }
      open.pop();
      if (!this.#read.has(next)) this.#read.set(next, this.#made(next));
      const { fault } = this.symbols.graph;
      if (fault !== undefined) throw new FormulaError(fault, 0);
      this.symbols.requireSmall();
    }
    return this.#read.get(root)!;
  }

  #made({ operation, operands, value }: Expression): Node {
    const { graph } = this.symbols;
    const nodes = operands.map((operand) => this.#read.get(operand)!);
    const binary = BINARY[operation];
    if (binary !== undefined) return graph.apply(binary, ...nodes);
    switch (operation) {
      case "number":
        return graph.constant(value as number);
      case "name":
        return this.#named(value as string, 0);
      case "negate":
        return graph.apply(Operation.Negate, ...nodes);
      case "rate": {
        const [inner] = operands;
        if (inner?.operation !== "name") {
          throw new FormulaError("rate takes the name of a coordinate or a quantity", 0);
        }
        return this.#named(inner.value as string, 1);
      }
      case "call":
        return this.#called(value as string, nodes);
      default:
        return builtIns.get(operation)!.build(graph, nodes);
    }
  }

  #named(name: string, rates: number): Node {
    const [, base, index] = /^([^[]*)(?:\[(-?\d+)\])?$/.exec(name) ?? [];
    const found = this.symbols.find(
      base ?? name,
      index === undefined ? undefined : Number(index),
      rates,
    );
    if (typeof found !== "string") return found;
    const value = constants.get(name);
    if (value !== undefined && rates === 0) return this.symbols.graph.constant(value);
    throw new FormulaError(found, 0);
  }

  #called(name: string, nodes: readonly Node[]): Node {
    const { graph } = this.symbols;
    const named = this.#functions?.find(name);
    if (!named) {
      throw new FormulaError(
        `there is no function ${name}${hint(name, this.#functions?.names ?? [])}`,
        0,
      );
    }
    const variables = "table" in named ? ["x"] : named.variables;
    const usage = `${name}(${variables.join(", ")})`;
    const problem = countProblem(name, nodes.length, variables.length, variables.length, usage);
    if (problem !== undefined) throw new FormulaError(problem, 0);
    return "table" in named
      ? graph.table(named.table, 0, nodes[0]!)
      : copyInto(graph, named.parts, nodes);
  }
}

/** Error for an inconsistent description. */
export function wrong(system: string, what: string): Error {
  return descriptionError(system, what);
}
