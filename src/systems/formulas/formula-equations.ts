import { deriveEquations } from "../../describe/symbolic/derive.js";
import type { FormulaDescription, ParameterValues } from "../../describe/symbolic/description.js";
import { type Explanation, explainEquations } from "../../describe/symbolic/explain.js";
import type { FormulaInput } from "../../describe/symbolic/formula-reader.js";
import {
  flag,
  isRecord,
  locationOf,
  optionsOf,
  plain,
  readKeys,
  type Shape,
  word,
  wrongValueError,
} from "../../ground/checking/index.js";
import type { StateData, SystemSource } from "../../seam/index.js";
import { nameOf } from "../equations/name-checks.js";
import { EquationState } from "../equations/state.js";
import { remembered } from "./memo.js";
import {
  type EquationParameterDerivatives,
  equationsByParameters,
  type ParameterDerivatives,
} from "./parameter-derivatives.js";
import { changedValues, type Parameters, parametersOf } from "./parameters.js";
import { FormulaPrograms } from "./programs.js";
import { type StateFormula, stateFormula } from "./state-formula.js";
import { FormulaSystem } from "./system.js";

/** Equations of motion that were found from formulas, ready for `simulate` and `solve`. */
export interface FormulaEquations extends SystemSource<EquationState> {
  /** As described, for messages. */
  readonly name: string;
  /** What it was made from. */
  readonly description: FormulaDescription;
  /** Names of the coordinates. */
  readonly coordinateNames: readonly string[];
  /** Names of the constraints on positions. */
  readonly holonomicNames: readonly string[];
  /** Names of the constraints on velocities. */
  readonly nonholonomicNames: readonly string[];
  /** Values of the parameters: what is written here holds from the next step on, in all runs of these equations. */
  readonly parameters: Parameters;
  /** What was recognised of the mass matrix. */
  readonly mass: { readonly diagonal: boolean; readonly constant: boolean };
  /** The same equations with other values of some parameters, which are independent of these. */
  with(parameters: ParameterValues): FormulaEquations;
  /** The equations that were found, as text and as LaTeX. */
  explain(): Explanation;
  /** A formula of the coordinates, rates, quantities and parameters, to be read at states of a solution. */
  formula(formula: FormulaInput): StateFormula;
  /** Exact derivatives of accelerations, forces and constraints by parameters: all, or those named. */
  byParameters(parameters?: readonly string[]): ParameterDerivatives<EquationParameterDerivatives>;
  state(data: StateData): EquationState;
}

/** How formulas are evaluated. */
export interface EvaluationOptions {
  /** True interprets formulas instead of compiling them: slower, with the same bits. Default: false. */
  readonly interpret?: boolean;
}

const KEYS = [
  "name",
  "coordinates",
  "parameters",
  "quantities",
  "tables",
  "start",
  "lagrangian",
  "kinetic",
  "mass",
  "potential",
  "dissipation",
  "forces",
  "holonomic",
  "nonholonomic",
];

/** Reads a description by formulas. */
export function formulaEquations(
  given: FormulaDescription,
  options: EvaluationOptions = {},
  ...more: undefined[]
): FormulaEquations {
  const name = nameOf("equations", given, "system");
  const place = locationOf(name, "DESCRIPTION");
  const description = plain(place, readKeys(place, given, KEYS)) as FormulaDescription;
  requireRecords(name, description);
  const isInterpreted = isInterpretedBy(name, options, more);
  const programs = remembered("equations", name, description, isInterpreted, () => {
    return new FormulaPrograms(deriveEquations(name, description), isInterpreted);
  });
  return sourceOf(
    programs,
    Object.freeze(description),
    Float64Array.from(programs.equations.parameterValues),
  );
}

const OPTIONS: Shape<EvaluationOptions> = { interpret: flag };

/** Whether formulas are to be interpreted. */
export function isInterpretedBy(
  name: string,
  options: EvaluationOptions,
  more: readonly unknown[],
): boolean {
  return optionsOf(name, "DESCRIPTION", options, OPTIONS, more).interpret === true;
}

/** Refuses a name that is none, and fields without names and values that must have them. */
export function requireRecords(name: string, description: object): void {
  const { name: given } = description as { readonly name?: unknown };
  if (given !== undefined) word.read(given, locationOf(name, "DESCRIPTION", "name"));
  for (const field of [
    "parameters",
    "quantities",
    "tables",
    "start",
    "forces",
    "holonomic",
    "nonholonomic",
    "rates",
  ]) {
    const value = (description as Record<string, unknown>)[field];
    if (value === undefined || isRecord(value)) continue;
    throw wrongValueError(
      locationOf(name, "DESCRIPTION", field),
      value,
      "names with their values: { x: 1 }",
    );
  }
}

function sourceOf(
  programs: FormulaPrograms,
  description: FormulaDescription,
  values: Float64Array,
): FormulaEquations {
  const { equations } = programs;
  const { name, parameterNames, coordinateNames, start } = equations;
  const system = () => new FormulaSystem(programs, values);
  const source: FormulaEquations = {
    name,
    description,
    coordinateNames,
    holonomicNames: equations.holonomicNames,
    nonholonomicNames: equations.nonholonomicNames,
    parameters: parametersOf(name, parameterNames, values),
    mass: Object.freeze({ diagonal: equations.massIsDiagonal, constant: equations.massIsConstant }),
    ...(start && { q: start.q, v: start.v }),
    with: (given) =>
      sourceOf(programs, description, changedValues(name, parameterNames, values, given)),
    explain: () => explainEquations(equations),
    formula: (given) => stateFormula(equations, 2 * coordinateNames.length, values, given),
    byParameters: (given) => equationsByParameters(programs, values, given),
    system,
    state: (data: StateData) => new EquationState(source, system, data),
    family: programs,
    adopt: (made) => (made as FormulaSystem).quantities.useParameters(values),
  };
  return Object.freeze(source);
}
