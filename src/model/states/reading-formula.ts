// Formulas that read the mechanism at the state being evaluated: 0.3 - angle('hinge').

import { FormulaError } from "../../formulas/expressions/error.js";
import { partsOf } from "../../formulas/expressions/graph.js";
import { parse } from "../../formulas/expressions/parser.js";
import { Program } from "../../formulas/expressions/program.js";
import type { FunctionLookup } from "../../formulas/expressions/scope.js";
import { NOT_A_SYSTEM_QUANTITY } from "../measured/measured-formula.js";
import { quantityNames, systemQuantities } from "../measured/vocabulary.js";
import type { QuantityReader } from "../quantity-reader.js";

/** Returns the value of a formula for given values of its variables. */
export type ReadingFormula = (variables: ArrayLike<number>, read: QuantityReader) => number;

/** Whether a formula reads a quantity: it has a name in quotes, or one is missing. */
export function readsSomething(text: string): boolean {
  return /\w\s*\(\s*['")]/.test(text);
}

/** Names available to formulas in addition to their variables: parameters of the model, and functions of a file. */
export interface FormulaScope {
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  readonly functions?: FunctionLookup | undefined;
}

/** Reads a formula of variables and quantities. Throws if it is invalid. */
export function readingFormula(
  text: string,
  own: readonly string[],
  { parameters, functions }: FormulaScope,
): ReadingFormula {
  // A local variable shadows a parameter of the same name.
  const given = parameters.filter(({ name }) => !own.includes(name));
  const variables = [...own, ...given.map(({ name }) => name)];
  const parsed = parse(text, { variables, quantities: quantityNames, functions });
  const readings = parsed.quantities.map(({ name, subject, offset }) => {
    if (subject !== undefined) return { name, subject };
    // Either a quantity of the whole mechanism, or a name is missing.
    const isWhole = systemQuantities.some((one) => one.name === name);
    const what = isWhole ? NOT_A_SYSTEM_QUANTITY : `it needs a name, as in ${name}('...')`;
    throw new FormulaError(`${name}: ${what}`, offset, text);
  });
  const program = new Program(partsOf(parsed.root), variables.length + readings.length);
  const { slots } = program;
  slots.set(
    given.map(({ value }) => value),
    own.length,
  );
  return (values, read) => {
    for (let i = 0; i < own.length; i++) slots[i] = values[i]!;
    for (let i = 0; i < readings.length; i++) {
      const { name, subject } = readings[i]!;
      slots[variables.length + i] = read.quantity(name, subject);
    }
    return program.run();
  };
}
