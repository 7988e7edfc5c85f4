// Formulas of joints and forces, as their recipes read them.

import { FormulaError } from "../expressions/error.js";
import type { MeasuredFormula, MeasuredInput } from "../model/formula-data.js";
import { descriptionError } from "../model/option-checks.js";
import type { Checker } from "../model/recipe-checker.js";
import type { FormulaSource } from "./formula-source.js";
import { measuredFormula } from "./measured-formula.js";

/** A formula has names of its own, and all quantities of what the model has so far, or the former alone. */
type Reach = "model" | "own names";

/** Reads a formula. What is wrong is told with the name of the joint or force, and the option. */
export function recipeFormula(
  { store, where }: Checker,
  option: string,
  { name: text, functions }: FormulaSource,
  locals: Readonly<Record<string, MeasuredInput>>,
  reach: Reach = "model",
): MeasuredFormula {
  const { parameters } = store;
  const lists = reach === "model" ? store : undefined;
  try {
    return measuredFormula(text, { locals, lists, parameters, functions });
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    throw descriptionError(`${where}: ${option}`, error.message);
  }
}

export const TIME: MeasuredInput = { kind: "time" };
