// The seam between systems and methods: operators; matrices for those that need them.

import type { Turn } from "../../assembly/layout-bodies.js";
import type { Address } from "../ground/memory/arena.js";
import type { StiffMemory } from "../ground/memory/stiff-memory.js";
import type { Workspace } from "../ground/memory/workspace.js";
import type { DenseEquations, EquationDerivatives, SparseEquations } from "./matrices.js";

export type * from "./matrices.js";

/**
 * How the multipliers of a system are found. "auto" is the best way the system has: the complete
 * orthogonal decomposition for systems given by functions; for mechanisms block sparse, linear in the
 * number of bodies, which takes rows that repeat others. "cholesky" is block sparse
 * there as well, the others work on dense matrices.
 */
export type SolverKind = "auto" | "cod" | "svd" | "cholesky" | "kkt";

/**
 * Solves with the mass matrix M and the constraint Jacobian J at the state last announced by
 * {@link System.at}. The seam between systems and methods: methods see these operators and never ask
 * whether matrices are dense or block sparse.
 */
export interface ConstraintSolver {
  readonly kind: SolverKind;
  /** Factors M and J M^-1 J^T; nothing happens when that was done at this state. */
  factor(): void;
  /** x = M^-1 b. */
  massSolve(b: Address, x: Address): void;
  /** out = a + minnorm(right - J a) with a = M^-1 Q: the accelerations for J out = right. */
  accelerate(right: Address, out: Address): void;
  /** {@link accelerate} and corrected = v + minnorm(r), in one: cheaper than one after the other. */
  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void;
  /**
   * X = M^-1 J^T (J M^-1 J^T)^+ R for `count` right sides of `rows` numbers each. Iterations that form their
   * residual anew do not need the result refined.
   */
  minnorm(count: number, r: Address, x: Address, refined?: boolean): void;
  /** The multipliers of {@link accelerate}: M out = Q + J^T lambda, of least norm if not unique. */
  multipliers(right: Address, lambda: Address): void;
  /** Rank of J at this state. */
  rank(): number;
  /**
   * Factors at this state and keeps that factor at later ones, correcting by residuals, until
   * {@link thaw}: for states close to each other. Absent where each state is factored anew.
   */
  freeze?(): void;
  thaw?(): void;
}

/**
 * A body with seven numbers in q: its centre of mass in the world and four Euler parameters, scalar first,
 * which turn its frame into the world.
 */
export interface FrameOfBody {
  readonly name: string;
  /** Centre of mass, in the frame of the body. */
  readonly centre: ArrayLike<number>;
}

/** y' = f(t, y) at the trial state of a system. */
export interface OdeFunctions {
  /** out = f(t, y). */
  rate(t: number, out: Address): void;
  /** out = df/dy, n x n by columns; missing where no formulas are given. */
  jacobian?(t: number, out: Address): void;
}

/**
 * A source of equations M a = Q + J^T lambda, Phi(q, t) = 0, with its state and its memory.
 * Quantities are evaluated when first asked for after {@link at}, and once only.
 */
export interface System {
  readonly name: string;
  readonly workspace: Workspace;
  /** Numbers in q. */
  readonly positions: number;
  /** The rate of q is v itself: no rotations with other coordinates. */
  readonly ratesAreVelocities: boolean;
  /** Numbers in v. */
  readonly velocities: number;
  /** Constraint rows: holonomic first, then nonholonomic. */
  readonly rows: number;
  readonly holonomicRows: number;
  /** Of the velocities. */
  readonly coordinateNames: readonly string[];
  /** Of the positions, where they are not the same. */
  readonly positionNames?: readonly string[];
  readonly rowNames: readonly string[];
  /** The bodies, where q is made of rigid bodies and of nothing else. */
  readonly frames?: readonly FrameOfBody[];
  /** The length of a mechanism that lies many times that away from the origin; undefined for others. */
  readonly farFromOrigin?: number | undefined;

  /** The accepted state: q, then v, then the work counted by stabilisations that count it. */
  readonly state: Address;
  /** The state at which everything is evaluated: q, then v, then the work. */
  readonly trial: Address;

  /** Says that the trial state is new, and at which time it is. */
  at(t: number): void;
  /** Instead of {@link at} where only the velocities are new: saves what depends on positions alone. */
  atVelocity?(): void;
  /** The time given to {@link at}. */
  readonly time: number;

