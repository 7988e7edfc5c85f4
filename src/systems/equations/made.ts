// What `equations` makes.

import type { State, StateData, System } from "../../seam/index.js";
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
}

/** The stored mass matrix: its diagonal, or all of it by columns. */
export interface Mass {
  readonly diagonal: boolean;
  readonly constant?: readonly number[];
  readonly function?: MassFunction;
}
