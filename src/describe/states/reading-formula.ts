// Formulas that read the mechanism at the state that is being evaluated: 0.3 - angle('hinge').

import { FormulaError } from "../expressions/error.js";
import { partsOf } from "../expressions/graph.js";
import { parse } from "../expressions/parser.js";
import { Program } from "../expressions/program.js";
import type { FunctionLookup } from "../expressions/scope.js";
import { NOT_WHOLE } from "../measured/measured-formula.js";
import { quantityNames, wholeQuantities } from "../measured/vocabulary.js";
import type { QuantityReader } from "../model/quantity-reader.js";

/** Value of a formula for numbers of its variables. */
export type ReadingFormula = (variables: ArrayLike<number>, read: QuantityReader) => number;

/** Whether a formula reads something: a name in quotes shows it, or that one is missing. */
export function readsSomething(text: string): boolean {
  return /\w\s*\(\s*['")]/.test(text);
}

/** What formulas know besides their variables: parameters of the model, and functions of a file. */
export interface Known {
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  readonly functions?: FunctionLookup | undefined;
}

/** A formula of some variables and of quantities. Throws where it cannot be understood. */
export function readingFormula(
  text: string,
  own: readonly string[],
  { parameters, functions }: Known,
): ReadingFormula {
  // A name of its own hides a parameter of the same name.
  const given = parameters.filter(({ name }) => !own.includes(name));
  const variables = [...own, ...given.map(({ name }) => name)];
  const parsed = parse(text, { variables, quantities: quantityNames, functions });
  const readings = parsed.quantities.map(({ name, subject, offset }) => {
    if (subject !== undefined) return { name, subject };
    // Of all together, or a name is missing.
    const isWhole = wholeQuantities.some((one) => one.name === name);
    const what = isWhole ? NOT_WHOLE : `it needs a name, as in ${name}('...')`;
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
