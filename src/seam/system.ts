// The seam between systems and methods: small interfaces, each as wide as its readers need.

import type { Workspace } from "../ground/memory/workspace.js";
import type { Constraints, Dynamics, Loops } from "./constraints.js";
import type { Continuation } from "./continuation.js";
import type { Coordinates, StateAddress } from "./coordinates.js";
import type { Energy } from "./energy.js";
import type { Matrices } from "./matrices.js";
import type { OdeFunctions } from "./ode.js";

/**
 * Equations M a = Q + J^T lambda, Phi(q, t) = 0, with their state and memory. Quantities are evaluated at the trial
 * state, when first asked for after {@link at}, and only once.
 */
export interface System {
  readonly name: string;
  readonly workspace: Workspace;
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  /** Matrices and derivatives for the methods that need them. */
  readonly matrices: Matrices;
  /** Present where constraints close loops. */
  readonly loops?: Loops | undefined;
  /** Present where functions of the user limit the accuracy. */
  readonly accuracy?: Accuracy;
  /**
   * Present where the system is a plain differential equation y' = f(t, y): its q is y, and it has no velocities and no
   * constraints. Formulations of mechanics refuse it.
   */
  readonly ode?: OdeFunctions;

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
  /** Says that the trial state is new, and at which time it is. */
  at(t: number): void;
  /** Says that only the velocities of the trial state are new: what depends on positions alone stays. */
  atVelocity(): void;
  /** The error for a kernel's failure: below `velocities` its index is a coordinate, then a row. */
  errorFor(status: number, advice: string): Error;
}

/** What limits the accuracy of user functions, at the accepted state. */
export interface Accuracy {
  /**
   * The function whose differences are worst, and the relative error of accelerations they cause. Undefined where no
   * differences are used.
   */
  worstDifference(t: number): { readonly name: string; readonly error: number } | undefined;
  /** How noisy the functions are. */
  estimateNoise(t: number): NoiseReport;
}

/** What cannot be better than it is, however short the steps. */
export interface NoiseReport {
  /** The function whose noise, that of differences of it included, matters most. */
  readonly noisiest: string;
  /** Noise of positions that satisfy the constraints, in their units. */
  readonly positions: number;
  /** Noise of accelerations, in parts of their size. */
  readonly accelerations: number;
}

/** A state at a time. */
export interface State {
  readonly time: number;
  /** Positions. */
  readonly q: Float64Array;
  /** Velocities. */
  readonly v: Float64Array;
}

/** The numbers of a state. */
export interface StateData extends State {
  readonly turns: Float64Array;
}

/** What systems are made from: a new one, with memory of its own, at each call. */
export interface SystemSource<S extends State = State> {
  system(): System;
  /** The start, where it is part of the source. */
  readonly q?: ArrayLike<number>;
  readonly v?: ArrayLike<number>;
  readonly time?: number;
  /** A reader of states, that looks at the numbers given whenever it is asked. */
  state?(data: StateData): S;
}
