// Parses formulas and evaluates them.

import { listOf, optionsOf, rule, type Shape, show, text } from "../../base/checking/index.js";
import { descriptionError, hint } from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import { differentiate } from "./derivative.js";
import { FormulaError } from "./error.js";
import { type Node, partsOf } from "./graph.js";
import type { Quantity } from "./graph-builder.js";
import { FunctionLibrary } from "./library.js";
import { parse } from "./parser.js";
import { Program } from "./program.js";
import { checkNames } from "./scope.js";

/** Names that a formula can use. */
export interface FormulaOptions {
  /** Variables: `["t"]`. */
  readonly variables?: readonly string[];
  /**
   * Quantities that are read from a state: `["z", "energy"]` for `z('ball')` and `energy()`.
   */
  readonly quantities?: readonly string[];
  /** Functions that the formula can call. */
  readonly functions?: FunctionLibrary;
}

const library = rule<FunctionLibrary>(
  "new FunctionLibrary()",
  (value) => value instanceof FunctionLibrary,
);

const SHAPE: Shape<FormulaOptions> = {
  variables: listOf(text, "a list of names"),
  quantities: listOf(text, "a list of names"),
  functions: library,
};

/**
 * A parsed formula. Write values into its slots, then evaluate it; that allocates nothing.
 *
 * @example
 * const height = parseFormula("0.02 * sin(3*x)", { variables: ["x"] });
 * const slope = height.derivative("x");
 * slope.slots[0] = 0.5;
 * slope.value(); // 0.06 cos(1.5)
 */
export interface Formula {
  /** Text of the formula. */
  readonly text: string;
  /** Names of the variables. */
  readonly variables: readonly string[];
  /** Quantities without duplicates, in the order of the text. */
  readonly quantities: readonly Quantity[];
  /** Values of the variables, then of the quantities, in order. */
  readonly slots: Float64Array;
  /** Evaluates the formula at the current slots. */
  value(): number;
  /** Returns the exact derivative by a variable, with its own slots. Quantities count as constants. */
  derivative(variable: string): Formula;
}

/**
 * Parses a formula. Throws a {@link FormulaError} if it is invalid.
 *
 * @example
 * const angle = parseFormula("(pi/6) * (1 - cos(pi*t))", { variables: ["t"] });
 * angle.slots[0] = 0.25;
 * console.log(angle.value(), angle.derivative("t").text);
 */
export function parseFormula(
  text: string,
  options: FormulaOptions = {},
  ...more: undefined[]
): Formula {
  const read = optionsOf("formula", "DESCRIPTION", options, SHAPE, more);
  const { variables = [], quantities = [], functions } = read;
  checkNames("variable", variables);
  checkNames("quantity", quantities);
  const twice = quantities.find((name) => functions?.find(name));
  if (twice !== undefined) {
    throw descriptionError("formula", `${twice} is the name of a quantity and of a function`);
  }
  const parsed = parse(text, { variables, quantities, functions });
  return new ParsedFormula(text, [...variables], parsed.quantities, parsed.root);
}

/**
 * Returns a formula as a plain function of numbers, in the order of its variables.
 *
 * @example
 * const bump = formulaFunction("0.05 * exp(-(x - 2)^2)", ["x"]);
 * bump(1.5);
 */
export function formulaFunction(
  text: string,
  variables: readonly string[],
  functions?: FunctionLibrary,
): (...given: number[]) => number {
  const formula = parseFormula(text, { variables, ...(functions !== undefined && { functions }) });
  const { slots } = formula;
  return (...given) => {
    requireNumbers(text, given);
    if (given.length !== slots.length) {
      const wanted = `${slots.length} numbers (${variables.join(", ")})`;
      throw new NodriftError(
        "EVALUATION",
        `the formula "${text}" takes ${wanted}, not ${given.length}`,
      );
    }
    slots.set(given);
    return formula.value();
  };
}

function requireNumbers(formula: string, given: readonly unknown[]): void {
  const bad = given.findIndex((value) => typeof value !== "number");
  if (bad < 0) return;
  const what = `argument ${bad + 1} is ${show(given[bad])}, which is not a number`;
  throw new NodriftError("EVALUATION", `the formula "${formula}": ${what}`);
}

class ParsedFormula implements Formula {
  readonly text: string;
  readonly variables: readonly string[];
  readonly quantities: readonly Quantity[];
  readonly slots: Float64Array;
  readonly #parts: readonly Node[];
  readonly #program: Program;

  constructor(
    text: string,
    variables: readonly string[],
    quantities: readonly Quantity[],
    root: Node,
  ) {
    this.text = text;
    this.variables = variables;
    this.quantities = quantities;
    this.#parts = partsOf(root);
    this.#program = new Program(this.#parts, variables.length + quantities.length);
    this.slots = this.#program.slots;
  }

  value(): number {
    return this.#program.run();
  }

  derivative(variable: string): Formula {
    const slot = this.variables.indexOf(variable);
    if (slot < 0) {
      throw descriptionError(
        "derivative",
        `unknown variable ${variable}${hint(variable, this.variables)}`,
      );
    }
    const root = differentiate(this.#parts, this.slots.length, slot);
    if (!root) throw new FormulaError("its derivative is too large to be evaluated", 0, this.text);
    const text = `d/d${variable} (${this.text})`;
    return new ParsedFormula(text, this.variables, this.quantities, root);
  }
}
