// Types of systems by equations.

import type { State, StateData, System, SystemSource } from "../../interfaces/index.js";
import type { EquationsDescription, MassFunction } from "./description.js";

/**
 * Key of the data that runs need of equations. Runs import nothing else of them, so a program for mechanisms loads no
 * systems of equations. A symbol, since it is not for users.
 */
export const equationParts: unique symbol = Symbol("parts of equations");

export interface EquationParts {
  /** Creates a system with its own memory. */
  system(source: Equations): System;
  /** Creates a state object from its data. */
  state(source: Equations, data: StateData): State;
}

/** Key of the rows of a system that switch on and off; absent if none does. A symbol, like {@link equationParts}. */
export const rowSwitching: unique symbol = Symbol("rows that switch");

/** A constraint row that acts by a condition. */
export interface SwitchedRow {
  readonly name: string;
  /** Whether separate conditions begin and end it. */
  readonly isOneSided: boolean;
  /** Its condition at a state of the system: positive if the row continues to act, or begins to. */
  height(state: State): number;
}

/** The rows of a system that switch on and off. */
export interface RowSwitching {
  /** Names of all rows, whether they switch or not. */
  readonly rowNames: readonly string[];
  /** Conditions in the order of all rows. */
  readonly rows: readonly SwitchedRow[];
  /** Returns the system in which only some rows act: the same object for the same names. */
  with(acting: ReadonlySet<string>): Equations | SystemSource;
}

/** A validated system in generalised coordinates that can be simulated repeatedly. */
export interface Equations {
  /** As described, for messages. */
  readonly name: string;
  /** The validated description. */
  readonly description: EquationsDescription;
  /** Names of the coordinates. */
  readonly coordinateNames: readonly string[];
  /** Names of the constraints on positions. */
  readonly holonomicNames: readonly string[];
  /** Names of the constraints on velocities. */
  readonly nonholonomicNames: readonly string[];
  /** The mass matrix: its diagonal, constant, or a function. */
  readonly mass: Mass;
  /** Derivatives that are computed by finite differences because they were not given. */
  readonly differentiated: readonly string[];
  /** @internal What runs need of it. */
  readonly [equationParts]: EquationParts;
  /** @internal Rows that switch on and off. */
  readonly [rowSwitching]?: RowSwitching;
}

/** The stored mass matrix: its diagonal, or the full matrix, column-major. */
export interface Mass {
  readonly diagonal: boolean;
  readonly constant?: readonly number[];
  readonly function?: MassFunction;
}
