import type { TableOptions } from "../expressions/table.js";
import type { FormulaInput } from "./formula-reader.js";

/** Numbers by name that formulas use: `{ m: 1 }`, or a list of them, `{ "m[1..3]": [1, 2, 3] }`. */
export type ParameterValues = Readonly<Record<string, number | readonly number[]>>;

/**
 * Formulas by name. A name with a range stands for one formula each index: `"x[i=1..3]": "l * i"`.
 */
export type FormulaRecord = Readonly<Record<string, FormulaInput>>;

/**
 * A generalised force that is no formula. It is called for every state; implicit methods then find df/dy by differences.
 */
export type ForceFunction = (q: Float64Array, v: Float64Array, t: number) => number;

/**
 * Says by its sign whether a row acts. `multipliers` are those of all rows, holonomic ones first, zero for rows that do not act;
 * they are found only if the function declares this parameter.
 */
export type ConditionFunction = (
  q: Float64Array,
  v: Float64Array,
  t: number,
  multipliers: Float64Array,
) => number;

/** When a row acts: while a formula is positive; or it begins to, and ends, when one of two formulas becomes positive. */
export type RowFormula =
  | FormulaInput
  | ConditionFunction
  | {
      /** While the row does not act: it begins to when this becomes positive. */
      readonly begin: FormulaInput | ConditionFunction;
      /** While the row acts: it ends when this becomes positive. */
      readonly end: FormulaInput | ConditionFunction;
    };

/** Names and formulas that all systems by formulas have. */
export interface FormulaNames {
  /** For messages. */
  readonly name?: string;
  /** Numbers that can be changed later without compiling again. */
  readonly parameters?: ParameterValues;
  /** Named parts of formulas: each can use those before it. x' is the rate of a quantity x along the motion. */
  readonly quantities?: FormulaRecord;
  /** Functions by points, called by their names: `{ pull: { x: [0, 1, 2], y: [0, 300, 0] } }`. */
  readonly tables?: Readonly<Record<string, TableOptions>>;
  /** Where runs begin that say nothing else: `{ x: 1, "x'": 0 }`. What is not named is 0. */
  readonly start?: Readonly<Record<string, number>>;
}

/**
 * A system in generalised coordinates by formulas. Formulas know the coordinates, their rates (x'), parameters, quantities,
 * and t. Give `lagrangian`; or `kinetic` or `mass`, with `potential` if there is one.
 */
export interface FormulaDescription extends FormulaNames {
  /** Names of the coordinates; `"theta[1..5]"` is a list of them. */
  readonly coordinates: readonly string[];
  /** Kinetic minus potential energy, quadratic in the velocities. */
  readonly lagrangian?: FormulaInput;
  /** Kinetic energy, quadratic in the velocities. */
  readonly kinetic?: FormulaInput;
  /** The mass matrix, in place of `kinetic`: its diagonal, or its rows. */
  readonly mass?: readonly FormulaInput[] | readonly (readonly FormulaInput[])[];
  /** Potential energy. */
  readonly potential?: FormulaInput;
  /** Rayleigh's function: forces are minus its derivatives by the velocities. */
  readonly dissipation?: FormulaInput;
  /** Other generalised forces, by coordinate. Velocity terms of the inertia are found, not given. */
  readonly forces?: Readonly<Record<string, FormulaInput | ForceFunction>>;
  /** Constraints on positions, by name: each formula is zero. They may depend on t. */
  readonly holonomic?: FormulaRecord;
  /** Constraints on velocities, by name, linear in the velocities or not. */
  readonly nonholonomic?: FormulaRecord;
  /**
   * When rows act, by their names: a row is in force while its formula is positive. Rows that are not named always act. When a
   * row begins to act, velocities jump onto it by an impulse; when it ends nothing jumps. For `solve` and `start`.
   */
  readonly when?: Readonly<Record<string, RowFormula>>;
}

/** Differential equations y' = f(t, y) by formulas. */
export interface FormulaOdeDescription extends FormulaNames {
  /** Names of the unknowns; `"u[1..200]"` is a list of them. */
  readonly unknowns: readonly string[];
  /** The rate of each unknown. */
  readonly rates: FormulaRecord;
}
