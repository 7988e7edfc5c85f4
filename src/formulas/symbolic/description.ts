import type { TableOptions } from "../expressions/table.js";
import type { FormulaInput } from "./formula-reader.js";

/** Values of parameters by name: `{ m: 1 }`, or a list, `{ "m[1..3]": [1, 2, 3] }`. */
export type ParameterValues = Readonly<Record<string, number | readonly number[]>>;

/**
 * Formulas by name. A name with a range defines one formula for each index: `"x[i=1..3]": "l * i"`.
 */
export type FormulaRecord = Readonly<Record<string, FormulaInput>>;

/**
 * A generalised force given by a function, called for every state. Implicit methods then find df/dy by finite differences.
 */
export type ForceFunction = (q: Float64Array, v: Float64Array, t: number) => number;

/**
 * Determines by its sign whether a row is active. `multipliers` are those of all rows, holonomic ones first, zero for inactive
 * rows. They are computed only if the function declares this parameter.
 */
export type ConditionFunction = (
  q: Float64Array,
  v: Float64Array,
  t: number,
  multipliers: Float64Array,
) => number;

/** Condition under which a row is active: while a formula is positive, or between zero crossings of two formulas. */
export type RowFormula =
  | FormulaInput
  | ConditionFunction
  | {
      /** Activates the row when it becomes positive. */
      readonly begin: FormulaInput | ConditionFunction;
      /** Deactivates the row when it becomes positive. */
      readonly end: FormulaInput | ConditionFunction;
    };

/** Names and formulas common to all systems given by formulas. */
export interface FormulaNames {
  /** Name of the system, for messages. */
  readonly name?: string;
  /** Parameters, which can be changed later without recompilation. */
  readonly parameters?: ParameterValues;
  /** Named parts of formulas, each of which can use the preceding ones. x' is the rate of a quantity x along the motion. */
  readonly quantities?: FormulaRecord;
  /** Tabulated functions, called by name: `{ pull: { x: [0, 1, 2], y: [0, 300, 0] } }`. */
  readonly tables?: Readonly<Record<string, TableOptions>>;
  /** Default initial state: `{ x: 1, "x'": 0 }`. Missing values are 0. */
  readonly start?: Readonly<Record<string, number>>;
}

/**
 * A system in generalised coordinates, given by formulas of the coordinates, their rates (x'), parameters, quantities and t.
 * Requires `lagrangian`; or `kinetic` or `mass`, with an optional `potential`.
 */
export interface FormulaDescription extends FormulaNames {
  /** Names of the coordinates; `"theta[1..5]"` is a list of them. */
  readonly coordinates: readonly string[];
  /** Kinetic minus potential energy, quadratic in the velocities. */
  readonly lagrangian?: FormulaInput;
  /** Kinetic energy, quadratic in the velocities. */
  readonly kinetic?: FormulaInput;
  /** Mass matrix, instead of `kinetic`: its diagonal, or its rows. */
  readonly mass?: readonly FormulaInput[] | readonly (readonly FormulaInput[])[];
  /** Potential energy. */
  readonly potential?: FormulaInput;
  /** Rayleigh's function: forces are minus its derivatives by the velocities. */
  readonly dissipation?: FormulaInput;
  /** Other generalised forces, by coordinate. Velocity-dependent inertia terms are derived automatically. */
  readonly forces?: Readonly<Record<string, FormulaInput | ForceFunction>>;
  /** Constraints on positions, by name, each of the form formula = 0. They may depend on t. */
  readonly holonomic?: FormulaRecord;
  /** Constraints on velocities, by name, linear in the velocities or not. */
  readonly nonholonomic?: FormulaRecord;
  /**
   * Conditions of rows, by row name: a row is active while its formula is positive. Rows without a condition are always active.
   * When a row becomes active, an impulse makes the velocities consistent; deactivation causes no jump. For `solve` and `start`.
   */
  readonly when?: Readonly<Record<string, RowFormula>>;
}

/** Differential equations y' = f(t, y), given by formulas. */
export interface FormulaOdeDescription extends FormulaNames {
  /** Names of the unknowns; `"u[1..200]"` is a list of them. */
  readonly unknowns: readonly string[];
  /** Rate of each unknown. */
  readonly rates: FormulaRecord;
}
