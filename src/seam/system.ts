// The seam between systems and methods: small interfaces, each as wide as its readers need.

import type { Workspace } from "../ground/memory/workspace.js";
import type { BodyAccess } from "./body-access.js";
import type { Constraints, Dynamics, Loops } from "./constraints.js";
import type { Continuation } from "./continuation.js";
import type { Coordinates, StateAddress } from "./coordinates.js";
import type { Energy } from "./energy.js";
import type { Matrices } from "./matrices.js";
import type { OdeFunctions } from "./ode.js";
import type { PublicState } from "./public-state.js";

/**
 * Equations M a = Q + J^T lambda, Phi(q, t) = 0, with their state and memory. Quantities are evaluated at the trial
 * state, when first asked for after {@link at}, and only once.
 */
export interface System {
  /** For messages. */
  readonly name: string;
  /** Its memory, which methods share. */
  readonly workspace: Workspace;
  /** What positions and velocities are. */
  readonly coordinates: Coordinates;
  /** The constraint rows. */
  readonly constraints: Constraints;
  /** Forces, masses and solvers. */
  readonly dynamics: Dynamics;
  /** Energies. */
  readonly energy: Energy;
  /** What goes on from step to step besides q and v. */
  readonly continuation: Continuation;
  /** Matrices and derivatives for the methods that need them. */
  readonly matrices: Matrices;
  /** Present where constraints close loops. */
  readonly loops?: Loops | undefined;
  /**
   * Present where the system is a plain differential equation y' = f(t, y): its q is y, and it has no velocities and no
   * constraints. Formulations of mechanics refuse it.
   */
  readonly ode?: OdeFunctions;
  /** Present where the system has bodies. */
  readonly bodies?: BodyAccess;
  /** Present where users see other coordinates than methods integrate. */
  readonly publicState?: PublicState<System>;

  /** The accepted state. */
  readonly state: StateAddress;
  /** The state at which everything is evaluated. */
  readonly trial: StateAddress;
  /** The time of the trial state. */
  readonly time: number;
  /** Makes the accepted state the trial state, at time t, and drops a factor that was kept. */
  load(t: number): void;
  /** Makes the trial state the accepted state. */
  store(): void;
  /** Declares that the trial state has changed and sets its time; invalidates cached quantities. */
  at(t: number): void;
  /**
   * Declares that only the velocities of the trial state have changed; keeps quantities that depend on positions alone.
   */
  atVelocity(): void;
  /**
   * Builds the error for a failed kernel. Status indices below `velocities` are coordinates, the others constraint
   * rows.
   */
  errorFor(status: number, advice: string): Error;
}

/** A state at a time. */
export interface State {
  /** Its time. */
  readonly time: number;
  /** Positions. */
  readonly q: Float64Array;
  /** Velocities. */
  readonly v: Float64Array;
}

/** The numbers of a state. */
export interface StateData extends State {
  /** Unwrapped joint angles and the offsets held by couplings. */
  readonly turns: Float64Array;
}

/** In which coordinates a mechanism is integrated, and why. */
export interface CoordinateChoice {
  /**
   * "relative": angles and displacements of joints along a tree. "maximal": positions and velocities of all bodies.
   */
  readonly kind: "relative" | "maximal";
  /** The reason, in words. */
  readonly why: string;
}

/** A factory of systems; each call makes a new one with its own memory. */
export interface SystemSource<S extends State = State> {
  /** Makes a system. */
  system(): System;
  /** Positions at the start, if the source has a start. */
  readonly q?: ArrayLike<number>;
  /** Velocities at the start. */
  readonly v?: ArrayLike<number>;
  /** Time at the start. */
  readonly time?: number;
  /** In which coordinates its systems are, where there is a choice. */
  readonly coordinateChoice?: CoordinateChoice;
  /** Makes a state object that reads live from the numbers given. */
  state?(data: StateData): S;
  /** Sources with the same object here differ in the values of parameters only: their runs take over each other's memory. */
  readonly family?: object;
  /** Makes a system of another source of its family one of its own; of its own ones, as new. */
  adopt?(system: System): void;
}
