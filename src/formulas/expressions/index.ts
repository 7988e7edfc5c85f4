// Entry point of formulas in texts and of tabulated functions. No text is ever run as code: docs/expressions.md.

export { FormulaError } from "./error.js";
export { type Formula, type FormulaOptions, formulaFunction, parseFormula } from "./formula.js";
export { FunctionLibrary } from "./library.js";
export { Table, type TableOptions } from "./table.js";
