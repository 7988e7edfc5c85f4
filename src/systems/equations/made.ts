// What `equations` makes.

import type { State, StateData, System, SystemSource } from "../../seam/index.js";
import type { EquationsDescription, MassFunction } from "./description.js";

/**
 * Where equations keep what runs need of them, which import none of it: a program for mechanisms loads no systems of
 * equations. Under no word, as it is nothing for users.
 */
export const equationParts: unique symbol = Symbol("parts of equations");

export interface EquationParts {
  /** A system with memory of its own. */
  system(source: Equations): System;
  /** A state made of its numbers. */
  state(source: Equations, data: StateData): State;
}

/** Where systems keep which of their rows switch on and off: absent if none does. Under no word, like {@link equationParts}. */
export const rowSwitching: unique symbol = Symbol("rows that switch");

/** A constraint row that acts by a condition. */
export interface SwitchedRow {
  readonly name: string;
  /** It ends by another condition than it begins by. */
  readonly isOneSided: boolean;
  /** Its condition at a state of the system: positive if the row goes on acting, or begins to. */
  height(state: State): number;
}

/** The rows of a system that switch on and off. */
export interface RowSwitching {
  /** Names of all rows, whether they switch or not. */
  readonly rowNames: readonly string[];
  /** In the order of all rows. */
  readonly rows: readonly SwitchedRow[];
  /** The system in which only some of them act: the same one for the same names. */
  with(acting: ReadonlySet<string>): Equations | SystemSource;
}

/** A validated system in generalised coordinates that can be simulated repeatedly. */
export interface Equations {
  /** As described, for messages. */
  readonly name: string;
  /** What it was made from. */
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

/** The stored mass matrix: its diagonal, or all of it by columns. */
export interface Mass {
  readonly diagonal: boolean;
  readonly constant?: readonly number[];
  readonly function?: MassFunction;
}
