// The interface between systems and methods: small interfaces, each as wide as its callers need.
//
// Contract of a system. To implement one:
//
// 1. Equations. A system describes M(q) a = Q(q, v, t) + J^T lambda with Phi(q, t) = 0 and, optionally, nonholonomic
//    rows Pi(q, v, t) = 0; or a plain ODE y' = f(t, y) with q = y, no velocities and no rows ({@link System.ode}).
// 2. Memory. The constructor and the binding of methods reserve vectors in {@link System.workspace}. The owner of the
//    system then seals it, once. Kernels and views exist only from then on (`workspace.whenSealed`).
// 3. States. {@link System.state} and {@link System.trial} are two vectors of `positions + velocities + 1` slots: q, v
//    and the work, without gaps. `state` is the accepted state. Quantities are evaluated at `trial` and
//    {@link System.time} only.
// 4. Order of calls. A method calls `load`, or writes `trial` and calls `at` (`atVelocity` if only v changed); then it
//    reads quantities; `store` accepts the trial state. Reading a quantity before the first `load` or `at` is an error
//    of the caller.
// 5. Evaluation. A quantity is computed when it is first read after `at`, at most once. Values at the address that is
//    returned are valid until the next `at`, `atVelocity` or `load`.
// 6. Determinism. Values depend only on the trial state, the time and the data of {@link System.continuation}: the
//    same calls give the same bits on every machine.
// 7. Side effects. Reading quantities changes neither `state` nor `trial`, unless a comment says so.
// 8. Capabilities. What only some systems have is an optional object ({@link System.loops}, `matrices.dense`, `fused` and
//    `closed` of a solver), which methods look up once, when they bind; they reject the system by name if they need it.
//    All other members are required: a system without such a property takes the defaults (`NoContinuation`,
//    `NO_DERIVATIVES`, empty lists, zero).
// 9. Fused kernels. A call that replaces several others has the same bits. If it cannot do all of them, it says how far
//    it came, and the caller continues with single calls.
// 10. Failures. Kernels return a status, and {@link System.errorFor} turns it into an error that names the coordinate
//    or row. NaN is never repaired: it reaches a solver, which names its source.

import type { Workspace } from "../base/memory/workspace.js";
import type { BodyAccess } from "./body-access.js";
import type { Constraints, Dynamics, Loops } from "./constraints.js";
import type { Continuation } from "./continuation.js";
import type { Coordinates, StateAddress } from "./coordinates.js";
import type { Energy } from "./energy.js";
import type { Matrices } from "./matrices.js";
import type { OdeFunctions } from "./ode.js";
import type { PublicState } from "./public-state.js";

/** Equations of motion with their state and memory; the contract is at the top of this file. */
export interface System {
  /** Name, for messages. */
  readonly name: string;
  /** Memory of the system, shared with the methods bound to it. */
  readonly workspace: Workspace;
  /** Numbers and names of positions and velocities, and the relation between them. */
  readonly coordinates: Coordinates;
  /** The constraint rows. */
  readonly constraints: Constraints;
  /** Forces, mass matrix and constraint solvers. */
  readonly dynamics: Dynamics;
  /** Energies. */
  readonly energy: Energy;
  /** Data carried from step to step in addition to q and v. */
  readonly continuation: Continuation;
  /** Matrices and derivatives, for methods that need them. */
  readonly matrices: Matrices;
  /** Defined if constraints close loops. */
  readonly loops?: Loops | undefined;
  /**
   * Defined if the system is a plain differential equation y' = f(t, y): its q is y, and it has no velocities and no
   * constraints. Formulations of mechanics reject it.
   */
  readonly ode?: OdeFunctions;
  /** Defined if the system has bodies. */
  readonly bodies?: BodyAccess;
  /** Defined if public states have other coordinates than the system. */
  readonly publicState?: PublicState<System>;

  /** The accepted state. */
  readonly state: StateAddress;
  /** The trial state, at which everything is evaluated. */
  readonly trial: StateAddress;
  /** Time of the trial state, in seconds. */
  readonly time: number;
  /** Copies the accepted state to the trial state, at time t, and drops a kept factor. */
  load(t: number): void;
  /** Copies the trial state to the accepted state. */
  store(): void;
  /** Sets the time of a trial state that the caller has written, and invalidates all quantities. */
  at(t: number): void;
  /**
   * Invalidates the quantities that depend on velocities. Call if only the velocities of the trial state have changed.
   */
  atVelocity(): void;
  /**
   * Returns the error for a failed kernel. Status indices below `velocities` are coordinates, the others constraint
   * rows.
   */
  errorFor(status: number, advice: string): Error;
}

/** A state at a time. */
export interface State {
  /** Time, in seconds. */
  readonly time: number;
  /** Positions. */
  readonly q: Float64Array;
  /** Velocities. */
  readonly v: Float64Array;
}

/** Components of a state. */
export interface StateData extends State {
  /** Unwrapped joint angles and the offsets held by couplings. */
  readonly unwrappedAngles: Float64Array;
}

/** Coordinates in which a mechanism is integrated, and the reason. */
export interface CoordinateChoice {
  /** "relative": angles and displacements of joints along a tree. "maximal": positions and velocities of all bodies. */
  readonly kind: "relative" | "maximal";
  /** The reason, in words. */
  readonly why: string;
}

/** A factory of systems; each call creates one with its own memory. */
export interface SystemSource<S extends State = State> {
  /** Creates a system. */
  system(): System;
  /** Initial positions, if the source has an initial state. */
  readonly q?: ArrayLike<number>;
  /** Initial velocities. */
  readonly v?: ArrayLike<number>;
  /** Initial time, in seconds. */
  readonly time?: number;
  /** Coordinates of its systems, if there is a choice. */
  readonly coordinateChoice?: CoordinateChoice;
  /** Creates a state object that reads live from `data`. */
  state?(data: StateData): S;
  /** Defined if there are sources that differ from it in parameter values only. */
  readonly family?: SourceFamily;
}

/** A family of sources that differ in parameter values only: their runs reuse each other's memory. */
export interface SourceFamily {
  /** The same object for all sources of the family. */
  readonly identity: object;
  /** Turns a system of another source of the family into one of this source; resets a system of its own. */
  adopt(system: System): void;
}
