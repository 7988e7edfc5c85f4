// Imports from the package for the tests of this folder.

import { expect } from "vitest";
import {
  FormulaError,
  type FormulaOptions,
  formulaFunction,
  parseFormula,
} from "../../../src/formulas/expressions/index.js";

export { elementary, initElementary } from "../../../src/base/wasm/elementary.js";
/** The class that creates all operations of formulas, which tests of limits count. */
export { Graph } from "../../../src/formulas/expressions/graph.js";
export {
  type Formula,
  FormulaError,
  type FormulaOptions,
  FunctionLibrary,
  formulaFunction,
  parseFormula,
  Table,
} from "../../../src/formulas/expressions/index.js";

/** Value of a text without variables. */
export function calculate(text: string): number {
  return formulaFunction(text, [])();
}

/** Error of an invalid text. Fails for other errors and for valid texts. */
export function errorOf(text: string, options?: FormulaOptions): FormulaError {
  try {
    parseFormula(text, options);
  } catch (error) {
    expect(error).toBeInstanceOf(FormulaError);
    return error as FormulaError;
  }
  throw new Error(`${text} was taken`);
}

/** Number of doubles between two numbers. */
export function ulps(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const [first, second] = new BigInt64Array(Float64Array.of(a, b).buffer);
  const order = (bits: bigint) => (bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits);
  const distance = Number(order(first) - order(second));
  return Number.isNaN(a) || Number.isNaN(b) ? Number.POSITIVE_INFINITY : Math.abs(distance);
}
