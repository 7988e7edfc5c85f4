// Equations and formulas in texts: `nodrift/formulas`.

export type { FormulaDescription, FormulaOdeDescription } from "./describe/symbolic/description.js";
export { Expression, operators, symbols } from "./describe/symbolic/expression.js";
export { type FormulaEquations, formulaEquations as equations } from "./systems/formulas/formula-equations.js";