  /** Generalised forces Q. */
  forces(): Address;
  /** Constraint values: zero in the nonholonomic rows. */
  phi(): Address;
  /** Velocity residuals: J v + dPhi/dt in the holonomic rows, Pi(q, v, t) in the others. */
  phiDot(): Address;
  /** Right side of J a = gamma. */
  gamma(): Address;
  /** out = J x. */
  jacobianTimes(x: Address, out: Address): void;
  /** out = J^T lambda. */
  jacobianTransposeTimes(lambda: Address, out: Address): void;
  /** out = M x. */
  massTimes(x: Address, out: Address): void;
  /**
   * out = rate of q when the velocity is v + scale correction: that velocity itself, unless rotations
   * have other coordinates.
   */
  positionRate(v: Address, scale: number, correction: Address, out: Address): void;
  /**
   * Moves the q at an address by a small displacement given in velocity coordinates. Rotations follow it
   * exactly, or by the rule of a method.
   */
  displace(q: Address, displacement: Address, turn?: Turn): void;
  /**
   * From the next {@link at} on, takes Euler parameters as they are, units or not: R = (2 e0^2 - 1) I + 2 (e e^T + e0
   * [e x]) is a rotation for units only. For methods that say so; false ends it.
   */
  takePlain?(isPlain: boolean): void;
  /** Before a step from the accepted state: how long it will be. */
  beginStep?(t: number, h: number): void;
  /** Longest step from or to the accepted state after which everything that is counted, like turns, is known. */
  longestStep?(): number;
  /**
   * The function whose differences are worst at the accepted state, and by how much of their size accelerations are wrong by
   * them. Missing where none are used.
   */
  differences?(t: number): { readonly name: string; readonly error: number } | undefined;
  /** How noisy the user's functions are around the accepted state. */
  noise?(t: number): NoiseReport;
  /** The accepted state is final: brings its coordinates to their normal form. */
  settle?(t: number): void;

  /** Potential energy at the trial state, if the system has one. */
  readonly hasPotential: boolean;
  /** Nothing but errors changes the sum of kinetic and potential energy: no drives, dampers or loads. */
  readonly isConservative?: boolean;
  potential(): number;
  kineticEnergy(): number;
  /** Power fed in by forces that have no potential. */
  power(): number;
  /** out = d(potential)/dq. */
  potentialGradient(out: Address): void;
  /** out = d(kinetic energy)/dq at fixed v. */
  kineticGradient(out: Address): void;

  /** The solver of a kind; the same object for every method that asks with the same tolerance. */
  solver(kind: SolverKind, tolerance?: number): ConstraintSolver;
  /** The error for a kernel's failure: below `velocities` its index is a coordinate, then a row. */
  blame(status: number, advice: string): Error;
  /** Dense matrices, where the system has them. */
  readonly dense?: DenseEquations;
  /** The matrices number by number, where that saves work. */
  readonly sparse?: SparseEquations;
  /** Derivatives by formulas, with memory reserved for them; or why there are none. */
  analyticDerivatives?(stiff: StiffMemory): EquationDerivatives | string;
  /** Degrees of freedom, where they are known before the motion: rows may repeat each other. */
  readonly degreesOfFreedom?: number | undefined;
  /**
   * Where the system is a plain differential equation y' = f(t, y): its q is y, and it has no velocities and no
   * constraints. Formulations of mechanics do not take it.
   */
  readonly ode?: OdeFunctions;

  /** Some constraints close loops: rows may repeat others, and poses may be singular. */
  readonly closesLoops?: boolean;
  /** Steps are judged by their error, and taken back where it is too large. Set by who does that. */
  judgesSteps?: boolean;
  /**
   * Where the geometry fits only nearly, and some of the constraints stays open at every pose: the part of
   * residuals of the rows that some motion could take away, by the factor in use. Missing where all of it can.
   */
  readonly closable?: ((residual: Address) => Address) | undefined;
  /** Some direction of a loop is about to come free, at the state that was last factored: noise is large there. */
  nearSingular?(): boolean;
  /** Largest part of |Phi| at the trial state that some motion could close. Replaces the factor. */
  closableError?(): number;
  /** How often something has been factored. */
  factorisations: number;
  /** What belongs to a state besides q and v: on which turn angles are, what couplings hold. */
  readonly turns?: Turns;
  /** Brings the q at an address to its normal form. */
  normalise?(q: Address): void;
  /**
   * The accepted state is that of another system of the same coordinates, which goes on with the constraints
   * and forces of this one: what else belongs to it is taken over, by name.
   */
  takeOver?(previous: System, t: number): void;
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

/** On which turn each angle is, and what couplings hold. */
export interface Turns {
  readonly count: number;
  /** Of the joints that angles belong to, and of rows that couple. */
  readonly names: readonly string[];
  read(out: Float64Array): void;
  write(from: Float64Array): void;
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
