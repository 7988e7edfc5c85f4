// Equations and formulas in texts: `nodrift/formulas`.

export { FormulaError } from "./describe/expressions/error.js";
export type { TableOptions } from "./describe/expressions/table.js";
export type {
  ConditionFunction,
  FormulaDescription,
  FormulaNames,
  FormulaOdeDescription,
  FormulaRecord,
  ParameterValues,
  RowFormula,
} from "./describe/symbolic/description.js";
export type { Explanation } from "./describe/symbolic/explain.js";
export { Expression, type Operand, operators, symbols } from "./describe/symbolic/expression.js";
export type { FormulaInput } from "./describe/symbolic/formula-reader.js";
export { initElementary } from "./ground/wasm/elementary.js";
export { equations, ode } from "./systems/formulas/describe.js";
export type { EvaluationOptions, FormulaEquations } from "./systems/formulas/formula-equations.js";
export type { FormulaOde } from "./systems/formulas/formula-ode.js";
export type {
  EquationParameterDerivatives,
  OdeParameterDerivatives,
  OdeStateData,
  ParameterDerivatives,
} from "./systems/formulas/parameter-derivatives.js";
export type { Parameters } from "./systems/formulas/parameters.js";
export type { StateFormula } from "./systems/formulas/state-formula.js";
