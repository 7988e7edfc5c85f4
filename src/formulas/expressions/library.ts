// Named user functions that formulas can call.

import { inside, listOf, locationOf, plain, readKeys, text } from "../../base/checking/index.js";
import { descriptionError } from "../../base/checking/values.js";
import { FormulaError } from "./error.js";
import { partsOf } from "./graph.js";
import { parse } from "./parser.js";
import { checkName, checkNames, type FunctionLookup, type LibraryFunction } from "./scope.js";
import { Table, type TableOptions } from "./table.js";

const PARTS = ["variables", "expression", "table"];

/** Largest total number of nodes of all functions of a library. */
const MAX_NODES = 100_000;

/**
 * Functions that formulas can call. Each is defined by an expression, which can call functions defined earlier, or by a
 * table, which has one argument.
 *
 * @example
 * const functions = new FunctionLibrary();
 * functions.define("bump", { variables: ["x", "at"], expression: "exp(-(x - at)^2)" });
 * functions.define("pull", { table: { x: [0, 1, 2], y: [0, 300, 0] } });
 * parseFormula("pull(t) * bump(t, 1.5)", { variables: ["t"], functions });
 */
export class FunctionLibrary implements FunctionLookup {
  readonly #functions = new Map<string, LibraryFunction>();
  #nodes = 0;

  /** Names of the functions, in order of definition. */
  get names(): readonly string[] {
    return [...this.#functions.keys()];
  }

  /** Returns the function with a name as parts of a graph or as a table. */
  find(name: string): LibraryFunction | undefined {
    return this.#functions.get(name);
  }

  /** Adds a function. Throws a {@link FormulaError} if its expression is invalid. */
  define(
    name: string,
    given:
      | { readonly variables: readonly string[]; readonly expression: string }
      | { readonly table: TableOptions },
  ): void {
    checkName("function", name);
    const location = locationOf(`function ${name}`, "DESCRIPTION");
    const definition = plain(location, readKeys(location, given, PARTS)) as typeof given;
    if (this.#functions.has(name)) throw descriptionError("formula", `duplicate function ${name}`);
    if ("table" in definition) {
      this.#functions.set(name, { table: new Table(definition.table) });
      return;
    }
    const { variables, expression } = definition;
    listOf(text, "a list of names").read(variables, inside(location, "variables"));
    checkNames("variable", variables);
    if (variables.includes(name)) {
      throw descriptionError("formula", `${name} is the name of a function and of its variable`);
    }
    const { root } = parse(expression, { variables, quantities: [], functions: this });
    const parts = partsOf(root);
    const nodes = this.#nodes + parts.length;
    if (nodes > MAX_NODES) {
      const what = `the functions are too large: together they have more than ${MAX_NODES} operations`;
      throw new FormulaError(what, 0, expression);
    }
    this.#nodes = nodes;
    this.#functions.set(name, { variables: [...variables], parts });
  }
}
