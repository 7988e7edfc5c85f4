// Formulas in texts and functions by tables. Nothing of a text is ever run as a program:
// docs/expressions.md.

export { FormulaError } from "./error.js";
export { type Formula, type FormulaOptions, formulaFunction, parseFormula } from "./formula.js";
export { FunctionLibrary } from "./library.js";
export { Table, type TableOptions } from "./table.js";
