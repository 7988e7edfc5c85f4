// Reads formulas of joints and forces for their recipes.

import { descriptionError } from "../../base/checking/values.js";
import { FormulaError } from "../../formulas/expressions/error.js";
import type { MeasuredFormula, MeasuredInput } from "../formula-data.js";
import type { Checker } from "../recipe-checker.js";
import type { FormulaSource } from "./formula-source.js";
import { measuredFormula } from "./measured-formula.js";

/** Names available to a formula: its local variables, and with "model" also all quantities of the model so far. */
type Reach = "model" | "own names";

/** Reads a formula. Errors name the joint or force and the option. */
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
