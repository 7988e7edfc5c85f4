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
// 8. Capabilities. A property of some systems only is an optional object ({@link System.loops}, `matrices.dense`, `fused` and
//    `closed` of a solver), which methods look up once, when they bind; they reject the system by name if they need it.
//    All other members are required: a system without such a property takes the defaults (`NO_CONTINUATION`,
//    `NO_DERIVATIVES`, empty lists, zero).
// 9. Fused kernels. A call that replaces several others has the same bits. If it cannot do all of them, it says how far
//    it came, and the caller continues with single calls.
// 10. Failures. Kernels return a status, and {@link System.errorFor} turns it into an error that names the coordinate
//    or row. NaN is never repaired: it reaches a solver, which names its source.

import type { Turn } from "../../assembly/layout-bodies.js";
import type { Address } from "../base/memory/arena.js";
import type { Workspace } from "../base/memory/workspace.js";
import type { Constraints, Dynamics, Loops } from "./constraints.js";
import type { Matrices } from "./matrices.js";
import type { OdeFunctions } from "./ode.js";

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

/**
 * Addresses of the components of a state, which are contiguous: q, then v, then the work that some stabilisations
 * integrate.
 */
export interface StateAddress {
  /** Address of the positions. */
  readonly q: Address;
  /** Address of the velocities. */
  readonly v: Address;
  /** Address of the work. */
  readonly work: Address;
}

/**
 * A body with seven coordinates in q: its centre of mass in the world and four Euler parameters, scalar first, which
 * rotate its frame into the world.
 */
export interface RigidBodyInfo {
  /** Name of the body. */
  readonly name: string;
  /** Centre of mass, in the frame of the body. */
  readonly centre: ArrayLike<number>;
}

/**
 * Indices of the states of controllers, filters and the like. They are stored as velocities after those of the motion;
 * the positions that belong to them are their integrals and have no meaning.
 */
export interface StateIndices {
  /** Index of the first position that does not belong to the motion. */
  readonly firstPosition: number;
  /** Index of the first velocity that does not belong to the motion. */
  readonly firstVelocity: number;
  /** Number of velocities before it that are always zero: unused velocities of the auxiliary bodies of rotors. */
  readonly idle: number;
}

/** Sizes and names of coordinates. */
export interface PublicCoordinates {
  /** Number of positions: the length of q. */
  readonly positions: number;
  /** Number of velocities: the length of v. */
  readonly velocities: number;
  /** Names of the velocities, for messages and options. */
  readonly velocityNames: readonly string[];
  /** Names of the positions; the same list as {@link velocityNames} if velocities have no names of their own. */
  readonly positionNames: readonly string[];
  /** The bodies, if q consists of rigid bodies and nothing else. */
  readonly rigidBodies?: readonly RigidBodyInfo[];
  /** Indices of states that do not belong to the motion: after all others if the system has no such states. */
  readonly states: StateIndices;
  /** Size of a mechanism that is many times this size away from the origin; otherwise 0. */
  readonly positionScale: number;
}

/** The coordinates of a state, and the kinematic equation q' = T(q) v. */
export interface Coordinates extends PublicCoordinates {
  /** True if q' = v: no rotation has other coordinates. */
  readonly ratesAreVelocities: boolean;
  /** out = q' for the velocity v + scale correction. */
  positionRate(v: Address, scale: number, correction: Address, out: Address): void;
  /**
   * Adds a small displacement, in velocity coordinates, to the q at an address. Rotations are updated exactly, or by
   * the rule `turn`.
   */
  displace(q: Address, displacement: Address, turn?: Turn): void;
  /** Normalises the q at an address: Euler parameters become unit quaternions. */
  normalise(q: Address): void;
  /**
   * From the next `at` on, uses Euler parameters without normalisation: R = (2 e0^2 - 1) I + 2 (e e^T + e0 [e x]) is a
   * rotation for unit length only, and J follows the tables of Haug 1989, 9.4. For methods that request it; false ends
   * it. Does nothing without Euler parameters, and in relative coordinates.
   */
  useUnnormalised(isPlain: boolean): void;
}

/** Energies at the trial state. */
export interface Energy {
  /** True if the potential energy is known. */
  readonly hasPotential: boolean;
  /**
   * True if the sum of kinetic and potential energy is constant: no drives, dampers or loads. Only errors change it.
   */
  readonly isConservative: boolean;
  /** Potential energy. */
  potential(): number;
  /** Kinetic energy. */
  kinetic(): number;
  /** Power of the forces without potential. */
  power(): number;
  /** out = d(potential)/dq. */
  potentialGradient(out: Address): void;
  /** out = d(kinetic energy)/dq at fixed v. */
  kineticGradient(out: Address): void;
}

