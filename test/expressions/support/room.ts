// What the tests of this folder use of the package.

import { expect } from "vitest";
import {
  FormulaError,
  type FormulaOptions,
  formulaFunction,
  parseFormula,
} from "../../../src/describe/expressions/index.js";

/** Where all operations of formulas are made: tests of limits count them. */
export { Graph } from "../../../src/describe/expressions/graph.js";
export {
  type Formula,
  FormulaError,
  type FormulaOptions,
  FunctionLibrary,
  formulaFunction,
  parseFormula,
  Table,
} from "../../../src/describe/expressions/index.js";
export { elementary, initElementary } from "../../../src/ground/wasm/elementary.js";

/** The value of a text without variables. */
export function calculate(text: string): number {
  return formulaFunction(text, [])();
}

/** The error of a text that is wrong. Other errors fail, and texts that are right. */
export function errorOf(text: string, options?: FormulaOptions): FormulaError {
  try {
    parseFormula(text, options);
  } catch (error) {
    expect(error).toBeInstanceOf(FormulaError);
    return error as FormulaError;
  }
  throw new Error(`${text} was taken`);
}

/** How many numbers lie between two. */
export function ulps(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const [first, second] = new BigInt64Array(Float64Array.of(a, b).buffer);
  const order = (bits: bigint) => (bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits);
  const distance = Number(order(first) - order(second));
  return Number.isNaN(a) || Number.isNaN(b) ? Number.POSITIVE_INFINITY : Math.abs(distance);
}
