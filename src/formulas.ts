// Equations and formulas as text: `nodrift/formulas`.

export { initElementary } from "./base/wasm/elementary.js";
export { FormulaError } from "./formulas/expressions/error.js";
export type { TableOptions } from "./formulas/expressions/table.js";
export type {
  ConditionFunction,
  FormulaDescription,
  FormulaNames,
  FormulaOdeDescription,
  FormulaRecord,
  ParameterValues,
  RowFormula,
} from "./formulas/symbolic/description.js";
export type { Explanation } from "./formulas/symbolic/explain.js";
export { Expression, type Operand, operators, symbols } from "./formulas/symbolic/expression.js";
export type { FormulaInput } from "./formulas/symbolic/formula-reader.js";
export { equations, ode } from "./systems/formulas/describe.js";
export type { EvaluationOptions, FormulaEquations } from "./systems/formulas/formula-equations.js";
export type { FormulaOde } from "./systems/formulas/formula-ode.js";
export type {
  EquationParameterDerivatives,
  OdeParameterDerivatives,
  OdeStateData,
  ParameterDerivatives,
} from "./systems/formulas/parameter-derivatives.js";
export type { Parameters, StateFormula } from "./systems/formulas/parameters.js";