/** Unwrapped joint angles and the offsets held by couplings. */
export interface UnwrappedAngles {
  /** Number of values. */
  readonly count: number;
  /** Names of the joints with angles and of the coupling rows, in the order of the values. */
  readonly names: readonly string[];
  /** Copies the values of the accepted state to `out`. */
  read(out: Float64Array): void;
  /** Sets the values of the accepted state. */
  write(from: Float64Array): void;
}

/**
 * Data that a system carries from step to step in addition to q and v.
 *
 * A run calls {@link arrive} at the accepted state, {@link beginStep} before each attempt, and {@link finaliseState}
 * once a step is accepted and corrected.
 */
export interface Continuation {
  /** Prepares a step of length h from the accepted state. */
  beginStep(t: number, h: number): void;
  /** Returns the longest step from or to the accepted state that still counts rotations correctly. */
  stepLimit(): number;
  /**
   * Performs the actions due at the accepted state before a step begins, such as samples of controllers. Returns true
   * if the equations of motion change: slopes that methods have stored are then out of date.
   */
  arrive(t: number): boolean;
  /** Declares fixed steps from now on, so that no error control limits their errors. */
  useFixedSteps(): void;
  /** False if no action is ever due at a time: {@link arrive} and {@link nextBreak} need not be called. */
  readonly hasBreaks: boolean;
  /** Returns the next time after t at which a step has to end; infinity if no step has to. */
  nextBreak(t: number): number;
  /** Completes the accepted state: normalises its coordinates and counts rotations. */
  finaliseState(t: number): void;
  /** False if nothing is done between steps, neither {@link arrive} nor {@link finaliseState}, and no step is too long. */
  readonly actsBetweenSteps: boolean;
  /** Components of a state other than q and v. */
  readonly unwrappedAngles: UnwrappedAngles;
  /**
   * Continues from the state of another system with the same coordinates, under the constraints and forces of this
   * one. Copies by name the components of that state other than q and v.
   */
  continueFrom(previous: Continuation, t: number): void;
  /** Doubts that comparisons of user functions have raised so far: full sentences, for the notes of a run. */
  readonly doubts: readonly string[];
}

/**
 * Adds loads to bodies: six values per body, a force in world axes and a torque about the centre of mass in body axes.
 */
export type Pushes = (frames: Float64Array, loads: Float64Array) => void;

/** The bodies of a mechanism, in maximal or relative coordinates alike. Interactive loads, sensors and views use it. */
export interface BodyAccess {
  /** Number of bodies. */
  readonly count: number;
  /** Advice for a motion that diverges, beyond a shorter step: the end of a sentence, may be empty. */
  readonly stiffAdvice: string;
  /** Frames of all bodies at the trial state, in the record layout of the kernels (`BodyFrame`). */
  frames(): Float64Array;
  /** Writes the generalised forces that correspond to forces on the bodies, at the trial state. */
  forces(onBodies: Address, out: Address): void;
  /**
   * Records of all sensors at the trial state, in the layout of the kernels (`Sensor`). Jacobians are computed only on
   * request.
   */
  sensors(withJacobians: boolean): Float64Array;
  /** Writes the velocities of the bodies for generalised velocities v, at the trial state. */
  velocities(v: Address, out: Address): void;
  /** The largest angular velocity of a body at the accepted state, in rad/s. */
  angularRate(): number;
  /** Sets loads that act in addition to those of the model until the next call; undefined removes them. */
  setPushes(pushes: Pushes | undefined): void;
}

/**
 * Public coordinates of a system that is integrated in others: positions and velocities of bodies, while the system's
 * own are joint coordinates. Public rows, multipliers and accelerations are those of {@link maximal}.
 */
export interface PublicState<S> {
  /** The public q and v. */
  readonly coordinates: PublicCoordinates;
  /** True if the coordinates were chosen automatically: methods that cost less in maximal coordinates use those. */
  readonly isAutomatic: boolean;
  /** Joint error that states may have, because the geometry fits only approximately; else 0. */
  readonly misfit: number;
  /** Writes the public q, then v, for the system's q and v at `from`. Does not change the trial state. */
  write(from: Address, out: Address): void;
  /**
   * Writes the system's q, then v, to `out` for the public q and v at `from`, which satisfy the joints. Angles are
   * unwrapped to the value nearest to `continuation.unwrappedAngles`. Components that violate a joint are dropped;
   * returns the largest of them, in the units of its coordinate. Addresses are in the memory of the system.
   */
  read(from: Address, out: Address): number;
  /**
   * Returns another system of the same mechanism, with its own memory, whose q and v are the public ones. It serves to
   * project given states, to compute impulses and to answer queries about rows and reactions. It is created on the
   * first call and not sealed.
   */
  maximal(): S;
}
