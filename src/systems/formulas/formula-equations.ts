import {
  argument,
  callback,
  flag,
  isRecord,
  locationOf,
  optionsOf,
  plain,
  readKeys,
  type Shape,
  word,
  wrongValueError,
} from "../../base/checking/index.js";
import { type DerivedEquations, deriveEquations } from "../../formulas/symbolic/derive.js";
import type { FormulaDescription, ParameterValues } from "../../formulas/symbolic/description.js";
import { type Explanation, explainEquations } from "../../formulas/symbolic/explain.js";
import { Expression } from "../../formulas/symbolic/expression.js";
import type { FormulaInput } from "../../formulas/symbolic/formula-reader.js";
import { rowsOf } from "../../formulas/symbolic/read-names.js";
import type { StateData, SystemSource } from "../../interfaces/index.js";
import type { RowCondition } from "../equations/description.js";
import { type RowSwitching, rowSwitching } from "../equations/equations-types.js";
import { nameOf, wrong } from "../equations/name-checks.js";
import {
  rowSwitchingOf,
  type StateCondition,
  type StateConditions,
  stateCondition,
} from "../equations/row-switching.js";
import { EquationState, type RowSelection } from "../equations/state.js";
import { remembered } from "./memo.js";
import {
  type EquationParameterDerivatives,
  equationsByParameters,
  type ParameterDerivatives,
} from "./parameter-derivatives.js";
import {
  changedValues,
  type Parameters,
  parametersOf,
  type StateFormula,
  stateFormula,
} from "./parameters.js";
import { FormulaPrograms } from "./programs.js";
import { FormulaSystem } from "./system.js";

/** Equations of motion derived from formulas, ready for `simulate` and `solve`. */
export interface FormulaEquations extends SystemSource<EquationState> {
  /** As described, for messages. */
  readonly name: string;
  /** The validated description. */
  readonly description: FormulaDescription;
  /** Names of the coordinates. */
  readonly coordinateNames: readonly string[];
  /** Names of the constraints on positions. */
  readonly holonomicNames: readonly string[];
  /** Names of the constraints on velocities. */
  readonly nonholonomicNames: readonly string[];
  /** Values of the parameters; assigned values take effect at the next step, in all runs of these equations. */
  readonly parameters: Parameters;
  /** Detected structure of the mass matrix. */
  readonly mass: { readonly diagonal: boolean; readonly constant: boolean };
  /** Returns the equations with other values of some parameters, independent of these. */
  with(parameters: ParameterValues): FormulaEquations;
  /** The derived equations, as text and as LaTeX. */
  explain(): Explanation;
  /**
   * Compiles a formula of the coordinates, rates, quantities and parameters, to be evaluated at states of a solution.
   */
  formula(formula: FormulaInput): StateFormula;
  /** Exact derivatives of accelerations, forces and constraints by parameters: all, or those named. */
  byParameters(parameters?: readonly string[]): ParameterDerivatives<EquationParameterDerivatives>;
  state(data: StateData): EquationState;
  /** @internal Rows that switch on and off. */
  readonly [rowSwitching]?: RowSwitching;
}

/** Evaluation of formulas. */
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
  "when",
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
  const { when, ...plainDescription } = description;
  const programs = (acting?: ReadonlySet<string>) => {
    const known = { ...plainDescription, ...(acting && { acting: [...acting] }) };
    return remembered("equations", name, known, isInterpreted, () => {
      return new FormulaPrograms(deriveEquations(name, description, acting), isInterpreted);
    });
  };
  const values = Float64Array.from(programs().equations.parameterValues);
  return sourceOf({ description: Object.freeze(description), programs }, values);
}

/** Source of equations, and their compiled forms with subsets of their rows. */
interface EquationsOrigin {
  readonly description: FormulaDescription;
  programs(acting?: ReadonlySet<string>): FormulaPrograms;
}

const OPTIONS: Shape<EvaluationOptions> = { interpret: flag };

/** Returns whether formulas are interpreted. */
export function isInterpretedBy(
  name: string,
  options: EvaluationOptions,
  more: readonly unknown[],
): boolean {
  return optionsOf(name, "DESCRIPTION", options, OPTIONS, more).interpret === true;
}

/** Rejects an invalid name, and fields that must be records of named values. */
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
    "when",
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

function sourceOf(origin: EquationsOrigin, values: Float64Array): FormulaEquations {
  const programs = origin.programs();
  const { holonomicNames, nonholonomicNames } = programs.equations;
  const { when } = origin.description;
  const rowNames = [...holonomicNames, ...nonholonomicNames];
  const selected = when && { rowNames, acting: new Set(rowNames) };
  const switching =
    when &&
    rowSwitchingOf(
      programs.equations.name,
      rowNames,
      conditionsOf(programs.equations, values, when),
      (selection) =>
        Object.freeze(madeOf(origin, origin.programs(selection.acting), values, selection)),
    );
  const source = madeOf(origin, programs, values, selected);
  return Object.freeze(switching ? { ...source, [rowSwitching]: switching } : source);
}

function madeOf(
  origin: EquationsOrigin,
  programs: FormulaPrograms,
  values: Float64Array,
  selection: RowSelection | undefined,
): FormulaEquations {
  const { equations } = programs;
  const { name, parameterNames, coordinateNames, start } = equations;
  const system = () => new FormulaSystem(programs, values);
  // One object for all states of these equations: queries are evaluated in one additional system.
  const owner = {};
  return {
    name,
    description: origin.description,
    coordinateNames,
    holonomicNames: equations.holonomicNames,
    nonholonomicNames: equations.nonholonomicNames,
    parameters: parametersOf(name, parameterNames, values),
    mass: Object.freeze({ diagonal: equations.massIsDiagonal, constant: equations.massIsConstant }),
    ...(start && { q: start.q, v: start.v }),
    with: (given) => sourceOf(origin, changedValues(name, parameterNames, values, given)),
    explain: () => explainEquations(equations),
    formula: (given) => stateFormula(equations, 2 * coordinateNames.length, values, given),
    byParameters: (given) => {
      if (selection === undefined) return equationsByParameters(programs, values, given);
      throw wrong(
        name,
        "byParameters does not support rows with conditions: omit `when` and describe the acting rows only",
      );
    },
    system,
    state: (data: StateData) => new EquationState(owner, system, data, selection),
    family: {
      identity: programs,
      adopt: (made) => (made as FormulaSystem).useParameters(values),
    },
  };
}

/** Conditions of rows, evaluated with the current parameters. */
function conditionsOf(
  equations: DerivedEquations,
  values: Float64Array,
  when: NonNullable<FormulaDescription["when"]>,
): ReadonlyMap<string, StateConditions> {
  const { name, coordinateNames } = equations;
  const n = coordinateNames.length;
  const found = new Map<string, StateConditions>();
  for (const { name: row, where, index, formula } of rowsOf(name, "when", when)) {
    if (found.has(row)) throw wrong(name, `when has "${row}" twice`);
    const read = (part: string, given: unknown): StateCondition => {
      if (typeof given !== "function") {
        return stateFormula(equations, 2 * n, values, given as FormulaInput, where + part, index);
      }
      const rule = callback<RowCondition>();
      return stateCondition(argument(name, "DESCRIPTION", where + part, given, rule), n);
    };
    if (isRecord(formula) && !(formula instanceof Expression)) {
      const place = locationOf(name, "DESCRIPTION", where);
      const { begin, end } = readKeys(place, formula, ["begin", "end"]);
      found.set(row, { begin: read(".begin", begin), end: read(".end", end) });
    } else found.set(row, { begin: read("", formula) });
  }
  return found;
}
